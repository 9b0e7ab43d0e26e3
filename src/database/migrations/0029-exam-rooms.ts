import { type Kysely, sql } from 'kysely';

/** Notifies all processes of what changes in an exam session, for those who supervise it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const changed = (columns: readonly string[]) =>
  columns.map((column) => `old.${column} is distinct from new.${column}`).join(' or ');

const statements = [
  // Its argument is the column with the id of the session. A transaction sends equal notifications once.
  `create function notify_exam_session() returns trigger language plpgsql as $$
  begin
    perform pg_notify('exam_session', coalesce(to_jsonb(new), to_jsonb(old)) ->> tg_argv[0]);
    return null;
  end $$`,
  `create trigger exam_sessions_changed after update on exam_sessions for each row execute function notify_exam_session('id')`,
  `create trigger exam_accommodations_changed after insert or update or delete on exam_accommodations
    for each row execute function notify_exam_session('session_id')`,
  `create trigger attempts_of_session_made after insert on attempts for each row when (new.session_id is not null)
    execute function notify_exam_session('session_id')`,
  // Not of the beat of a grading, or of each request of a queued student.
  `create trigger attempts_of_session_changed after update on attempts for each row
    when (new.session_id is not null and (${changed(['status', 'started_at', 'expires_at', 'paused_at', 'score', 'integrity', 'grading_error'])}))
    execute function notify_exam_session('session_id')`,
];
