import { sql, type Transaction } from 'kysely';
import { differences, logActivity } from '../../database/activity-log.ts';
import type { Database } from '../../database/connection/connect.ts';
import type { Tables } from '../../database/tables.ts';
import { NotFound } from '../../errors.ts';
import type { Caller } from '../../http/access.ts';
import type { Page } from '../../http/paging.ts';
import { changeableClass, type OwnClass, supervisedClass } from '../classes/access-store.ts';
import { type MovedAttempt, moveDeadlines } from './deadline-store.ts';

export type ClassAccommodation = {
  user_id: number;
  username: string;
  full_name: string | null;
  time_factor: number;
  extra_attempts: number;
  /** Of each attempt. Null: none. */
  break_minutes: number | null;
};
export type ClassAccommodationFields = Partial<
  Pick<ClassAccommodation, 'time_factor' | 'extra_attempts' | 'break_minutes'>
>;

/** The differences of all sessions of a class for single students. */
export class ClassAccommodationStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** By username. @throws NotFound, Forbidden */
  async list(caller: Caller, classId: number, page: Page): Promise<{ rows: ClassAccommodation[]; total: number }> {
    await supervisedClass(this.#db, caller, classId);
    const { rows } = await sql<ClassAccommodation>`select ${fields} where class_id = ${classId}
      order by lower(username), user_id limit ${page.limit} offset ${page.offset}`.execute(this.#db);
    const { total } = await this.#db
      .selectFrom('class_accommodations')
      .select(sql<number>`count(*)::int`.as('total'))
      .where('class_id', '=', classId)
      .executeTakeFirstOrThrow();
    return { rows, total };
  }

  /**
   * Changes the given fields. They also apply to an attempt that runs.
   * @returns with the attempts whose deadline has moved
   * @throws NotFound for the class or a user who is no student of it, Forbidden
   */
  async set(
    caller: Caller,
    classId: number,
    userId: number,
    given: ClassAccommodationFields,
  ): Promise<{ accommodation: ClassAccommodation; moved: MovedAttempt[] }> {
    return await this.#db.transaction().execute(async (trx) => {
      const of = await changeableClass(trx, caller, classId, 'share');
      const member = trx.selectFrom('class_members').select('user_id').where('class_id', '=', classId);
      if (!(await member.where('user_id', '=', userId).where('role', '=', 'student').forKeyShare().executeTakeFirst()))
        throw new NotFound('not_found', 'Student not found');
      const before = await one(trx, classId, userId);
      await trx
        .insertInto('class_accommodations')
        .values({ class_id: classId, user_id: userId, ...given })
        .onConflict((conflict) =>
          conflict.columns(['class_id', 'user_id']).doUpdateSet({ class_id: classId, ...given }),
        )
        .execute();
      const changes = differences(before ?? {}, given);
      if (changes) await log(trx, caller, { type: 'class_accommodation_set', of, userId, details: changes });
      const accommodation = await one(trx, classId, userId);
      if (!accommodation) throw new NotFound('not_found', 'Student not found');
      return { accommodation, moved: await move(trx, classId, userId) };
    });
  }

  /** @returns the attempts whose deadline has moved @throws NotFound, Forbidden */
  async delete(caller: Caller, classId: number, userId: number): Promise<MovedAttempt[]> {
    return await this.#db.transaction().execute(async (trx) => {
      const of = await changeableClass(trx, caller, classId, 'share');
      const old = await trx
        .deleteFrom('class_accommodations')
        .where('class_id', '=', classId)
        .where('user_id', '=', userId)
        .returning(['time_factor', 'extra_attempts', 'break_minutes'])
        .executeTakeFirst();
      if (!old) throw new NotFound('not_found', 'Accommodation not found');
      await log(trx, caller, { type: 'class_accommodation_delete', of, userId, details: { old } });
      return await move(trx, classId, userId);
    });
  }
}

const fields = sql`own.user_id, username, full_name, time_factor, extra_attempts, break_minutes
  from class_accommodations as own join users on users.id = own.user_id`;

async function one(trx: Transaction<Tables>, classId: number, userId: number): Promise<ClassAccommodation | undefined> {
  const { rows } = await sql<ClassAccommodation>`select ${fields}
    where class_id = ${classId} and own.user_id = ${userId}`.execute(trx);
  return rows[0];
}

/** Of the student's attempts that run in sessions of the class. */
async function move(trx: Transaction<Tables>, classId: number, userId: number): Promise<MovedAttempt[]> {
  const { rows } = await sql<{ id: number }>`select id from exam_sessions where class_id = ${classId}
    and exists (select from attempts where session_id = exam_sessions.id and user_id = ${userId}
      and status in ('in_progress', 'grading'))
    order by id for no key update`.execute(trx);
  const moved: MovedAttempt[] = [];
  for (const { id } of rows) moved.push(...(await moveDeadlines(trx, id, userId)));
  return moved;
}

async function log(
  trx: Transaction<Tables>,
  { id: actorId }: Caller,
  { type, of, userId, details }: { type: string; of: OwnClass; userId: number; details: Record<string, unknown> },
): Promise<void> {
  await logActivity(trx, { actorId, userId, type, title: of.name, entityType: 'class', entityId: of.id, details });
}
