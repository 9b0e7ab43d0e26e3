-- The lesson repository that the staff of a course have added for it. All others are of administrators.
create table course_own_repositories (
  course_id integer primary key references courses on delete cascade,
  repository_id integer not null unique references lesson_repositories on delete cascade
);

-- The service requests the addresses of repositories within its network.
alter table course_grants add column has_repository boolean not null default false;
