-- Who is a member of a class because a platform's course has the user: who leaves there leaves here.
create table lti_members (
  course_id integer not null references lti_contexts on delete cascade,
  user_id integer not null references users on delete cascade,
  primary key (course_id, user_id)
);
create index lti_members_of_user on lti_members (user_id);

alter table lti_contexts
  -- When the class last had the members of the course. Null: never.
  add synchronized_at timestamptz(3),
  -- Why it has not now. Null: it has.
  add problem text,
  -- When its members are read next.
  add synchronize_at timestamptz(3) not null default now(),
  add check (problem in ('refused', 'unreachable', 'unreadable', 'too_many'));

-- The grade that the book of a platform is to have: one for each student of a link, so that none is sent after a newer one.
create table lti_grades (
  link_id integer not null references lti_resource_links on delete cascade,
  user_id integer not null references users on delete cascade,
  -- Null: nothing counts any more.
  score numeric(10, 2),
  max_score numeric(10, 2) not null,
  -- Sent with it. Later than that of every grade before: platforms refuse others.
  changed_at timestamptz(3) not null default now(),
  status text not null default 'waiting' check (status in ('waiting', 'sent', 'failed')),
  attempts integer not null default 0,
  due_at timestamptz(3) not null default now(),
  problem text check (problem in ('refused', 'unreachable', 'no_column')),
  primary key (link_id, user_id)
);
create index lti_grades_of_user on lti_grades (user_id);
create index lti_grades_due on lti_grades (due_at) where status = 'waiting';
