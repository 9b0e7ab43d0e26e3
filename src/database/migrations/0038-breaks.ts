import { type Kysely, sql } from 'kysely';

/** Breaks of single students, during which the clock of an exam stands still. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const columns = ['status', 'started_at', 'expires_at', 'paused_at', 'break_ends_at', 'score', 'integrity'];
const changed = [...columns, 'grading_error']
  .map((column) => `old.${column} is distinct from new.${column}`)
  .join(' or ');

const statements = [
  `alter table class_accommodations add column break_minutes integer check (break_minutes between 1 and 120)`,
  `alter table exam_accommodations add column break_minutes integer check (break_minutes between 1 and 120)`,
  // During a break its clock stands still: paused_at is the beginning of the break.
  `alter table attempts add column break_seconds double precision not null default 0,
    add column break_ends_at timestamptz(3),
    add constraint attempts_break_check check (break_ends_at is null or paused_at is not null) not valid`,
  'create index attempts_on_break on attempts (break_ends_at) where break_ends_at is not null',
  // Whatever ends the attempt.
  `create function end_break() returns trigger language plpgsql as $$
  begin
    new.paused_at = null;
    new.break_ends_at = null;
    return new;
  end $$`,
  `create trigger attempts_end_break before update of status on attempts for each row
    when (old.break_ends_at is not null and new.status in ('finished', 'expired', 'abandoned'))
    execute function end_break()`,
  'drop trigger attempts_of_session_changed on attempts',
  `create trigger attempts_of_session_changed after update on attempts for each row
    when (new.session_id is not null and (${changed})) execute function notify_exam_session('session_id')`,
];
