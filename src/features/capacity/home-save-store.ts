import { sql } from 'kysely';
import type { Database } from '../../database/connection/connect.ts';
import type { ContainerRow } from './store.ts';

export type DueHome = Pick<ContainerRow, 'id' | 'uid' | 'name' | 'engine_ref' | 'home_mark'> & { claimed_at: Date };

/** Which home folders are to be saved, and when that was done. */
export class HomeSaveStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Takes running containers of users whose home folders are due, those that have waited longest first. No other process gets them. */
  async takeDue(limit: number, intervalSeconds: number): Promise<DueHome[]> {
    const due = this.#db
      .selectFrom('containers')
      .select('id')
      .where('status', '=', 'running')
      .where('user_id', 'is not', null)
      .where('engine_ref', 'is not', null)
      .where('kind', 'in', ['sandbox', 'exam', 'laboratory'])
      .where((eb) => eb.or([eb('home_due_at', 'is', null), eb('home_due_at', '<=', sql<Date>`now()`)]))
      .orderBy(sql`home_due_at nulls first`)
      .limit(limit)
      .forUpdate()
      .skipLocked();
    return await this.#db
      .updateTable('containers')
      .set({ home_due_at: sql<Date>`now() + make_interval(secs => ${intervalSeconds})` })
      .where('id', 'in', due)
      .returning(['id', 'uid', 'name', 'engine_ref', 'home_mark', sql<Date>`now()`.as('claimed_at')])
      .execute();
  }

  /**
   * The home folder is saved as it was when it was taken, or is unchanged since the last save.
   * @param restSeconds until it is due again, if that is longer
   * @returns false if the container no longer exists
   */
  async setSaved({ id, uid, claimed_at }: DueHome, mark: string, restSeconds: number): Promise<boolean> {
    const { numUpdatedRows } = await this.#db
      .updateTable('containers')
      .set({
        ...{ home_saved_at: claimed_at, home_mark: mark },
        home_due_at: sql<Date>`greatest(home_due_at, now() + make_interval(secs => ${restSeconds}))`,
      })
      .where('id', '=', id)
      .where('uid', '=', uid)
      .where('status', 'in', ['running', 'stopped'])
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  /** Those identifiers that belong to a container, or to a lost one that is not removed yet. */
  async known(uids: readonly string[]): Promise<Set<string>> {
    if (uids.length === 0) return new Set();
    const rows = await this.#db
      .selectFrom('containers')
      .select(['uid', 'lost_uid'])
      .where((eb) => eb.or([eb('uid', 'in', uids), eb('lost_uid', 'in', uids)]))
      .execute();
    return new Set(rows.flatMap(({ uid, lost_uid }) => (lost_uid === null ? [uid] : [uid, lost_uid])));
  }
}
