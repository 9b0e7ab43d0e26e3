import { sql, type Transaction } from 'kysely';
import { differences } from '../../database/activity-log.ts';
import type { Database } from '../../database/connection/connect.ts';
import type { Tables } from '../../database/tables.ts';
import { Invalid, NotFound } from '../../errors.ts';
import type { Caller } from '../../http/access.ts';
import type { Page } from '../../http/paging.ts';
import { changeableSession, supervisedSession } from './access-store.ts';
import { type MovedAttempt, moveDeadlines } from './deadline-store.ts';
import { logSession } from './store.ts';

export type Accommodation = {
  user_id: number;
  username: string;
  full_name: string | null;
  /** Null: that of the class. */
  time_factor: number | null;
  opens_at: Date | null;
  closes_at: Date | null;
  max_attempts: number | null;
  /** Of each attempt. Null: those of the class. */
  break_minutes: number | null;
};
export type AccommodationFields = Partial<
  Pick<Accommodation, 'time_factor' | 'opens_at' | 'closes_at' | 'max_attempts' | 'break_minutes'>
>;

/** The differences of a session for single students. */
export class AccommodationStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** By username. @throws NotFound, Forbidden */
  async list(caller: Caller, sessionId: number, page: Page): Promise<{ rows: Accommodation[]; total: number }> {
    await supervisedSession(this.#db, caller, sessionId);
    const { rows } = await sql<Accommodation>`select ${fields} ${accommodations} where session_id = ${sessionId}
      order by lower(username), user_id limit ${page.limit} offset ${page.offset}`.execute(this.#db);
    const { total } = await this.#db
      .selectFrom('exam_accommodations')
      .select(sql<number>`count(*)::int`.as('total'))
      .where('session_id', '=', sessionId)
      .executeTakeFirstOrThrow();
    return { rows, total };
  }

  /**
   * Changes the given fields. They also apply to an attempt that runs.
   * @returns with the attempts whose deadline has moved
   * @throws NotFound for the session or a user who is no student of the class, Forbidden, Invalid
   */
  async set(
    caller: Caller,
    sessionId: number,
    userId: number,
    given: AccommodationFields,
  ): Promise<{ accommodation: Accommodation; moved: MovedAttempt[] }> {
    return await this.#db.transaction().execute(async (trx) => {
      const own = await changeableSession(trx, caller, sessionId);
      const member = trx.selectFrom('class_members').select('user_id').where('class_id', '=', own.of.id);
      if (!(await member.where('user_id', '=', userId).where('role', '=', 'student').forKeyShare().executeTakeFirst()))
        throw new NotFound('not_found', 'Student not found');
      const before = await one(trx, sessionId, userId);
      checkWindow({ ...before, ...given }, own.session);
      await trx
        .insertInto('exam_accommodations')
        .values({ session_id: sessionId, user_id: userId, ...given })
        .onConflict((conflict) =>
          conflict.columns(['session_id', 'user_id']).doUpdateSet({ session_id: sessionId, ...given }),
        )
        .execute();
      const moved = await moveDeadlines(trx, sessionId, userId);
      const changes = differences(before ?? {}, given);
      if (changes) await logSession(trx, caller, 'exam_accommodation_set', own, { userId, ...changes });
      const accommodation = await one(trx, sessionId, userId);
      if (!accommodation) throw new NotFound('not_found', 'Student not found');
      return { accommodation, moved };
    });
  }

  /** @returns the attempts whose deadline has moved @throws NotFound, Forbidden */
  async delete(caller: Caller, sessionId: number, userId: number): Promise<MovedAttempt[]> {
    return await this.#db.transaction().execute(async (trx) => {
      const own = await changeableSession(trx, caller, sessionId);
      const before = await one(trx, sessionId, userId);
      if (!before) throw new NotFound('not_found', 'Accommodation not found');
      await trx
        .deleteFrom('exam_accommodations')
        .where('session_id', '=', sessionId)
        .where('user_id', '=', userId)
        .execute();
      const { user_id: _user, username: _username, full_name: _name, ...old } = before;
      await logSession(trx, caller, 'exam_accommodation_delete', own, { userId, old });
      return await moveDeadlines(trx, sessionId, userId);
    });
  }
}

const accommodations = sql`from exam_accommodations as own join users on users.id = own.user_id`;
const fields = sql`own.user_id, username, full_name, time_factor, opens_at, closes_at, max_attempts, break_minutes`;

async function one(trx: Transaction<Tables>, sessionId: number, userId: number): Promise<Accommodation | undefined> {
  const { rows } = await sql<Accommodation>`select ${fields} ${accommodations}
    where session_id = ${sessionId} and own.user_id = ${userId}`.execute(trx);
  return rows[0];
}

/** @throws Invalid */
function checkWindow(own: AccommodationFields, session: { opens_at: Date; closes_at: Date }): void {
  const opens = own.opens_at ?? session.opens_at;
  const closes = own.closes_at ?? session.closes_at;
  if (opens.getTime() < closes.getTime()) return;
  const msg = 'Value error, the session must close after it opens';
  throw new Invalid([{ loc: ['body', 'closes_at'], msg, type: 'value_error' }]);
}
