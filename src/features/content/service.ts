import type { Content, ContentChange } from './schema.ts';
import type { ContentStore, ImportOptions } from './store.ts';

/** Loaded with the first file, because most starts read none. */
const reader = () => import('./layout.ts');

export type ContentCounts = {
  courses: number;
  themes: number;
  exams: number;
  /** Of the exams. */
  tasks: number;
  laboratories: number;
  sandboxTemplates: number;
  /** Files of lessons that are written in the pages. */
  writtenLessons: number;
};

/** Imports courses, exams, laboratories and sandbox templates from files. */
export class ContentService {
  readonly #store: ContentStore;

  constructor(store: ContentStore) {
    this.#store = store;
  }

  /**
   * Fills the database of a new installation from a content directory. Where any course, exam, laboratory or template already exists,
   * nothing is read or written, so administrators' changes stay.
   * @returns the numbers of created items, or undefined
   * @throws ContentError when the directory contains anything invalid; nothing is written then
   */
  async seedContent(directory: string): Promise<ContentCounts | undefined> {
    if (!(await this.#store.isEmpty())) return undefined;
    const { readContent } = await reader();
    const content = await readContent(directory);
    return (await this.#store.saveIfEmpty(content)) ? countsOf(content) : undefined;
  }

  /**
   * Updates the database to match a content directory. Items of the directory are created or changed, are matched by slug, and become
   * active again unless the files say otherwise. Courses, exams, laboratories and templates that it does not contain stay unchanged.
   * Children that the file of a listed item does not contain stay unless `prune` is set.
   * @returns the result for every item in the directory; for a dry run, the expected result
   * @throws ContentError, ConflictError; nothing is written then
   */
  async import(directory: string, options: ImportOptions): Promise<ContentChange[]> {
    const { readContent } = await reader();
    return await this.#store.import(await readContent(directory, await this.#store.known()), options);
  }

  /**
   * Writes the database's content into a new or empty directory, in the form that `import` reads.
   * @param options.all includes the exams and laboratories that are drafts or retired
   * @param options.lessons the folder of the lessons' texts, where there is one: they are written if it contains all of them
   * @returns the missing lessons
   * @throws Error for a directory that is not empty; ContentError when something in the database is not valid in the files: everything
   * is written then, but cannot be imported as it stands
   */
  async export(
    directory: string,
    options: { all: boolean; lessons: string | undefined },
  ): Promise<{ counts: ContentCounts; missingLessons: string[] }> {
    const content = await this.#store.read(options.all);
    const [{ readContent }, { writeContent }] = await Promise.all([reader(), import('./export-folder.ts')]);
    const missingLessons = await writeContent(directory, content, options.lessons);
    await readContent(directory);
    return { counts: countsOf(content), missingLessons };
  }
}

const countsOf = ({ courses, exams, laboratories, sandboxTemplates, writtenLessons }: Content): ContentCounts => ({
  courses: courses.length,
  themes: courses.flatMap(({ sections }) => sections.flatMap(({ themes }) => themes)).length,
  exams: exams.length,
  laboratories: laboratories.length,
  tasks: [...exams, ...laboratories].flatMap(({ tasks }) => tasks).length,
  sandboxTemplates: sandboxTemplates.length,
  writtenLessons: writtenLessons.length,
});
