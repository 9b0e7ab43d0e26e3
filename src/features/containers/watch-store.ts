import { logActivity } from '../../database/activity-log.ts';
import type { Database } from '../../database/connection/connect.ts';

/** Decides who may be watched in a terminal, and records who watched whom. */
export class WatchStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async isStudent(userId: number): Promise<boolean> {
    const user = this.#db.selectFrom('users').select('role').where('id', '=', userId);
    return (await user.executeTakeFirst())?.role === 'student';
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
