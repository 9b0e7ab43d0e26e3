-- Students who are added to an exam session that is still to come are written to as well. 0: all students of the session.
alter table exam_plans add user_id integer not null default 0, drop constraint exam_plans_pkey, add primary key (session_id, user_id);
create or replace function note_exam_plan() returns trigger language plpgsql as $$
  begin
    insert into exam_plans (session_id, is_moved) values (new.id, tg_op = 'UPDATE')
    on conflict (session_id, user_id) do update set changed_at = now();
    return null;
  end
$$;
create function note_exam_latecomers() returns trigger language plpgsql as $$
  begin
    if tg_table_name = 'class_members' then
      insert into exam_plans (session_id, user_id, is_moved)
      select s.id, added.user_id, false from added join exam_sessions as s on s.class_id = added.class_id
      where s.opens_at > now() and added.role = 'student' and not exists (select from exam_plans as plan where plan.session_id = s.id and plan.user_id = 0)
      on conflict do nothing;
    else
      insert into exam_plans (session_id, user_id, is_moved)
      select s.id, added.user_id, false from added join exam_sessions as s on s.id = added.session_id
      where s.opens_at > now() and added.role = 'student' and not exists (select from exam_plans as plan where plan.session_id = s.id and plan.user_id = 0)
      on conflict do nothing;
    end if;
    return null;
  end
$$;
create trigger class_members_write_latecomers after insert on class_members
  referencing new table as added for each statement execute function note_exam_latecomers();
create trigger exam_session_users_write_latecomers after insert on exam_session_users
  referencing new table as added for each statement execute function note_exam_latecomers();
