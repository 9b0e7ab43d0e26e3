import type { ValidationItem } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import { foldName } from '../../values/username.ts';
import { byLine, lineItem, throwProblems } from '../tables/import-problems.ts';
import { cellOf, hasField, headerProblems, readSheet, type SheetChoice } from '../tables/sheet.ts';
import { studentFields } from '../tables/table-columns.ts';
import type { Extension, ExtensionStore, NewExtension } from './extension-store.ts';

const fields = [...studentFields, { key: 'due_at', names: ['due', 'deadline', 'срок', 'frist'] }];
/** An ISO 8601 date and time with its offset: a file has no time zone of its own. */
const isoTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/;

/** Extends the deadlines of many students from a file. */
export class ExtensionImport {
  readonly #store: ExtensionStore;
  readonly #maxLines: number;

  /** @param maxLines with a student, in one file */
  constructor(store: ExtensionStore, maxLines: number) {
    this.#store = store;
    this.#maxLines = maxLines;
  }

  /** All lines, or none. @throws InvalidError with the problems of all lines; NotFoundError, ForbiddenError, ConflictError */
  async run(
    caller: Caller,
    of: { classId: number; laboratoryId: number },
    bytes: Uint8Array,
    choice: SheetChoice,
  ): Promise<Extension[]> {
    const students = await this.#store.students(caller, of.classId);
    const sheet = await readSheet(bytes, { fields, maxLines: this.#maxLines, reading: 'names' }, choice);
    const missing = (column: string) => lineItem(sheet.headerLine, undefined, 'column_missing', { column });
    const isNamed = hasField(sheet, 'username') || hasField(sheet, 'email');
    const found = [...sheet.problems];
    if (sheet.columns.length > 0 && !isNamed) found.push(missing('username'));
    if (sheet.columns.length > 0 && !hasField(sheet, 'due_at')) found.push(missing('due_at'));
    throwProblems(headerProblems(sheet, found) ?? []);
    const problems: ValidationItem[] = found;
    const seen = new Set<number>();
    const extensions = sheet.rows.flatMap((row): NewExtension[] => {
      const [username, email, due = ''] = ['username', 'email', 'due_at'].map((key) => cellOf(sheet, row, key));
      const named = (key: 'username' | 'email', value: string | undefined) =>
        students.find((student) => foldName(student[key]) === foldName(value ?? ''))?.user_id;
      const [byName, byEmail] = [named('username', username), named('email', email)];
      const user_id = byName ?? byEmail;
      if (!username && !email) problems.push(lineItem(row.line, undefined, 'nobody_named'));
      else if (username && byName === undefined) problems.push(lineItem(row.line, 'username', 'username_not_in_class'));
      else if (email && byEmail === undefined) problems.push(lineItem(row.line, 'email', 'email_not_in_class'));
      else if (username && email && byName !== byEmail) problems.push(lineItem(row.line, 'email', 'accounts_differ'));
      else if (user_id !== undefined && seen.has(user_id))
        problems.push(lineItem(row.line, undefined, 'student_twice'));
      if (!isoTime.test(due) || Number.isNaN(Date.parse(due)))
        problems.push(lineItem(row.line, 'due_at', due === '' ? 'missing' : 'value_invalid'));
      if (user_id === undefined) return [];
      seen.add(user_id);
      return [{ user_id, due_at: new Date(due) }];
    });
    throwProblems(byLine(problems));
    return await this.#store.set(caller, of, extensions);
  }
}
