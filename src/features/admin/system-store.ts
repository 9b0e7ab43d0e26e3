import { sql } from 'kysely';
import { type BackupFacts, readBackups } from '../../database/backup/records.ts';
import type { Database } from '../../database/connection/connect.ts';

/** What the database reports about itself. */
export class SystemStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async facts(): Promise<{ version: string; size_bytes: number }> {
    const { rows } = await sql<{ version: string; size: string }>`
      select current_setting('server_version') as version, pg_database_size(current_database()) as size`.execute(
      this.#db,
    );
    return { version: rows[0]?.version ?? '', size_bytes: Number(rows[0]?.size) };
  }

  async backups(): Promise<BackupFacts> {
    return await readBackups(this.#db);
  }
}
