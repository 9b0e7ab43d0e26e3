-- A platform counts a grade that it has had before as a change, not as another submission.
alter table lti_grades add is_sent boolean not null default false;
update lti_grades set is_sent = status = 'sent';
