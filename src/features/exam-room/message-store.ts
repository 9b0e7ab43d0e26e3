import { sql } from 'kysely';
import type { Database } from '../../database/connection/connect.ts';
import { NotFoundError } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import { controllableSession, isStudentOf } from '../exam-sessions/access-store.ts';
import { logSession } from '../exam-sessions/session-log-store.ts';

export type SessionMessage = { id: number; user_id: number | null; text: string; created_at: Date };

/** Messages of instructors to those who take an exam. */
export class MessageStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** @param userId undefined for everybody @throws NotFoundError for the session or a user who is no student of the session, ForbiddenError */
  async send(caller: Caller, sessionId: number, text: string, userId?: number): Promise<SessionMessage> {
    return await this.#db.transaction().execute(async (trx) => {
      const own = await controllableSession(trx, caller, sessionId);
      if (userId !== undefined && !(await isStudentOf(trx, sessionId, userId)))
        throw new NotFoundError('not_found', 'Student not found');
      const message = await trx
        .insertInto('exam_messages')
        .values({ session_id: sessionId, user_id: userId ?? null, text })
        .returning(['id', 'user_id', 'text', 'created_at'])
        .executeTakeFirstOrThrow();
      const to = userId === undefined ? {} : { userId };
      await logSession(trx, caller, 'exam_session_message', own, { text, ...to });
      return message;
    });
  }

  /** The text of a message, and the containers of those to whom it is addressed and who take the exam now. */
  async delivery(id: number): Promise<{ text: string; containerIds: number[] } | undefined> {
    const { rows } = await sql<{ text: string; containerIds: number[] }>`
      select message.text, array(
        select containers.id from attempts join containers on containers.attempt_id = attempts.id
        where attempts.session_id = message.session_id and attempts.status = 'in_progress'
          and (message.user_id is null or message.user_id = attempts.user_id)
      ) as "containerIds"
      from exam_messages as message where message.id = ${id}`.execute(this.#db);
    return rows[0];
  }
}
