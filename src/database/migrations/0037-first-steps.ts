import { type Kysely, sql } from 'kysely';

/** Whether the installation has the data of a demonstration, and when it was last backed up. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table installation add column is_demonstration boolean not null default false,
    add column backed_up_at timestamptz(3)`.execute(db);
}
