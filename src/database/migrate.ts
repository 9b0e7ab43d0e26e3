import { sql } from 'kysely';
import { type Migration, type MigrationProvider, Migrator } from 'kysely/migration';
import type { Database } from './connection/connect.ts';
import * as initial from './migrations/0001-initial.ts';
import * as recordings from './migrations/0002-recordings.ts';
import * as authoring from './migrations/0003-authoring.ts';
import * as makers from './migrations/0005-makers.ts';
import * as fullDisks from './migrations/0006-full-disks.ts';
import * as registration from './migrations/0007-registration.ts';
import * as room from './migrations/0008-room.ts';
import * as lists from './migrations/0010-lists.ts';
import * as startQueue from './migrations/0011-start-queue.ts';
import * as userSearch from './migrations/0012-user-search.ts';
import * as checkedCounts from './migrations/0013-checked-counts.ts';
import * as terminals from './migrations/0014-terminals.ts';
import * as homes from './migrations/0015-homes.ts';
import * as setup from './migrations/0016-setup.ts';
import * as lessonTemplates from './migrations/0017-lesson-templates.ts';
import * as classes from './migrations/0018-classes.ts';
import * as examSessions from './migrations/0020-exam-sessions.ts';
import * as files from './migrations/0021-files.ts';
import * as texts from './migrations/0022-texts.ts';
import * as sequential from './migrations/0023-sequential.ts';
import * as courseRepositories from './migrations/0024-course-repositories.ts';
import * as notes from './migrations/0027-notes.ts';
import * as examRooms from './migrations/0029-exam-rooms.ts';
import * as search from './migrations/0030-search.ts';
import * as lessonRepositories from './migrations/0031-lesson-repositories.ts';
import * as rootAccounts from './migrations/0032-root-accounts.ts';
import * as pinned from './migrations/0033-pinned.ts';
import * as sittings from './migrations/0034-sittings.ts';
import * as gradeBooks from './migrations/0035-grade-books.ts';
import * as notifications from './migrations/0036-notifications.ts';
import * as firstSteps from './migrations/0037-first-steps.ts';
import * as breaks from './migrations/0038-breaks.ts';

const migrations: Record<string, Migration> = {
  '0001-initial': initial,
  '0002-recordings': recordings,
  '0003-authoring': authoring,
  '0005-makers': makers,
  '0006-full-disks': fullDisks,
  '0007-registration': registration,
  '0008-room': room,
  '0010-lists': lists,
  '0011-start-queue': startQueue,
  '0012-user-search': userSearch,
  '0013-checked-counts': checkedCounts,
  '0014-terminals': terminals,
  '0015-homes': homes,
  '0016-setup': setup,
  '0017-lesson-templates': lessonTemplates,
  '0018-classes': classes,
  '0020-exam-sessions': examSessions,
  '0021-files': files,
  '0022-texts': texts,
  '0023-sequential': sequential,
  '0024-course-repositories': courseRepositories,
  '0027-notes': notes,
  '0029-exam-rooms': examRooms,
  '0030-search': search,
  '0031-lesson-repositories': lessonRepositories,
  '0032-root-accounts': rootAccounts,
  '0033-pinned': pinned,
  '0034-sittings': sittings,
  '0035-grade-books': gradeBooks,
  '0036-notifications': notifications,
  '0037-first-steps': firstSteps,
  '0038-breaks': breaks,
};

const provider: MigrationProvider = { getMigrations: async () => migrations };

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
  const unknown = (await appliedMigrations(db)).filter((name) => !migrationNames.includes(name));
  if (unknown.length > 0) {
    throw new Error(
      `The database was migrated by a newer release (it has ${unknown.join(', ')}, which this one does not know): ` +
        'start that release or a later one, or restore a backup from before into an empty database',
    );
  }
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
