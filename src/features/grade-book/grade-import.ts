import type { Static } from 'typebox';
import type { ValidationItem } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import type { Student } from '../../values/student.ts';
import { checkOf, type ImportCheck } from '../tables/import-check.ts';
import { byLine, type ImportProblem, lineItem, throwProblems } from '../tables/import-problems.ts';
import { studentFinder } from '../tables/named-students.ts';
import { cellOf, hasField, headerProblems, readSheet, type Sheet, type SheetChoice } from '../tables/sheet.ts';
import type { TableRow } from '../tables/table.ts';
import { type Field, studentFields } from '../tables/table-columns.ts';
import type { GradeBookStore, ValueChange } from './grade-book-store.ts';
import { rounded } from './grade-rules.ts';
import type { ImportedValues } from './grades-schema.ts';
import type { GradeColumn } from './grades-store.ts';

/** Names of columns that name the student. */
export const studentColumns = ['username', 'email', 'full_name'];

export type GradeImportResult = Static<typeof ImportedValues>;
type Plan = { sheet: Sheet; fields: readonly Field[]; changes: ValueChange[]; problems: ValidationItem[] };

/** Imports values of the columns of a grade book from a file. */
export class GradeImport {
  readonly #store: GradeBookStore;
  readonly #maxLines: number;

  /** @param maxLines with a student, in one file */
  constructor(store: GradeBookStore, maxLines: number) {
    this.#store = store;
    this.#maxLines = maxLines;
  }

  /** What an import would do. Writes nothing. @throws InvalidError for a choice that does not fit the file; NotFoundError, ForbiddenError */
  async check(caller: Caller, classId: number, bytes: Uint8Array, choice: SheetChoice): Promise<ImportCheck> {
    const { sheet, fields, changes, problems } = await this.#plan(caller, classId, bytes, choice, 'proposal');
    return checkOf(sheet, fields, problems, { values: changes.length });
  }

  /**
   * All values are imported, or none. An empty cell leaves the value as it is, and a hyphen removes it.
   * @throws InvalidError with the problems of all lines; NotFoundError, ForbiddenError, ConflictError
   */
  async run(caller: Caller, classId: number, bytes: Uint8Array, choice: SheetChoice): Promise<GradeImportResult> {
    const { sheet, changes, problems } = await this.#plan(caller, classId, bytes, choice, 'names');
    throwProblems(problems);
    return { lines: sheet.lines, changed: await this.#store.importValues(caller, classId, changes) };
  }

  async #plan(
    caller: Caller,
    classId: number,
    bytes: Uint8Array,
    choice: SheetChoice,
    reading: 'names' | 'proposal',
  ): Promise<Plan> {
    const { columns, students } = await this.#store.targets(caller, classId);
    // A column of the grade book that is called like one of the others' further names comes first.
    const fields = [...columns.map(fieldOf), ...studentFields];
    const sheet = await readSheet(bytes, { fields, maxLines: this.#maxLines, reading }, choice);
    const found = [...sheet.problems, ...missingColumns(sheet, columns)];
    const ofHeader = headerProblems(sheet, found);
    if (ofHeader) return { sheet, fields, changes: [], problems: ofHeader };
    const { changes, problems } = planOf(sheet, columns, students);
    return { sheet, fields, changes, problems: byLine([...found, ...problems]) };
  }
}

const keyOf = ({ id }: GradeColumn): string => `column_${id}`;
const fieldOf = (column: GradeColumn): Field => ({ key: keyOf(column), names: [column.name], title: column.name });

function missingColumns(sheet: Sheet, columns: readonly GradeColumn[]): ValidationItem[] {
  if (sheet.columns.length === 0) return [];
  const item = (code: ImportProblem, params = {}) => lineItem(sheet.headerLine, undefined, code, params);
  return [
    ...(hasField(sheet, 'username') || hasField(sheet, 'email')
      ? []
      : [item('columns_missing', { column: 'username', other: 'email' })]),
    ...(columns.some((column) => hasField(sheet, keyOf(column))) ? [] : [item('no_grade_column')]),
  ];
}

/** The values of all lines, and their problems. */
function planOf(sheet: Sheet, columns: readonly GradeColumn[], students: readonly Student[]) {
  const problems: ValidationItem[] = [];
  const changes: ValueChange[] = [];
  const studentOf = studentFinder(sheet, students);
  const given = columns.filter((column) => hasField(sheet, keyOf(column)));
  for (const row of sheet.rows) {
    const { user_id, problems: ofNames } = studentOf(row);
    problems.push(...ofNames);
    for (const { column, value } of valuesOf(sheet, row, given)) {
      if (typeof value === 'string') problems.push(lineItem(row.line, column.name, value, { max: column.max_score }));
      else if (user_id !== undefined) changes.push({ column_id: column.id, user_id, value });
    }
  }
  return { changes, problems };
}

const valuesOf = (sheet: Sheet, row: TableRow, columns: readonly GradeColumn[]) =>
  columns.flatMap((column) => {
    const text = cellOf(sheet, row, keyOf(column));
    return text === undefined ? [] : { column, value: parsedValue(text, column.max_score) };
  });

/** A number with a point or a comma, or null for a hyphen. Anything else is a problem. */
function parsedValue(text: string, max: number): number | null | ImportProblem {
  if (text === '-') return null;
  if (!/^\d{1,9}([.,]\d{1,9})?$/.test(text)) return 'not_a_number';
  const value = rounded(Number(text.replace(',', '.')));
  return value > max ? 'above_maximum' : value;
}
