-- `webhook`: of administrators. The service has paused it. Resumed or deleted, it takes them along.
alter table notifications
  add column webhook_id integer references webhooks on delete cascade,
  drop constraint notifications_kind_check,
  add constraint notifications_kind_check check (kind in ('exam_opens', 'time_left', 'more_time', 'results', 'deadline', 'supervision',
    'hand', 'help', 'report', 'report_answer', 'grade', 'review', 'evidence', 'reopen', 'reopened', 'reopen_declined', 'webhook'));
create index notifications_of_webhook on notifications (webhook_id) where webhook_id is not null;
