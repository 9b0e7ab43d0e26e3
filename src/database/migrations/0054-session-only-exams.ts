import { type Kysely, sql } from 'kysely';

/**
 * Exams that start in exam sessions only. Until now one session had that effect on an exam for everybody, so that those with sessions stay as
 * they were: no exam opens by itself.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table exams add column is_session_only boolean not null default false`.execute(db);
  await sql`update exams set is_session_only = true where id in (select exam_id from exam_sessions)`.execute(db);
}
