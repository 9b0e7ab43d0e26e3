import { type ProblemParams, problemsOf } from '../../values/coded-problem.ts';
import type { Problem } from '../content/problems.ts';

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
