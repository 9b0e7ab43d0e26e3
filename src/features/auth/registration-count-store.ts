import { sql } from 'kysely';
import type { Database } from '../../database/connection/connect.ts';
import type { KeyedHash } from '../../database/keyed-hash.ts';
import { TooManyRequests } from '../../errors.ts';

/** Counts the registrations of each network in an hour. The count is in the database, so all processes share it. */
export class RegistrationCountStore {
  readonly #db: Database;
  readonly #max: number;
  readonly #hash: KeyedHash;

  /** @param max registrations of one network in an hour */
  constructor(db: Database, max: number, hash: KeyedHash) {
    this.#db = db;
    this.#max = max;
    this.#hash = hash;
  }

  /** Adds one registration. @throws TooManyRequests beyond the limit, until an hour after the first registration */
  async add(network: string): Promise<void> {
    const isOver = sql`r.begins_at <= now() - interval '1 hour'`;
    const { rows } = await sql<{ count: number; seconds: number }>`
      insert into registration_counts as r (network, count) values (${this.#hash(`network ${network}`)}, 1)
      on conflict (network) do update set
        count = case when ${isOver} then 1 else r.count + 1 end,
        begins_at = case when ${isOver} then now() else r.begins_at end
      returning count, extract(epoch from begins_at + interval '1 hour' - now())::float8 as seconds`.execute(this.#db);
    const [row] = rows;
    if (row && row.count > this.#max)
      throw new TooManyRequests(
        'too_many_registrations',
        'Too many registrations from your network; try again later',
        row.seconds,
      );
  }

  async clean(): Promise<void> {
    await this.#db
      .deleteFrom('registration_counts')
      .where('begins_at', '<', sql<Date>`now() - interval '1 hour'`)
      .execute();
  }
}
