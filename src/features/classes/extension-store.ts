import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Database } from '../../database/connection/connect.ts';
import type { Tables } from '../../database/tables.ts';
import { NotFoundError } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import type { Page } from '../../http/lists/paging.ts';
import type { Student } from '../../values/student.ts';
import { accommodatedClass, changeableClass, openClass, studentsOf } from './access-store.ts';
import { logInClass } from './deadline-store.ts';

export type Extension = { user_id: number; username: string; full_name: string | null; due_at: Date };
export type NewExtension = { user_id: number; due_at: Date };
type Place = { classId: number; laboratoryId: number };

/** The own deadlines of students in a laboratory of a class. The grade book reads them, so a change counts immediately. */
export class ExtensionStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** By username. @throws NotFoundError for the class or without a deadline, ForbiddenError */
  async list(caller: Caller, of: Place, { limit, offset }: Page): Promise<{ rows: Extension[]; total: number }> {
    await accommodatedClass(this.#db, caller, of.classId);
    await title(this.#db, of);
    const rows = await read(this.#db, of, sql`limit ${limit} offset ${offset}`);
    const counted = await sql<{ total: number }>`select count(*)::int as total from deadline_extensions
      where class_id = ${of.classId} and laboratory_id = ${of.laboratoryId}`.execute(this.#db);
    return { rows, total: counted.rows[0]?.total ?? 0 };
  }

  /**
   * Gives all of the students their deadlines, or none.
   * @returns those of these students, by username
   * @throws NotFoundError for the class, without a deadline, or for a user who is no student of the class; ForbiddenError; ConflictError
   * for an archived class
   */
  async set(caller: Caller, of: Place, extensions: readonly NewExtension[]): Promise<Extension[]> {
    return await this.#db.transaction().execute(async (trx) => {
      const found = await openClass(trx, caller, of.classId, 'change');
      const laboratory = await title(trx, of);
      const ids = [...new Set(extensions.map(({ user_id }) => user_id))];
      const students = await trx
        .selectFrom('class_members')
        .select('user_id')
        .where('class_id', '=', of.classId)
        .where('role', '=', 'student')
        .where('user_id', 'in', ids)
        .execute();
      if (students.length !== ids.length) throw new NotFoundError('not_found', 'Student not found in the class');
      await sql`insert into deadline_extensions (class_id, laboratory_id, user_id, due_at)
        select ${of.classId}, ${of.laboratoryId}, * from unnest(${extensions.map(({ user_id }) => user_id)}::int[],
          ${extensions.map(({ due_at }) => due_at.toISOString())}::timestamptz[])
        on conflict (class_id, laboratory_id, user_id) do update set due_at = excluded.due_at`.execute(trx);
      await logInClass(trx, caller, 'deadline_extension_set', found, { laboratory, user_ids: ids });
      return await read(trx, of, sql``, sql`users.id = any(${ids}::int[])`);
    });
  }

  /** @throws NotFoundError, ForbiddenError */
  async delete(caller: Caller, of: Place, userId: number): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      const found = await changeableClass(trx, caller, of.classId, 'share');
      const laboratory = await title(trx, of);
      const { numDeletedRows } = await trx
        .deleteFrom('deadline_extensions')
        .where('class_id', '=', of.classId)
        .where('laboratory_id', '=', of.laboratoryId)
        .where('user_id', '=', userId)
        .executeTakeFirst();
      if (numDeletedRows === 0n) throw new NotFoundError('not_found', 'Extension not found');
      await logInClass(trx, caller, 'deadline_extension_delete', found, { laboratory, user_id: userId });
    });
  }

  /** The students to whom the lines of a file can refer. @throws NotFoundError, ForbiddenError */
  async students(caller: Caller, classId: number): Promise<Student[]> {
    await changeableClass(this.#db, caller, classId, undefined);
    return await studentsOf(this.#db, classId);
  }
}

/** The title of a laboratory that has a deadline. @throws NotFoundError */
async function title(db: Database | Transaction<Tables>, { classId, laboratoryId }: Place): Promise<string> {
  const { rows } = await sql<{ title: string }>`select title from laboratory_deadlines
    join assessments on kind = laboratory_kind and id = laboratory_id
    where class_id = ${classId} and laboratory_id = ${laboratoryId}`.execute(db);
  if (!rows[0]) throw new NotFoundError('not_found', 'Deadline not found');
  return rows[0].title;
}

async function read(
  db: Database | Transaction<Tables>,
  { classId, laboratoryId }: Place,
  limit: RawBuilder<unknown>,
  chosen: RawBuilder<unknown> = sql`true`,
): Promise<Extension[]> {
  const { rows } = await sql<Extension>`select users.id as user_id, username, full_name, due_at
    from deadline_extensions join users on users.id = user_id
    where class_id = ${classId} and laboratory_id = ${laboratoryId} and ${chosen}
    order by lower(username), users.id ${limit}`.execute(db);
  return rows;
}
