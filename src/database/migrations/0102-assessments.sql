-- Exams and laboratories become assessments: one table for them, for their tasks, their files and their revisions. A key is the kind and the
-- id, so that the ids of an older installation stay; both kinds take new ones from one sequence.

create table assessments (
  kind text not null check (kind in ('exam', 'laboratory')),
  id integer generated always as identity,
  title text not null check (length(title) between 1 and 200),
  slug text check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  description text not null default '',
  introduction text not null default '',
  conclusion text not null default '',
  container_image text not null check (length(container_image) between 1 and 500),
  "user" text not null default 'student' check ("user" in ('student', 'root')),
  time_limit_minutes integer check (time_limit_minutes between 1 and 1440),
  passing_score integer not null check (passing_score >= 0),
  is_active boolean not null default true,
  setup_script text,
  created_at timestamptz(3) not null default now(),
  order_index integer not null default 0,
  -- Of exams.
  course_id integer constraint assessments_course_id_fkey references courses on delete set null,
  is_session_only boolean not null default false,
  -- Of laboratories.
  section_id integer constraint assessments_section_id_fkey references sections on delete set null,
  is_sequential boolean not null default false,
  primary key (kind, id),
  constraint assessments_slug_key unique (kind, slug),
  constraint assessments_of_kind check (case kind
    when 'exam' then time_limit_minutes is not null and section_id is null and not is_sequential
    else course_id is null and not is_session_only end)
);

create table assessment_tasks (
  kind text not null,
  id integer generated always as identity,
  assessment_id integer not null,
  title text not null check (length(title) between 1 and 200),
  slug text check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  description text not null default '',
  hint text not null default '',
  points integer not null check (points between 0 and 10000),
  verification_script text not null check (length(verification_script) between 1 and 262144),
  verdict text not null default 'pass' check (verdict in ('pass', 'exit-status', 'ok')),
  solution_script text,
  setup_script text,
  order_index integer not null default 0,
  primary key (kind, id),
  constraint assessment_tasks_slug_key unique (kind, assessment_id, slug),
  -- What a file of a task refers to.
  unique (kind, assessment_id, id),
  foreign key (kind, assessment_id) references assessments on delete cascade
);

create table assessment_files (
  id integer generated always as identity primary key,
  kind text not null,
  assessment_id integer not null,
  -- Null: of the assessment itself.
  task_id integer,
  path text not null check (path ~ '^/[^/]' and octet_length(path) <= 1000),
  owner text not null check (owner <> ''),
  mode text not null check (mode ~ '^[0-7]{4}$'),
  bytes integer not null check (bytes >= 0),
  digest text not null references setup_contents,
  foreign key (kind, assessment_id) references assessments on delete cascade,
  foreign key (kind, assessment_id, task_id) references assessment_tasks (kind, assessment_id, id) on delete cascade
);

insert into assessments (kind, id, title, slug, description, introduction, conclusion, container_image, "user", time_limit_minutes,
    passing_score, is_active, setup_script, created_at, order_index, course_id, is_session_only) overriding system value
  select 'exam', id, title, slug, description, introduction, conclusion, container_image, "user", time_limit_minutes,
    passing_score, is_active, setup_script, created_at, order_index, course_id, is_session_only from exams;
insert into assessments (kind, id, title, slug, description, introduction, conclusion, container_image, "user", time_limit_minutes,
    passing_score, is_active, setup_script, created_at, section_id, is_sequential) overriding system value
  select 'laboratory', id, title, slug, description, introduction, conclusion, container_image, "user", time_limit_minutes,
    passing_score, is_active, setup_script, created_at, section_id, is_sequential from laboratories;
insert into assessment_tasks (kind, id, assessment_id, title, slug, description, points, verification_script, verdict, solution_script,
    setup_script, order_index) overriding system value
  select 'exam', id, exam_id, title, slug, description, points, verification_script, verdict, solution_script,
    setup_script, order_index from exam_tasks;
insert into assessment_tasks (kind, id, assessment_id, title, slug, description, hint, points, verification_script, verdict,
    solution_script, setup_script, order_index) overriding system value
  select 'laboratory', id, laboratory_id, title, slug, description, hint, points, verification_script, verdict,
    solution_script, setup_script, order_index from laboratory_tasks;
