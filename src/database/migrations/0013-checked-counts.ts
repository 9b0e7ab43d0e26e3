import { type Kysely, sql } from 'kysely';

/** When the counts of lists were last compared with the rows: a service that is restarted often compares them as well. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table installation add column counts_checked_at timestamptz(3) not null default now()`.execute(db);
}
