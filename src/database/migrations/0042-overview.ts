import { type Kysely, sql } from 'kysely';

/** Indexes of what instructors see first: failed attempts and the last lesson of each student, exam sessions by their close; and users by their last login. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create index attempts_failed on attempts (user_id, id desc) include (kind, exam_id, laboratory_id)
    where status in ('finished', 'expired') and not passed`,
  `create index attempts_failed_lately on attempts (id desc) include (user_id, kind, exam_id, laboratory_id)
    where status in ('finished', 'expired') and not passed`,
  'create index theme_progress_latest on theme_progress (user_id, completed_at desc) include (theme_id) where completed',
  `create index users_last_login on users ((coalesce(last_login_at, '-infinity'::timestamptz)), id)`,
  'create index exam_sessions_closes on exam_sessions (closes_at)',
  `create index exam_sessions_unreleased on exam_sessions (closes_at)
    where results_visible = 'when_released' and released_at is null`,
];
