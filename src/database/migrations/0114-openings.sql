-- When sections, exams and laboratories open for students: at a time, and after others of the course, such as 'section:3'.
-- The names are no foreign keys: what was deleted is not waited for, until it is restored.
alter table sections
  add opens_at timestamptz(3),
  add opens_after text[] not null default '{}' check (cardinality(opens_after) <= 20);
alter table assessments
  add opens_at timestamptz(3),
  add opens_after text[] not null default '{}' check (cardinality(opens_after) <= 20);

-- The time of a class, in the place of `opens_at`.
create table class_openings (
  id integer generated always as identity primary key,
  class_id integer not null references classes on delete cascade,
  section_id integer references sections on delete cascade,
  assessment_kind text,
  assessment_id integer,
  opens_at timestamptz(3) not null,
  foreign key (assessment_kind, assessment_id) references assessments on delete cascade,
  check (num_nonnulls(section_id, assessment_id) = 1 and (assessment_id is null) = (assessment_kind is null)),
  constraint class_openings_part unique nulls not distinct (class_id, section_id, assessment_kind, assessment_id)
);
create index class_openings_section on class_openings (section_id);
create index class_openings_assessment on class_openings (assessment_kind, assessment_id);
create trigger class_openings_changed after insert or delete or update or truncate on class_openings
  for each statement execute function notify_table_change('catalogue_changed');
