-- Points have two decimal places, for checks that give a part of them, and a task has a partial solution for its trial.
drop trigger attempts_of_session_changed on attempts;
alter table attempts alter score type numeric(12, 2), alter max_score type numeric(12, 2);
create trigger attempts_of_session_changed after update on attempts for each row
  when (new.session_id is not null and (old.status, old.started_at, old.expires_at, old.paused_at, old.break_ends_at, old.score,
    old.integrity, old.grading_error) is distinct from (new.status, new.started_at, new.expires_at, new.paused_at, new.break_ends_at,
    new.score, new.integrity, new.grading_error))
  execute function notify_exam_session('session_id');
alter table task_results
  drop constraint task_results_check,
  alter points type numeric(12, 2),
  alter points_earned type numeric(12, 2),
  add constraint task_results_check check (case when passed then points_earned = points
    when has_partial_credit then points_earned between 0 and points else points_earned = 0 end);
alter table deleted_tasks alter points type numeric(12, 2);
alter table assessment_revisions alter max_score type numeric(12, 2);
alter table assessment_tasks
  alter points type numeric(12, 2),
  add partial_script text check (length(partial_script) between 1 and 262144);
