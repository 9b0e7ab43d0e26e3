import { sql } from 'kysely';
import type { Database } from '../../database/connection/connect.ts';
import type { KeyedHash } from '../../database/keyed-hash.ts';

export type KnownDeviceLimits = {
  /** How many networks are stored for one account. The latest ones stay. */
  devicesPerAccount: number;
  /** Days since the last login from a network after which it is deleted. */
  deviceDays: number;
};

/**
 * The networks from which accounts have logged in. A device is identified by the network of its address, because clients that are not
 * browsers store no cookie. The stored value is a keyed hash of account and network together. It reveals neither the network nor that two
 * accounts share one.
 */
export class KnownDeviceStore {
  readonly #db: Database;
  readonly #limits: KnownDeviceLimits;
  readonly #hash: KeyedHash;

  constructor(db: Database, limits: KnownDeviceLimits, hash: KeyedHash) {
    this.#db = db;
    this.#limits = limits;
    this.#hash = hash;
  }

  /** @param userId undefined for an unknown account: the query runs regardless, so that both cases take the same time */
  async isKnown(userId: number | undefined, network: string): Promise<boolean> {
    const id = userId ?? 0;
    const row = await this.#db
      .selectFrom('known_devices')
      .select('user_id')
      .where('user_id', '=', id)
      .where('device', '=', this.#device(id, network))
      .where('last_login_at', '>', this.#oldest)
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Called after each successful login. Writes at most once an hour for one network. */
  async remember(userId: number, network: string): Promise<void> {
    const written = await this.#db
      .insertInto('known_devices')
      .values({ user_id: userId, device: this.#device(userId, network) })
      .onConflict((conflict) =>
        conflict
          .columns(['user_id', 'device'])
          .doUpdateSet({ last_login_at: sql<Date>`now()` })
          .where('known_devices.last_login_at', '<', sql<Date>`now() - interval '1 hour'`),
      )
      .returning('user_id')
      .execute();
    if (written.length === 0) return;
    await sql`delete from known_devices where user_id = ${userId} and device in (
      select device from known_devices where user_id = ${userId}
      order by last_login_at desc, device offset ${this.#limits.devicesPerAccount})`.execute(this.#db);
  }

  async clean(): Promise<void> {
    await this.#db.deleteFrom('known_devices').where('last_login_at', '<=', this.#oldest).execute();
  }

  get #oldest() {
    return sql<Date>`now() - make_interval(days => ${this.#limits.deviceDays})`;
  }

  #device(userId: number, network: string): string {
    return this.#hash(`device ${userId} ${network}`);
  }
}
