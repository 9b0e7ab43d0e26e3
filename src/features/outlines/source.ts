import { join } from 'node:path/posix';
import type { Problem } from '../content/problems.ts';
import { type Lesson, readLesson } from './lesson-text.ts';

/** The files of a repository by their paths: the texts of lessons and tables of contents, and null for files of any other kind. */
export type SourceFiles = ReadonlyMap<string, string | null>;

/** A line of a table of contents: a lesson, a group of entries, or both. */
export type Entry = {
  title?: string | undefined;
  /** The path of the lesson's file from the root of the repository. */
  path?: string | undefined;
  /** The name of the folder or group, from which the slug of a section is derived. */
  name?: string | undefined;
  children: Entry[];
};

/** The contents of one course, as a table of contents or the folders have them. */
export type Contents = { title?: string | undefined; description?: string | undefined; entries: Entry[] };

const markdown = /\.(?:md|markdown)$/i;
const maxPathLength = 1000;

export const isMarkdown = (path: string): boolean => markdown.test(path);

/** A repository that is being converted. What could not be converted is in `problems`, other remarks are in `warnings`. */
export class Source {
  readonly files: SourceFiles;
  readonly problems: Problem[] = [];
  readonly warnings: Problem[] = [];
  readonly #lessons = new Map<string, Lesson>();

  constructor(files: SourceFiles) {
    this.files = files;
  }

  text(path: string): string | undefined {
    return this.files.get(path) ?? undefined;
  }

  /** The first of these files that exists. */
  first(paths: readonly string[]): string | undefined {
    return paths.find((path) => this.text(path) !== undefined);
  }

  /** An entry that is not converted. */
  refuse(file: string, line: number, message: string): void {
    this.problems.push({ file, line, message });
  }

  warn(file: string, line: number, message: string): void {
    this.warnings.push({ file, line, message });
  }

  /** The lesson at a path that exists. */
  lesson(path: string): Lesson {
    let lesson = this.#lessons.get(path);
    if (lesson === undefined) {
      lesson = readLesson(this.text(path) ?? '');
      this.#lessons.set(path, lesson);
    }
    return lesson;
  }

  /**
   * The path of the lesson that an entry of a table of contents names. Undefined, with a problem, where there is none.
   * @param base the folder that the reference is relative to
   * @param endings are tried where the reference does not name a file itself
   */
  find(place: { file: string; line: number }, base: string, reference: string, endings: readonly string[] = []) {
    const refuse = (message: string): undefined => {
      this.refuse(place.file, place.line, `${shown(reference)} ${message}`);
    };
    if (reference.startsWith('/') || /[\\\p{Cc}]/u.test(reference))
      return refuse('is not a relative path: it is left out');
    const path = join(base, reference);
    if (path === '..' || path.startsWith('../')) return refuse('leads out of the repository: it is left out');
    if (path.length > maxPathLength) return refuse(`is longer than ${maxPathLength} characters: it is left out`);
    const candidates = ['', ...endings].map((ending) => `${path}${ending}`);
    const found = candidates.find((candidate) => isMarkdown(candidate) && this.text(candidate) !== undefined);
    if (found !== undefined) return found;
    const other = [...candidates, `${path}.ipynb`, `${path}.rst`, `${path}.mdx`].find((file) => this.files.has(file));
    if (other === undefined) return refuse('does not exist: it is left out');
    return refuse(`${isMarkdown(other) ? 'cannot be read' : 'is not Markdown'}: it is left out`);
  }
}

export const shown = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text);
