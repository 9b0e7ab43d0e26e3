import { type Kysely, sql } from 'kysely';

/** Terminals that are held while a clock stands still, exam sessions that lock the login, accommodations for a whole class. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const active = (row: 'old' | 'new') => `(${row}.status in ('queued', 'starting', 'in_progress', 'grading'))`;

const statements = [
  // All processes hold the terminals of an attempt while its clock stands still. A transaction sends equal notifications once.
  `create function notify_attempt_held() returns trigger language plpgsql as $$
  begin
    perform pg_notify('attempt_held', '*');
    return null;
  end $$`,
  `create trigger attempts_held after update of paused_at on attempts for each row
    when ((old.paused_at is null) <> (new.paused_at is null)) execute function notify_attempt_held()`,
  `alter table exam_sessions add column is_locked_down boolean not null default false`,
  `alter table attempts add column is_locked_down boolean not null default false`,
  // For all sessions of a class. They end with the membership.
  `create table class_accommodations (
    class_id integer not null,
    user_id integer not null,
    time_factor double precision not null default 1 check (time_factor between 1 and 3),
    extra_attempts integer not null default 0 check (extra_attempts >= 0),
    primary key (class_id, user_id),
    foreign key (class_id, user_id) references class_members (class_id, user_id) on delete cascade
  )`,
  // Null: that of the class. So far 1 has meant that there is no other.
  `alter table exam_accommodations alter column time_factor drop not null, alter column time_factor drop default`,
  `update exam_accommodations set time_factor = null where time_factor = 1`,
  // While the login is locked, only the token that started the attempt and those that were issued since are valid.
  `alter table users add column login_locked_at timestamptz(3), add column login_locked_token timestamptz(3)`,
  `alter table containers drop constraint containers_stop_reason_check,
    add constraint containers_stop_reason_check check (stop_reason in ('idle', 'room', 'disk', 'exam'))`,
  // Whatever ends the attempt. The laboratories of the user go on then.
  `create function unlock_login() returns trigger language plpgsql as $$
  begin
    update users set login_locked_at = null, login_locked_token = null where id = old.user_id;
    perform pg_notify('attempt_held', '*');
    return null;
  end $$`,
  `create trigger attempts_unlock_login after update of status on attempts for each row
    when (old.is_locked_down and ${active('old')} and not ${active('new')}) execute function unlock_login()`,
  `create trigger attempts_deleted_unlock_login after delete on attempts for each row
    when (old.is_locked_down and ${active('old')}) execute function unlock_login()`,
  `create trigger attempts_locked_down after update of status on attempts for each row
    when (new.is_locked_down and new.status = 'in_progress' and old.status in ('queued', 'starting'))
    execute function notify_attempt_held()`,
];
