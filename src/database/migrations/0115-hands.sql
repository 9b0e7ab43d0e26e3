-- Whether those who take the exam may raise a hand.
alter table exam_sessions add column has_hands boolean not null default false;

-- A student asks for help, in an attempt or at a sandbox. A student has one hand; it goes with what it was raised in.
create table hands (
  id integer generated always as identity primary key,
  user_id integer not null unique references users on delete cascade,
  attempt_id integer references attempts on delete cascade,
  container_id integer references containers on delete cascade,
  -- They decide who may help: the course of the attempt or of the lesson, and the exam session.
  course_id integer references courses on delete set null,
  session_id integer references exam_sessions on delete cascade,
  title text not null,
  text text not null check (char_length(text) <= 200),
  raised_at timestamptz(3) not null default now(),
  taken_by integer references users on delete set null,
  -- With it the hand is no longer raised, and waits only for its student to read it.
  answer text check (char_length(answer) <= 1000),
  check (num_nonnulls(attempt_id, container_id) = 1)
);
create index hands_of_attempt on hands (attempt_id) where attempt_id is not null;
create index hands_of_container on hands (container_id) where container_id is not null;
create index hands_of_course on hands (course_id) where course_id is not null;
create index hands_of_session on hands (session_id) where session_id is not null;
create index hands_taken_by on hands (taken_by) where taken_by is not null;

create trigger hands_changed after insert or update on hands for each row when (new.session_id is not null)
  execute function notify_exam_session('session_id');
create trigger hands_deleted after delete on hands for each row when (old.session_id is not null)
  execute function notify_exam_session('session_id');

create function end_hand() returns trigger language plpgsql as $$
  begin
    if tg_table_name = 'attempts' then delete from hands where attempt_id = new.id;
    else delete from hands where container_id = new.id; end if;
    return null;
  end
$$;
create trigger attempts_end_hand after update of status on attempts for each row
  when (old.status in ('in_progress', 'grading') and new.status not in ('in_progress', 'grading')) execute function end_hand();
create trigger containers_end_hand after update of status on containers for each row
  when (old.status = 'running' and new.status <> 'running') execute function end_hand();

-- `hand`: of those who may help. `help`: of the student. Backups have them, but no hands, so nothing references these.
alter table notifications
  add column hand_id integer,
  drop constraint notifications_kind_check,
  add constraint notifications_kind_check
    check (kind in ('exam_opens', 'time_left', 'more_time', 'results', 'deadline', 'supervision', 'hand', 'help'));
create index notifications_of_hand on notifications (hand_id) where hand_id is not null;
create function forget_hand() returns trigger language plpgsql as $$
  begin
    delete from notifications where hand_id = old.id;
    return null;
  end
$$;
create trigger hands_forgotten after delete on hands for each row execute function forget_hand();
