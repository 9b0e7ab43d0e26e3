import { join } from 'node:path/posix';
import type { ProblemParams } from '../../values/coded-problem.ts';
import { type Lesson, readLesson } from './lesson-text.ts';
import { type OutlineProblem, type OutlineProblemCode, outlineProblem } from './outline-problems.ts';
import { Translations } from './translations.ts';

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

/** A repository that is being converted. `problems` has the parts that could not be converted, and `warnings` other remarks. */
export class Source {
  readonly files: SourceFiles;
  readonly problems: OutlineProblem[] = [];
  readonly warnings: OutlineProblem[] = [];
  readonly translations: Translations;
  readonly #language: string | undefined;
  readonly #lessons = new Map<string, Lesson>();

  /** @param language of the lessons that are taken where they have several versions */
  constructor(files: SourceFiles, language?: string) {
    this.files = files;
    this.#language = language;
    this.translations = new Translations(
      [...files].flatMap(([path, text]) => (text !== null && isMarkdown(path) ? [path] : [])),
    );
  }

  /** The path of a lesson in the language that is taken. */
  version(path: string): string {
    return this.#language === undefined ? path : this.translations.versionIn(this.#language, path);
  }

  text(path: string): string | undefined {
    return this.files.get(path) ?? undefined;
  }

  /** The first of these files that exists. */
  first(paths: readonly string[]): string | undefined {
    return paths.find((path) => this.text(path) !== undefined);
  }

  /** An entry that is not converted. */
  refuse(file: string, line: number, code: OutlineProblemCode, params?: ProblemParams): void {
    this.problems.push(outlineProblem(file, line, code, params));
  }

  warn(file: string, line: number, code: OutlineProblemCode, params?: ProblemParams): void {
    this.warnings.push(outlineProblem(file, line, code, params));
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
    const refuse = (code: OutlineProblemCode, params?: ProblemParams): undefined => {
      this.refuse(place.file, place.line, code, { name: shown(reference), ...params });
    };
    if (reference.startsWith('/') || /[\\\p{Cc}]/u.test(reference)) return refuse('path_not_relative');
    const path = join(base, reference);
    if (path === '..' || path.startsWith('../')) return refuse('path_outside');
    if (path.length > maxPathLength) return refuse('path_too_long', { max: maxPathLength });
    const candidates = ['', ...endings].map((ending) => `${path}${ending}`);
    const found = candidates.find((candidate) => isMarkdown(candidate) && this.text(candidate) !== undefined);
    if (found !== undefined) return found;
    const other = [...candidates, `${path}.ipynb`, `${path}.rst`, `${path}.mdx`].find((file) => this.files.has(file));
    if (other === undefined) return refuse('lesson_missing');
    return refuse(isMarkdown(other) ? 'lesson_unreadable' : 'lesson_not_markdown');
  }
}

export const shown = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text);
