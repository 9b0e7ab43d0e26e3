import { type Kysely, sql } from 'kysely';

/** What is known of the home folder of a container whose engine keeps nothing else, and of a container that was lost and replaced. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table containers
    add column home_due_at timestamptz(3),
    add column home_saved_at timestamptz(3),
    add column home_mark text,
    add column lost_uid uuid,
    add column lost_at timestamptz(3),
    add column replaced_at timestamptz(3),
    add column home_kept_at timestamptz(3)`.execute(db);
}
