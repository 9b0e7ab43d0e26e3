import { type Kysely, sql } from 'kysely';

/** A change of one user in an exam session is reported as `session:user`, so that the others need not be read again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create or replace function notify_exam_session() returns trigger language plpgsql as $$
  declare
    changed jsonb := coalesce(to_jsonb(new), to_jsonb(old));
  begin
    perform pg_notify('exam_session', (changed ->> tg_argv[0]) || coalesce(':' || (changed ->> 'user_id'), ''));
    return null;
  end $$`.execute(db);
}
