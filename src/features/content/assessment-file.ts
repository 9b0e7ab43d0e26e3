import { basename, dirname } from 'node:path/posix';
import { lineFeedsIn } from '../../values/line-feeds.ts';
import type { ContentFile, ExamFile, LaboratoryFile, WithScripts } from './schema.ts';
import { reportRepeats, type YamlFile } from './yaml-file.ts';

export type AssessmentFile = YamlFile<typeof ExamFile> | YamlFile<typeof LaboratoryFile>;

/** Characters in a script that bash or the database would reject. */
export function mistakesOf(source: string): { line: number; message: string }[] {
  const at = source.indexOf('\0');
  return at < 0 ? [] : [{ line: source.slice(0, at).split('\n').length, message: 'a NUL character is not allowed' }];
}

/** Reports violations in an exam or a laboratory that no schema can express. */
export function checkAssessment(file: AssessmentFile): void {
  const folderName = basename(dirname(file.path));
  const kind = file.path.endsWith('/exam.yaml') ? 'exam' : 'laboratory';
  for (const { place, text } of file.texts(['slug'])) {
    if (text !== folderName) file.report(place, `must be ${folderName}, the name of the ${kind}'s folder`);
  }
  reportRepeats([file as YamlFile<typeof ExamFile>], ['tasks', '*', 'slug']);
  if (!file.isValid) return;
  const { passing_score, tasks } = file.value;
  const sum = tasks.reduce((points, task) => points + task.points, 0);
  // An assessment without tasks is a draft.
  if (tasks.length > 0 && passing_score > sum)
    file.report(['passing_score'], `must not be above ${sum}, the points of all tasks`);
}

/**
 * @param scripts the sources of all scripts, by the paths in the file
 * @param folders the files of all folders, by the paths in the file
 */
export function withScripts<Value extends AssessmentFile['value']>(
  value: Value,
  scripts: ReadonlyMap<string, string>,
  folders: ReadonlyMap<string, ContentFile[]>,
): WithScripts<Value> {
  const optional = (path: string | undefined): string | null => (path === undefined ? null : (scripts.get(path) ?? ''));
  const filesIn = (path: string | undefined): ContentFile[] => folders.get(path ?? '') ?? [];
  const { setup: ownSetup, files: ownFiles, ...fields } = value;
  const tasks = value.tasks.map(({ verify, solution, setup, files, ...task }) => ({
    ...lineFeedsIn(task),
    verification_script: scripts.get(verify) ?? '',
    solution_script: optional(solution),
    setup_script: optional(setup),
    files: filesIn(files),
  }));
  return {
    ...lineFeedsIn(fields),
    setup_script: optional(ownSetup),
    files: filesIn(ownFiles),
    tasks,
  } as unknown as WithScripts<Value>;
}
