-- People decide about results: other points than those of the check, comments, and answers to requests for a review.

alter table task_results
  -- How often somebody has decided its points. 0: they are those of the check.
  add column revision integer not null default 0 check (revision >= 0),
  drop constraint task_results_check,
  add constraint task_results_check check (case
    when revision > 0 then points_earned between 0 and points and passed = (points_earned = points)
    when passed then points_earned = points
    when has_partial_credit then points_earned between 0 and points
    else points_earned = 0 end);

create table task_decisions (
  attempt_id integer not null,
  task_id integer not null,
  revision integer not null check (revision > 0),
  points_before numeric(12, 2) not null,
  points_earned numeric(12, 2) not null check (points_earned >= 0),
  reason text not null check (char_length(reason) between 1 and 2000),
  decided_by integer references users on delete set null,
  decided_at timestamptz(3) not null default now(),
  primary key (attempt_id, task_id, revision),
  foreign key (attempt_id, task_id) references task_results on delete cascade
);
create index task_decisions_by on task_decisions (decided_by) where decided_by is not null;

create table attempt_comments (
  id integer generated always as identity primary key,
  attempt_id integer not null references attempts on delete cascade,
  task_id integer,
  -- Of the output of the task, from 1.
  line integer check (line > 0),
  -- A moment of a recording, which can be deleted before the attempt.
  recording_id integer references recordings on delete set null,
  seconds numeric(10, 2) check (seconds >= 0),
  text text not null check (char_length(text) between 1 and 5000),
  author_id integer references users on delete set null,
  created_at timestamptz(3) not null default now(),
  check (line is null or task_id is not null),
  check (recording_id is null or seconds is not null)
);
create index attempt_comments_of_attempt on attempt_comments (attempt_id);
create index attempt_comments_recording on attempt_comments (recording_id) where recording_id is not null;
create index attempt_comments_author on attempt_comments (author_id) where author_id is not null;

-- For so many days after the results are shown students can ask for a review. Null: not at all.
alter table exam_sessions add column review_days integer check (review_days between 1 and 365);

create table review_requests (
  id integer generated always as identity primary key,
  attempt_id integer not null unique references attempts on delete cascade,
  text text not null check (char_length(text) between 1 and 5000),
  requested_at timestamptz(3) not null default now(),
  outcome text check (outcome in ('granted', 'rejected')),
  answer text check (char_length(answer) between 1 and 5000),
  answered_by integer references users on delete set null,
  answered_at timestamptz(3),
  check (num_nonnulls(outcome, answer, answered_at) in (0, 3))
);
create index review_requests_open on review_requests (id) where outcome is null;
create index review_requests_by on review_requests (answered_by) where answered_by is not null;

-- `grade`: of the student, about a decision, a comment or the answer to a request. `review`: of those who answer the request.
alter table notifications
  drop constraint notifications_kind_check,
  add constraint notifications_kind_check check (kind in ('exam_opens', 'time_left', 'more_time', 'results', 'deadline', 'supervision',
    'hand', 'help', 'report', 'report_answer', 'grade', 'review'));
