import { sql } from 'kysely';
import type { Database } from '../../database/connection/connect.ts';

/** What all processes of an installation share: its identifier and the database's clock. */
export class InstallationStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async id(): Promise<string> {
    return (await this.#db.selectFrom('installation').select('id').executeTakeFirstOrThrow()).id;
  }

  /** Whether its data was generated. */
  async isDemonstration(): Promise<boolean> {
    const row = await this.#db.selectFrom('installation').select('is_demonstration').executeTakeFirstOrThrow();
    return row.is_demonstration;
  }

  /** By the database's clock. */
  async now(): Promise<Date> {
    const { rows } = await sql<{ now: Date }>`select now() as now`.execute(this.#db);
    return rows[0]?.now ?? new Date();
  }
}
