import { type CodedProblem, problemsOf } from '../../values/coded-problem.ts';

/** What can be wrong with the path of a file of a container, as the continuation of a sentence. */
export const machinePathProblems = {
  machine_path_relative: 'is not an absolute path',
  machine_path_characters: 'has a backslash or a control character',
  machine_path_steps: 'has a step that is empty, `.` or `..`',
  machine_path_long: 'is too long',
  machine_path_reserved: 'is below /{folder}, where no file can be put',
} as const;

const problem = problemsOf(machinePathProblems);

/** Folders of the kernel and of the grader. */
const notForFiles = ['.grader', 'proc', 'sys', 'dev'];
const maxPathBytes = 1000;
const maxNameBytes = 255;

/** Why a file cannot be put at a path of a container; undefined if it can. */
export function pathProblem(path: string): CodedProblem | undefined {
  if (!path.startsWith('/')) return problem('machine_path_relative');
  if (!path.isWellFormed() || /[\\\p{Cc}]/u.test(path)) return problem('machine_path_characters');
  const steps = path.split('/').slice(1);
  if (steps.some((step) => step === '' || step === '.' || step === '..')) return problem('machine_path_steps');
  const isTooLong =
    Buffer.byteLength(path) > maxPathBytes || steps.some((step) => Buffer.byteLength(step) > maxNameBytes);
  if (isTooLong) return problem('machine_path_long');
  if (notForFiles.includes(steps[0] ?? '')) return problem('machine_path_reserved', { folder: steps[0] ?? '' });
  return undefined;
}

/** The owner of a file that names none: the student's home folder is the student's. */
export const defaultOwner = (path: string): string => (path.startsWith('/home/student/') ? 'student' : 'root');
export const defaultMode = '0644';

/** A mode as four digits. */
export const wholeMode = (mode: string): string => mode.padStart(4, '0');
