-- Accounts of the school's programs, whose tokens outlive the administrators who made them. People have positive ids; negative ones are in no
-- list of people, no roster and no login. Above -1,000,000,000 they are test students, below it service accounts.
alter table users drop constraint users_test_student_check, add constraint users_kind_check check (
  case when id > 0 then true when id > -1000000000 then role = 'student' else role <> 'student' and password_hash = '' end);

-- What service accounts do is logged, what test students do is not.
drop trigger activity_log_without_test_students on activity_log;
create trigger activity_log_without_test_students before insert on activity_log for each row
  when (new.user_id between -999999999 and -1 or new.actor_id between -999999999 and -1
    or new.entity_type = 'user' and new.entity_id between -999999999 and -1) execute function skip_row();
create trigger notifications_without_service_accounts before insert on notifications for each row
  when (new.user_id <= -1000000000) execute function skip_row();
