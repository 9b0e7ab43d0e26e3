-- What lateness costs the grade of a laboratory in a class: a part of it for each day, down to a floor. Null: nothing.
alter table laboratory_deadlines
  add late_percent_per_day integer check (late_percent_per_day between 1 and 100),
  add late_floor_percent integer not null default 0 check (late_floor_percent between 0 and 100);

-- The later deadline of one student.
create table deadline_extensions (
  class_id integer not null,
  laboratory_id integer not null,
  user_id integer not null references users on delete cascade,
  due_at timestamptz(3) not null,
  primary key (class_id, laboratory_id, user_id),
  foreign key (class_id, laboratory_id) references laboratory_deadlines on delete cascade
);
create index deadline_extensions_user on deadline_extensions (user_id);

-- Days that have begun since the deadline. Numeric arithmetic: no rounding decides at the edge of a day.
create function days_late(done_at timestamptz, due_at timestamptz) returns integer
  language sql immutable parallel safe
  return coalesce(greatest(ceil(extract(epoch from done_at - due_at) / 86400), 0), 0)::integer;

-- Of the grade, the percentage that so many days cost.
create function late_percent(days integer, per_day integer, floor_percent integer) returns integer
  language sql immutable parallel safe
  return least(days::bigint * coalesce(per_day, 0), 100 - floor_percent)::integer;

-- What is left of a score, with two decimal places. A half is rounded up.
create function late_score(score numeric, lost_percent integer) returns numeric
  language sql immutable parallel safe
  return round(score * (100 - lost_percent) / 100, 2);
