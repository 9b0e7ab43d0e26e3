import { type Kysely, sql } from 'kysely';

/**
 * The time when a container had filled its disk and was stopped permanently; see
 * docs/decisions/0006-full-containers-stay-stopped.md.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table containers add column full_at timestamptz(3)`.execute(db);
}
