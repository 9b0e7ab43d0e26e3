-- The title of a deleted task with parameters is its own, and not that of one student.

create or replace function keep_deleted_task() returns trigger language plpgsql as $$
  begin
    if exists (select from assessments where kind = old.assessment_kind and id = old.assessment_id) then
      insert into deleted_tasks
        select old.assessment_kind, old.assessment_id, old.id, case when old.parameters is null then result.title else old.title end,
          result.points, result.order_index
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
