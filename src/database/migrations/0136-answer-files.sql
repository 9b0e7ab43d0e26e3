-- The files that students answer with, beside their answers: they are replaced and deleted with them.
alter table task_answers
  drop file_key,
  add constraint task_answers_file check (num_nonnulls(file_name, file_bytes) in (0, 2));

create table task_answer_parts (
  attempt_id integer not null,
  task_id integer not null,
  part integer not null check (part >= 0),
  content bytea not null,
  primary key (attempt_id, task_id, part),
  foreign key (attempt_id, task_id) references task_answers on delete cascade
);
