-- Totals are counted when they are asked for, so nothing keeps them. Lists of attempts follow the times of the starts, so that a range of
-- time is a range of an index.

drop trigger activity_log_count on activity_log;
drop trigger attempts_count on attempts;
drop trigger attempts_recount on attempts;
drop trigger users_count on users;
drop trigger users_recount on users;
drop function count_activity();
drop function count_attempt();
drop function count_user();
drop function is_only_attempt(attempts);

drop table activity_count_changes, activity_counts, attempt_count_changes, attempt_counts, student_counts, user_count_changes, user_counts;
alter table installation drop column counts_checked_at;

drop index attempts_of_exam;
drop index attempts_of_laboratory;
drop index attempts_own;
drop index attempts_state;
create index attempts_of_exam on attempts (exam_id, started_at desc, id desc) include (status, passed);
create index attempts_of_laboratory on attempts (laboratory_id, started_at desc, id desc) include (status, passed);
create index attempts_own on attempts (user_id, id desc) include (kind, status, passed, started_at);
create index attempts_started on attempts (started_at desc, id desc) where (status <> 'starting');
create index attempts_state on attempts (kind, status, passed, started_at desc, id desc);
