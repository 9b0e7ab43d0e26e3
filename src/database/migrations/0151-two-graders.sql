-- Two people grade an answer independently where the exam session asks for it, and assistants grade where it lets them.

alter table exam_sessions
  -- Points of two graders that differ by at most so many percent of those of the task count, as their mean. Null: one person grades.
  add column grader_tolerance_percent integer check (grader_tolerance_percent between 0 and 100),
  add column has_assistant_graders boolean not null default false;

-- What each of two graders gives. A decision follows from both, or from somebody who settles their difference.
create table task_grades (
  attempt_id integer not null,
  task_id integer not null,
  -- The first one and the second one.
  position smallint not null check (position in (1, 2)),
  grader_id integer references users on delete set null,
  points_earned numeric(12, 2) not null check (points_earned >= 0),
  reason text not null check (char_length(reason) <= 2000),
  rubric_items jsonb,
  is_by_rubric boolean not null,
  graded_at timestamptz(3) not null default now(),
  primary key (attempt_id, task_id, position),
  unique (attempt_id, task_id, grader_id),
  foreign key (attempt_id, task_id) references task_results on delete cascade,
  check (reason <> '' or is_by_rubric and rubric_items is not null)
);
create index task_grades_by on task_grades (grader_id) where grader_id is not null;

alter table task_decisions
  -- The points are the mean of those of two graders, and the reason has both of theirs, with an empty line between.
  add column is_mean boolean not null default false,
  drop constraint task_decisions_reason_check,
  add constraint task_decisions_reason_check check (char_length(reason) <= case when is_mean then 4002 else 2000 end
    and (reason <> '' or is_mean or is_by_rubric and rubric_items is not null));

alter table attempt_endings add column grades jsonb not null default '[]';
