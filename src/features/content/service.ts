import { readContent } from './layout.ts';
import type { Content } from './schema.ts';
import type { ContentStore } from './store.ts';

export type ContentCounts = {
  courses: number;
  themes: number;
  exams: number;
  /** Of the exams. */
  tasks: number;
  laboratories: number;
  sandboxTemplates: number;
};

/** Courses, exams, laboratories and sandbox templates from files. */
export class ContentService {
  readonly #store: ContentStore;

  constructor(store: ContentStore) {
    this.#store = store;
  }

  /**
   * Fills the database of a new installation from a content directory. Where there is any course, exam, laboratory or template already
   * nothing is read or written: what administrators made of the content stays.
   * @returns what was made, or undefined
   * @throws ContentProblems when the directory holds anything that is not right; nothing is written then
   */
  async seedContent(directory: string): Promise<ContentCounts | undefined> {
    if (!(await this.#store.isEmpty())) return undefined;
    const content = await readContent(directory);
    return (await this.#store.saveIfEmpty(content)) ? countsOf(content) : undefined;
  }
}

const countsOf = ({ courses, exams, laboratories, sandboxTemplates }: Content): ContentCounts => ({
  courses: courses.length,
  themes: courses.flatMap(({ sections }) => sections.flatMap(({ themes }) => themes)).length,
  exams: exams.length,
  laboratories: laboratories.length,
  tasks: [...exams, ...laboratories].flatMap(({ tasks }) => tasks).length,
  sandboxTemplates: sandboxTemplates.length,
});
