import { sql, type Transaction } from 'kysely';
import { logActivity } from '../activity-log.ts';
import { statusSql } from '../attempt-status.ts';
import type { Database } from '../connection/connect.ts';
import { appliedMigrations, migrate, migrationNames, sinceBaseline } from '../migrate.ts';
import type { Tables } from '../tables.ts';
import { formerCounts, type SequenceState, type SnapshotTable } from './snapshot.ts';

export type LoadedContent = {
  migrations: readonly string[];
  tables: readonly (SnapshotTable & { rows: number })[];
  sequences: readonly SequenceState[];
  /** Files that rows name and that were deleted during the backup. */
  missing: { avatars: readonly string[]; recordings: readonly string[] };
};
/** Rows of one table as JSON, one per line. */
export type LoadedRows = { table: string; lines: string };

/** @throws Error with the remedy if this release cannot read a backup of another one */
export function checkMigrations(all: readonly string[]): void {
  const migrations = sinceBaseline(all);
  const unknown = migrations.filter((name) => !migrationNames.includes(name));
  if (unknown.length > 0) {
    throw new Error(
      `The backup was created by a newer release (it has ${unknown.join(', ')}, which this one does not know): restore it with that release or a later one`,
    );
  }
  if (migrations.length === 0 || migrations.some((name, index) => name !== migrationNames[index])) {
    throw new Error('The backup has no schema that this release has ever had');
  }
}

/** @throws Error if the database is not empty and `isForced` is false, if it belongs to another program, or if a service uses it */
export async function checkTarget(db: Database, isForced: boolean): Promise<void> {
  await waitUntilAlone(db);
  const names = await tableNames(db);
  const applied = await appliedMigrations(db);
  if (applied.length === 0 && names.length > 0) {
    throw new Error(
      `The database contains tables of another program (${names.slice(0, 5).join(', ')}): use an empty one`,
    );
  }
  if (isForced) return;
  for (const name of names.filter(isContent)) {
    const { rows } = await sql`select from ${sql.table(name)} limit 1`.execute(db);
    if (rows.length > 0) {
      throw new Error(
        `The database is not empty (${name} contains rows): use an empty one, or replace everything with --force`,
      );
    }
  }
}

/**
 * Replaces the content of the database with the rows of a backup and migrates them to the newest schema, in one transaction. The
 * installation keeps its id, so that it still recognises its containers.
 * @param rows in the order of the tables
 * @param beforeCommit the last step that may fail
 */
export async function loadContent(
  db: Database,
  {
    content,
    rows,
    reason,
    beforeCommit,
  }: { content: LoadedContent; rows: AsyncIterable<LoadedRows>; reason: string; beforeCommit: () => Promise<void> },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const installation = await installationId(trx);
    await dropEverything(trx);
    await migrate(trx, sinceBaseline(content.migrations).at(-1));
    if (installation !== undefined) await sql`update installation set id = ${installation}`.execute(trx);
    const columnsOf = new Map(content.tables.map(({ name, columns }) => [name, columns]));
    for await (const { table, lines } of rows) await insertRows(trx, table, columnsOf.get(table), lines);
    for (const { name, rows: expected } of content.tables) await checkCount(trx, name, expected);
    for (const { name, last, isCalled } of content.sequences) {
      await sql`select setval(quote_ident(${name})::regclass, ${last}::bigint, ${isCalled})`.execute(trx);
    }
    await migrate(trx);
    await settle(trx, content.missing, reason);
    await beforeCommit();
  });
  await sql`analyze`.execute(db);
}

async function insertRows(
  trx: Transaction<Tables>,
  table: string,
  columns: readonly string[] | undefined,
  lines: string,
): Promise<void> {
  if (!columns) throw new Error(`The backup has rows of ${table}, but no description of that table`);
  const names = sql.join(columns.map((column) => sql.ref(column)));
  const json = `[${lines.trimEnd().replaceAll('\n', ',')}]`;
  await sql`insert into ${sql.table(table)} (${names}) overriding system value
    select ${names} from json_populate_recordset(null::${sql.table(table)}, ${json}::json)`.execute(trx);
}

