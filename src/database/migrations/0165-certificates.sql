-- Certificates that students make of passed exams and finished courses. Anybody with the id can verify one.
alter table assessments add has_certificate boolean not null default false;
alter table courses add has_certificate boolean not null default false;

-- It is neither shown in an attempt nor graded.
create or replace function revise_assessment() returns trigger language plpgsql as $$
  declare
    unrevised text[] := '{revision,slug,is_active,order_index,course_id,section_id,origin_id,is_session_only,created_at,opens_at,opens_after,has_certificate}';
  begin
    if tg_op = 'INSERT' then
      perform is_first_change(new.kind, new.id);
    elsif to_jsonb(old) - unrevised <> to_jsonb(new) - unrevised and is_first_change(new.kind, new.id) then
      new.revision = old.revision + 1;
    end if;
    return new;
  end
$$;

create table certificates (
  id uuid primary key default gen_random_uuid(),
  -- Null once the account is deleted, as the name.
  user_id integer references users on delete set null,
  kind text not null check (kind in ('exam', 'course')),
  -- The attempt that passed. Null for a course, and once the attempt is deleted.
  attempt_id integer references attempts on delete set null,
  course_id integer references courses on delete set null,
  title text not null,
  -- As the holder has chosen it.
  name text check (char_length(name) between 1 and 200),
  earned_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  withdrawn_at timestamptz(3),
  check (case kind when 'exam' then course_id is null else attempt_id is null end),
  check (withdrawn_at is not null or (user_id is not null and name is not null and (kind = 'course' or attempt_id is not null)))
);
create index certificates_of_user on certificates (user_id, created_at desc, id) where user_id is not null;
create unique index certificates_of_attempt on certificates (attempt_id) where withdrawn_at is null and attempt_id is not null;
create index certificates_attempt on certificates (attempt_id) where attempt_id is not null;
create unique index certificates_of_course on certificates (user_id, course_id) where withdrawn_at is null and course_id is not null;
create index certificates_course on certificates (course_id) where course_id is not null;

-- One whose account or attempt is deleted is withdrawn, and tells nobody whose it was.
create function certificate_loses_ground() returns trigger language plpgsql as $$
  begin
    new.withdrawn_at := coalesce(new.withdrawn_at, clock_timestamp());
    if new.user_id is null then new.name := null; end if;
    return new;
  end
$$;
create trigger certificates_lose_ground before update of user_id, attempt_id on certificates for each row
  when (new.user_id is null and old.user_id is not null or new.attempt_id is null and old.attempt_id is not null)
  execute function certificate_loses_ground();

-- Whether an attempt at an exam is passed by what counts: in a session, its rule says which attempt does.
create function exam_stands(attempt attempts) returns boolean language sql stable as $$
  select coalesce(attempt.passed and attempt.status in ('finished', 'expired') and coalesce((
    select counted.passed from attempts as counted join exam_sessions as sessions on sessions.id = counted.session_id
    where counted.session_id = attempt.session_id and counted.user_id = attempt.user_id and counted.status in ('finished', 'expired')
    order by case sessions.counted_attempt when 'best' then -counted.score when 'last' then -counted.id else counted.id end, counted.id
    limit 1), true), false)
$$;

-- Grades change in many ways: decisions, gradings, new attempts. Each of them changes an attempt.
create function withdraw_certificates() returns trigger language plpgsql as $$
  begin
    update certificates set withdrawn_at = clock_timestamp() from attempts
    where certificates.user_id = new.user_id and withdrawn_at is null and attempts.id = certificates.attempt_id and not exam_stands(attempts);
    if new.kind = 'laboratory' and old.passed and (new.passed is not true or new.status not in ('finished', 'expired')) then
      update certificates set withdrawn_at = clock_timestamp() from assessments as a join sections on sections.id = a.section_id
      where certificates.user_id = new.user_id and withdrawn_at is null and certificates.course_id = sections.course_id
        and a.kind = 'laboratory' and a.id = new.assessment_id and not exists (
          select from attempts as other where other.user_id = new.user_id and other.kind = 'laboratory'
            and other.assessment_id = a.id and other.passed and other.status in ('finished', 'expired'));
    end if;
    return null;
  end
$$;
create trigger attempts_withdraw_certificates after update of status, passed, score on attempts for each row
  when (old.passed is not null or new.passed is not null) execute function withdraw_certificates();

create function withdraw_certificates_of_session() returns trigger language plpgsql as $$
  begin
    update certificates set withdrawn_at = clock_timestamp() from attempts
    where attempts.session_id = new.id and certificates.attempt_id = attempts.id and withdrawn_at is null and not exam_stands(attempts);
    return null;
  end
$$;
create trigger exam_sessions_withdraw_certificates after update of counted_attempt on exam_sessions for each row
  when (old.counted_attempt <> new.counted_attempt) execute function withdraw_certificates_of_session();
