import { sql } from 'kysely';
import { logActivity } from '../../database/activity-log.ts';
import type { Database } from '../../database/connection/connect.ts';
import type { Page } from '../../http/lists/paging.ts';

export type DeletionRequest = { user_id: number; username: string; full_name: string | null; requested_at: Date };

/** Who wants the account to be deleted. */
export class DeletionRequestStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** The oldest first. */
  async list({ limit, offset }: Page): Promise<{ rows: DeletionRequest[]; total: number }> {
    const requests = this.#db.selectFrom('deletion_requests');
    const { total } = await requests.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow();
    const rows = await requests
      .innerJoin('users', 'users.id', 'user_id')
      .select(['user_id', 'username', 'full_name', 'requested_at'])
      .orderBy('requested_at')
      .orderBy('user_id')
      .limit(limit)
      .offset(offset)
      .execute();
    return { rows, total };
  }

  async requestedAt(userId: number): Promise<Date | null> {
    const requests = this.#db.selectFrom('deletion_requests').select('requested_at');
    return (await requests.where('user_id', '=', userId).executeTakeFirst())?.requested_at ?? null;
  }

  /** A second request keeps the time of the first. */
  async add({ id, username }: { id: number; username: string }): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      const added = await trx
        .insertInto('deletion_requests')
        .values({ user_id: id })
        .onConflict((conflict) => conflict.doNothing())
        .returning('user_id')
        .executeTakeFirst();
      if (added)
        await logActivity(trx, {
          ...{ actorId: id, userId: id, type: 'account_deletion_request', title: username },
          ...{ entityType: 'user', entityId: id },
        });
    });
  }

  async remove(userId: number): Promise<void> {
    await this.#db.deleteFrom('deletion_requests').where('user_id', '=', userId).execute();
  }
}
