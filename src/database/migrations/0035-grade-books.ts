import { type Kysely, sql } from 'kysely';

/** The grade book of a class: its rules, the weights of its exams and laboratories, and columns with typed values. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // A class without a row has the defaults.
  `create table grade_books (
    class_id integer primary key references classes on delete cascade,
    missing text not null default 'zero' check (missing in ('zero', 'ignored')),
    drop_lowest integer not null default 0 check (drop_lowest between 0 and 100),
    passing_percent numeric(5, 2) check (passing_percent between 0 and 100),
    is_visible boolean not null default false
  )`,
  // An exam or laboratory without a row has the defaults.
  `create table grade_book_subjects (
    id integer generated always as identity primary key,
    class_id integer not null references classes on delete cascade,
    exam_id integer references exams on delete cascade,
    laboratory_id integer references laboratories on delete cascade,
    weight numeric(6, 2) not null default 1 check (weight between 0 and 1000),
    counted_attempt text not null default 'best' check (counted_attempt in ('best', 'last', 'first')),
    check ((exam_id is null) <> (laboratory_id is null)),
    unique nulls not distinct (class_id, exam_id, laboratory_id)
  )`,
  'create index grade_book_subjects_of_exam on grade_book_subjects (exam_id)',
  'create index grade_book_subjects_of_laboratory on grade_book_subjects (laboratory_id)',
  `create table grade_columns (
    id integer generated always as identity primary key,
    class_id integer not null references classes on delete cascade,
    name text not null check (name <> ''),
    max_score numeric(8, 2) not null check (max_score > 0),
    weight numeric(6, 2) not null default 1 check (weight between 0 and 1000),
    created_at timestamptz(3) not null default now()
  )`,
  'create unique index grade_columns_of_class on grade_columns (class_id, lower(name))',
  // The values of a student who leaves the class are kept. They count again if the student comes back.
  `create table grade_values (
    column_id integer not null references grade_columns on delete cascade,
    user_id integer not null references users on delete cascade,
    value numeric(8, 2) not null check (value >= 0),
    primary key (column_id, user_id)
  )`,
  'create index grade_values_of_user on grade_values (user_id)',
  // When a task first passed in an attempt. Checks overwrite a result, and later ones leave this time as it is.
  'alter table task_results add column solved_at timestamptz(3)',
  'update task_results set solved_at = graded_at where passed',
  `create function keep_solved_at() returns trigger language plpgsql as $$
    begin
      if new.passed and new.solved_at is null then new.solved_at := new.graded_at; end if;
      return new;
    end $$`,
  'create trigger task_results_solved before insert or update on task_results for each row execute function keep_solved_at()',
];
