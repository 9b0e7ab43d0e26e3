-- Who teaches a course. The role counts together with the user's own: a student has none of these rights.
create table course_staff (
  course_id integer not null references courses on delete cascade,
  user_id integer not null references users on delete cascade,
  role text not null check (role in ('owner', 'editor', 'viewer')),
  added_at timestamptz(3) not null default now(),
  primary key (course_id, user_id)
);
create index course_staff_user on course_staff (user_id);

-- What the staff of a course may use beyond what every course may. Without a row: nothing.
create table course_grants (
  course_id integer primary key references courses on delete cascade,
  images text[] not null default '{}' check (cardinality(images) <= 100 and array_position(images, null) is null),
  has_internet boolean not null default false,
  has_root boolean not null default false
);

-- The course of what was deleted. The course itself may be gone.
alter table deletions add column course_id integer;
