import { type Kysely, sql } from 'kysely';

/** Since when the machine of an attempt really stands still during a break. Null: it does not, or there is no break. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table attempts add column held_at timestamptz(3)`.execute(db);
}
