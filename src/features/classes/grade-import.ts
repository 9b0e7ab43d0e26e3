import { Invalid, type ValidationItem } from '../../errors.ts';
import type { Caller } from '../../http/access.ts';
import { lineItem, parseCsv } from '../auth/user-csv.ts';
import type { GradeBookStore, Student, ValueChange } from './grade-book-store.ts';
import { rounded } from './grade-rules.ts';
import type { GradeColumn } from './grades-store.ts';

/** Columns that name the student. The full name is for the people who edit the file. */
export const studentColumns = ['username', 'email', 'full_name'];

export type GradeImportResult = {
  /** Lines with a student. */
  lines: number;
  /** Values that are others than before. */
  changed: number;
};
type Row = { line: number; cells: readonly string[] };

/** Imports values of the columns of a grade book from CSV. */
export class GradeImport {
  readonly #store: GradeBookStore;
  readonly #maxLines: number;

  /** @param maxLines with a student, in one file */
  constructor(store: GradeBookStore, maxLines: number) {
    this.#store = store;
    this.#maxLines = maxLines;
  }

  /**
   * All values are imported, or none. An empty cell leaves the value as it is, and a hyphen removes it.
   * @throws Invalid with the problems of all lines; NotFound, Forbidden, Conflict
   */
  async run(caller: Caller, classId: number, csv: string): Promise<GradeImportResult> {
    const { columns, students } = await this.#store.targets(caller, classId);
    const [header, ...rows] = parseCsv(csv, this.#maxLines + 2);
    if (!header) throw new Invalid([lineItem(1, undefined, 'the file is empty')]);
    // Before each of them is looked up.
    if (header.cells.length > columns.length + studentColumns.length)
      throw new Invalid([
        lineItem(header.line, undefined, 'the header has a column that the grade book does not have'),
      ]);
    const names = header.cells.map((cell) => cell.trim());
    const found = names.map((name) => columnOf(columns, name));
    const problems = headerProblems(names, found);
    if (rows.length === 0) problems.push('there is no student below the header');
    if (rows.length > this.#maxLines) problems.push(`there are more than ${this.#maxLines} students`);
    if (problems.length > 0) throw new Invalid(problems.map((problem) => lineItem(header.line, undefined, problem)));
    const changes = planOf(rows, names, found, students);
    return { lines: rows.length, changed: await this.#store.importValues(caller, classId, changes) };
  }
}

/** A text that an export has escaped begins with an apostrophe. */
const unescaped = (students: ReadonlyMap<string, Student>, text: string): Student | undefined =>
  students.get(text) ?? (text.startsWith("'") ? students.get(text.slice(1)) : undefined);

function columnOf(columns: readonly GradeColumn[], name: string): GradeColumn | undefined {
  const named = (text: string) => columns.find((column) => column.name.toLowerCase() === text.toLowerCase());
  return named(name) ?? (name.startsWith("'") ? named(name.slice(1)) : undefined);
}

const isStudentColumn = (name: string): boolean => studentColumns.includes(name.toLowerCase());

function headerProblems(names: readonly string[], found: readonly (GradeColumn | undefined)[]): string[] {
  const given = found.filter((column) => column !== undefined);
  const lower = names.map((name) => name.toLowerCase());
  return [
    ...(lower.includes('username') || lower.includes('email') ? [] : ['the header has no column username or email']),
    ...(names.every((name, index) => isStudentColumn(name) || found[index])
      ? []
      : ['the header has a column that the grade book does not have']),
    ...(given.length === 0 ? ['the header has no column of the grade book'] : []),
    ...(new Set(given).size === given.length && new Set(lower).size === lower.length
      ? []
      : ['the header has a column twice']),
  ];
}

/** @throws Invalid with the problems of all lines */
function planOf(
  rows: readonly Row[],
  names: readonly string[],
  found: readonly (GradeColumn | undefined)[],
  students: readonly Student[],
): ValueChange[] {
  const items: ValidationItem[] = [];
  const changes: ValueChange[] = [];
  const seen = new Set<number>();
  const index = (name: string) => names.findIndex((other) => other.toLowerCase() === name);
  const [usernames, emails] = [index('username'), index('email')];
  const byName = new Map(students.map((student) => [student.username.toLowerCase(), student]));
  const byEmail = new Map(students.map((student) => [student.email.toLowerCase(), student]));
  for (const { line, cells } of rows) {
    if (cells.length !== names.length) {
      items.push(lineItem(line, undefined, `the line has ${cells.length} cells, the header ${names.length}`));
      continue;
    }
    const cell = (at: number): string => (at < 0 ? '' : (cells[at] ?? '').trim().toLowerCase());
    const [username, email] = [cell(usernames), cell(emails)];
    const [named, addressed] = [unescaped(byName, username), unescaped(byEmail, email)];
    const problem = studentProblem(username, email, named, addressed);
    const user_id = (named ?? addressed)?.user_id;
    if (problem) items.push(lineItem(line, problem[0], problem[1]));
    else if (user_id !== undefined && seen.has(user_id))
      items.push(lineItem(line, undefined, 'the student is in this file twice'));
    if (user_id !== undefined) seen.add(user_id);
    for (const [at, column] of found.entries()) {
      const text = (cells[at] ?? '').trim();
      if (!column || text === '') continue;
      const value = parsedValue(text, column.max_score);
      if (typeof value === 'string') items.push(lineItem(line, column.name, value));
      else if (user_id !== undefined) changes.push({ column_id: column.id, user_id, value });
    }
  }
  if (items.length > 0) throw new Invalid(items);
  return changes;
}

/** A username, an address, or both, of one student. */
function studentProblem(
  username: string,
  email: string,
  named: Student | undefined,
  addressed: Student | undefined,
): [column: string | undefined, problem: string] | undefined {
  if (username === '' && email === '') return [undefined, 'the line has neither a username nor an e-mail address'];
  if (username !== '' && !named) return ['username', 'no student of the class has this username'];
  if (email !== '' && !addressed) return ['email', 'no student of the class has this e-mail address'];
  if (named && addressed && named !== addressed)
    return ['email', 'the username and the e-mail address belong to different students'];
  return undefined;
}

/** A number with a point or a comma, or null for a hyphen. Anything else is a problem, as text. */
function parsedValue(text: string, max: number): number | null | string {
  if (text === '-') return null;
  if (!/^\d{1,9}([.,]\d{1,9})?$/.test(text)) return 'the value is not a number';
  const value = rounded(Number(text.replace(',', '.')));
  return value > max ? `the value is above the maximum of ${max}` : value;
}
