import { sql, type Transaction } from 'kysely';
import { differences, logActivity } from '../../database/activity-log.ts';
import { type Database, violatedConstraint } from '../../database/connection/connect.ts';
import { keepDeleted } from '../../database/deletions/keep.ts';
import type { AttemptKind, CountedAttempt, Tables } from '../../database/tables.ts';
import { ConflictError, NotFoundError } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import type { Student } from '../../values/student.ts';
import { changeableClass, type OwnClass, studentsOf } from '../classes/access-store.ts';
import { type BookRules, type GradeBook, type GradeColumn, readBook } from './grades-store.ts';

export type AssessmentChange = { kind: AttemptKind; id: number; weight?: number; counted_attempt?: CountedAttempt };
export type BookChange = Partial<BookRules> & { subjects?: readonly AssessmentChange[] };
export type ColumnFields = { name: string; max_score: number; weight?: number };
/** Without a value the old one is removed. */
export type ValueChange = { column_id: number; user_id: number; value: number | null };

const noColumn = () => new NotFoundError('not_found', 'Column not found');

/** What instructors change in the grade book of a class. */
export class GradeBookStore {
  readonly #db: Database;
  readonly #maxColumns: number;

  /** @param maxColumns of one class */
  constructor(db: Database, maxColumns: number) {
    this.#db = db;
    this.#maxColumns = maxColumns;
  }

