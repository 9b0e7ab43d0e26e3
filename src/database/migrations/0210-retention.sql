-- Days that each kind of data is kept. Null: until the account is deleted.
alter table site
  add activity_days integer check (activity_days between 30 and 3650),
  add work_days integer check (work_days between 30 and 3650),
  add account_days integer check (account_days between 180 and 3650);

-- Since when only results are left: answers, outputs and what people wrote are deleted. Null: it is all there.
alter table attempts add work_removed_at timestamptz(3);
update attempts set work_removed_at = now() from users where users.id = attempts.user_id and is_pseudonym;

-- When the user was last notified that the account will be deleted unless there is a login.
alter table users add deletion_announced_at timestamptz(3);

alter table notifications
  drop constraint notifications_kind_check,
  add constraint notifications_kind_check check (kind in ('exam_opens', 'time_left', 'more_time', 'results', 'deadline', 'supervision',
    'hand', 'help', 'report', 'report_answer', 'grade', 'review', 'evidence', 'reopen', 'reopened', 'reopen_declined', 'webhook',
    'account_deletion'));
alter table mails
  drop constraint mails_kind_check,
  add constraint mails_kind_check check (kind in ('address', 'password', 'invitation', 'exam_planned', 'exam_moved', 'results', 'feedback',
    'hands', 'account_deletion'));
