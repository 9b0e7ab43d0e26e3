import { basename, dirname } from 'node:path/posix';
import type { ExamContent, ExamFile } from './schema.ts';
import { reportRepeats, type YamlFile } from './yaml-file.ts';

const notForBash: [RegExp, string][] = [
  [/\r/, 'a line ends as on Windows (CR LF), which bash does not understand'],
  [/^\uFEFF/, 'begins with a byte order mark, which bash does not understand'],
  [/\0/, 'a NUL character is not allowed'],
];

/** What bash, or the database, would not take in a script. */
export function mistakesOf(source: string): { line: number; message: string }[] {
  return notForBash.flatMap(([pattern, message]) => {
    const at = source.search(pattern);
    return at < 0 ? [] : [{ line: source.slice(0, at).split('\n').length, message }];
  });
}

/** Reports what no schema can say of an exam. */
export function checkExam(file: YamlFile<typeof ExamFile>): void {
  const folderName = basename(dirname(file.path));
  for (const { place, text } of file.texts(['slug'])) {
    if (text !== folderName) file.report(place, `must be ${folderName}, the name of the exam's folder`);
  }
  reportRepeats([file], ['tasks', '*', 'slug']);
  if (!file.isValid) return;
  const { passing_score, tasks } = file.value;
  const sum = tasks.reduce((points, task) => points + task.points, 0);
  if (passing_score > sum) file.report(['passing_score'], `must not be above ${sum}, the points of all tasks`);
}

/** @param scripts the sources of all scripts, by the paths in the file */
export function examContent({ value }: YamlFile<typeof ExamFile>, scripts: ReadonlyMap<string, string>): ExamContent {
  const { tasks, ...exam } = value;
  return {
    ...exam,
    tasks: tasks.map(({ verify, solution, ...task }) => ({
      ...task,
      verification_script: scripts.get(verify) ?? '',
      solution_script: solution === undefined ? null : (scripts.get(solution) ?? ''),
    })),
  };
}
