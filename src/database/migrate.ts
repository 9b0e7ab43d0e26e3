import { type Migration, type MigrationProvider, Migrator } from 'kysely/migration';
import type { Database } from './connect.ts';
import * as initial from './migrations/0001-initial.ts';
import * as recordings from './migrations/0002-recordings.ts';
import * as authoring from './migrations/0003-authoring.ts';
import * as makers from './migrations/0005-makers.ts';

const migrations: Record<string, Migration> = {
  '0001-initial': initial,
  '0002-recordings': recordings,
  '0003-authoring': authoring,
  '0005-makers': makers,
};

const provider: MigrationProvider = { getMigrations: async () => migrations };

/**
 * Brings the schema up to date and returns the names of the migrations it ran. All of them run in one transaction under
 * an advisory lock (Kysely's), so several processes can start at once and a failure leaves the database as it was.
 * @throws the first migration's error
 */
export async function migrate(db: Database): Promise<string[]> {
  const { error, results } = await new Migrator({ db, provider }).migrateToLatest();
  if (error) throw error;
  return (results ?? []).filter((result) => result.status === 'Success').map((result) => result.migrationName);
}
