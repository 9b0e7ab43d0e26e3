-- What students answer, what waits for a person, and attempts that need no machine.

-- The answer to a task of an attempt, as it was saved last.
create table task_answers (
  attempt_id integer not null references attempts on delete cascade,
  task_id integer not null,
  choice_ids integer[] check (cardinality(choice_ids) <= 50),
  text text check (char_length(text) <= 100000),
  file_name text check (char_length(file_name) between 1 and 255),
  -- The name of the file in the storage of files.
  file_key text unique,
  file_bytes integer check (file_bytes >= 0),
  saved_at timestamptz(3) not null default now(),
  primary key (attempt_id, task_id),
  check (num_nonnulls(file_name, file_key, file_bytes) in (0, 3))
);

alter table task_results
  -- A person has to give its points. Until then it has none.
  add is_awaiting_grading boolean not null default false,
  add constraint task_results_awaiting check (not is_awaiting_grading or (points_earned = 0 and not passed));
alter table attempts
  add is_awaiting_grading boolean not null default false,
  add needs_machine boolean not null default true,
  drop constraint attempts_check2,
  add constraint attempts_check2 check (
    (status in ('finished', 'expired') and not is_awaiting_grading) = (score is not null and passed is not null)),
  add constraint attempts_awaiting check (
    not is_awaiting_grading or (status in ('finished', 'expired') and score is null and passed is null));
create index attempts_awaiting on attempts (session_id, id) where is_awaiting_grading;

alter table assessment_revisions add needs_machine boolean not null default true;

-- Results are news once all of them are there.
create or replace function notify_of_end() returns trigger language plpgsql as $$
  begin
    delete from notifications where attempt_id = new.id and kind in ('time_left', 'more_time');
    if new.status in ('finished', 'expired') and not new.is_awaiting_grading and (new.session_id is null or exists (
      select from exam_sessions as session where session.id = new.session_id
        and session_withholds(session, new.user_id) is distinct from 'results'))
    then
      insert into notifications (user_id, key, kind, attempt_id) values (new.user_id, 'results:' || new.id, 'results', new.id)
      on conflict do nothing;
    end if;
    return null;
  end
$$;

create or replace function notify_of_results(session exam_sessions) returns void language sql as $$
  insert into notifications (user_id, key, kind, attempt_id)
  select user_id, 'results:' || id, 'results', id from (
    select distinct on (user_id) user_id, id from attempts
    where session_id = session.id and status in ('finished', 'expired') and not is_awaiting_grading
      and session_withholds(session, user_id) is distinct from 'results'
    order by user_id, id desc
  ) as newest
  on conflict do nothing
$$;
