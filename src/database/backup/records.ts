import { sql } from 'kysely';
import { logActivity } from '../activity-log.ts';
import type { Database } from '../connection/connect.ts';

/** Entries of the activity log: the file as their title. */
const types = { backup: 'backup', trial: 'backup_trial' } as const;

const entryOf = (kind: keyof typeof types, path: string) => ({
  ...{ type: types[kind], title: path, entityType: 'backup', entityId: null },
});

/** Records a backup in the database that was backed up. */
export async function recordBackup(db: Database, path: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await trx.updateTable('installation').set({ backed_up_at: new Date() }).execute();
    await logActivity(trx, entryOf('backup', path));
  });
}

/** Records that a backup could be restored elsewhere. */
export async function recordTrial(db: Database, path: string): Promise<void> {
  await db.transaction().execute(async (trx) => await logActivity(trx, entryOf('trial', path)));
}

export type BackupFacts = { last_at: Date | null; last_file: string | null; restore_tried_at: Date | null };

/** What the database knows of its backups. Null: never, or before the entries of the activity log. */
export async function readBackups(db: Database): Promise<BackupFacts> {
  const last = (type: string) => sql`lateral (
    select title, created_at from activity_log where type = ${type} order by id desc limit 1)`;
  const { rows } = await sql<BackupFacts>`
    select installation.backed_up_at as last_at, backup.title as last_file, trial.created_at as restore_tried_at
    from installation left join ${last(types.backup)} as backup on true
    left join ${last(types.trial)} as trial on true`.execute(db);
  return rows[0] ?? { last_at: null, last_file: null, restore_tried_at: null };
}
