import { type Selectable, sql } from 'kysely';
import type { Database } from '../../../database/connection/connect.ts';
import type { NetworkLimitsTable } from '../../../database/tables.ts';

/** Networks that are kept: a stranger may have thousands. */
const maxRows = 1000;
/** Days after the last time for which one is kept. */
const keptDays = 7;

/** The networks that had to wait, for administrators: the addresses as they are, a week long. */
export class NetworkLimitStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async add(network: string, limit: string, times: number): Promise<void> {
    await sql`insert into network_limits as t (network, limit_met, times)
      select ${network}, ${limit}, ${times}::int where (select count(*) from network_limits) < ${maxRows}
        or exists (select from network_limits where network = ${network} and limit_met = ${limit})
      on conflict (network, limit_met) do update set times = t.times + excluded.times, last_at = now()`.execute(
      this.#db,
    );
  }

  /** Those that had to wait last. */
  async newest(): Promise<Selectable<NetworkLimitsTable>[]> {
    return await this.#db
      .selectFrom('network_limits')
      .selectAll()
      .orderBy('last_at', 'desc')
      .orderBy('network')
      .orderBy('limit_met')
      .limit(20)
      .execute();
  }

  async clean(): Promise<void> {
    await this.#db
      .deleteFrom('network_limits')
      .where('last_at', '<', sql<Date>`now() - make_interval(days => ${keptDays})`)
      .execute();
  }
}
