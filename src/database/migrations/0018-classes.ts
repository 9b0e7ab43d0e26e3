import { type Kysely, sql } from 'kysely';

/** Classes, their members, their courses and the codes with which students join them. A course can be for its classes only. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table classes (
    id integer generated always as identity primary key,
    name text not null check (name <> ''),
    description text not null default '',
    is_archived boolean not null default false,
    created_at timestamptz(3) not null default now()
  )`,
  'create index classes_by_name on classes (lower(name), id)',
  `create table class_members (
    class_id integer not null references classes on delete cascade,
    user_id integer not null references users on delete cascade,
    role text not null check (role in ('student', 'assistant', 'instructor')),
    joined_at timestamptz(3) not null default now(),
    primary key (class_id, user_id)
  )`,
  'create index class_members_of_user on class_members (user_id, class_id) include (role)',
  `create table class_courses (
    class_id integer not null references classes on delete cascade,
    course_id integer not null references courses on delete cascade,
    primary key (class_id, course_id)
  )`,
  'create index class_courses_of_course on class_courses (course_id)',
  'alter table courses add column is_class_only boolean not null default false',
  `create table class_join_codes (
    id integer generated always as identity primary key,
    class_id integer not null references classes on delete cascade,
    code text not null unique check (code ~ '^[A-Z0-9]{8,40}$'),
    expires_at timestamptz(3),
    max_uses integer check (max_uses > 0),
    uses integer not null default 0 check (uses >= 0),
    email_domain text,
    created_at timestamptz(3) not null default now(),
    check (uses <= max_uses)
  )`,
  'create index class_join_codes_of_class on class_join_codes (class_id)',
];
