-- A student says that something is wrong with a task, and the staff of its course answer. A student has one report of a task: a later one
-- replaces it. The task can be deleted, so its title is kept.
create table task_reports (
  id integer generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  -- The latest one of the student with the task. It knows the assessment and its revision.
  attempt_id integer not null references attempts on delete cascade,
  kind text not null check (kind in ('exam', 'laboratory')),
  task_id integer not null,
  task_title text not null,
  text text not null check (char_length(text) between 1 and 1000),
  -- The end of what the check printed last before the report. Only staff see it here.
  output text,
  reported_at timestamptz(3) not null default now(),
  answer text check (char_length(answer) between 1 and 1000),
  answered_by integer references users on delete set null,
  answered_at timestamptz(3),
  check ((answer is null) = (answered_at is null)),
  unique (user_id, kind, task_id)
);
create index task_reports_of_attempt on task_reports (attempt_id);
create index task_reports_answered_by on task_reports (answered_by) where answered_by is not null;
create index task_reports_open on task_reports (kind, task_id) where answer is null;

-- `report`: of the staff, one for each task. `report_answer`: of the student.
alter table notifications
  drop constraint notifications_kind_check,
  add constraint notifications_kind_check check (kind in
    ('exam_opens', 'time_left', 'more_time', 'results', 'deadline', 'supervision', 'hand', 'help', 'report', 'report_answer'));
create index notifications_of_report on notifications (key) where kind = 'report';
