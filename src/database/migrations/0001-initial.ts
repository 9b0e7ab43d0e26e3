import { type Kysely, sql } from 'kysely';

/**
 * All tables of the service. Invariants are constraints and unique indexes: one active exam attempt per user, one laboratory per
 * section, case-insensitive unique names, no container without an owner.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table installation (
    is_only boolean primary key default true check (is_only),
    id uuid not null default gen_random_uuid(),
    created_at timestamptz(3) not null default now()
  )`,
  'insert into installation default values',

  `create table users (
    id integer generated always as identity primary key,
    username text not null check (length(username) between 3 and 50),
    email text not null check (length(email) between 3 and 320),
    password_hash text not null,
    role text not null default 'student' check (role in ('student', 'instructor', 'admin')),
    full_name text check (length(full_name) <= 200),
    bio text not null default '' check (length(bio) <= 2000),
    avatar_key text unique,
    is_active boolean not null default true,
    tokens_valid_from timestamptz(3) not null default '-infinity',
    created_at timestamptz(3) not null default now(),
    last_login_at timestamptz(3)
  )`,
  'create unique index users_username on users (lower(username))',
  'create unique index users_email on users (lower(email))',
  `create index users_admins on users (id) where role = 'admin'`,

  `create table login_throttles (
    key text primary key,
    failures integer not null check (failures > 0),
    last_failure_at timestamptz(3) not null,
    blocked_until timestamptz(3) not null
  )`,
  'create index login_throttles_age on login_throttles (last_failure_at)',

  `create table courses (
    id integer generated always as identity primary key,
    name text not null check (length(name) between 1 and 200),
    slug text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
    description text not null default '',
    icon text not null default '',
    order_index integer not null default 0,
    is_active boolean not null default true
  )`,
  `create table sections (
    id integer generated always as identity primary key,
    course_id integer not null references courses on delete cascade,
    name text not null check (length(name) between 1 and 200),
    slug text not null check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
    order_index integer not null default 0,
    is_active boolean not null default true,
    unique (course_id, slug)
  )`,
  `create table themes (
    id integer generated always as identity primary key,
    section_id integer not null references sections on delete cascade,
    title text not null check (length(title) between 1 and 200),
    slug text not null check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
    markdown_file_path text not null check (length(markdown_file_path) between 1 and 1000),
    duration_minutes integer not null default 0 check (duration_minutes between 0 and 10000),
    order_index integer not null default 0,
    unique (section_id, slug)
  )`,
  `create table theme_progress (
    user_id integer not null references users on delete cascade,
    theme_id integer not null references themes on delete cascade,
    completed boolean not null,
    completed_at timestamptz(3),
    primary key (user_id, theme_id),
    check (completed = (completed_at is not null))
  )`,
  'create index theme_progress_theme on theme_progress (theme_id)',

  `create table sandbox_templates (
    id integer generated always as identity primary key,
    name text not null check (length(name) between 1 and 200),
    slug text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
    description text not null default '',
    image text not null check (length(image) between 1 and 500),
    has_internet boolean not null default false,
    memory_mb integer not null check (memory_mb between 16 and 65536),
    cpus double precision not null check (cpus > 0 and cpus <= 64),
    order_index integer not null default 0,
    is_active boolean not null default true
  )`,

  `create table exams (
    id integer generated always as identity primary key,
    title text not null check (length(title) between 1 and 200),
    slug text unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
    description text not null default '',
    container_image text not null check (length(container_image) between 1 and 500),
    time_limit_minutes integer not null check (time_limit_minutes between 1 and 1440),
    passing_score integer not null check (passing_score >= 0),
    course_id integer references courses on delete set null,
    is_active boolean not null default true,
    created_at timestamptz(3) not null default now()
  )`,
  'create index exams_course on exams (course_id)',
  `create table laboratories (
    id integer generated always as identity primary key,
    title text not null check (length(title) between 1 and 200),
    slug text unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
    description text not null default '',
    container_image text not null check (length(container_image) between 1 and 500),
    time_limit_minutes integer check (time_limit_minutes between 1 and 1440),
    passing_score integer not null check (passing_score >= 0),
    section_id integer references sections on delete set null,
    is_active boolean not null default true,
    created_at timestamptz(3) not null default now()
  )`,
  'create unique index laboratories_section on laboratories (section_id) where is_active',
  ...['exam', 'laboratory'].flatMap((kind) => {
    const parent = kind === 'exam' ? 'exams' : 'laboratories';
    return [
      `create table ${kind}_tasks (
        id integer generated always as identity primary key,
        ${kind}_id integer not null references ${parent} on delete cascade,
        title text not null check (length(title) between 1 and 200),
        slug text check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
        description text not null default '',
        ${kind === 'laboratory' ? "hint text not null default ''," : ''}
        points integer not null check (points between 0 and 10000),
        verification_script text not null check (length(verification_script) between 1 and 262144),
        solution_script text,
        order_index integer not null default 0,
        unique (${kind}_id, slug)
      )`,
      `create index ${kind}_tasks_order on ${kind}_tasks (${kind}_id, order_index, id)`,
    ];
  }),

  // Exams and laboratories share one state machine, so their attempts share a table. Results store the title and points of the task
  // at grading, and attempts the title of the exam or laboratory, so that history survives deletions.
  `create table attempts (
    id integer generated always as identity primary key,
    kind text not null check (kind in ('exam', 'laboratory')),
    exam_id integer references exams on delete set null,
    laboratory_id integer references laboratories on delete set null,
    user_id integer not null references users on delete cascade,
    title text not null,
    container_name text not null unique,
    status text not null check (status in ('starting', 'in_progress', 'grading', 'finished', 'abandoned', 'expired')),
    created_at timestamptz(3) not null default now(),
    started_at timestamptz(3) not null default now(),
    expires_at timestamptz(3),
    submitted_at timestamptz(3),
    grading_beat_at timestamptz(3),
    grading_error text,
    score integer,
    max_score integer not null check (max_score >= 0),
    passing_score integer not null check (passing_score >= 0),
    passed boolean,
    integrity jsonb,
    check ((kind = 'exam' and laboratory_id is null) or (kind = 'laboratory' and exam_id is null)),
    check (kind <> 'exam' or expires_at is not null),
    check ((status in ('finished', 'expired')) = (score is not null and passed is not null)),
    check (status not in ('finished', 'expired') or submitted_at is not null),
    check (score <= max_score)
  )`,
  `create unique index attempts_one_active_exam on attempts (user_id)
    where kind = 'exam' and status in ('starting', 'in_progress', 'grading')`,
  `create unique index attempts_one_active_laboratory on attempts (user_id, laboratory_id)
    where kind = 'laboratory' and status in ('starting', 'in_progress', 'grading')`,
  'create index attempts_user on attempts (user_id, id desc)',
  'create index attempts_exam on attempts (exam_id, id desc)',
  'create index attempts_laboratory on attempts (laboratory_id, id desc)',
  `create index attempts_unsettled on attempts (expires_at) where status in ('starting', 'in_progress', 'grading')`,

  // No foreign key on task_id: a result survives its task.
  `create table task_results (
    attempt_id integer not null references attempts on delete cascade,
    task_id integer not null,
    title text not null,
    order_index integer not null,
    points integer not null,
    points_earned integer not null,
    passed boolean not null,
    output text not null,
    graded_at timestamptz(3) not null default now(),
    primary key (attempt_id, task_id),
    check (points_earned = case when passed then points else 0 end)
  )`,

  // A row exists as long as the container may exist on the engine. uid is the label that connects the two.
  `create table containers (
    id integer generated always as identity primary key,
    uid uuid not null unique default gen_random_uuid(),
    name text not null unique,
    user_id integer references users on delete set null,
    kind text not null check (kind in ('sandbox', 'exam', 'laboratory')),
    image text not null,
    template_id integer references sandbox_templates on delete set null,
    attempt_id integer references attempts on delete set null,
    slot integer,
    engine_ref text,
    status text not null check (status in ('creating', 'warming', 'warm', 'running', 'stopped', 'failed', 'removing')),
    created_at timestamptz(3) not null default now(),
    started_at timestamptz(3),
    stopped_at timestamptz(3),
    expires_at timestamptz(3),
    last_used_at timestamptz(3) not null default now(),
    check (user_id is not null or status in ('warming', 'warm', 'removing')),
    check (status not in ('warm', 'running', 'stopped') or engine_ref is not null)
  )`,
  `create unique index containers_sandbox_slot on containers (user_id, slot) where kind = 'sandbox' and status <> 'removing'`,
  'create unique index containers_attempt on containers (attempt_id) where attempt_id is not null',
  'create index containers_user on containers (user_id, id)',
  `create index containers_warm on containers (image, id) where status = 'warm'`,
  `create index containers_unsettled on containers (status, id) where status in ('creating', 'warming', 'failed', 'removing')`,

  `create table activity_log (
    id bigint generated always as identity primary key,
    user_id integer references users on delete cascade,
    actor_id integer references users on delete set null,
    type text not null,
    title text not null default '',
    entity_type text,
    entity_id integer,
    details jsonb,
    created_at timestamptz(3) not null default now()
  )`,
  'create index activity_log_user on activity_log (user_id, id desc)',
  'create index activity_log_actor on activity_log (actor_id)',

  // Notifies the caches of all processes of every change to these tables, whatever its source.
  `create function notify_row_change() returns trigger language plpgsql as $$
  begin
    perform pg_notify(tg_argv[0], coalesce(old.id, new.id)::text);
    return null;
  end $$`,
  `create function notify_table_change() returns trigger language plpgsql as $$
  begin
    perform pg_notify(tg_argv[0], '');
    return null;
  end $$`,
  `create trigger users_changed after update or delete on users for each row execute function notify_row_change('users_changed')`,
  ...[
    'exams',
    'exam_tasks',
    'laboratories',
    'laboratory_tasks',
    'courses',
    'sections',
    'themes',
    'sandbox_templates',
  ].map(
    (table) =>
      `create trigger ${table}_changed after insert or update or delete or truncate on ${table} for each statement execute function notify_table_change('catalogue_changed')`,
  ),
];