  /** @throws NotFoundError for the class, or for an exam or laboratory that its grade book does not have; ForbiddenError */
  async setRules(caller: Caller, classId: number, { subjects = [], ...rules }: BookChange): Promise<GradeBook> {
    return await this.#change(caller, classId, async (trx, of) => {
      const before = await readBook(trx, classId);
      const known = new Set(before.subjects.map(({ kind, id }) => `${kind}-${id}`));
      if (subjects.some(({ kind, id }) => !known.has(`${kind}-${id}`)))
        throw new NotFoundError('not_found', 'The grade book does not have this exam or laboratory');
      const { missing, drop_lowest, passing_percent, is_visible } = { ...before.rules, ...rules };
      await sql`insert into grade_books (class_id, missing, drop_lowest, passing_percent, is_visible)
        values (${classId}, ${missing}, ${drop_lowest}, ${passing_percent}, ${is_visible})
        on conflict (class_id) do update set missing = excluded.missing, drop_lowest = excluded.drop_lowest,
          passing_percent = excluded.passing_percent, is_visible = excluded.is_visible`.execute(trx);
      for (const { kind, id, weight, counted_attempt } of subjects) {
        await sql`insert into grade_book_assessments as own (class_id, kind, assessment_id, weight, counted_attempt)
          values (${classId}, ${kind}, ${id}, coalesce(${weight ?? null}::numeric, 1), coalesce(${counted_attempt ?? null}, 'best'))
          on conflict (class_id, kind, assessment_id) do update set weight = coalesce(${weight ?? null}::numeric, own.weight),
            counted_attempt = coalesce(${counted_attempt ?? null}, own.counted_attempt)`.execute(trx);
      }
      const { total: _total, ...after } = await readBook(trx, classId);
      const details = differences(plain(before), plain(after));
      if (details) await log(trx, caller, 'class_grade_rules', of, details);
      return after;
    });
  }

  /** @throws NotFoundError, ForbiddenError, ConflictError for a name that the class has, or beyond the maximum number */
  async createColumn(caller: Caller, classId: number, fields: ColumnFields): Promise<GradeColumn> {
    return await this.#change(caller, classId, async (trx, of) => {
      const { columns } = await readBook(trx, classId);
      if (columns.length >= this.#maxColumns)
        throw new ConflictError('too_many_grade_columns', `The class has ${this.#maxColumns} columns already`);
      const { name, max_score, weight = 1 } = fields;
      const { rows } = await sql<GradeColumn>`insert into grade_columns (class_id, name, max_score, weight)
        values (${classId}, ${name}, ${max_score}, ${weight}) returning ${fieldsOfColumn}`
        .execute(trx)
        .catch(nameTaken);
      const [column] = rows as [GradeColumn];
      await log(trx, caller, 'class_grade_column_create', of, { new: column });
      return column;
    });
  }

  /** @throws NotFoundError, ForbiddenError, ConflictError for a name that the class has, or values above the new maximum */
  async updateColumn(
    caller: Caller,
    classId: number,
    columnId: number,
    change: Partial<ColumnFields>,
  ): Promise<GradeColumn> {
    return await this.#change(caller, classId, async (trx, of) => {
      const before = await oneColumn(trx, classId, columnId);
      const { name, max_score, weight } = { ...before, ...change };
      const above = await sql`select from grade_values where column_id = ${columnId} and value > ${max_score}::numeric
        limit 1`.execute(trx);
      if (above.rows.length > 0)
        throw new ConflictError('values_above_maximum', 'The column has values above this maximum');
      const { rows } = await sql<GradeColumn>`update grade_columns
        set name = ${name}, max_score = ${max_score}, weight = ${weight} where id = ${columnId}
        returning ${fieldsOfColumn}`
        .execute(trx)
        .catch(nameTaken);
      const [column] = rows as [GradeColumn];
      const details = differences(before, column);
      if (details) await log(trx, caller, 'class_grade_column_update', of, { column_id: columnId, ...details });
      return column;
    });
  }

  /** Deletes its values as well. @throws NotFoundError, ForbiddenError */
  async deleteColumn(caller: Caller, classId: number, columnId: number): Promise<void> {
    await this.#change(caller, classId, async (trx, of) => {
      const old = await oneColumn(trx, classId, columnId);
      const deleted = { id: columnId, title: old.name, actorId: caller.id, classId };
      await keepDeleted(trx, { kind: 'class_grade_column', ...deleted });
      const { rows } = await sql<{ values: number }>`with values as (
          delete from grade_values where column_id = ${columnId} returning 1
        ) select count(*)::int as values from values`.execute(trx);
      await trx.deleteFrom('grade_columns').where('id', '=', columnId).execute();
      await log(trx, caller, 'class_grade_column_delete', of, { old: { ...old, values: rows[0]?.values ?? 0 } });
    });
  }

  /**
   * With two decimal places.
   * @throws NotFoundError for the column, or for a user who is no student of the class; ForbiddenError; ConflictError above the maximum
   */
  async setValue(caller: Caller, classId: number, change: ValueChange): Promise<{ value: number | null }> {
    const { column_id, user_id } = change;
    return await this.#change(caller, classId, async (trx, of) => {
      const value = change.value === null ? null : Math.round(change.value * 100) / 100;
      const column = await oneColumn(trx, classId, column_id);
      const found = await sql<{ value: number | null }>`select value::float8 as value from class_members
        left join grade_values on grade_values.user_id = class_members.user_id and column_id = ${column_id}
        where class_id = ${classId} and class_members.user_id = ${user_id} and role = 'student'`.execute(trx);
      const [before] = found.rows;
      if (!before) throw new NotFoundError('not_found', 'Student not found');
      if (value !== null && value > column.max_score)
        throw new ConflictError('values_above_maximum', 'The value is above the maximum of the column');
      if (before.value === value) return { value };
      await write(trx, [{ column_id, user_id, value }]);
      const details = { column_id, user_id, old: { value: before.value }, new: { value } };
      await log(trx, caller, 'class_grade_value', of, details);
      return { value };
    });
  }

  /** The columns and students to which the lines of an import can refer. @throws NotFoundError, ForbiddenError */
  async targets(caller: Caller, classId: number): Promise<{ columns: GradeColumn[]; students: Student[] }> {
    await changeableClass(this.#db, caller, classId, undefined);
    const { columns } = await readBook(this.#db, classId);
    return { columns, students: await studentsOf(this.#db, classId) };
  }

  /**
   * All values, or none.
   * @returns how many are others than before
   * @throws NotFoundError; ForbiddenError; ConflictError where a column or a student has changed since the file was read
   */
  async importValues(caller: Caller, classId: number, changes: readonly ValueChange[]): Promise<number> {
    return await this.#change(caller, classId, async (trx, of) => {
      const { rows } = await sql<{ fitting: number }>`select count(*)::int as fitting
        from ${listed(changes)} join grade_columns on grade_columns.id = column_id and class_id = ${classId}
        where coalesce(value <= max_score, true) and exists (
          select from class_members where class_id = ${classId} and user_id = listed.user_id and role = 'student')`.execute(
        trx,
      );
      if (rows[0]?.fitting !== changes.length)
        throw new ConflictError('changed_meanwhile', 'The columns or the students changed meanwhile; try again');
      const changed = await write(trx, changes);
      const column_ids = [...new Set(changes.map(({ column_id }) => column_id))];
      if (changed > 0) await log(trx, caller, 'class_grade_import', of, { column_ids, changed });
      return changed;
    });
  }

  /** Holds the class, so that two changes of its grade book see each other. @throws NotFoundError, ForbiddenError */
  async #change<Result>(
    caller: Caller,
    classId: number,
    act: (trx: Transaction<Tables>, of: OwnClass) => Promise<Result>,
  ): Promise<Result> {
    return await this.#db
      .transaction()
      .execute(async (trx) => await act(trx, await changeableClass(trx, caller, classId, 'change')));
  }
}

