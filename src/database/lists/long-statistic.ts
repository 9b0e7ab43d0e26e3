import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Database } from '../connection/connect.ts';
import { countedRows, countRows } from './keyset.ts';

/** Reading millions of rows takes a second, so the answer of this process is told again for so long. */
const maxAgeMs = 60_000;

/** A statistic over all rows of a table. Of more than `countedRows` rows it can be a minute old. */
export class LongStatistic<Row> {
  readonly #db: Database;
  readonly #table: 'attempts' | 'users';
  readonly #read: () => Promise<Row[]>;
  readonly #kept: LRUCache<'rows', Row[]>;

  constructor(db: Database, table: 'attempts' | 'users', read: () => Promise<Row[]>) {
    this.#db = db;
    this.#table = table;
    this.#read = read;
    this.#kept = new LRUCache({ max: 1, ttl: maxAgeMs, fetchMethod: read });
  }

  async rows(): Promise<readonly Row[]> {
    const isLong = (await countRows(this.#db, sql`select from ${sql.table(this.#table)}`)) > countedRows;
    return (isLong ? await this.#kept.fetch('rows') : undefined) ?? (await this.#read());
  }
}
