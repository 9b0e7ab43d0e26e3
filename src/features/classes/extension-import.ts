import type { ValidationItem } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import { checkOf, type ImportCheck } from '../tables/import-check.ts';
import { byLine, lineItem, throwProblems } from '../tables/import-problems.ts';
import { studentFinder } from '../tables/named-students.ts';
import { cellOf, hasField, headerProblems, readSheet, type Sheet, type SheetChoice } from '../tables/sheet.ts';
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

  /** What an import would do. Writes nothing. @throws InvalidError for a choice that does not fit the file; NotFoundError, ForbiddenError */
  async check(caller: Caller, classId: number, bytes: Uint8Array, choice: SheetChoice): Promise<ImportCheck> {
    const { sheet, extensions, problems } = await this.#plan(caller, classId, bytes, choice, 'proposal');
    return checkOf(sheet, fields, problems, { extended: extensions.length });
  }

  /** All lines, or none. @throws InvalidError with the problems of all lines; NotFoundError, ForbiddenError, ConflictError */
  async run(
    caller: Caller,
    of: { classId: number; laboratoryId: number },
    bytes: Uint8Array,
    choice: SheetChoice,
  ): Promise<Extension[]> {
    const { extensions, problems } = await this.#plan(caller, of.classId, bytes, choice, 'names');
    throwProblems(problems);
    return await this.#store.set(caller, of, extensions);
  }

  async #plan(
    caller: Caller,
    classId: number,
    bytes: Uint8Array,
    choice: SheetChoice,
    reading: 'names' | 'proposal',
  ): Promise<{ sheet: Sheet; extensions: NewExtension[]; problems: ValidationItem[] }> {
    const students = await this.#store.students(caller, classId);
    const sheet = await readSheet(bytes, { fields, maxLines: this.#maxLines, reading }, choice);
    const missing = (column: string) => lineItem(sheet.headerLine, undefined, 'column_missing', { column });
    const isNamed = hasField(sheet, 'username') || hasField(sheet, 'email');
    const found = [...sheet.problems];
    if (sheet.columns.length > 0 && !isNamed) found.push(missing('username'));
    if (sheet.columns.length > 0 && !hasField(sheet, 'due_at')) found.push(missing('due_at'));
    const ofHeader = headerProblems(sheet, found);
    if (ofHeader) return { sheet, extensions: [], problems: ofHeader };
    const problems: ValidationItem[] = found;
    const studentOf = studentFinder(sheet, students);
    const extensions = sheet.rows.flatMap((row): NewExtension[] => {
      const { user_id, problems: ofNames } = studentOf(row);
      problems.push(...ofNames);
      const due = cellOf(sheet, row, 'due_at') ?? '';
      if (!isoTime.test(due) || Number.isNaN(Date.parse(due)))
        problems.push(lineItem(row.line, 'due_at', due === '' ? 'missing' : 'value_invalid'));
      return user_id === undefined ? [] : [{ user_id, due_at: new Date(due) }];
    });
    return { sheet, extensions, problems: byLine(problems) };
  }
}