const fieldsOfColumn = sql`id, name, max_score::float8 as max_score, weight::float8 as weight`;

/** @throws NotFoundError */
async function oneColumn(trx: Transaction<Tables>, classId: number, columnId: number): Promise<GradeColumn> {
  const { rows } = await sql<GradeColumn>`select ${fieldsOfColumn} from grade_columns
    where id = ${columnId} and class_id = ${classId}`.execute(trx);
  if (!rows[0]) throw noColumn();
  return rows[0];
}

const listed = (changes: readonly ValueChange[]) => sql`unnest(${changes.map(({ column_id }) => column_id)}::int[],
  ${changes.map(({ user_id }) => user_id)}::int[], ${changes.map(({ value }) => value)}::numeric[]) as listed (column_id, user_id, value)`;

/** @returns how many values are others than before */
async function write(trx: Transaction<Tables>, changes: readonly ValueChange[]): Promise<number> {
  const removed = changes.filter(({ value }) => value === null);
  const set = changes.filter(({ value }) => value !== null);
  const { rows } = await sql<{ changed: number }>`with removed as (
      delete from grade_values using ${listed(removed)}
        where grade_values.column_id = listed.column_id and grade_values.user_id = listed.user_id returning 1
    ), written as (
      insert into grade_values as old (column_id, user_id, value) select * from ${listed(set)}
        on conflict (column_id, user_id) do update set value = excluded.value where old.value <> excluded.value returning 1
    ) select ((select count(*) from removed) + (select count(*) from written))::int as changed`.execute(trx);
  return rows[0]?.changed ?? 0;
}

/** What a change of the rules can change. */
const plain = ({ rules, subjects }: GradeBook) => ({
  ...rules,
  ...Object.fromEntries(
    subjects.map(({ kind, id, weight, counted_attempt }) => [`${kind}-${id}`, { weight, counted_attempt }]),
  ),
});

function nameTaken(error: unknown): never {
  throw violatedConstraint(error) === 'grade_columns_of_class'
    ? new ConflictError('column_name_taken', 'The grade book has a column with this name already')
    : error;
}

async function log(
  trx: Transaction<Tables>,
  { id: actorId }: Caller,
  type: string,
  { id, name }: OwnClass,
  details: Record<string, unknown>,
): Promise<void> {
  await logActivity(trx, { actorId, type, title: name, entityType: 'class', entityId: id, details });
}
