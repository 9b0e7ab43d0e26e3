import { join } from 'node:path/posix';
import type { Problem } from '../../../src/features/content/problems.ts';
import { type ProblemParams, problemsOf } from '../../../src/values/coded-problem.ts';
import { type Lesson, readLesson } from './lesson-text.ts';
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

/** What of a repository is not converted, as the continuation of the place in it. */
export const outlineProblems = {
  files_too_many: 'has more than {max} files: the others are left out',
  lesson_too_large: 'is too large: it is left out',
  texts_too_large: 'exceeds {max} MiB of texts: it is left out',
  not_utf8: 'is not text in UTF-8: it is left out',
  symbolic_link: 'is a symbolic link, which is not followed: it is left out',
  no_lessons: 'has no lessons in Markdown',
  contents_unreadable: 'cannot be read: {error}',
  nested_too_deep: 'cannot be read: it is nested too deep',
  program_ignored: 'is a program, which is not executed: the order is that of the folders. A sidebars.json is read',
  not_a_lesson: '{name} is not a lesson: it is left out',
  item_type_unknown: 'an item of the type {name} is not converted',
  item_without_type: 'an item of the type (none) is not converted',
  folder_empty: '{name} has no lessons',
  other_site: '{name} is on another site: it is left out',
  pattern_ignored: 'a pattern (glob) is not converted: it is left out',
  entry_without_file: 'an entry without a file: it is left out',
  entry_unknown: 'is neither a lesson nor a group: it is left out',
  entry_empty: '{name} has neither a file nor a list: it is left out',
  chapter_empty: 'a chapter has no text yet: it is left out',
  named_chapter_empty: '{name} has no text yet: it is left out',
  target_missing: '{name} is not in the repository',
  translations_left_out: '{count} lessons are translations of others: they are left out',
  order_unread: 'has an order of lessons that is not read: it is that of the folders',
  include_ignored: '{name} includes another file, which is not done: the text is missing',
  frame_linked: 'a frame (iframe) is shown as a link',
  targets_missing: '{count} further files are not in the repository',
  path_not_relative: '{name} is not a relative path: it is left out',
  path_outside: '{name} leads out of the repository: it is left out',
  path_too_long: '{name} is longer than {max} characters: it is left out',
  lesson_missing: '{name} does not exist: it is left out',
  lesson_unreadable: '{name} cannot be read: it is left out',
  lesson_not_markdown: '{name} is not Markdown: it is left out',
  file_not_markdown: 'is not Markdown: it is left out',
  draft: 'is a draft: it is left out',
} as const;

export type OutlineProblemCode = keyof typeof outlineProblems;
export type OutlineProblem = Problem & { code: OutlineProblemCode; params: ProblemParams };

const problem = problemsOf(outlineProblems);

export function outlineProblem(
  file: string,
  line: number,
  given: OutlineProblemCode,
  values?: ProblemParams,
): OutlineProblem {
  const { code, params, text } = problem(given, values);
  return { file, line, message: text, code, params };
}
