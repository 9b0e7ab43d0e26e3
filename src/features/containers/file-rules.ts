/** Folders of the kernel and of the grader. */
const notForFiles = ['.grader', 'proc', 'sys', 'dev'];
const maxPathBytes = 1000;
const maxNameBytes = 255;

/** Why a file cannot be put at a path of a container, as the continuation of a sentence; undefined if it can. */
export function pathProblem(path: string): string | undefined {
  if (!path.startsWith('/')) return 'is not an absolute path';
  if (!path.isWellFormed() || /[\\\p{Cc}]/u.test(path)) return 'has a backslash or a control character';
  const steps = path.split('/').slice(1);
  if (steps.some((step) => step === '' || step === '.' || step === '..'))
    return 'has a step that is empty, `.` or `..`';
  const isTooLong =
    Buffer.byteLength(path) > maxPathBytes || steps.some((step) => Buffer.byteLength(step) > maxNameBytes);
  if (isTooLong) return 'is too long';
  if (notForFiles.includes(steps[0] ?? '')) return `is below /${steps[0]}, where no file can be put`;
  return undefined;
}

/** The owner of a file that names none: the student's home folder is the student's. */
export const defaultOwner = (path: string): string => (path.startsWith('/home/student/') ? 'student' : 'root');
export const defaultMode = '0644';

/** A mode as four digits. */
export const wholeMode = (mode: string): string => mode.padStart(4, '0');
