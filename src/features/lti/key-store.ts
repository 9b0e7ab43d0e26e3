import { sql } from 'kysely';
import type { Database } from '../../database/connection/connect.ts';

export type KeyRow = { id: string; sealed_key: Buffer; public_key: Record<string, unknown>; created_at: Date };

/** Milliseconds after which every platform has read a new key: it is shown before it signs. */
const shownMs = 60 * 60_000;

/** The keys of this service: at most two, of which one signs. */
export class KeyStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** The newest first. */
  async all(): Promise<KeyRow[]> {
    return await this.#db.selectFrom('lti_keys').selectAll().orderBy('created_at', 'desc').orderBy('id').execute();
  }

  /**
   * Adds a key, unless there is a new one, and removes all but the last one before it.
   * @returns false where nothing has changed
   */
  async add({ id, sealed_key, public_key }: Omit<KeyRow, 'created_at'>): Promise<boolean> {
    return await this.#db.transaction().execute(async (trx) => {
      await sql`lock table lti_keys in share row exclusive mode`.execute(trx);
      const all = await trx.selectFrom('lti_keys').select(['id', 'created_at']).orderBy('created_at', 'desc').execute();
      const [newest] = all;
      if (newest && isNew(newest)) return false;
      const gone = all.slice(1).map((key) => key.id);
      if (gone.length > 0) await trx.deleteFrom('lti_keys').where('id', 'in', gone).execute();
      await trx
        .insertInto('lti_keys')
        .values({ id, sealed_key, public_key: JSON.stringify(public_key) })
        .execute();
      return true;
    });
  }
}

/** Whether platforms may not have read it yet. */
export const isNew = ({ created_at }: Pick<KeyRow, 'created_at'>): boolean =>
  created_at.getTime() > Date.now() - shownMs;
