import { sql } from 'kysely';
import { logActivity } from '../../database/activity-log.ts';
import type { Database } from '../../database/connection/connect.ts';
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

  async logWatch(watcherId: number, id: number): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      const row = await trx.selectFrom('containers').selectAll().where('id', '=', id).executeTakeFirst();
      if (!row) return;
      await logActivity(trx, {
        actorId: watcherId,
        userId: row.user_id,
        type: 'terminal_watch',
        title: row.name,
        entityType: 'container',
        entityId: id,
        details: { kind: row.kind, attempt_id: row.attempt_id },
      });
    });
  }
}
