-- An attempt that has ended is given back to its student. What it was until then is kept.
create table attempt_endings (
  id integer generated always as identity primary key,
  attempt_id integer not null references attempts on delete cascade,
  status text not null check (status in ('finished', 'expired', 'abandoned')),
  submitted_at timestamptz(3),
  score numeric(12, 2),
  max_score numeric(12, 2) not null,
  passed boolean,
  -- The results and decisions as they were: arrays of objects.
  results jsonb not null,
  decisions jsonb not null,
  reopened_at timestamptz(3) not null default now(),
  reopened_by integer references users on delete set null,
  -- That were given. Null: the time that was left.
  minutes integer check (minutes > 0)
);
create index attempt_endings_of_attempt on attempt_endings (attempt_id);
create index attempt_endings_by on attempt_endings (reopened_by) where reopened_by is not null;

-- The student of an attempt asks to have it back. It is deleted when the attempt is reopened.
create table reopen_requests (
  attempt_id integer primary key references attempts on delete cascade,
  requested_at timestamptz(3) not null default now(),
  declined_at timestamptz(3),
  declined_by integer references users on delete set null
);
create index reopen_requests_open on reopen_requests (requested_at) where declined_at is null;
create index reopen_requests_by on reopen_requests (declined_by) where declined_by is not null;

-- Null: the attempt was reopened, so what it leaves at its next end takes the place of this.
alter table attempt_evidence alter column container_uid drop not null;

-- `reopened` and `reopen_declined`: of the student. `reopen`: of those who may do it.
alter table notifications
  drop constraint notifications_kind_check,
  add constraint notifications_kind_check check (kind in ('exam_opens', 'time_left', 'more_time', 'results', 'deadline', 'supervision',
    'hand', 'help', 'report', 'report_answer', 'grade', 'review', 'evidence', 'reopen', 'reopened', 'reopen_declined'));
