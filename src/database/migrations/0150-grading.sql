-- People grade tasks: by the items of a rubric, without each other's way, and without names where the session asks for it.

create table rubric_items (
  id integer generated always as identity primary key,
  kind text not null,
  assessment_id integer not null,
  task_id integer not null,
  text text not null check (char_length(text) between 1 and 500),
  points numeric(12, 2) not null check (points between -10000 and 10000),
  foreign key (kind, assessment_id, task_id) references assessment_tasks (assessment_kind, assessment_id, id) on delete cascade
);
create index rubric_items_of_task on rubric_items (kind, assessment_id, task_id, id);

alter table task_decisions
  -- Those that were chosen, as they were: an array of objects with id, text and points. Null: none was asked for.
  add column rubric_items jsonb,
  -- The points are those of the items, and no own ones.
  add column is_by_rubric boolean not null default false,
  drop constraint task_decisions_reason_check,
  add constraint task_decisions_reason_check check (
    char_length(reason) <= 2000 and (reason <> '' or is_by_rubric and rubric_items is not null));

-- Who works on a result, and until when unless it is renewed. One for each grader.
create table grading_claims (
  user_id integer primary key references users on delete cascade,
  attempt_id integer not null,
  task_id integer not null,
  expires_at timestamptz(3) not null,
  foreign key (attempt_id, task_id) references task_results on delete cascade
);
create index grading_claims_of_result on grading_claims (attempt_id, task_id);

alter table exam_sessions add column has_hidden_names boolean not null default false;
