-- Users who want their account to be deleted, which an administrator does.
create table deletion_requests (
  user_id integer primary key references users on delete cascade,
  requested_at timestamptz(3) not null default now()
);
