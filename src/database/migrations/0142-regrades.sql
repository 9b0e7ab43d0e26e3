-- Attempts that have ended are graded again, on machines made from what they left. What would change is shown before it is applied.
create table regrades (
  id integer generated always as identity primary key,
  kind text not null check (kind in ('exam', 'laboratory')),
  assessment_id integer,
  session_id integer references exam_sessions on delete set null,
  -- By which its attempts are graded. Null: each by its own.
  revision integer check (revision > 0),
  reason text not null check (char_length(reason) between 1 and 2000),
  status text not null default 'running' check (status in ('running', 'ready', 'applied', 'dropped')),
  requested_by integer references users on delete cascade,
  requested_at timestamptz(3) not null default now(),
  decided_by integer references users on delete set null,
  decided_at timestamptz(3),
  check ((decided_at is null) = (status in ('running', 'ready')))
);
create index regrades_running on regrades (id) where status = 'running';
create index regrades_of_session on regrades (session_id) where session_id is not null;
create index regrades_requested_by on regrades (requested_by, id);
create index regrades_decided_by on regrades (decided_by) where decided_by is not null;

create table regrade_attempts (
  regrade_id integer not null references regrades on delete cascade,
  attempt_id integer not null references attempts on delete cascade,
  status text not null default 'waiting' check (status in ('waiting', 'done', 'evidence_gone', 'failed')),
  tries integer not null default 0,
  primary key (regrade_id, attempt_id)
);
create index regrade_attempts_of_attempt on regrade_attempts (attempt_id);
create index regrade_attempts_waiting on regrade_attempts (regrade_id, attempt_id) where status = 'waiting';

create table regrade_differences (
  regrade_id integer not null,
  attempt_id integer not null,
  task_id integer not null,
  -- Objects: passed, points_earned, output, remark, remark_codes, has_partial_credit.
  before jsonb not null,
  after jsonb not null,
  -- Graded by the revision of the attempt itself: its check is not deterministic.
  is_deterministic boolean not null,
  is_applied boolean not null default false,
  primary key (regrade_id, attempt_id, task_id),
  foreign key (regrade_id, attempt_id) references regrade_attempts on delete cascade
);
