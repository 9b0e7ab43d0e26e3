import { type Kysely, sql } from 'kysely';

/** When somebody else ended an attempt before its time, and who. Null: its user or the clock ended it, or it has not ended. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table attempts add column ended_at timestamptz(3),
    add column ended_by int references users on delete set null`.execute(db);
  await sql`create index attempts_ended_by on attempts (ended_by) where ended_by is not null`.execute(db);
}
