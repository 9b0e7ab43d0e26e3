-- Instructors who look at the pages of a student of their class: one student at a time, for minutes. The token of a view names its row.
create table student_views (
  id uuid primary key default gen_random_uuid(),
  viewer_id integer not null unique references users on delete cascade,
  student_id integer not null references users on delete cascade,
  class_id integer not null references classes on delete cascade,
  -- The login that the view ends with.
  viewer_login text not null,
  -- As the time of issue of a token.
  started_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);
create index student_views_student on student_views (student_id);
create index student_views_class on student_views (class_id);