insert into assessment_files (id, kind, assessment_id, task_id, path, owner, mode, bytes, digest) overriding system value
  select id, case when exam_id is null then 'laboratory' else 'exam' end, coalesce(exam_id, laboratory_id),
    coalesce(exam_task_id, laboratory_task_id), path, owner, mode, bytes, digest from setup_files;

-- The next ids are above all that were ever given, those of deleted rows included.
do $$
  declare
    made text;
    part text;
    next_id bigint;
    other bigint;
  begin
    foreach made in array array['assessments', 'assessment_tasks', 'assessment_files'] loop
      next_id := 1;
      foreach part in array case made when 'assessments' then array['exams', 'laboratories']
        when 'assessment_tasks' then array['exam_tasks', 'laboratory_tasks'] else array['setup_files'] end
      loop
        execute format('select last_value + is_called::int from %s', pg_get_serial_sequence(part, 'id')) into other;
        next_id := greatest(next_id, other);
      end loop;
      perform setval(pg_get_serial_sequence(made, 'id'), next_id, false);
    end loop;
  end
$$;

-- Revisions

alter table subject_states rename to assessment_revisions;
alter table assessment_revisions rename constraint subject_states_pkey to assessment_revisions_pkey;
alter table assessment_revisions add kind text, add assessment_id integer;
update assessment_revisions set assessment_id = coalesce(exam_id, laboratory_id), kind = case when exam_id is not null then 'exam'
  when laboratory_id is not null then 'laboratory'
  else coalesce((select kind from attempts where state_id = assessment_revisions.id limit 1), 'exam') end;
alter table assessment_revisions alter kind set not null, drop exam_id, drop laboratory_id,
  add foreign key (kind, assessment_id) references assessments on delete set null (assessment_id);
create unique index assessment_revisions_current on assessment_revisions (kind, assessment_id) where is_current;
create unique index assessment_revisions_digest on assessment_revisions (kind, assessment_id, digest);

alter table subject_state_contents rename to assessment_revision_contents;
alter table assessment_revision_contents rename state_id to revision_id;
alter table assessment_revision_contents rename constraint subject_state_contents_pkey to assessment_revision_contents_pkey;
alter index subject_state_contents_digest rename to assessment_revision_contents_digest;

-- Attempts

drop index attempts_exam_students, attempts_failed, attempts_failed_lately, attempts_laboratory_students, attempts_of_exam,
  attempts_of_laboratory, attempts_of_state, attempts_one_active_laboratory;
alter table attempts drop constraint attempts_check, drop constraint attempts_exam_id_fkey;
alter table attempts rename exam_id to assessment_id;
alter table attempts rename state_id to revision_id;
update attempts set assessment_id = laboratory_id where kind = 'laboratory';
alter table attempts drop laboratory_id,
  add foreign key (kind, assessment_id) references assessments on delete set null (assessment_id);
create index attempts_students on attempts (kind, assessment_id, user_id) where status <> 'starting' and assessment_id is not null;
create index attempts_of_assessment on attempts (kind, assessment_id, started_at desc, id desc) include (status, passed);
create index attempts_failed on attempts (user_id, id desc) include (kind, assessment_id)
  where status in ('finished', 'expired') and not passed;
create index attempts_failed_lately on attempts (id desc) include (user_id, kind, assessment_id)
  where status in ('finished', 'expired') and not passed;
create index attempts_of_revision on attempts (revision_id) where revision_id is not null;
create unique index attempts_one_active_laboratory on attempts (user_id, assessment_id)
  where kind = 'laboratory' and status in ('queued', 'starting', 'in_progress', 'grading');

alter table deleted_tasks rename subject_id to assessment_id;

-- What refers to an exam or a laboratory

alter table exam_sessions add exam_kind text not null default 'exam' check (exam_kind = 'exam'),
  drop constraint exam_sessions_exam_id_fkey,
  add constraint exam_sessions_exam_id_fkey foreign key (exam_kind, exam_id) references assessments on delete cascade;
