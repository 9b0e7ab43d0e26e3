import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Database } from '../connection/connect.ts';
import { countedRows, countRows } from './keyset.ts';

/** Reading all attempts takes a second for millions of them, so the answer of this process is told again for so long. */
const maxAgeMs = 60_000;

/** A statistic over all attempts. Of more than `countedRows` attempts it can be a minute old. */
export class LongStatistic<Row> {
  readonly #db: Database;
  readonly #read: () => Promise<Row[]>;
  readonly #kept: LRUCache<'rows', Row[]>;

  constructor(db: Database, read: () => Promise<Row[]>) {
    this.#db = db;
    this.#read = read;
    this.#kept = new LRUCache({ max: 1, ttl: maxAgeMs, fetchMethod: read });
  }

  async rows(): Promise<readonly Row[]> {
    const isLong = (await countRows(this.#db, sql`select from attempts`)) > countedRows;
    return (isLong ? await this.#kept.fetch('rows') : undefined) ?? (await this.#read());
  }
}
