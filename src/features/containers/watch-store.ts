import { sql } from 'kysely';
import { logActivity } from '../../database/activity-log.ts';
import { statusSql } from '../../database/attempt-status.ts';
import type { Database } from '../../database/connection/connect.ts';
import { shownName } from '../../database/lists/shown-name.ts';
import { inScope, seesAttempt, studentScope } from '../../database/lists/student-scope.ts';
import type { Caller } from '../../http/access/access.ts';

/** Decides who may be watched in a terminal, and records who watched whom. */
export class WatchStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Whether a caller may watch a user's container. Nobody watches instructors and administrators. */
  async mayWatch(caller: Caller, userId: number, containerId: number): Promise<boolean> {
    const student = this.#db.selectFrom('users').select('id').where('id', '=', userId).where('role', '=', 'student');
    const watched = student.where(sql<boolean>`(${inScope(studentScope(caller), sql.ref('users.id'))}
      or exists (select from attempts join containers on containers.attempt_id = attempts.id
        where containers.id = ${containerId} and attempts.user_id = users.id and ${seesAttempt(caller)}))`);
    return (await watched.executeTakeFirst()) !== undefined;
  }

  /** The names of a caller and of a user, where the caller may type along in a terminal of that user's container now. */
  async typingAlong(
    caller: Caller,
    userId: number,
    containerId: number,
  ): Promise<{ helper: string; user: string } | undefined> {
    const { rows } = await sql<{ helper: string; user: string }>`
      select ${shownName('helper')} as helper, ${shownName()} as user
      from containers join users on users.id = containers.user_id and users.role = 'student'
      join users as helper on helper.id = ${caller.id}
      left join attempts on attempts.id = containers.attempt_id
      left join exam_sessions as s on s.id = attempts.session_id
      where containers.id = ${containerId} and users.id = ${userId} and containers.status = 'running'
        and (containers.attempt_id is null or ${statusSql.isRunning('attempts')})
        and (containers.kind <> 'exam' or coalesce(s.has_hands, false))
        and (${inScope(studentScope(caller), sql.ref('users.id'))} or coalesce(${seesAttempt(caller)}, false))`.execute(
      this.#db,
    );
    return rows[0];
  }

  async logWatch(watcherId: number, id: number, type: string, more: object): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      const row = await trx.selectFrom('containers').selectAll().where('id', '=', id).executeTakeFirst();
      if (!row) return;
      await logActivity(trx, {
        actorId: watcherId,
        userId: row.user_id,
        type,
        title: row.name,
        entityType: 'container',
        entityId: id,
        details: { kind: row.kind, attempt_id: row.attempt_id, ...more },
      });
    });
  }
}