alter table laboratory_deadlines add laboratory_kind text not null default 'laboratory' check (laboratory_kind = 'laboratory'),
  drop constraint laboratory_deadlines_laboratory_id_fkey,
  add constraint laboratory_deadlines_laboratory_id_fkey
    foreign key (laboratory_kind, laboratory_id) references assessments on delete cascade;

alter table grade_book_subjects rename to grade_book_assessments;
alter table grade_book_assessments add kind text, add assessment_id integer;
update grade_book_assessments set assessment_id = coalesce(exam_id, laboratory_id),
  kind = case when exam_id is null then 'laboratory' else 'exam' end;
alter table grade_book_assessments alter kind set not null, alter assessment_id set not null, drop exam_id, drop laboratory_id,
  add constraint grade_book_assessments_key unique (class_id, kind, assessment_id),
  add foreign key (kind, assessment_id) references assessments on delete cascade;
create index grade_book_assessments_of on grade_book_assessments (kind, assessment_id);

alter table refused_publications add kind text, add assessment_id integer;
update refused_publications set assessment_id = coalesce(exam_id, laboratory_id),
  kind = case when exam_id is null then 'laboratory' else 'exam' end;
alter table refused_publications alter kind set not null, alter assessment_id set not null, drop exam_id, drop laboratory_id,
  add constraint refused_publications_key unique (user_id, kind, assessment_id),
  add foreign key (kind, assessment_id) references assessments on delete cascade;
create index refused_publications_of on refused_publications (kind, assessment_id);

-- What can be restored

drop index deleted_rows_files;
update deleted_rows set
  table_name = case when table_name in ('exams', 'laboratories') then 'assessments'
    when table_name in ('exam_tasks', 'laboratory_tasks') then 'assessment_tasks'
    when table_name = 'setup_files' then 'assessment_files'
    when table_name = 'subject_states' then 'assessment_revisions'
    when table_name = 'grade_book_subjects' then 'grade_book_assessments' else table_name end,
  key = case when table_name in ('exams', 'exam_tasks') then key || '{"kind": "exam"}'
    when table_name in ('laboratories', 'laboratory_tasks') then key || '{"kind": "laboratory"}' else key end,
  data = case
    when is_reference and (data ? 'exam_id' or data ? 'laboratory_id')
      then data - array['exam_id', 'laboratory_id']
        || jsonb_build_object('assessment_id', coalesce(nullif(data -> 'exam_id', 'null'), data -> 'laboratory_id'))
    when is_reference then data
    when table_name in ('exams', 'laboratories')
      then data || jsonb_build_object('kind', case table_name when 'exams' then 'exam' else 'laboratory' end)
    when table_name in ('exam_tasks', 'laboratory_tasks', 'setup_files', 'grade_book_subjects', 'refused_publications')
      then data - array['exam_id', 'laboratory_id', 'exam_task_id', 'laboratory_task_id'] || jsonb_build_object(
          'kind', case when coalesce(data -> 'exam_id', 'null') = 'null' then 'laboratory' else 'exam' end,
          'assessment_id', coalesce(nullif(data -> 'exam_id', 'null'), data -> 'laboratory_id'))
        || case when table_name = 'setup_files' then jsonb_build_object(
          'task_id', coalesce(nullif(data -> 'exam_task_id', 'null'), data -> 'laboratory_task_id')) else '{}' end
    when table_name = 'exam_sessions' then data || '{"exam_kind": "exam"}'
    when table_name = 'laboratory_deadlines' then data || '{"laboratory_kind": "laboratory"}'
    else data end
where table_name in ('exams', 'laboratories', 'exam_tasks', 'laboratory_tasks', 'setup_files', 'subject_states', 'grade_book_subjects',
  'refused_publications', 'exam_sessions', 'laboratory_deadlines', 'attempts');
create index deleted_rows_files on deleted_rows ((data ->> 'digest')) where table_name = 'assessment_files' and not is_reference;

-- The old tables with their triggers, then their functions

drop table setup_files, exam_tasks, laboratory_tasks, exams, laboratories;
drop function exam_tasks_end_exam_state, exams_end_exam_state, laboratories_end_laboratory_state,
  laboratory_tasks_end_laboratory_state, setup_files_end_exam_state, setup_files_end_laboratory_state, end_current_exam_state,
  end_current_laboratory_state, keep_deleted_exam_task, keep_deleted_laboratory_task, setup_key_of(integer, integer);

