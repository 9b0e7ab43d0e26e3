-- Exams and laboratories have a revision, from 1: each transaction that changes what is shown or graded makes the next. What is recorded when
-- an attempt starts has its number, and so has the attempt.
alter table assessments add revision integer not null default 1;
alter table assessment_revisions add revision integer;
alter table attempts add revision integer;

update assessment_revisions set revision = numbered.revision from (
  select id, row_number() over (partition by kind, assessment_id order by is_current, created_at, id) as revision from assessment_revisions
) as numbered where numbered.id = assessment_revisions.id;
alter table assessment_revisions alter revision set not null;
update assessments set revision = recorded.revision from (
  select kind, assessment_id, max(revision) + (not bool_or(is_current))::integer as revision from assessment_revisions group by kind, assessment_id
) as recorded where recorded.kind = assessments.kind and assessment_id = id;
update attempts set revision = recorded.revision from assessment_revisions as recorded where recorded.id = revision_id;

drop index assessment_revisions_current;
drop index assessment_revisions_digest;
alter table assessment_revisions drop is_current, drop digest;
create unique index assessment_revisions_number on assessment_revisions (kind, assessment_id, revision);

-- Whether this is the first change of an exam or a laboratory in this transaction.
create function is_first_change(of_kind text, of_id integer) returns boolean language plpgsql as $$
  declare
    changed text := coalesce(current_setting('platform.revised', true), '');
    key text := format(' %s:%s ', of_kind, of_id);
  begin
    if strpos(changed, key) > 0 then
      return false;
    end if;
    perform set_config('platform.revised', changed || key, true);
    return true;
  end
$$;

-- Whoever records a revision locks the assessment first, so it has read what is revised here, or waits for this transaction.
create function revise_assessment() returns trigger language plpgsql as $$
  declare
    unrevised text[] := '{revision,slug,is_active,order_index,course_id,section_id,origin_id,is_session_only,created_at,opens_at,opens_after}';
  begin
    if tg_op = 'INSERT' then
      perform is_first_change(new.kind, new.id);
    elsif to_jsonb(old) - unrevised <> to_jsonb(new) - unrevised and is_first_change(new.kind, new.id) then
      new.revision = old.revision + 1;
    end if;
    return new;
  end
$$;

-- Of a task or a file. Its argument is the column with the kind of the exam or laboratory.
create function revise_assessment_of_part() returns trigger language plpgsql as $$
  declare
    unrevised text[] := '{slug,solution_script,partial_script}';
    old_kind text := to_jsonb(old) ->> tg_argv[0];
    new_kind text := to_jsonb(new) ->> tg_argv[0];
  begin
    if tg_op = 'UPDATE' and to_jsonb(old) - unrevised = to_jsonb(new) - unrevised then
      return null;
    end if;
    if tg_op <> 'INSERT' and is_first_change(old_kind, old.assessment_id) then
      update assessments set revision = revision + 1 where kind = old_kind and id = old.assessment_id;
    end if;
    if tg_op <> 'DELETE' and is_first_change(new_kind, new.assessment_id) then
      update assessments set revision = revision + 1 where kind = new_kind and id = new.assessment_id;
    end if;
    return null;
  end
$$;

drop trigger assessments_end_revision on assessments;
drop trigger assessment_tasks_end_revision on assessment_tasks;
drop trigger assessment_files_end_revision on assessment_files;
drop function end_revision_of_assessment();
drop function end_revision_of_part();
drop function end_current_revision(text, integer);
create trigger assessments_revise before insert or update on assessments for each row execute function revise_assessment();
create trigger assessment_tasks_revise after insert or delete or update on assessment_tasks
  for each row execute function revise_assessment_of_part('kind');
create trigger assessment_files_revise after insert or delete or update on assessment_files
  for each row execute function revise_assessment_of_part('kind');

create function number_revision_of_attempt() returns trigger language plpgsql as $$
  begin
    new.revision = (select revision from assessment_revisions where id = new.revision_id);
    return new;
  end
$$;

create trigger attempts_revision before insert or update of revision_id on attempts for each row
  when (new.revision_id is not null) execute function number_revision_of_attempt();
