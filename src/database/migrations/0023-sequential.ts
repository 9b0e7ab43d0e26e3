import { type Kysely, sql } from 'kysely';

/** Laboratories whose tasks open one after another. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table laboratories add column is_sequential boolean not null default false`.execute(db);
}
