import { type Kysely, sql } from 'kysely';

/** Sessions in which the students of a class take an exam, and the accommodations of single students. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table exam_sessions (
    id integer generated always as identity primary key,
    exam_id integer not null references exams on delete cascade,
    class_id integer not null references classes on delete cascade,
    title text not null check (title <> ''),
    opens_at timestamptz(3) not null,
    closes_at timestamptz(3) not null,
    time_limit_minutes integer check (time_limit_minutes > 0),
    max_attempts integer check (max_attempts > 0),
    counted_attempt text not null default 'best' check (counted_attempt in ('best', 'last', 'first')),
    access_code_hash text,
    networks cidr[] not null default '{}',
    results_visible text not null default 'at_end' check (results_visible in ('at_end', 'after_close', 'when_released', 'never')),
    is_output_visible boolean not null default true,
    paused_at timestamptz(3),
    released_at timestamptz(3),
    created_at timestamptz(3) not null default now(),
    check (opens_at < closes_at)
  )`,
  'create index exam_sessions_of_exam on exam_sessions (exam_id)',
  'create index exam_sessions_of_class on exam_sessions (class_id, opens_at)',
  `create table exam_accommodations (
    session_id integer not null references exam_sessions on delete cascade,
    user_id integer not null references users on delete cascade,
    time_factor double precision not null default 1 check (time_factor between 1 and 3),
    opens_at timestamptz(3),
    closes_at timestamptz(3),
    max_attempts integer check (max_attempts > 0),
    primary key (session_id, user_id)
  )`,
  'create index exam_accommodations_of_user on exam_accommodations (user_id)',
  `create table exam_messages (
    id integer generated always as identity primary key,
    session_id integer not null references exam_sessions on delete cascade,
    user_id integer references users on delete cascade,
    text text not null check (text <> ''),
    created_at timestamptz(3) not null default now()
  )`,
  'create index exam_messages_of_session on exam_messages (session_id, id)',
  'create index exam_messages_of_user on exam_messages (user_id) where user_id is not null',
  // The rows of attempts are neither rewritten nor read: the columns are null or have a constant default.
  `alter table attempts
    add column session_id integer references exam_sessions on delete set null,
    add column time_limit_minutes integer,
    add column extra_seconds double precision not null default 0,
    add column paused_at timestamptz(3),
    add column withheld text,
    add constraint attempts_withheld_check check (withheld in ('results', 'output')) not valid`,
  'create index attempts_of_session on attempts (session_id, user_id) where session_id is not null',
  // What the answers to students leave out of an ended attempt: its results, their output, or nothing (null).
  `create function session_withholds(session exam_sessions, of_user integer) returns text language sql stable as $$
    select case
      when session.results_visible = 'at_end'
        or (session.results_visible <> 'never' and session.released_at is not null)
        or (session.results_visible = 'after_close' and session.paused_at is null and now() >= greatest(session.closes_at,
          (select closes_at from exam_accommodations where session_id = session.id and user_id = of_user)))
      then case when session.is_output_visible then null else 'output' end
      else 'results' end
  $$`,
  // Attempts do not show more after the deletion of their session than before.
  `create function withhold_results() returns trigger language plpgsql as $$
  begin
    update attempts set withheld = session_withholds(old, user_id) where session_id = old.id;
    return old;
  end $$`,
  'create trigger exam_sessions_deleted before delete on exam_sessions for each row execute function withhold_results()',
];
