import { type CodedProblem, problemsOf } from '../../values/coded-problem.ts';
import { mediaTypeOf } from '../../values/media-types.ts';

/** What can be wrong with the path of a file of lessons. */
export const lessonPathProblems = {
  lesson_path_absolute: 'the path should be relative to the root of the lessons repository',
  lesson_path_backslash: 'the path should have no backslash',
  lesson_path_steps: 'the path should name a file without empty, . or .. steps',
  written_path_characters: 'the path should have no control characters and none of " * : < > ? |',
  written_path_dots: 'no step of the path should begin with a dot, or end with a dot or a space',
  written_path_kind: 'the name should end with .md, or as that of a picture, a PDF or a plain text',
  text_path_ending: 'the name should end with .md or .markdown',
  path_ending_changed: 'the ending of the name cannot change',
  file_not_text: 'the file is no text',
} as const;

export const lessonPathProblemOf = problemsOf(lessonPathProblems);

/** Why a path cannot be that of a file in the lessons repository, or undefined. */
export function lessonPathProblem(path: string): CodedProblem | undefined {
  if (path.startsWith('/')) return lessonPathProblemOf('lesson_path_absolute');
  if (path.includes('\\')) return lessonPathProblemOf('lesson_path_backslash');
  if (path.split('/').some((step) => step === '' || step === '.' || step === '..'))
    return lessonPathProblemOf('lesson_path_steps');
  return undefined;
}

/** Why a path cannot be that of a file that is written in the pages, or undefined. Git must be able to check it out everywhere. */
export function writtenPathProblem(path: string): CodedProblem | undefined {
  const problem = lessonPathProblem(path);
  if (problem !== undefined) return problem;
  if (/[\p{Cc}"*:<>?|]/u.test(path)) return lessonPathProblemOf('written_path_characters');
  if (path.split('/').some((step) => step.startsWith('.') || /[ .]$/.test(step)))
    return lessonPathProblemOf('written_path_dots');
  if (!isText(path) && mediaTypeOf(path) === undefined) return lessonPathProblemOf('written_path_kind');
  return undefined;
}

/** Whether a path is that of a Markdown file. */
export const isText = (path: string): boolean => /\.(?:md|markdown)$/i.test(path);

/** A path in the same folder that is not taken. */
export function freePath(path: string, isTaken: (path: string) => boolean): string {
  const [, stem = path, ending = ''] = /^(.*?)(\.[^./]*)?$/s.exec(path) ?? [];
  let free = path;
  for (let number = 2; isTaken(free); number += 1) free = `${stem}-${number}${ending}`;
  return free;
}