async function checkCount(trx: Transaction<Tables>, table: string, expected: number): Promise<void> {
  const { rows } = await sql<{ count: string }>`select count(*) as count from ${sql.table(table)}`.execute(trx);
  if (Number(rows[0]?.count) !== expected) throw new Error(`The backup lacks rows of ${table}`);
}

/** Attempts in progress at the time of the backup have no container any more, queued ones have no place, and tokens revoked since then must stay revoked. */
async function settle(trx: Transaction<Tables>, missing: LoadedContent['missing'], reason: string): Promise<void> {
  await trx.deleteFrom('attempts').where('status', '=', 'starting').execute();
  const given = await trx
    .updateTable('attempts')
    .set({ status: 'abandoned', submitted_at: null, grading_beat_at: null, process_id: null })
    .set({ grading_error: reason, grading_error_code: 'restored_from_backup' })
    .where(statusSql.isActive())
    .returningAll()
    .execute();
  const entries = given.map(({ user_id, kind, title, assessment_id }) => ({
    ...{ userId: user_id, type: `${kind}_abandon`, title },
    ...{ entityType: kind, entityId: assessment_id },
  }));
  await logActivity(trx, ...entries);
  // Those of their session that ran then.
  await sql`delete from silent_checks`.execute(trx);
  await sql`delete from notifications where hand_id is not null`.execute(trx);
  // Their students know when their exams are.
  await sql`delete from exam_plans`.execute(trx);
  // What triggers have reported of the rows that were loaded.
  await sql`delete from webhook_deliveries`.execute(trx);
  await sql`delete from webhook_results`.execute(trx);
  // Tokens revoked by a logout or a password change after the backup stay refused.
  await sql`update users set tokens_valid_from = greatest(tokens_valid_from, now()), locked_login = null`.execute(trx);
  await sql`update users set avatar_key = null where avatar_key = any (${missing.avatars})`.execute(trx);
  await sql`update site set logo_key = null where logo_key = any (${missing.avatars})`.execute(trx);
  await sql`delete from recordings where key = any (${missing.recordings})`.execute(trx);
}

async function installationId(trx: Transaction<Tables>): Promise<string | undefined> {
  if ((await appliedMigrations(trx)).length === 0) return undefined;
  return (await trx.selectFrom('installation').select('id').executeTakeFirst())?.id;
}

/**
 * Drops our tables, sequences and functions, and the queue, which the service recreates. The schema itself is kept: it can belong
 * to somebody else.
 */
async function dropEverything(trx: Transaction<Tables>): Promise<void> {
  for (const name of await tableNames(trx)) await sql`drop table ${sql.table(name)} cascade`.execute(trx);
  const { rows } = await sql<{ statement: string }>`
    select 'drop sequence ' || oid::regclass as statement from pg_class where relnamespace = 'public'::regnamespace and relkind = 'S'
    union all
    select 'drop function ' || oid::regprocedure from pg_proc where pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
    union all
    select 'drop text search configuration ' || oid::regconfig from pg_ts_config where cfgnamespace = 'public'::regnamespace
    union all
    select 'drop text search dictionary ' || oid::regdictionary from pg_ts_dict where dictnamespace = 'public'::regnamespace`.execute(
    trx,
  );
  for (const { statement } of rows) await sql.raw(statement).execute(trx);
  await sql`drop schema if exists jobs cascade`.execute(trx);
}

/** Former counts can be left where the counted rows are gone. */
const isContent = (table: string): boolean =>
  table !== 'installation' && !table.startsWith('kysely_') && !formerCounts.includes(table);

async function tableNames(db: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by relname`.execute(
    db,
  );
  return rows.map(({ name }) => name);
}

/** Closed connections take a moment to disappear. */
async function waitUntilAlone(db: Database): Promise<void> {
  const deadline = Date.now() + 2000;
  for (;;) {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from pg_stat_activity
      where datname = current_database() and application_name = 'learning-platform' and pid <> pg_backend_pid()`.execute(
      db,
    );
    if (rows[0]?.count === 0) return;
    if (Date.now() > deadline) throw new Error('A service is using the database: stop it first');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
