import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import type { MigrationProvider } from 'kysely/migration';
import type { Database } from './connection/connect.ts';

const folder = join(import.meta.dirname, 'migrations');

/** The names of all migrations, in their order: those of the files with their statements. */
export const migrationNames: readonly string[] = readdirSync(folder)
  .map((file) => file.replace(/\.sql$/, ''))
  .sort();

/** It has the schema of release 0.2.0. */
const baseline = '0100-baseline';
/** The last migration before the baseline, which has the schema that all of them made. */
const lastBefore = '0063-ended-attempts';
/** The last commit of the project that has the migrations before the baseline. */
const commitBefore = '2c011a3c';

const provider: MigrationProvider = {
  getMigrations: async () =>
    Object.fromEntries(
      migrationNames.map((name) => [
        name,
        {
          up: async (db: Kysely<unknown>) => {
            if (name === baseline) await createExtension(db);
            await sql.raw(await readFile(join(folder, `${name}.sql`), 'utf8')).execute(db);
          },
        },
      ]),
    ),
};

/**
 * Migrates the schema and returns the names of the applied migrations. All of them run in one transaction under an advisory lock
 * (Kysely's), so several processes can start at once, and a failure leaves the database unchanged.
 * @param db may be a transaction, which then contains the migrations
 * @param last the last migration to apply; default: the newest
 * @throws the first migration's error; an Error with the remedy if the database is of a newer release, or of one before 0.2.0
 */
export async function migrate(db: Database, last = migrationNames.at(-1) ?? ''): Promise<string[]> {
  const before = await appliedMigrations(db);
  const applied = sinceBaseline(before);
  const unknown = applied.filter((name) => !migrationNames.includes(name));
  if (unknown.length > 0) {
    throw new Error(
      `The database was migrated by a newer release (it has ${unknown.join(', ')}, which this one does not know): ` +
        'start that release or a later one, or restore a backup from before into an empty database',
    );
  }
  if (applied !== before)
    await sql`with gone as (delete from kysely_migration)
      insert into kysely_migration select unnest(${applied}::text[]), ${new Date().toISOString()}`.execute(db);
  const wanted = migrationNames.slice(0, migrationNames.indexOf(last) + 1);
  if (applied.length === wanted.length && wanted.every((name) => applied.includes(name))) return [];
  const { Migrator } = await import('kysely/migration');
  const { error, results } = await new Migrator({ db, provider }).migrateTo(last);
  if (error) throw error;
  return (results ?? []).filter((result) => result.status === 'Success').map((result) => result.migrationName);
}

/**
 * The search for users finds parts of words with it.
 * @throws Error with the remedy where it cannot be created
 */
async function createExtension(db: Kysely<unknown>): Promise<void> {
  try {
    await sql`create extension if not exists pg_trgm`.execute(db);
  } catch (error) {
    throw new Error(
      'PostgreSQL could not create the extension pg_trgm, which the search for users needs: install the contrib modules of PostgreSQL, ' +
        'grant the right to create on the database, or run "create extension pg_trgm" as its owner',
      { cause: error },
    );
  }
}

/**
 * The migrations of a database or a backup, where those before the baseline count as the baseline.
 * @throws Error with the remedy where not all of them are applied
 */
export function sinceBaseline(applied: readonly string[]): readonly string[] {
  const isBefore = (name: string) => name <= lastBefore;
  if (!applied.some(isBefore)) return applied;
  if (!applied.includes(lastBefore))
    throw new Error(
      `The database or the backup is of a release before 0.2.0: start commit ${commitBefore} of this project with it once, which migrates it, then this release`,
    );
  return [baseline, ...applied.filter((name) => !isBefore(name))];
}

/** @returns the names of the applied migrations in order; none if the database is not ours yet */
export async function appliedMigrations(db: Database): Promise<string[]> {
  const { rows } = await sql<{ table: string | null }>`select to_regclass('kysely_migration')::text as table`.execute(
    db,
  );
  if (!rows[0]?.table) return [];
  return (await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)).rows.map(
    ({ name }) => name,
  );
}
