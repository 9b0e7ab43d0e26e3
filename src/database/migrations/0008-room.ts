import { type Kysely, sql } from 'kysely';

/**
 * The reason why a container was stopped, if not by its user, and the role that may create sandboxes from a template. Verdicts of
 * unfinished gradings are deleted: their attempts continue.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `alter table containers add column stop_reason text check (stop_reason in ('idle', 'room', 'disk'))`,
  `update containers set stop_reason = 'disk' where full_at is not null`,
  `alter table sandbox_templates add column minimum_role text not null default 'student'
    check (minimum_role in ('student', 'instructor', 'admin'))`,
  `delete from task_results using attempts
    where attempts.id = task_results.attempt_id and attempts.kind = 'exam' and attempts.status = 'in_progress'`,
];
