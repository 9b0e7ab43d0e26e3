-- What attempts without a machine left is kept as well. It waits in its row, without a container, until a process collects it.
create function await_evidence() returns trigger language plpgsql as $$
  begin
    insert into attempt_evidence (attempt_id, status) values (new.id, 'keeping')
    on conflict (attempt_id) do update set status = 'keeping', container_uid = null, process_id = null;
    return null;
  end
$$;
create trigger await_evidence after update of status on attempts for each row
  when (old.status in ('in_progress', 'grading') and new.status in ('finished', 'expired', 'abandoned')
    and not new.needs_machine and new.user_id > 0)
  execute function await_evidence();
create index attempt_evidence_keeping on attempt_evidence (attempt_id) where status = 'keeping';
