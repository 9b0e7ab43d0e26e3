-- A task has a kind. Its older column of that name says whether it is of an exam or of a laboratory.

alter table assessment_tasks rename kind to assessment_kind;
alter table assessment_tasks
  add kind text not null default 'check' check (kind ~ '^[a-z]{1,20}$'),
  -- The fields of its kind, see src/entities/task-kinds.
  add kind_fields jsonb not null default '{}' check (jsonb_typeof(kind_fields) = 'object'),
  alter verification_script set default '',
  drop constraint assessment_tasks_verification_script_check,
  add constraint assessment_tasks_verification_script_check
    check (length(verification_script) <= 262144 and (kind <> 'check' or verification_script <> ''));

create or replace function setup_key_of(of_kind text, of_id integer) returns text language sql stable as $$
  select md5(string_agg(piece, ' ' order by place, order_index, id, path)) from (
    select 0 as place, 0 as order_index, id, '' as path, md5(setup_script) as piece from assessments where kind = of_kind and id = of_id
    union all select 1, order_index, id, '', md5(setup_script) from assessment_tasks where assessment_kind = of_kind and assessment_id = of_id
    union all select 2, coalesce(task.order_index, -1), coalesce(task.id, 0), path, md5(concat_ws(' ', owner, file.mode, digest, path))
      from assessment_files as file left join assessment_tasks as task on task.assessment_kind = file.kind and task.id = task_id
      where file.kind = of_kind and file.assessment_id = of_id
  ) as pieces where piece is not null
$$;

drop trigger assessment_tasks_revise on assessment_tasks;
create trigger assessment_tasks_revise after insert or delete or update on assessment_tasks
  for each row execute function revise_assessment_of_part('assessment_kind');

create or replace function keep_deleted_task() returns trigger language plpgsql as $$
  begin
    if exists (select from assessments where kind = old.assessment_kind and id = old.assessment_id) then
      insert into deleted_tasks
        select old.assessment_kind, old.assessment_id, old.id, result.title, result.points, result.order_index
        from attempts join task_results as result on result.attempt_id = attempts.id and result.task_id = old.id
        where attempts.kind = old.assessment_kind and attempts.assessment_id = old.assessment_id order by attempts.id desc limit 1
        on conflict do nothing;
      -- A grading that runs now can still write a result.
      insert into deleted_tasks
        select old.assessment_kind, old.assessment_id, old.id, old.title, old.points, old.order_index
        where exists (select from attempts where kind = old.assessment_kind and assessment_id = old.assessment_id and status = 'grading')
        on conflict do nothing;
    end if;
    return old;
  end
$$;

-- What can be restored
update deleted_rows set
  key = key - 'kind' || jsonb_build_object('assessment_kind', key -> 'kind'),
  data = case when is_reference then data else data - 'kind' || jsonb_build_object('assessment_kind', data -> 'kind') end
where table_name = 'assessment_tasks';
