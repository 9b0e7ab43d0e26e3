import { type Kysely, sql } from 'kysely';

/** When the owner of a container last typed in one of its terminals, for supervisors of exams. Null: not yet. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table containers add column last_input_at timestamptz(3)`.execute(db);
}
