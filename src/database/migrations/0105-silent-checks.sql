-- Exam sessions whose checks run silently. There is no row while they do not.
create table silent_checks (
  session_id integer primary key references exam_sessions (id) on delete cascade,
  interval_minutes integer not null check (interval_minutes between 3 and 60),
  started_at timestamptz(3) not null default now(),
  watched_at timestamptz(3) not null default now()
);

-- The newest silent check of each attempt. It goes when the silent checks of its session end, so that nothing counts it later.
create table silent_looks (
  attempt_id integer primary key references attempts (id) on delete cascade,
  session_id integer not null references silent_checks (session_id) on delete cascade,
  began_at timestamptz(3) not null,
  ended_at timestamptz(3),
  checked_at timestamptz(3),
  marks_changed_at timestamptz(3),
  marks jsonb
);
create index silent_looks_of_session on silent_looks (session_id);

create trigger silent_checks_changed after insert or delete or update of interval_minutes on silent_checks
  for each row execute function notify_exam_session('session_id');
