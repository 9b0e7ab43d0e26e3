import { logActivity } from '../../../database/activity-log.ts';
import type { Database } from '../../../database/connection/connect.ts';

export type LoggedTransfer = {
  type: 'file_upload' | 'file_download';
  userId: number;
  containerId: number;
  path: string;
  bytes: number;
};

/** The files that were transferred between users and their containers. */
export class TransferStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Where a held shell of the user in the container is found. */
  async holderOf(sessionId: string, containerId: number, userId: number): Promise<string | undefined> {
    const row = await this.#db
      .selectFrom('terminals')
      .select('holder')
      .where('id', '=', sessionId)
      .where('container_id', '=', containerId)
      .where('user_id', '=', userId)
      .executeTakeFirst();
    return row?.holder;
  }

  /** Records a transfer of an attempt's container. Those of sandboxes are not recorded. */
  async log({ type, userId, containerId, path, bytes }: LoggedTransfer): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      const row = await trx
        .selectFrom('containers')
        .select(['name', 'kind', 'attempt_id'])
        .where('id', '=', containerId)
        .where('attempt_id', 'is not', null)
        .executeTakeFirst();
      if (!row) return;
      await logActivity(trx, {
        ...{ actorId: userId, userId, type, title: row.name, entityType: 'container', entityId: containerId },
        details: { kind: row.kind, attempt_id: row.attempt_id, path, bytes },
      });
    });
  }
}
