import { type Kysely, sql } from 'kysely';

/** Exam sessions for chosen students instead of a class, and accommodations of a session without the breaks of the class. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `alter table exam_sessions alter column class_id drop not null,
    add column is_for_chosen boolean not null generated always as (class_id is null) stored,
    add constraint exam_sessions_for_chosen_key unique (id, is_for_chosen)`,
  // A session has either a class or users of its own: the second reference needs a session without a class. The first one is for rows that
  // are kept after a deletion, without generated columns.
  `create table exam_session_users (
    session_id integer not null references exam_sessions on delete cascade,
    user_id integer not null references users on delete cascade,
    role text not null default 'student' check (role in ('student', 'instructor')),
    is_for_chosen boolean not null default true check (is_for_chosen),
    added_at timestamptz(3) not null default now(),
    primary key (session_id, user_id),
    foreign key (session_id, is_for_chosen) references exam_sessions (id, is_for_chosen) on delete cascade
  )`,
  'create index exam_session_users_of_user on exam_session_users (user_id)',
  `create trigger exam_session_users_changed after insert or delete on exam_session_users
    for each row execute function notify_exam_session('session_id')`,
  // The maximum is a setting. 0: none, also where the class has breaks.
  `alter table exam_accommodations drop constraint exam_accommodations_break_minutes_check,
    add constraint exam_accommodations_break_minutes_check check (break_minutes >= 0)`,
  `alter table class_accommodations drop constraint class_accommodations_break_minutes_check,
    add constraint class_accommodations_break_minutes_check check (break_minutes > 0)`,
];