create index assessments_course on assessments (course_id) where course_id is not null;
create unique index assessments_section on assessments (section_id) where is_active and section_id is not null;
create index assessments_words on assessments using gin (search_words(title, description));
create index assessment_tasks_order on assessment_tasks (kind, assessment_id, order_index, id);
create unique index assessment_files_path on assessment_files (kind, assessment_id, coalesce(task_id, 0), path);
create index assessment_files_of_task on assessment_files (kind, assessment_id, task_id) where task_id is not null;
create index assessment_files_digest on assessment_files (digest);

-- What the containers of an assessment are prepared with. Null: nothing.
create function setup_key_of(of_kind text, of_id integer) returns text language sql stable as $$
  select md5(string_agg(piece, ' ' order by place, order_index, id, path)) from (
    select 0 as place, 0 as order_index, id, '' as path, md5(setup_script) as piece from assessments where kind = of_kind and id = of_id
    union all select 1, order_index, id, '', md5(setup_script) from assessment_tasks where kind = of_kind and assessment_id = of_id
    union all select 2, coalesce(task.order_index, -1), coalesce(task.id, 0), path, md5(concat_ws(' ', owner, file.mode, digest, path))
      from assessment_files as file left join assessment_tasks as task on task.kind = file.kind and task.id = task_id
      where file.kind = of_kind and file.assessment_id = of_id
  ) as pieces where piece is not null
$$;

-- Whoever records a revision locks the assessment first, so it has read what is ended here, or waits for this transaction.
create function end_current_revision(of_kind text, of_id integer) returns void language plpgsql as $$
  begin
    perform from assessments where kind = of_kind and id = of_id for no key update;
    update assessment_revisions set is_current = false where kind = of_kind and assessment_id = of_id and is_current;
  end
$$;

create function end_revision_of_assessment() returns trigger language plpgsql as $$
  begin
    perform end_current_revision(new.kind, new.id);
    return null;
  end
$$;

-- Of a task or a file.
create function end_revision_of_part() returns trigger language plpgsql as $$
  begin
    if tg_op <> 'INSERT' then
      perform end_current_revision(old.kind, old.assessment_id);
    end if;
    if tg_op = 'INSERT' or (tg_op = 'UPDATE' and (old.kind, old.assessment_id) <> (new.kind, new.assessment_id)) then
      perform end_current_revision(new.kind, new.assessment_id);
    end if;
    return null;
  end
$$;

create function keep_deleted_task() returns trigger language plpgsql as $$
  begin
    if exists (select from assessments where kind = old.kind and id = old.assessment_id) then
      insert into deleted_tasks
        select old.kind, old.assessment_id, old.id, result.title, result.points, result.order_index
        from attempts join task_results as result on result.attempt_id = attempts.id and result.task_id = old.id
        where attempts.kind = old.kind and attempts.assessment_id = old.assessment_id order by attempts.id desc limit 1
        on conflict do nothing;
      -- A grading that runs now can still write a result.
      insert into deleted_tasks
        select old.kind, old.assessment_id, old.id, old.title, old.points, old.order_index
        where exists (select from attempts where kind = old.kind and assessment_id = old.assessment_id and status = 'grading')
        on conflict do nothing;
    end if;
    return old;
  end
$$;

create trigger assessments_changed after insert or delete or update or truncate on assessments
  for each statement execute function notify_table_change('catalogue_changed');
create trigger assessments_end_revision after update on assessments for each row execute function end_revision_of_assessment();
create trigger assessment_tasks_changed after insert or delete or update or truncate on assessment_tasks
  for each statement execute function notify_table_change('catalogue_changed');
create trigger assessment_tasks_end_revision after insert or delete or update on assessment_tasks
  for each row execute function end_revision_of_part();
create trigger assessment_tasks_deleted before delete on assessment_tasks for each row execute function keep_deleted_task();
create trigger assessment_files_end_revision after insert or delete or update on assessment_files
  for each row execute function end_revision_of_part();
