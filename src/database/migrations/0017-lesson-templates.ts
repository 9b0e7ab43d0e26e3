import { type Kysely, sql } from 'kysely';

/** The sandbox template of a course, a section or a theme. Without one, that of the level above applies. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['courses', 'sections', 'themes']) {
    await sql`alter table ${sql.table(table)}
      add column template_id integer references sandbox_templates on delete set null`.execute(db);
  }
}
