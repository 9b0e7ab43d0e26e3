import { sql } from 'kysely';
import type { Migration, MigrationProvider } from 'kysely/migration';
import type { Database } from './connection/connect.ts';

/** Most starts need none, so each is loaded when it is applied. */
const migrations: Record<string, () => Promise<Migration>> = {
  '0100-baseline': () => import('./migrations/0100-baseline.ts'),
  '0101-totals': () => sqlFile('0101-totals'),
  '0102-assessments': () => sqlFile('0102-assessments'),
};

const sqlFile = async (name: string): Promise<Migration> => (await import('./migrations/sql-file.ts')).ofSqlFile(name);

/** The last migration before the baseline, which has the schema that all of them made. */
const lastBefore = '0063-ended-attempts';
/** The last commit of the project that has the migrations before the baseline. */
const commitBefore = '2c011a3c';

const provider: MigrationProvider = {
  getMigrations: async () => {
    const loaded = Object.entries(migrations).map(async ([name, load]) => [name, await load()] as const);
    return Object.fromEntries(await Promise.all(loaded));
  },
};

/** The names of all migrations, in their order. */
export const migrationNames: readonly string[] = Object.keys(migrations).sort();

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
  return ['0100-baseline', ...applied.filter((name) => !isBefore(name))];
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
