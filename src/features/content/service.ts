import { writeContent } from './export-folder.ts';
import { readContent } from './layout.ts';
import type { Content, ContentChange } from './schema.ts';
import type { ContentStore, ImportOptions } from './store.ts';

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

  /**
   * Brings the database to what a content directory says: what it has is made or changed, found by its slug, and is active again
   * unless the files say otherwise. Courses, exams, laboratories and templates that it does not have stay as they are; what one
   * of those in it has beyond its file stays too, and goes with `prune`.
   * @returns what became of everything in the directory; of a dry run, what would
   * @throws ContentProblems, Conflict; nothing is written then
   */
  async import(directory: string, options: ImportOptions): Promise<ContentChange[]> {
    return await this.#store.import(await readContent(directory, await this.#store.known()), options);
  }

  /**
   * Writes the database's content into a new or empty directory, as `import` reads it.
   * @param options.all with the exams and laboratories that are drafts or retired
   * @param options.lessons the folder of the lessons' texts, where there is one: they are written if it has all of them
   * @returns the lessons that it does not have
   * @throws Error for a directory that holds something; ContentProblems when something in the database is not what files may say:
   * everything is written then, but cannot be imported as it stands
   */
  async export(
    directory: string,
    options: { all: boolean; lessons: string | undefined },
  ): Promise<{ counts: ContentCounts; missingLessons: string[] }> {
    const content = await this.#store.read(options.all);
    const missingLessons = await writeContent(directory, content, options.lessons);
    await readContent(directory);
    return { counts: countsOf(content), missingLessons };
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
