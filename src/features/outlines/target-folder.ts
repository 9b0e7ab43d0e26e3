import { createHash, randomBytes } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AbsentPathError, ContentFolder } from '../content/content-folder.ts';
import { readCourseFiles, type WrittenCourse } from '../content/course-files.ts';
import { ContentError } from '../content/problems.ts';
import type { OutlineCourse } from './schema.ts';

/** What the last conversion of a repository wrote. */
export type Conversion = {
  courses: OutlineCourse[];
  /** The SHA-256 of each file below `lessons/`. */
  files: Record<string, string>;
};

const stateFile = '.outlines.json';
const maxStateBytes = 64 * 1024 * 1024;
const maxLessonBytes = 256 * 1024 * 1024;

export const digestOf = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');

/** A content directory that conversions write to, several times. */
export class TargetFolder {
  readonly #directory: string;
  readonly #folder: ContentFolder;
  /** By the name of the repository. */
  readonly #conversions: Map<string, Conversion>;
  /** The courses of the directory with their files. */
  readonly courses: readonly { path: string; course: WrittenCourse }[];

  private constructor(
    directory: string,
    folder: ContentFolder,
    conversions: Map<string, Conversion>,
    courses: TargetFolder['courses'],
  ) {
    [this.#directory, this.#folder, this.#conversions, this.courses] = [directory, folder, conversions, courses];
  }

  /** Creates the directory where it does not exist. @throws ContentError for a course file that cannot be read */
  static async open(directory: string): Promise<TargetFolder> {
    await mkdir(directory, { recursive: true });
    const folder = await ContentFolder.open(directory);
    const { courses, problems } = await readCourseFiles(folder);
    if (problems.length > 0) throw new ContentError(directory, problems);
    const state = await folder.readBytes(stateFile, maxStateBytes, { mayBeHidden: true }).catch((error: unknown) => {
      if (error instanceof AbsentPathError) return Buffer.from('{}');
      throw error;
    });
    return new TargetFolder(directory, folder, new Map(Object.entries(JSON.parse(state.toString()))), courses);
  }

  last(name: string): Conversion | undefined {
    return this.#conversions.get(name);
  }

  /** The digest of a file. Undefined where it does not exist. @throws UnusablePathError for a symbolic link */
  async digest(path: string): Promise<string | undefined> {
    try {
      return digestOf(await this.#folder.readBytes(path, maxLessonBytes));
    } catch (error) {
      if (error instanceof AbsentPathError) return undefined;
      throw error;
    }
  }

  /** Readers find either the old file or the new one. */
  async write(path: string, content: string | Buffer): Promise<void> {
    const place = join(this.#directory, path);
    await mkdir(dirname(place), { recursive: true });
    const draft = join(dirname(place), `.${randomBytes(6).toString('hex')}`);
    try {
      await writeFile(draft, content, { flag: 'wx' });
      await rename(draft, place);
    } finally {
      await rm(draft, { force: true });
    }
  }

  async remove(path: string): Promise<void> {
    await rm(join(this.#directory, path), { force: true });
  }

  /** Call this last: what is recorded is in the directory. */
  async record(name: string, conversion: Conversion): Promise<void> {
    this.#conversions.set(name, conversion);
    await this.write(stateFile, `${JSON.stringify(Object.fromEntries(this.#conversions))}\n`);
  }
}
