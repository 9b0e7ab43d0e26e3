import { sql } from 'kysely';
import { logActivity } from '../../database/activity-log.ts';
import type { Database } from '../../database/connection/connect.ts';
import { type ContainerRow, entityOf } from './store.ts';

export type UsedContainer = Pick<ContainerRow, 'id' | 'name' | 'full_at'>;

/** The known disk usage of a container: bytes of its own layer, and files and folders in it. */
export type DiskUse = { bytes?: number; files?: number };

/** Records of containers whose disks are full. */
export class DiskStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Of these containers on the engine, those that belong to a user. */
  async usedByRef(refs: readonly string[]): Promise<Map<string, UsedContainer>> {
    if (refs.length === 0) return new Map();
    const rows = await this.#db
      .selectFrom('containers')
      .select(['id', 'name', 'full_at', 'engine_ref'])
      .where('engine_ref', 'in', refs)
      .where('user_id', 'is not', null)
      .where('status', 'in', ['running', 'stopped'])
      .execute();
    return new Map(rows.map(({ engine_ref, ...row }) => [engine_ref ?? '', row]));
  }

  /**
   * Records once that a container has filled its disk, so that it is stopped and stays stopped.
   * @returns false where it must not be stopped now: it no longer exists, or its attempt is being graded in it
   */
  async setFull(id: number, use: DiskUse): Promise<boolean> {
    return await this.#db.transaction().execute(async (trx) => {
      const row = await trx
        .selectFrom('containers')
        .selectAll()
        .where('id', '=', id)
        .where('status', 'in', ['running', 'stopped'])
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('attempts')
                .whereRef('attempts.id', '=', 'containers.attempt_id')
                .where('attempts.status', '=', 'grading'),
            ),
          ),
        )
        .forUpdate()
        .executeTakeFirst();
      if (!row) return false;
      if (row.full_at !== null) return true;
      const now = sql<Date>`now()`;
      await trx
        .updateTable('containers')
        .set({ status: 'stopped', stopped_at: now, stop_reason: 'disk', full_at: now })
        .where('id', '=', id)
        .execute();
      if (row.user_id !== null)
        await logActivity(trx, { ...entityOf(row), userId: row.user_id, type: 'container_full', details: use });
      return true;
    });
  }
}
