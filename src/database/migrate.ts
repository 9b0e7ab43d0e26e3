import { sql } from 'kysely';
import type { Migration, MigrationProvider } from 'kysely/migration';
import type { Database } from './connection/connect.ts';

/** Most starts need none, so each is loaded when it is applied. */
const migrations: Record<string, () => Promise<Migration>> = {
  '0001-initial': () => import('./migrations/0001-initial.ts'),
  '0002-recordings': () => import('./migrations/0002-recordings.ts'),
  '0003-authoring': () => import('./migrations/0003-authoring.ts'),
  '0005-makers': () => import('./migrations/0005-makers.ts'),
  '0006-full-disks': () => import('./migrations/0006-full-disks.ts'),
  '0007-registration': () => import('./migrations/0007-registration.ts'),
  '0008-room': () => import('./migrations/0008-room.ts'),
  '0010-lists': () => import('./migrations/0010-lists.ts'),
  '0011-start-queue': () => import('./migrations/0011-start-queue.ts'),
  '0012-user-search': () => import('./migrations/0012-user-search.ts'),
  '0013-checked-counts': () => import('./migrations/0013-checked-counts.ts'),
  '0014-terminals': () => import('./migrations/0014-terminals.ts'),
  '0015-homes': () => import('./migrations/0015-homes.ts'),
  '0016-setup': () => import('./migrations/0016-setup.ts'),
  '0017-lesson-templates': () => import('./migrations/0017-lesson-templates.ts'),
  '0018-classes': () => import('./migrations/0018-classes.ts'),
  '0020-exam-sessions': () => import('./migrations/0020-exam-sessions.ts'),
  '0021-files': () => import('./migrations/0021-files.ts'),
  '0022-texts': () => import('./migrations/0022-texts.ts'),
  '0023-sequential': () => import('./migrations/0023-sequential.ts'),
  '0024-course-repositories': () => import('./migrations/0024-course-repositories.ts'),
  '0027-notes': () => import('./migrations/0027-notes.ts'),
  '0029-exam-rooms': () => import('./migrations/0029-exam-rooms.ts'),
  '0030-search': () => import('./migrations/0030-search.ts'),
  '0031-lesson-repositories': () => import('./migrations/0031-lesson-repositories.ts'),
  '0032-root-accounts': () => import('./migrations/0032-root-accounts.ts'),
  '0033-pinned': () => import('./migrations/0033-pinned.ts'),
  '0034-sittings': () => import('./migrations/0034-sittings.ts'),
  '0035-grade-books': () => import('./migrations/0035-grade-books.ts'),
  '0036-notifications': () => import('./migrations/0036-notifications.ts'),
  '0037-first-steps': () => import('./migrations/0037-first-steps.ts'),
  '0038-breaks': () => import('./migrations/0038-breaks.ts'),
  '0039-written-lessons': () => import('./migrations/0039-written-lessons.ts'),
  '0040-user-imports': () => import('./migrations/0040-user-imports.ts'),
  '0042-overview': () => import('./migrations/0042-overview.ts'),
  '0043-deletions': () => import('./migrations/0043-deletions.ts'),
  '0044-chosen-students': () => import('./migrations/0044-chosen-students.ts'),
  '0045-grading-error-codes': () => import('./migrations/0045-grading-error-codes.ts'),
  '0046-progress-versions': () => import('./migrations/0046-progress-versions.ts'),
  '0047-supervision-notices': () => import('./migrations/0047-supervision-notices.ts'),
  '0048-students-of-rooms': () => import('./migrations/0048-students-of-rooms.ts'),
  '0054-session-only-exams': () => import('./migrations/0054-session-only-exams.ts'),
  '0055-held-since': () => import('./migrations/0055-held-since.ts'),
  '0049-refused-publications': () => import('./migrations/0049-refused-publications.ts'),
  '0050-usernames': () => import('./migrations/0050-usernames.ts'),
  '0052-limits': () => import('./migrations/0052-limits.ts'),
  '0056-login-ids': () => import('./migrations/0056-login-ids.ts'),
  '0057-login-cookies': () => import('./migrations/0057-login-cookies.ts'),
  '0060-result-remarks': () => import('./migrations/0060-result-remarks.ts'),
  '0061-line-feeds': () => import('./migrations/0061-line-feeds.ts'),
  '0062-last-input': () => import('./migrations/0062-last-input.ts'),
  '0063-ended-attempts': () => import('./migrations/0063-ended-attempts.ts'),
};

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
 * @throws the first migration's error; an Error with the remedy if a newer release has migrated the database
 */
export async function migrate(db: Database, last = migrationNames.at(-1) ?? ''): Promise<string[]> {
  const applied = await appliedMigrations(db);
  const unknown = applied.filter((name) => !migrationNames.includes(name));
  if (unknown.length > 0) {
    throw new Error(
      `The database was migrated by a newer release (it has ${unknown.join(', ')}, which this one does not know): ` +
        'start that release or a later one, or restore a backup from before into an empty database',
    );
  }
  const wanted = migrationNames.slice(0, migrationNames.indexOf(last) + 1);
  if (applied.length === wanted.length && wanted.every((name) => applied.includes(name))) return [];
  const { Migrator } = await import('kysely/migration');
  const { error, results } = await new Migrator({ db, provider }).migrateTo(last);
  if (error) throw error;
  return (results ?? []).filter((result) => result.status === 'Success').map((result) => result.migrationName);
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
