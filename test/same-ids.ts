import { sql } from 'kysely';
import type { Database } from '../src/database/connection/connect.ts';

/** What is made has the ids of exams and tasks that there are: in an installation that was upgraded, both kinds have the same ids. */
export async function withSameIds<Made>(db: Database, make: () => Promise<Made>): Promise<Made> {
  for (const table of ['assessments', 'assessment_tasks'])
    await sql`alter table ${sql.table(table)} alter id restart`.execute(db);
  const made = await make();
  for (const table of ['assessments', 'assessment_tasks'])
    await sql`select setval(pg_get_serial_sequence(${table}, 'id'), (select max(id) from ${sql.table(table)}))`.execute(
      db,
    );
  return made;
}
