import { type Kysely, sql } from 'kysely';

/** The texts at the beginning and the end of exams and laboratories, in Markdown. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['exams', 'laboratories']) {
    await sql`alter table ${sql.table(table)} add column introduction text not null default '',
      add column conclusion text not null default ''`.execute(db);
  }
}
