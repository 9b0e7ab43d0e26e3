import type { ValidationItem } from '../../errors.ts';
import type { Student } from '../../values/student.ts';
import { foldName } from '../../values/username.ts';
import { type ImportProblem, lineItem } from './import-problems.ts';
import { cellOf, type Sheet } from './sheet.ts';
import type { TableRow } from './table.ts';

/**
 * Finds the student whom a line names, by a username, an address, or both. Each line of a file is asked for once.
 * @returns the student, where one is found, and what is wrong with the names
 */
export function studentFinder(
  sheet: Sheet,
  students: readonly Student[],
): (row: TableRow) => { user_id: number | undefined; problems: ValidationItem[] } {
  const seen = new Set<number>();
  const byName = new Map(students.map((student) => [foldName(student.username), student]));
  const byEmail = new Map(students.map((student) => [foldName(student.email), student]));
  return (row) => {
    const text = (key: string): string => foldName(cellOf(sheet, row, key) ?? '');
    const [username, email] = [text('username'), text('email')];
    const [named, addressed] = [unescaped(byName, username), unescaped(byEmail, email)];
    const user_id = (named ?? addressed)?.user_id;
    const isTwice = user_id !== undefined && seen.has(user_id);
    if (user_id !== undefined) seen.add(user_id);
    const problem = studentProblem(username, email, named, addressed) ?? (isTwice ? twice : undefined);
    return { user_id, problems: problem ? [lineItem(row.line, ...problem)] : [] };
  };
}

/** A text that an export has escaped begins with an apostrophe. */
const unescaped = (students: ReadonlyMap<string, Student>, text: string): Student | undefined =>
  students.get(text) ?? (text.startsWith("'") ? students.get(text.slice(1)) : undefined);

type Problem = [column: string | undefined, problem: ImportProblem];
const twice: Problem = [undefined, 'student_twice'];

/** A username, an address, or both, of one student. */
function studentProblem(
  username: string,
  email: string,
  named: Student | undefined,
  addressed: Student | undefined,
): Problem | undefined {
  if (username === '' && email === '') return [undefined, 'nobody_named'];
  if (username !== '' && !named) return ['username', 'username_not_in_class'];
  if (email !== '' && !addressed) return ['email', 'email_not_in_class'];
  if (named && addressed && named !== addressed) return ['email', 'accounts_differ'];
  return undefined;
}
