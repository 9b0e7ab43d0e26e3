-- The schema of release 0.2.0, in which every installation was before there were assessments. Invariants are constraints and unique
-- indexes: one active exam attempt of a user, unique names without regard to case, no container without an owner. Never changed: what
-- comes later is a migration of its own.

-- Functions and tables refer to each other.
set local check_function_bodies = off;

create sequence process_ids;

create text search dictionary search_english (template = snowball, language = english);
create text search dictionary search_russian (template = snowball, language = russian);
create text search configuration search (copy = russian);
alter text search configuration search alter mapping replace english_stem with search_english;
alter text search configuration search alter mapping replace russian_stem with search_russian;

create function search_words(title text, body text) returns tsvector language sql immutable parallel safe as $$
  select setweight(to_tsvector('public.search'::regconfig, translate(coalesce(title, ''), E'!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~', '                                ')), 'A') || to_tsvector('public.search'::regconfig, translate(coalesce(body, ''), E'!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~', '                                '))
$$;

create function short_substrings(value text) returns text[] language sql immutable parallel safe strict as $$
  select coalesce(array_agg(distinct substr(value, start, size)), '{}')
  from generate_series(1, length(value)) as start, generate_series(1, 2) as size
$$;

create table activity_count_changes (
  block integer not null,
  type text not null,
  entity_type text not null,
  count integer not null
);

create table activity_counts (
  block integer not null,
  type text not null,
  entity_type text not null,
  count integer not null,
  constraint activity_counts_pkey primary key (block, type, entity_type)
);

create table activity_log (
  id bigint generated always as identity not null,
  user_id integer,
  actor_id integer,
  type text not null,
  title text default '' not null,
  entity_type text,
  entity_id integer,
  details jsonb,
  created_at timestamptz(3) default now() not null,
  constraint activity_log_pkey primary key (id)
);
create index activity_log_acts on activity_log (actor_id, id desc);
create index activity_log_entity on activity_log (entity_type, entity_id, id desc);
create index activity_log_own on activity_log (user_id, id desc) include (type);
create index activity_log_type on activity_log (type, id desc);

create table announcement_reads (
  announcement_id integer not null,
  user_id integer not null,
  read_at timestamptz(3) default now() not null,
  constraint announcement_reads_pkey primary key (announcement_id, user_id)
);
create index announcement_reads_of_user on announcement_reads (user_id);

create table announcements (
  id integer generated always as identity not null,
  class_id integer,
  author_id integer,
  title text not null,
  text text default '' not null,
  shows_from timestamptz(3) default date_trunc('milliseconds', now()) not null,
  shows_until timestamptz(3),
  is_due boolean default true not null,
  created_at timestamptz(3) default now() not null,
  edited_at timestamptz(3),
  constraint announcements_pkey primary key (id),
  constraint announcements_check check ((shows_from < shows_until)),
  constraint announcements_title_check check ((title <> ''))
);
create index announcements_not_due on announcements (shows_from) where (not is_due);
create index announcements_of_author on announcements (author_id);
create index announcements_of_class on announcements (class_id, shows_from);

create table attempt_count_changes (
  block integer not null,
  kind text not null,
  subject_id integer not null,
  status text not null,
  passed boolean not null,
  count integer not null,
  students integer not null,
  started_at timestamptz(3) not null
);

create table attempt_counts (
  block integer not null,
  kind text not null,
  subject_id integer not null,
  status text not null,
  passed boolean not null,
  count integer not null,
  earliest timestamptz(3) not null,
  latest timestamptz(3) not null,
  constraint attempt_counts_pkey primary key (block, kind, subject_id, status, passed)
);

create table attempts (
  id integer generated always as identity not null,
  kind text not null,
  exam_id integer,
  laboratory_id integer,
  user_id integer not null,
  title text not null,
  container_name text not null,
  status text not null,
  created_at timestamptz(3) default now() not null,
  started_at timestamptz(3) default now() not null,
  expires_at timestamptz(3),
  submitted_at timestamptz(3),
  grading_beat_at timestamptz(3),
  grading_error text,
  score integer,
  max_score integer not null,
  passing_score integer not null,
  passed boolean,
  integrity jsonb,
  process_id integer,
  asked_at timestamptz(3),
  session_id integer,
  time_limit_minutes integer,
  extra_seconds double precision default 0 not null,
  paused_at timestamptz(3),
  withheld text,
  state_id integer,
  image_id text,
  is_locked_down boolean default false not null,
  break_seconds double precision default 0 not null,
  break_ends_at timestamptz(3),
  grading_error_code text,
  held_at timestamptz(3),
  login_refused_at timestamptz(3),
  ended_at timestamptz(3),
  ended_by integer,
  constraint attempts_container_name_key unique (container_name),
  constraint attempts_pkey primary key (id),
  constraint attempts_break_check check (((break_ends_at is null) or (paused_at is not null))),
  constraint attempts_check check ((((kind = 'exam') and (laboratory_id is null)) or ((kind = 'laboratory') and (exam_id is null)))),
  constraint attempts_check1 check (((kind <> 'exam') or (expires_at is not null))),
  constraint attempts_check2 check ((status in ('finished', 'expired') = ((score is not null) and (passed is not null)))),
  constraint attempts_check3 check ((status not in ('finished', 'expired') or (submitted_at is not null))),
  constraint attempts_check4 check ((score <= max_score)),
  constraint attempts_kind_check check (kind in ('exam', 'laboratory')),
  constraint attempts_max_score_check check ((max_score >= 0)),
  constraint attempts_passing_score_check check ((passing_score >= 0)),
  constraint attempts_queued_check check (((status <> 'queued') or (asked_at is not null))),
  constraint attempts_status_check check (status in ('queued', 'starting', 'in_progress', 'grading', 'finished', 'abandoned', 'expired')),
  constraint attempts_withheld_check check (withheld in ('results', 'output'))
);
create index attempts_ended_by on attempts (ended_by) where (ended_by is not null);
create index attempts_exam_students on attempts (exam_id, user_id) where ((status <> 'starting') and (exam_id is not null));
create index attempts_failed on attempts (user_id, id desc) include (kind, exam_id, laboratory_id) where (status in ('finished', 'expired') and (not passed));
create index attempts_failed_lately on attempts (id desc) include (user_id, kind, exam_id, laboratory_id) where (status in ('finished', 'expired') and (not passed));
create index attempts_laboratory_students on attempts (laboratory_id, user_id) where ((status <> 'starting') and (laboratory_id is not null));
create index attempts_of_exam on attempts (exam_id, id desc) include (status, passed, started_at);
create index attempts_of_laboratory on attempts (laboratory_id, id desc) include (status, passed, started_at);
create index attempts_of_session on attempts (session_id, user_id) where (session_id is not null);
create index attempts_of_state on attempts (state_id) where (state_id is not null);
create index attempts_on_break on attempts (break_ends_at) where (break_ends_at is not null);
create unique index attempts_one_active_exam on attempts (user_id) where ((kind = 'exam') and status in ('queued', 'starting', 'in_progress', 'grading'));
create unique index attempts_one_active_laboratory on attempts (user_id, laboratory_id) where ((kind = 'laboratory') and status in ('queued', 'starting', 'in_progress', 'grading'));
create index attempts_own on attempts (user_id, id desc) include (kind, status);
create index attempts_queued on attempts (id) where (status = 'queued');
create index attempts_state on attempts (kind, status, passed, id desc) include (started_at);
create index attempts_unsettled on attempts (expires_at) where status in ('starting', 'in_progress', 'grading');

create table class_accommodations (
  class_id integer not null,
  user_id integer not null,
  time_factor double precision default 1 not null,
  extra_attempts integer default 0 not null,
  break_minutes integer,
  constraint class_accommodations_pkey primary key (class_id, user_id),
  constraint class_accommodations_break_minutes_check check ((break_minutes > 0)),
  constraint class_accommodations_extra_attempts_check check ((extra_attempts >= 0)),
  constraint class_accommodations_time_factor_check check (((time_factor >= (1)::double precision) and (time_factor <= (3)::double precision)))
);

create table class_courses (
  class_id integer not null,
  course_id integer not null,
  constraint class_courses_pkey primary key (class_id, course_id)
);
create index class_courses_of_course on class_courses (course_id);

create table class_join_codes (
  id integer generated always as identity not null,
  class_id integer not null,
  code text not null,
  expires_at timestamptz(3),
  max_uses integer,
  uses integer default 0 not null,
  email_domain text,
  created_at timestamptz(3) default now() not null,
  constraint class_join_codes_code_key unique (code),
  constraint class_join_codes_pkey primary key (id),
  constraint class_join_codes_check check ((uses <= max_uses)),
  constraint class_join_codes_code_check check ((code ~ '^[A-Z0-9]{8,40}$')),
  constraint class_join_codes_max_uses_check check ((max_uses > 0)),
  constraint class_join_codes_uses_check check ((uses >= 0))
);
create index class_join_codes_of_class on class_join_codes (class_id);

create table class_members (
  class_id integer not null,
  user_id integer not null,
  role text not null,
  joined_at timestamptz(3) default now() not null,
  constraint class_members_pkey primary key (class_id, user_id),
  constraint class_members_role_check check (role in ('student', 'assistant', 'instructor'))
);
create index class_members_of_user on class_members (user_id, class_id) include (role);

create table classes (
  id integer generated always as identity not null,
  name text not null,
  description text default '' not null,
  is_archived boolean default false not null,
  created_at timestamptz(3) default now() not null,
  constraint classes_pkey primary key (id),
  constraint classes_name_check check ((name <> ''))
);
create index classes_by_name on classes (lower(name), id);

create table containers (
  id integer generated always as identity not null,
  uid uuid default gen_random_uuid() not null,
  name text not null,
  user_id integer,
  kind text not null,
  image text not null,
  template_id integer,
  attempt_id integer,
  slot integer,
  engine_ref text,
  status text not null,
  created_at timestamptz(3) default now() not null,
  started_at timestamptz(3),
  stopped_at timestamptz(3),
  expires_at timestamptz(3),
  last_used_at timestamptz(3) default now() not null,
  process_id integer,
  full_at timestamptz(3),
  stop_reason text,
  home_due_at timestamptz(3),
  home_saved_at timestamptz(3),
  home_mark text,
  lost_uid uuid,
  lost_at timestamptz(3),
  replaced_at timestamptz(3),
  home_kept_at timestamptz(3),
  setup_key text,
  account text default 'student' not null,
  image_id text,
  last_input_at timestamptz(3),
  constraint containers_name_key unique (name),
  constraint containers_uid_key unique (uid),
  constraint containers_pkey primary key (id),
  constraint containers_account_check check (account in ('student', 'root')),
  constraint containers_check check (((user_id is not null) or (kind = 'trial') or status in ('warming', 'warm', 'removing'))),
  constraint containers_check1 check ((status not in ('warm', 'running', 'stopped') or (engine_ref is not null))),
  constraint containers_kind_check check (kind in ('sandbox', 'exam', 'laboratory', 'trial')),
  constraint containers_status_check check (status in ('creating', 'warming', 'warm', 'running', 'stopped', 'failed', 'removing')),
  constraint containers_stop_reason_check check (stop_reason in ('idle', 'room', 'disk', 'exam')),
  constraint containers_trial_check check (((kind <> 'trial') or (expires_at is not null)))
);
create unique index containers_attempt on containers (attempt_id) where ((attempt_id is not null) and (status <> 'removing'));
create unique index containers_sandbox_slot on containers (user_id, slot) where ((kind = 'sandbox') and (status <> 'removing'));
create index containers_unsettled on containers (status, id) where status in ('creating', 'warming', 'failed', 'removing');
create index containers_user on containers (user_id, id);
create index containers_warm on containers (image, id) where (status = 'warm');

create table course_repositories (
  course_id integer not null,
  outline jsonb not null,
  imported_at timestamp with time zone default now() not null,
  constraint course_repositories_pkey primary key (course_id)
);

create table courses (
  id integer generated always as identity not null,
  name text not null,
  slug text not null,
  description text default '' not null,
  icon text default '' not null,
  order_index integer default 0 not null,
  is_active boolean default true not null,
  template_id integer,
  is_class_only boolean default false not null,
  repository_id integer,
  constraint courses_slug_key unique (slug),
  constraint courses_pkey primary key (id),
  constraint courses_name_check check (((length(name) >= 1) and (length(name) <= 200))),
  constraint courses_slug_check check ((slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'))
);

create table deleted_rows (
  id bigint generated always as identity not null,
  deletion_id integer not null,
  table_name text not null,
  is_reference boolean not null,
  key jsonb not null,
  data jsonb not null,
  user_id integer,
  constraint deleted_rows_pkey primary key (id)
);
create index deleted_rows_files on deleted_rows (((data ->> 'digest'))) where ((table_name = 'setup_files') and (not is_reference));
create index deleted_rows_of on deleted_rows (deletion_id, table_name);
create index deleted_rows_user on deleted_rows (user_id) where (user_id is not null);

create table deleted_tasks (
  kind text not null,
  subject_id integer not null,
  task_id integer not null,
  title text not null,
  points integer not null,
  order_index integer not null,
  constraint deleted_tasks_pkey primary key (kind, subject_id, task_id)
);

create table deletions (
  id integer generated always as identity not null,
  kind text not null,
  entity_id integer not null,
  title text not null,
  class_id integer,
  deleted_by integer,
  deleted_at timestamptz(3) default now() not null,
  constraint deletions_kind_entity_id_key unique (kind, entity_id),
  constraint deletions_pkey primary key (id)
);
create index deletions_age on deletions (deleted_at);
create index deletions_own on deletions (deleted_by, kind, id);

create table exam_accommodations (
  session_id integer not null,
  user_id integer not null,
  time_factor double precision,
  opens_at timestamptz(3),
  closes_at timestamptz(3),
  max_attempts integer,
  break_minutes integer,
  constraint exam_accommodations_pkey primary key (session_id, user_id),
  constraint exam_accommodations_break_minutes_check check ((break_minutes >= 0)),
  constraint exam_accommodations_max_attempts_check check ((max_attempts > 0)),
  constraint exam_accommodations_time_factor_check check (((time_factor >= (1)::double precision) and (time_factor <= (3)::double precision)))
);
create index exam_accommodations_of_user on exam_accommodations (user_id);

create table exam_messages (
  id integer generated always as identity not null,
  session_id integer not null,
  user_id integer,
  text text not null,
  created_at timestamptz(3) default now() not null,
  constraint exam_messages_pkey primary key (id),
  constraint exam_messages_text_check check ((text <> ''))
);
create index exam_messages_of_session on exam_messages (session_id, id);
create index exam_messages_of_user on exam_messages (user_id) where (user_id is not null);

create table exam_session_users (
  session_id integer not null,
  user_id integer not null,
  role text default 'student' not null,
  is_for_chosen boolean default true not null,
  added_at timestamptz(3) default now() not null,
  constraint exam_session_users_pkey primary key (session_id, user_id),
  constraint exam_session_users_is_for_chosen_check check (is_for_chosen),
  constraint exam_session_users_role_check check (role in ('student', 'instructor'))
);
create index exam_session_users_of_user on exam_session_users (user_id);

create table exam_sessions (
  id integer generated always as identity not null,
  exam_id integer not null,
  class_id integer,
  title text not null,
  opens_at timestamptz(3) not null,
  closes_at timestamptz(3) not null,
  time_limit_minutes integer,
  max_attempts integer,
  counted_attempt text default 'best' not null,
  access_code_hash text,
  networks cidr[] default '{}'::cidr[] not null,
  results_visible text default 'at_end' not null,
  is_output_visible boolean default true not null,
  paused_at timestamptz(3),
  released_at timestamptz(3),
  created_at timestamptz(3) default now() not null,
  is_locked_down boolean default false not null,
  is_for_chosen boolean generated always as ((class_id is null)) stored not null,
  constraint exam_sessions_for_chosen_key unique (id, is_for_chosen),
  constraint exam_sessions_pkey primary key (id),
  constraint exam_sessions_check check ((opens_at < closes_at)),
  constraint exam_sessions_counted_attempt_check check (counted_attempt in ('best', 'last', 'first')),
  constraint exam_sessions_max_attempts_check check ((max_attempts > 0)),
  constraint exam_sessions_results_visible_check check (results_visible in ('at_end', 'after_close', 'when_released', 'never')),
  constraint exam_sessions_time_limit_minutes_check check ((time_limit_minutes > 0)),
  constraint exam_sessions_title_check check ((title <> ''))
);
create index exam_sessions_closes on exam_sessions (closes_at);
create index exam_sessions_of_class on exam_sessions (class_id, opens_at);
create index exam_sessions_of_exam on exam_sessions (exam_id);
create index exam_sessions_unreleased on exam_sessions (closes_at) where ((results_visible = 'when_released') and (released_at is null));

create table exam_tasks (
  id integer generated always as identity not null,
  exam_id integer not null,
  title text not null,
  slug text,
  description text default '' not null,
  points integer not null,
  verification_script text not null,
  solution_script text,
  order_index integer default 0 not null,
  setup_script text,
  verdict text default 'pass' not null,
  constraint exam_tasks_exam_id_slug_key unique (exam_id, slug),
  constraint exam_tasks_pkey primary key (id),
  constraint exam_tasks_points_check check (((points >= 0) and (points <= 10000))),
  constraint exam_tasks_slug_check check ((slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$')),
  constraint exam_tasks_title_check check (((length(title) >= 1) and (length(title) <= 200))),
  constraint exam_tasks_verdict_check check (verdict in ('pass', 'exit-status', 'ok')),
  constraint exam_tasks_verification_script_check check (((length(verification_script) >= 1) and (length(verification_script) <= 262144)))
);
create index exam_tasks_order on exam_tasks (exam_id, order_index, id);

create table exams (
  id integer generated always as identity not null,
  title text not null,
  slug text,
  description text default '' not null,
  container_image text not null,
  time_limit_minutes integer not null,
  passing_score integer not null,
  course_id integer,
  is_active boolean default true not null,
  created_at timestamptz(3) default now() not null,
  order_index integer default 0 not null,
  setup_script text,
  introduction text default '' not null,
  conclusion text default '' not null,
  "user" text default 'student' not null,
  is_session_only boolean default false not null,
  constraint exams_slug_key unique (slug),
  constraint exams_pkey primary key (id),
  constraint exams_container_image_check check (((length(container_image) >= 1) and (length(container_image) <= 500))),
  constraint exams_passing_score_check check ((passing_score >= 0)),
  constraint exams_slug_check check ((slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$')),
  constraint exams_time_limit_minutes_check check (((time_limit_minutes >= 1) and (time_limit_minutes <= 1440))),
  constraint exams_title_check check (((length(title) >= 1) and (length(title) <= 200))),
  constraint exams_user_check check ("user" in ('student', 'root'))
);
create index exams_course on exams (course_id);
create index exams_words on exams using gin (search_words(title, description));

create table grade_book_subjects (
  id integer generated always as identity not null,
  class_id integer not null,
  exam_id integer,
  laboratory_id integer,
  weight numeric(6,2) default 1 not null,
  counted_attempt text default 'best' not null,
  constraint grade_book_subjects_class_id_exam_id_laboratory_id_key unique nulls not distinct (class_id, exam_id, laboratory_id),
  constraint grade_book_subjects_pkey primary key (id),
  constraint grade_book_subjects_check check (((exam_id is null) <> (laboratory_id is null))),
  constraint grade_book_subjects_counted_attempt_check check (counted_attempt in ('best', 'last', 'first')),
  constraint grade_book_subjects_weight_check check (((weight >= (0)::numeric) and (weight <= (1000)::numeric)))
);
create index grade_book_subjects_of_exam on grade_book_subjects (exam_id);
create index grade_book_subjects_of_laboratory on grade_book_subjects (laboratory_id);

create table grade_books (
  class_id integer not null,
  missing text default 'zero' not null,
  drop_lowest integer default 0 not null,
  passing_percent numeric(5,2),
  is_visible boolean default false not null,
  constraint grade_books_pkey primary key (class_id),
  constraint grade_books_drop_lowest_check check (((drop_lowest >= 0) and (drop_lowest <= 100))),
  constraint grade_books_missing_check check (missing in ('zero', 'ignored')),
  constraint grade_books_passing_percent_check check (((passing_percent >= (0)::numeric) and (passing_percent <= (100)::numeric)))
);

create table grade_columns (
  id integer generated always as identity not null,
  class_id integer not null,
  name text not null,
  max_score numeric(8,2) not null,
  weight numeric(6,2) default 1 not null,
  created_at timestamptz(3) default now() not null,
  constraint grade_columns_pkey primary key (id),
  constraint grade_columns_max_score_check check ((max_score > (0)::numeric)),
  constraint grade_columns_name_check check ((name <> '')),
  constraint grade_columns_weight_check check (((weight >= (0)::numeric) and (weight <= (1000)::numeric)))
);
create unique index grade_columns_of_class on grade_columns (class_id, lower(name));

create table grade_values (
  column_id integer not null,
  user_id integer not null,
  value numeric(8,2) not null,
  constraint grade_values_pkey primary key (column_id, user_id),
  constraint grade_values_value_check check ((value >= (0)::numeric))
);
create index grade_values_of_user on grade_values (user_id);

create table installation (
  is_only boolean default true not null,
  id uuid default gen_random_uuid() not null,
  created_at timestamptz(3) default now() not null,
  counts_checked_at timestamptz(3) default now() not null,
  is_demonstration boolean default false not null,
  backed_up_at timestamptz(3),
  constraint installation_pkey primary key (is_only),
  constraint installation_is_only_check check (is_only)
);

create table invitations (
  user_id integer not null,
  import_id integer,
  code_hash text,
  expires_at timestamptz(3),
  created_at timestamptz(3) default now() not null,
  constraint invitations_code_hash_key unique (code_hash),
  constraint invitations_pkey primary key (user_id),
  constraint invitations_check check (((code_hash is null) = (expires_at is null)))
);
create index invitations_of_import on invitations (import_id);

create table known_devices (
  user_id integer not null,
  device text not null,
  last_login_at timestamptz(3) default now() not null,
  constraint known_devices_pkey primary key (user_id, device)
);
create index known_devices_age on known_devices (last_login_at);

create table laboratories (
  id integer generated always as identity not null,
  title text not null,
  slug text,
  description text default '' not null,
  container_image text not null,
  time_limit_minutes integer,
  passing_score integer not null,
  section_id integer,
  is_active boolean default true not null,
  created_at timestamptz(3) default now() not null,
  setup_script text,
  introduction text default '' not null,
  conclusion text default '' not null,
  is_sequential boolean default false not null,
  "user" text default 'student' not null,
  constraint laboratories_slug_key unique (slug),
  constraint laboratories_pkey primary key (id),
  constraint laboratories_container_image_check check (((length(container_image) >= 1) and (length(container_image) <= 500))),
  constraint laboratories_passing_score_check check ((passing_score >= 0)),
  constraint laboratories_slug_check check ((slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$')),
  constraint laboratories_time_limit_minutes_check check (((time_limit_minutes >= 1) and (time_limit_minutes <= 1440))),
  constraint laboratories_title_check check (((length(title) >= 1) and (length(title) <= 200))),
  constraint laboratories_user_check check ("user" in ('student', 'root'))
);
create unique index laboratories_section on laboratories (section_id) where is_active;
create index laboratories_words on laboratories using gin (search_words(title, description));

create table laboratory_deadlines (
  class_id integer not null,
  laboratory_id integer not null,
  due_at timestamptz(3) not null,
  constraint laboratory_deadlines_pkey primary key (class_id, laboratory_id)
);
create index laboratory_deadlines_due on laboratory_deadlines (due_at);
create index laboratory_deadlines_of_laboratory on laboratory_deadlines (laboratory_id);

create table laboratory_tasks (
  id integer generated always as identity not null,
  laboratory_id integer not null,
  title text not null,
  slug text,
  description text default '' not null,
  hint text default '' not null,
  points integer not null,
  verification_script text not null,
  solution_script text,
  order_index integer default 0 not null,
  setup_script text,
  verdict text default 'pass' not null,
  constraint laboratory_tasks_laboratory_id_slug_key unique (laboratory_id, slug),
  constraint laboratory_tasks_pkey primary key (id),
  constraint laboratory_tasks_points_check check (((points >= 0) and (points <= 10000))),
  constraint laboratory_tasks_slug_check check ((slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$')),
  constraint laboratory_tasks_title_check check (((length(title) >= 1) and (length(title) <= 200))),
  constraint laboratory_tasks_verdict_check check (verdict in ('pass', 'exit-status', 'ok')),
  constraint laboratory_tasks_verification_script_check check (((length(verification_script) >= 1) and (length(verification_script) <= 262144)))
);
create index laboratory_tasks_order on laboratory_tasks (laboratory_id, order_index, id);

create table lesson_notes (
  id integer generated always as identity not null,
  user_id integer not null,
  theme_id integer not null,
  heading text default '' not null,
  excerpt text not null,
  text text default '' not null,
  created_at timestamptz(3) default now() not null,
  updated_at timestamptz(3) default now() not null,
  words tsvector generated always as (search_words(excerpt, text)) stored not null,
  constraint lesson_notes_user_id_theme_id_heading_excerpt_key unique (user_id, theme_id, heading, excerpt),
  constraint lesson_notes_pkey primary key (id),
  constraint lesson_notes_excerpt_check check ((excerpt <> ''))
);
create index lesson_notes_of_theme on lesson_notes (theme_id);
create index lesson_notes_of_user on lesson_notes (user_id, id);
create index lesson_notes_words on lesson_notes using gin (words);

create table lesson_repositories (
  id integer generated always as identity not null,
  name text not null,
  url text not null,
  branch text,
  username text,
  sealed_key bytea,
  commit text,
  updated_at timestamp with time zone,
  error text,
  failed_at timestamp with time zone,
  constraint lesson_repositories_pkey primary key (id),
  constraint lesson_repositories_branch_check check (((length(branch) >= 1) and (length(branch) <= 255))),
  constraint lesson_repositories_name_check check (((length(name) >= 1) and (length(name) <= 200))),
  constraint lesson_repositories_url_check check (((length(url) >= 1) and (length(url) <= 2048))),
  constraint lesson_repositories_username_check check (((length(username) >= 1) and (length(username) <= 200)))
);
create unique index lesson_repositories_address_key on lesson_repositories (md5(url), COALESCE(branch, ''));

create table lesson_texts (
  theme_id integer not null,
  section_id integer not null,
  title text not null,
  source text default '' not null,
  body text default '' not null,
  words tsvector generated always as (search_words(title, body)) stored not null,
  constraint lesson_texts_pkey primary key (theme_id)
);
create index lesson_texts_title on lesson_texts using gin (search_words(title, ''));
create index lesson_texts_words on lesson_texts using gin (words);

create table login_cookies (
  family_hash text not null,
  secret_hash text not null,
  user_id integer not null,
  login text not null,
  valid_from timestamptz(3) not null,
  replacements timestamptz(3)[] default '{}'::timestamp with time zone[] not null,
  expires_at timestamp with time zone not null,
  constraint login_cookies_pkey primary key (family_hash)
);
create index login_cookies_age on login_cookies (expires_at);
create index login_cookies_user on login_cookies (user_id);

create table login_throttles (
  key text not null,
  failures integer not null,
  last_failure_at timestamptz(3) not null,
  blocked_until timestamptz(3) not null,
  constraint login_throttles_pkey primary key (key),
  constraint login_throttles_failures_check check ((failures >= 0))
);
create index login_throttles_age on login_throttles (last_failure_at);

create table network_limits (
  network text not null,
  limit_met text not null,
  times integer default 1 not null,
  first_at timestamptz(3) default now() not null,
  last_at timestamptz(3) default now() not null,
  constraint network_limits_pkey primary key (network, limit_met)
);

create table notification_settings (
  user_id integer not null,
  muted text[] default '{}'::text[] not null,
  constraint notification_settings_pkey primary key (user_id)
);

create table notifications (
  user_id integer not null,
  key text not null,
  kind text not null,
  attempt_id integer,
  session_id integer,
  class_id integer,
  laboratory_id integer,
  minutes integer,
  until timestamptz(3),
  created_at timestamptz(3) default now() not null,
  read_at timestamptz(3),
  constraint notifications_pkey primary key (user_id, key),
  constraint notifications_kind_check check (kind in ('exam_opens', 'time_left', 'more_time', 'results', 'deadline', 'supervision'))
);
create index notifications_by_age on notifications (created_at);
create index notifications_of_attempt on notifications (attempt_id) where (attempt_id is not null);
create index notifications_of_deadline on notifications (class_id, laboratory_id) where (class_id is not null);
create index notifications_of_session on notifications (session_id) where (session_id is not null);

create table progress_versions (
  user_id integer not null,
  version xid8 not null,
  constraint progress_versions_pkey primary key (user_id)
) with (fillfactor=50);

create table recordings (
  id integer generated always as identity not null,
  attempt_id integer not null,
  key text not null,
  cols integer not null,
  rows integer not null,
  started_at timestamptz(3) default now() not null,
  ended_at timestamptz(3),
  bytes integer default 0 not null,
  is_truncated boolean default false not null,
  constraint recordings_key_key unique (key),
  constraint recordings_pkey primary key (id),
  constraint recordings_bytes_check check ((bytes >= 0)),
  constraint recordings_cols_check check ((cols > 0)),
  constraint recordings_key_check check ((key ~ '^[0-9a-f]{40}$')),
  constraint recordings_rows_check check ((rows > 0))
);
create index recordings_attempt on recordings (attempt_id, id);
create index recordings_ended on recordings (ended_at);

create table refused_publications (
  id integer generated always as identity not null,
  user_id integer not null,
  exam_id integer,
  laboratory_id integer,
  report text not null,
  created_at timestamp with time zone default date_trunc('milliseconds', now()) not null,
  constraint refused_publications_user_id_exam_id_laboratory_id_key unique nulls not distinct (user_id, exam_id, laboratory_id),
  constraint refused_publications_pkey primary key (id),
  constraint refused_publications_check check ((num_nonnulls(exam_id, laboratory_id) = 1))
);
create index refused_publications_exam on refused_publications (exam_id) where (exam_id is not null);
create index refused_publications_laboratory on refused_publications (laboratory_id) where (laboratory_id is not null);

create table registration_codes (
  id integer generated always as identity not null,
  code text not null,
  note text,
  expires_at timestamptz(3),
  max_uses integer,
  uses integer default 0 not null,
  created_at timestamptz(3) default now() not null,
  constraint registration_codes_code_key unique (code),
  constraint registration_codes_pkey primary key (id),
  constraint registration_codes_check check ((uses <= max_uses)),
  constraint registration_codes_code_check check ((code ~ '^[A-Z0-9]{8,40}$')),
  constraint registration_codes_max_uses_check check ((max_uses > 0)),
  constraint registration_codes_note_check check ((length(note) <= 200)),
  constraint registration_codes_uses_check check ((uses >= 0))
);

create table sandbox_templates (
  id integer generated always as identity not null,
  name text not null,
  slug text not null,
  description text default '' not null,
  image text not null,
  has_internet boolean default false not null,
  memory_mb integer not null,
  cpus double precision not null,
  order_index integer default 0 not null,
  is_active boolean default true not null,
  minimum_role text default 'student' not null,
  constraint sandbox_templates_slug_key unique (slug),
  constraint sandbox_templates_pkey primary key (id),
  constraint sandbox_templates_cpus_check check (((cpus > (0)::double precision) and (cpus <= (64)::double precision))),
  constraint sandbox_templates_image_check check (((length(image) >= 1) and (length(image) <= 500))),
  constraint sandbox_templates_memory_mb_check check (((memory_mb >= 16) and (memory_mb <= 65536))),
  constraint sandbox_templates_minimum_role_check check (minimum_role in ('student', 'instructor', 'admin')),
  constraint sandbox_templates_name_check check (((length(name) >= 1) and (length(name) <= 200))),
  constraint sandbox_templates_slug_check check ((slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'))
);

create table sections (
  id integer generated always as identity not null,
  course_id integer not null,
  name text not null,
  slug text not null,
  order_index integer default 0 not null,
  is_active boolean default true not null,
  template_id integer,
  constraint sections_course_id_slug_key unique (course_id, slug),
  constraint sections_pkey primary key (id),
  constraint sections_name_check check (((length(name) >= 1) and (length(name) <= 200))),
  constraint sections_slug_check check ((slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'))
);

create table setup_content_parts (
  digest text not null,
  part integer not null,
  content bytea not null,
  constraint setup_content_parts_pkey primary key (digest, part),
  constraint setup_content_parts_part_check check ((part >= 0))
);

create table setup_contents (
  digest text not null,
  bytes integer not null,
  created_at timestamptz(3) default now() not null,
  constraint setup_contents_pkey primary key (digest),
  constraint setup_contents_bytes_check check ((bytes >= 0))
);

create table setup_files (
  id integer generated always as identity not null,
  exam_id integer,
  laboratory_id integer,
  exam_task_id integer,
  laboratory_task_id integer,
  path text not null,
  owner text not null,
  mode text not null,
  bytes integer not null,
  digest text not null,
  constraint setup_files_pkey primary key (id),
  constraint setup_files_bytes_check check ((bytes >= 0)),
  constraint setup_files_check check ((num_nonnulls(exam_id, laboratory_id) = 1)),
  constraint setup_files_check1 check (((exam_task_id is null) or (exam_id is not null))),
  constraint setup_files_check2 check (((laboratory_task_id is null) or (laboratory_id is not null))),
  constraint setup_files_mode_check check ((mode ~ '^[0-7]{4}$')),
  constraint setup_files_owner_check check ((owner <> '')),
  constraint setup_files_path_check check (((path ~ '^/[^/]') and (octet_length(path) <= 1000)))
);
create index setup_files_digest on setup_files (digest);
create unique index setup_files_of_exam on setup_files (exam_id, COALESCE(exam_task_id, 0), path) where (exam_id is not null);
create index setup_files_of_exam_task on setup_files (exam_task_id) where (exam_task_id is not null);
create unique index setup_files_of_laboratory on setup_files (laboratory_id, COALESCE(laboratory_task_id, 0), path) where (laboratory_id is not null);
create index setup_files_of_laboratory_task on setup_files (laboratory_task_id) where (laboratory_task_id is not null);

create table student_counts (
  kind text not null,
  subject_id integer not null,
  count integer not null,
  constraint student_counts_pkey primary key (kind, subject_id)
);

create table subject_state_contents (
  state_id integer not null,
  digest text not null,
  constraint subject_state_contents_pkey primary key (state_id, digest)
);
create index subject_state_contents_digest on subject_state_contents (digest);

create table subject_states (
  id integer generated always as identity not null,
  exam_id integer,
  laboratory_id integer,
  digest text not null,
  container_image text not null,
  setup_key text,
  time_limit_minutes integer,
  passing_score integer not null,
  max_score integer not null,
  is_sequential boolean not null,
  content jsonb not null,
  is_current boolean default false not null,
  created_at timestamptz(3) default now() not null,
  constraint subject_states_pkey primary key (id),
  constraint subject_states_check check ((num_nonnulls(exam_id, laboratory_id) <= 1))
);
create unique index subject_states_current_exam on subject_states (exam_id) where is_current;
create unique index subject_states_current_laboratory on subject_states (laboratory_id) where is_current;
create unique index subject_states_of_exam on subject_states (exam_id, digest) where (exam_id is not null);
create unique index subject_states_of_laboratory on subject_states (laboratory_id, digest) where (laboratory_id is not null);

create table task_results (
  attempt_id integer not null,
  task_id integer not null,
  title text not null,
  order_index integer not null,
  points integer not null,
  points_earned integer not null,
  passed boolean not null,
  output text not null,
  graded_at timestamptz(3) default now() not null,
  solved_at timestamptz(3),
  remark text,
  remark_codes jsonb,
  constraint task_results_pkey primary key (attempt_id, task_id),
  constraint task_results_check check ((points_earned =
CASE
    when passed THEN points
    ELSE 0
END))
);

create table terminals (
  id text not null,
  container_id integer not null,
  user_id integer not null,
  process_id integer,
  holder text not null,
  begun_at timestamptz(3) default now() not null,
  cols integer not null,
  rows integer not null,
  picture bytea,
  picture_at bigint default 0 not null,
  constraint terminals_pkey primary key (id),
  constraint terminals_cols_check check ((cols > 0)),
  constraint terminals_id_check check ((id ~ '^[A-Za-z0-9_-]{1,64}$')),
  constraint terminals_picture_at_check check ((picture_at >= 0)),
  constraint terminals_rows_check check ((rows > 0))
);
alter table terminals alter column picture set storage external;
create index terminals_container on terminals (container_id, begun_at);
create index terminals_user on terminals (user_id);

create table theme_progress (
  user_id integer not null,
  theme_id integer not null,
  completed boolean not null,
  completed_at timestamptz(3),
  constraint theme_progress_pkey primary key (user_id, theme_id),
  constraint theme_progress_check check ((completed = (completed_at is not null)))
);
create index theme_progress_latest on theme_progress (user_id, completed_at desc) include (theme_id) where completed;
create index theme_progress_theme on theme_progress (theme_id);

create table themes (
  id integer generated always as identity not null,
  section_id integer not null,
  title text not null,
  slug text not null,
  markdown_file_path text not null,
  duration_minutes integer default 0 not null,
  order_index integer default 0 not null,
  template_id integer,
  is_written boolean default false not null,
  constraint themes_section_id_slug_key unique (section_id, slug),
  constraint themes_pkey primary key (id),
  constraint themes_duration_minutes_check check (((duration_minutes >= 0) and (duration_minutes <= 10000))),
  constraint themes_markdown_file_path_check check (((length(markdown_file_path) >= 1) and (length(markdown_file_path) <= 1000))),
  constraint themes_slug_check check ((slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$')),
  constraint themes_title_check check (((length(title) >= 1) and (length(title) <= 200)))
);
create index themes_written on themes (markdown_file_path) where is_written;

create table user_count_changes (
  role text not null,
  is_active boolean not null,
  count integer not null
);

create table user_counts (
  role text not null,
  is_active boolean not null,
  count integer not null,
  constraint user_counts_pkey primary key (role, is_active)
);

create table user_import_lines (
  import_id integer not null,
  line integer not null,
  username text not null,
  email text not null,
  full_name text,
  role text not null,
  sealed_password bytea,
  password_hash text,
  constraint user_import_lines_pkey primary key (import_id, line),
  constraint user_import_lines_check check (((sealed_password is null) or (password_hash is null)))
);

create table user_imports (
  id integer generated always as identity not null,
  actor_id integer,
  status text default 'running' not null,
  total integer not null,
  problems jsonb,
  created_at timestamptz(3) default now() not null,
  finished_at timestamptz(3),
  constraint user_imports_pkey primary key (id),
  constraint user_imports_check check (((status = 'running') = (finished_at is null))),
  constraint user_imports_status_check check (status in ('running', 'done', 'cancelled', 'failed')),
  constraint user_imports_total_check check ((total > 0))
);
create index user_imports_of_actor on user_imports (actor_id);
create unique index user_imports_running on user_imports ((true)) where (status = 'running');

create table users (
  id integer generated always as identity not null,
  username text not null,
  email text not null,
  password_hash text not null,
  role text default 'student' not null,
  full_name text,
  bio text default '' not null,
  avatar_key text,
  is_active boolean default true not null,
  tokens_valid_from timestamptz(3) default '-infinity'::timestamp with time zone not null,
  created_at timestamptz(3) default now() not null,
  last_login_at timestamptz(3),
  search_text text generated always as (lower(((((username || '
') || email) || '
') || COALESCE(full_name, '')))) stored not null,
  locked_login text,
  ended_logins text[] default '{}'::text[] not null,
  constraint users_avatar_key_key unique (avatar_key),
  constraint users_pkey primary key (id),
  constraint users_bio_check check ((length(bio) <= 2000)),
  constraint users_email_check check (((length(email) >= 3) and (length(email) <= 320))),
  constraint users_full_name_check check ((length(full_name) <= 200)),
  constraint users_role_check check (role in ('student', 'instructor', 'admin')),
  constraint users_username_check check (((length(username) >= 2) and (length(username) <= 254)))
);
create index users_admins on users (id) where (role = 'admin');
create unique index users_email on users (lower(email));
create index users_last_login on users (COALESCE(last_login_at, '-infinity'::timestamp with time zone), id);
create index users_name on users (lower(username), id) include (username);
create index users_role on users (role, is_active, id);
create index users_short_substrings on users using gin (short_substrings(search_text));
create index users_text on users using gin (search_text gin_trgm_ops);
create unique index users_username on users (lower(username));

create table written_files (
  id integer generated always as identity not null,
  path text not null,
  revision integer not null,
  digest text,
  bytes integer not null,
  changed_at timestamptz(3) default now() not null,
  constraint written_files_pkey primary key (id),
  constraint written_files_bytes_check check ((bytes >= 0)),
  constraint written_files_path_check check (((length(path) >= 1) and (length(path) <= 1000))),
  constraint written_files_revision_check check ((revision > 0))
);
create index written_files_digest on written_files (digest);
create unique index written_files_path_key on written_files (path) where (digest is not null);

create table written_revisions (
  id integer generated always as identity not null,
  file_id integer not null,
  revision integer not null,
  path text not null,
  digest text,
  bytes integer not null,
  message text default '' not null,
  author_id integer,
  created_at timestamptz(3) default now() not null,
  constraint written_revisions_file_id_revision_key unique (file_id, revision),
  constraint written_revisions_pkey primary key (id),
  constraint written_revisions_bytes_check check ((bytes >= 0)),
  constraint written_revisions_message_check check ((length(message) <= 500)),
  constraint written_revisions_path_check check (((length(path) >= 1) and (length(path) <= 1000))),
  constraint written_revisions_revision_check check ((revision > 0))
);
create index written_revisions_author on written_revisions (author_id);
create index written_revisions_digest on written_revisions (digest);

-- References

alter table activity_log add constraint activity_log_actor_id_fkey foreign key (actor_id) references users(id) on delete SET NULL;
alter table activity_log add constraint activity_log_user_id_fkey foreign key (user_id) references users(id) on delete CASCADE;
alter table announcement_reads add constraint announcement_reads_announcement_id_fkey foreign key (announcement_id) references announcements(id) on delete CASCADE;
alter table announcement_reads add constraint announcement_reads_user_id_fkey foreign key (user_id) references users(id) on delete CASCADE;
alter table announcements add constraint announcements_author_id_fkey foreign key (author_id) references users(id) on delete SET NULL;
alter table announcements add constraint announcements_class_id_fkey foreign key (class_id) references classes(id) on delete CASCADE;
alter table attempts add constraint attempts_ended_by_fkey foreign key (ended_by) references users(id) on delete SET NULL;
alter table attempts add constraint attempts_exam_id_fkey foreign key (exam_id) references exams(id) on delete SET NULL;
alter table attempts add constraint attempts_laboratory_id_fkey foreign key (laboratory_id) references laboratories(id) on delete SET NULL;
alter table attempts add constraint attempts_session_id_fkey foreign key (session_id) references exam_sessions(id) on delete SET NULL;
alter table attempts add constraint attempts_state_id_fkey foreign key (state_id) references subject_states(id);
alter table attempts add constraint attempts_user_id_fkey foreign key (user_id) references users(id) on delete CASCADE;
alter table class_accommodations add constraint class_accommodations_class_id_user_id_fkey foreign key (class_id, user_id) references class_members(class_id, user_id) on delete CASCADE;
alter table class_courses add constraint class_courses_class_id_fkey foreign key (class_id) references classes(id) on delete CASCADE;
alter table class_courses add constraint class_courses_course_id_fkey foreign key (course_id) references courses(id) on delete CASCADE;
alter table class_join_codes add constraint class_join_codes_class_id_fkey foreign key (class_id) references classes(id) on delete CASCADE;
alter table class_members add constraint class_members_class_id_fkey foreign key (class_id) references classes(id) on delete CASCADE;
alter table class_members add constraint class_members_user_id_fkey foreign key (user_id) references users(id) on delete CASCADE;
alter table containers add constraint containers_attempt_id_fkey foreign key (attempt_id) references attempts(id) on delete SET NULL;
alter table containers add constraint containers_template_id_fkey foreign key (template_id) references sandbox_templates(id) on delete SET NULL;
alter table containers add constraint containers_user_id_fkey foreign key (user_id) references users(id) on delete SET NULL;
alter table course_repositories add constraint course_repositories_course_id_fkey foreign key (course_id) references courses(id) on delete CASCADE;
alter table courses add constraint courses_repository_id_fkey foreign key (repository_id) references lesson_repositories(id);
alter table courses add constraint courses_template_id_fkey foreign key (template_id) references sandbox_templates(id) on delete SET NULL;
alter table deleted_rows add constraint deleted_rows_deletion_id_fkey foreign key (deletion_id) references deletions(id) on delete CASCADE;
alter table deleted_rows add constraint deleted_rows_user_id_fkey foreign key (user_id) references users(id) on delete CASCADE;
alter table deletions add constraint deletions_deleted_by_fkey foreign key (deleted_by) references users(id) on delete SET NULL;
alter table exam_accommodations add constraint exam_accommodations_session_id_fkey foreign key (session_id) references exam_sessions(id) on delete CASCADE;
alter table exam_accommodations add constraint exam_accommodations_user_id_fkey foreign key (user_id) references users(id) on delete CASCADE;
alter table exam_messages add constraint exam_messages_session_id_fkey foreign key (session_id) references exam_sessions(id) on delete CASCADE;
alter table exam_messages add constraint exam_messages_user_id_fkey foreign key (user_id) references users(id) on delete CASCADE;
alter table exam_session_users add constraint exam_session_users_session_id_fkey foreign key (session_id) references exam_sessions(id) on delete CASCADE;
alter table exam_session_users add constraint exam_session_users_session_id_is_for_chosen_fkey foreign key (session_id, is_for_chosen) references exam_sessions(id, is_for_chosen) on delete CASCADE;
alter table exam_session_users add constraint exam_session_users_user_id_fkey foreign key (user_id) references users(id) on delete CASCADE;
alter table exam_sessions add constraint exam_sessions_class_id_fkey foreign key (class_id) references classes(id) on delete CASCADE;
alter table exam_sessions add constraint exam_sessions_exam_id_fkey foreign key (exam_id) references exams(id) on delete CASCADE;
alter table exam_tasks add constraint exam_tasks_exam_id_fkey foreign key (exam_id) references exams(id) on delete CASCADE;
alter table exams add constraint exams_course_id_fkey foreign key (course_id) references courses(id) on delete SET NULL;
alter table grade_book_subjects add constraint grade_book_subjects_class_id_fkey foreign key (class_id) references classes(id) on delete CASCADE;
alter table grade_book_subjects add constraint grade_book_subjects_exam_id_fkey foreign key (exam_id) references exams(id) on delete CASCADE;
alter table grade_book_subjects add constraint grade_book_subjects_laboratory_id_fkey foreign key (laboratory_id) references laboratories(id) on delete CASCADE;
alter table grade_books add constraint grade_books_class_id_fkey foreign key (class_id) references classes(id) on delete CASCADE;
alter table grade_columns add constraint grade_columns_class_id_fkey foreign key (class_id) references classes(id) on delete CASCADE;
alter table grade_values add constraint grade_values_column_id_fkey foreign key (column_id) references grade_columns(id) on delete CASCADE;
alter table grade_values add constraint grade_values_user_id_fkey foreign key (user_id) references users(id) on delete CASCADE;
alter table invitations add constraint invitations_import_id_fkey foreign key (import_id) references user_imports(id) on delete SET NULL;
alter table invitations add constraint invitations_user_id_fkey foreign key (user_id) references users(id) on delete CASCADE;
alter table known_devices add constraint known_devices_user_id_fkey foreign key (user_id) references users(id) on delete CASCADE;
alter table laboratories add constraint laboratories_section_id_fkey foreign key (section_id) references sections(id) on delete SET NULL;
alter table laboratory_deadlines add constraint laboratory_deadlines_class_id_fkey foreign key (class_id) references classes(id) on delete CASCADE;
alter table laboratory_deadlines add constraint laboratory_deadlines_laboratory_id_fkey foreign key (laboratory_id) references laboratories(id) on delete CASCADE;
alter table laboratory_tasks add constraint laboratory_tasks_laboratory_id_fkey foreign key (laboratory_id) references laboratories(id) on delete CASCADE;
alter table lesson_notes add constraint lesson_notes_theme_id_fkey foreign key (theme_id) references themes(id) on delete CASCADE;
alter table lesson_notes add constraint lesson_notes_user_id_fkey foreign key (user_id) references users(id) on delete CASCADE;
alter table lesson_texts add constraint lesson_texts_theme_id_fkey foreign key (theme_id) references themes(id) on delete CASCADE;
alter table login_cookies add constraint login_cookies_user_id_fkey foreign key (user_id) references users(id) on delete CASCADE;
alter table notification_settings add constraint notification_settings_user_id_fkey foreign key (user_id) references users(id) on delete CASCADE;
alter table notifications add constraint notifications_attempt_id_fkey foreign key (attempt_id) references attempts(id) on delete CASCADE;
alter table notifications add constraint notifications_class_id_laboratory_id_fkey foreign key (class_id, laboratory_id) references laboratory_deadlines(class_id, laboratory_id) on delete CASCADE;
alter table notifications add constraint notifications_session_id_fkey foreign key (session_id) references exam_sessions(id) on delete CASCADE;
alter table notifications add constraint notifications_user_id_fkey foreign key (user_id) references users(id) on delete CASCADE;
alter table progress_versions add constraint progress_versions_user_id_fkey foreign key (user_id) references users(id) on delete CASCADE;
alter table recordings add constraint recordings_attempt_id_fkey foreign key (attempt_id) references attempts(id) on delete CASCADE;
alter table refused_publications add constraint refused_publications_exam_id_fkey foreign key (exam_id) references exams(id) on delete CASCADE;
alter table refused_publications add constraint refused_publications_laboratory_id_fkey foreign key (laboratory_id) references laboratories(id) on delete CASCADE;
alter table refused_publications add constraint refused_publications_user_id_fkey foreign key (user_id) references users(id) on delete CASCADE;
alter table sections add constraint sections_course_id_fkey foreign key (course_id) references courses(id) on delete CASCADE;
alter table sections add constraint sections_template_id_fkey foreign key (template_id) references sandbox_templates(id) on delete SET NULL;
alter table setup_content_parts add constraint setup_content_parts_digest_fkey foreign key (digest) references setup_contents(digest) on delete CASCADE;
alter table setup_files add constraint setup_files_digest_fkey foreign key (digest) references setup_contents(digest);
alter table setup_files add constraint setup_files_exam_id_fkey foreign key (exam_id) references exams(id) on delete CASCADE;
alter table setup_files add constraint setup_files_exam_task_id_fkey foreign key (exam_task_id) references exam_tasks(id) on delete CASCADE;
alter table setup_files add constraint setup_files_laboratory_id_fkey foreign key (laboratory_id) references laboratories(id) on delete CASCADE;
alter table setup_files add constraint setup_files_laboratory_task_id_fkey foreign key (laboratory_task_id) references laboratory_tasks(id) on delete CASCADE;
alter table subject_state_contents add constraint subject_state_contents_digest_fkey foreign key (digest) references setup_contents(digest);
alter table subject_state_contents add constraint subject_state_contents_state_id_fkey foreign key (state_id) references subject_states(id) on delete CASCADE;
alter table subject_states add constraint subject_states_exam_id_fkey foreign key (exam_id) references exams(id) on delete SET NULL;
alter table subject_states add constraint subject_states_laboratory_id_fkey foreign key (laboratory_id) references laboratories(id) on delete SET NULL;
alter table task_results add constraint task_results_attempt_id_fkey foreign key (attempt_id) references attempts(id) on delete CASCADE;
alter table terminals add constraint terminals_container_id_fkey foreign key (container_id) references containers(id) on delete CASCADE;
alter table terminals add constraint terminals_user_id_fkey foreign key (user_id) references users(id) on delete CASCADE;
alter table theme_progress add constraint theme_progress_theme_id_fkey foreign key (theme_id) references themes(id) on delete CASCADE;
alter table theme_progress add constraint theme_progress_user_id_fkey foreign key (user_id) references users(id) on delete CASCADE;
alter table themes add constraint themes_section_id_fkey foreign key (section_id) references sections(id) on delete CASCADE;
alter table themes add constraint themes_template_id_fkey foreign key (template_id) references sandbox_templates(id) on delete SET NULL;
alter table user_import_lines add constraint user_import_lines_import_id_fkey foreign key (import_id) references user_imports(id) on delete CASCADE;
alter table user_imports add constraint user_imports_actor_id_fkey foreign key (actor_id) references users(id) on delete SET NULL;
alter table written_files add constraint written_files_digest_fkey foreign key (digest) references setup_contents(digest);
alter table written_revisions add constraint written_revisions_author_id_fkey foreign key (author_id) references users(id) on delete SET NULL;
alter table written_revisions add constraint written_revisions_digest_fkey foreign key (digest) references setup_contents(digest);
alter table written_revisions add constraint written_revisions_file_id_fkey foreign key (file_id) references written_files(id) on delete CASCADE;

-- Functions

create function count_activity() returns trigger language plpgsql as $$
  begin
    if tg_op = 'INSERT' then
      insert into activity_count_changes values (new.id >> 13, new.type, coalesce(new.entity_type, ''), 1);
    else
      insert into activity_count_changes values (old.id >> 13, old.type, coalesce(old.entity_type, ''), -1);
    end if;
    return null;
  end
$$;

create function count_attempt() returns trigger language plpgsql as $$
  declare
    is_same_student boolean := tg_op = 'UPDATE' and (old.status = 'starting') = (new.status = 'starting')
      and (old.exam_id, old.laboratory_id) is not distinct from (new.exam_id, new.laboratory_id);
  begin
    if tg_op <> 'INSERT' then
      insert into attempt_count_changes values (old.id >> 13, old.kind, coalesce(old.exam_id, old.laboratory_id, 0), old.status,
        coalesce(old.passed, false), -1, case when not is_same_student and is_only_attempt(old) then -1 else 0 end, old.started_at);
    end if;
    if tg_op = 'DELETE' then
      return old;
    end if;
    insert into attempt_count_changes values (new.id >> 13, new.kind, coalesce(new.exam_id, new.laboratory_id, 0), new.status,
      coalesce(new.passed, false), 1, case when not is_same_student and is_only_attempt(new) then 1 else 0 end, new.started_at);
    return new;
  end
$$;

create function count_user() returns trigger language plpgsql as $$
  begin
    if tg_op <> 'INSERT' then
      insert into user_count_changes values (old.role, old.is_active, -1);
    end if;
    if tg_op <> 'DELETE' then
      insert into user_count_changes values (new.role, new.is_active, 1);
    end if;
    return null;
  end
$$;

create function delete_login_cookies() returns trigger language plpgsql as $$
  begin
    delete from login_cookies where user_id = new.id and valid_from < new.tokens_valid_from;
    return null;
  end
$$;

create function end_break() returns trigger language plpgsql as $$
  begin
    new.paused_at = null;
    new.break_ends_at = null;
    return new;
  end
$$;

create function end_current_exam_state(subject integer) returns void language plpgsql as $$
  begin
    perform pg_advisory_xact_lock_shared(hashtext('subject states'));
    update subject_states set is_current = false where exam_id = subject and is_current;
  end
$$;

create function end_current_laboratory_state(subject integer) returns void language plpgsql as $$
  begin
    perform pg_advisory_xact_lock_shared(hashtext('subject states'));
    update subject_states set is_current = false where laboratory_id = subject and is_current;
  end
$$;

create function exam_tasks_end_exam_state() returns trigger language plpgsql as $$
  begin
    if tg_op <> 'INSERT' and old.exam_id is not null then
      perform end_current_exam_state(old.exam_id);
    end if;
    if tg_op <> 'DELETE' and new.exam_id is not null then
      perform end_current_exam_state(new.exam_id);
    end if;
    return null;
  end
$$;

create function exams_end_exam_state() returns trigger language plpgsql as $$
  begin
    if tg_op <> 'INSERT' and old.id is not null then
      perform end_current_exam_state(old.id);
    end if;
    if tg_op <> 'DELETE' and new.id is not null then
      perform end_current_exam_state(new.id);
    end if;
    return null;
  end
$$;

create function is_only_attempt(attempt attempts) returns boolean language plpgsql as $$
  begin
    if attempt.status = 'starting' then
      return false;
    elsif attempt.exam_id is not null then
      return not exists (select from attempts where exam_id = attempt.exam_id and user_id = attempt.user_id
        and id <> attempt.id and status <> 'starting');
    elsif attempt.laboratory_id is not null then
      return not exists (select from attempts where laboratory_id = attempt.laboratory_id and user_id = attempt.user_id
        and id <> attempt.id and status <> 'starting');
    end if;
    return false;
  end
$$;

create function keep_deleted_exam_task() returns trigger language plpgsql as $$
  begin
    if exists (select from exams where id = old.exam_id) then
      insert into deleted_tasks
        select 'exam', old.exam_id, old.id, result.title, result.points, result.order_index
        from attempts join task_results as result on result.attempt_id = attempts.id and result.task_id = old.id
        where attempts.exam_id = old.exam_id order by attempts.id desc limit 1
        on conflict do nothing;
      -- A grading that runs now can still write a result.
      insert into deleted_tasks
        select 'exam', old.exam_id, old.id, old.title, old.points, old.order_index
        where exists (select from attempts where exam_id = old.exam_id and status = 'grading')
        on conflict do nothing;
    end if;
    return old;
  end
$$;

create function keep_deleted_laboratory_task() returns trigger language plpgsql as $$
  begin
    if exists (select from laboratories where id = old.laboratory_id) then
      insert into deleted_tasks
        select 'laboratory', old.laboratory_id, old.id, result.title, result.points, result.order_index
        from attempts join task_results as result on result.attempt_id = attempts.id and result.task_id = old.id
        where attempts.laboratory_id = old.laboratory_id order by attempts.id desc limit 1
        on conflict do nothing;
      -- A grading that runs now can still write a result.
      insert into deleted_tasks
        select 'laboratory', old.laboratory_id, old.id, old.title, old.points, old.order_index
        where exists (select from attempts where laboratory_id = old.laboratory_id and status = 'grading')
        on conflict do nothing;
    end if;
    return old;
  end
$$;

create function keep_lesson_text() returns trigger language plpgsql as $$
  begin
    if tg_op = 'INSERT' then
      insert into lesson_texts (theme_id, section_id, title) values (new.id, new.section_id, new.title);
    else
      update lesson_texts set section_id = new.section_id, title = new.title where theme_id = new.id;
    end if;
    return null;
  end
$$;

create function keep_solved_at() returns trigger language plpgsql as $$
  begin
    if new.passed and new.solved_at is null then new.solved_at := new.graded_at; end if;
    return new;
  end
$$;

create function laboratories_end_laboratory_state() returns trigger language plpgsql as $$
  begin
    if tg_op <> 'INSERT' and old.id is not null then
      perform end_current_laboratory_state(old.id);
    end if;
    if tg_op <> 'DELETE' and new.id is not null then
      perform end_current_laboratory_state(new.id);
    end if;
    return null;
  end
$$;

create function laboratory_tasks_end_laboratory_state() returns trigger language plpgsql as $$
  begin
    if tg_op <> 'INSERT' and old.laboratory_id is not null then
      perform end_current_laboratory_state(old.laboratory_id);
    end if;
    if tg_op <> 'DELETE' and new.laboratory_id is not null then
      perform end_current_laboratory_state(new.laboratory_id);
    end if;
    return null;
  end
$$;

create function notify_announcement() returns trigger language plpgsql as $$
  begin
    perform pg_notify('announcement', coalesce(case when tg_op = 'DELETE' then old.class_id else new.class_id end::text, 'all'));
    return null;
  end
$$;

create function notify_attempt_held() returns trigger language plpgsql as $$
  begin
    perform pg_notify('attempt_held', '*');
    return null;
  end
$$;

create function notify_exam_session() returns trigger language plpgsql as $$
  declare
    changed jsonb := coalesce(to_jsonb(new), to_jsonb(old));
  begin
    perform pg_notify('exam_session', (changed ->> tg_argv[0]) || coalesce(':' || (changed ->> 'user_id'), ''));
    return null;
  end
$$;

create function notify_notifications() returns trigger language plpgsql as $$
  begin
    perform pg_notify('notification', ids) from (
      select string_agg(user_id::text, ',') as ids from (
        select user_id, row_number() over () as number from (select distinct user_id from changed) as users
      ) as numbered group by (number - 1) / 500
    ) as parts;
    return null;
  end
$$;

create function notify_of_end() returns trigger language plpgsql as $$
  begin
    delete from notifications where attempt_id = new.id and kind in ('time_left', 'more_time');
    if new.status in ('finished', 'expired') and (new.session_id is null or exists (
      select from exam_sessions as session where session.id = new.session_id
        and session_withholds(session, new.user_id) is distinct from 'results'))
    then
      insert into notifications (user_id, key, kind, attempt_id) values (new.user_id, 'results:' || new.id, 'results', new.id)
      on conflict do nothing;
    end if;
    return null;
  end
$$;

create function notify_of_more_time() returns trigger language plpgsql as $$
  begin
    delete from notifications where user_id = new.user_id and key = 'time_left:' || new.id;
    insert into notifications (user_id, key, kind, attempt_id, minutes, until)
    values (new.user_id, 'more_time:' || new.id, 'more_time', new.id,
      round(extract(epoch from new.expires_at - old.expires_at) / 60), new.expires_at)
    on conflict (user_id, key) do update
      set minutes = excluded.minutes, until = excluded.until, created_at = now(), read_at = null;
    return null;
  end
$$;

create function notify_of_release() returns trigger language plpgsql as $$
  begin
    perform notify_of_results(new);
    return null;
  end
$$;

create function notify_of_results(session exam_sessions) returns void language sql as $$
  insert into notifications (user_id, key, kind, attempt_id)
  select user_id, 'results:' || id, 'results', id from (
    select distinct on (user_id) user_id, id from attempts
    where session_id = session.id and status in ('finished', 'expired')
      and session_withholds(session, user_id) is distinct from 'results'
    order by user_id, id desc
  ) as newest
  on conflict do nothing
$$;

create function notify_row_change() returns trigger language plpgsql as $$
  begin
    perform pg_notify(tg_argv[0], coalesce(old.id, new.id)::text);
    return null;
  end
$$;

create function notify_table_change() returns trigger language plpgsql as $$
  begin
    perform pg_notify(tg_argv[0], '');
    return null;
  end
$$;

create function renew_all_progress_versions() returns trigger language plpgsql as $$
  begin
    update progress_versions set version = pg_current_xact_id();
    return null;
  end
$$;

create function renew_progress_version() returns trigger language plpgsql as $$
  begin
    insert into progress_versions as known values (new.user_id, pg_current_xact_id())
      on conflict (user_id) do update set version = excluded.version where known.version <> excluded.version;
    return null;
  end
$$;

create function renew_progress_versions() returns trigger language plpgsql as $$
  begin
    update progress_versions set version = pg_current_xact_id() where user_id in (
      select user_id from progress_versions where user_id in (
        select user_id from gone where exists (select from themes where id = gone.theme_id)
      ) order by user_id for update);
    return null;
  end
$$;

create function session_withholds(session exam_sessions, of_user integer) returns text language sql stable as $$
  select case
    when session.results_visible = 'at_end'
      or (session.results_visible <> 'never' and session.released_at is not null)
      or (session.results_visible = 'after_close' and session.paused_at is null and now() >= greatest(session.closes_at,
        (select closes_at from exam_accommodations where session_id = session.id and user_id = of_user)))
    then case when session.is_output_visible then null else 'output' end
    else 'results' end
$$;

create function setup_files_end_exam_state() returns trigger language plpgsql as $$
  begin
    if tg_op <> 'INSERT' and old.exam_id is not null then
      perform end_current_exam_state(old.exam_id);
    end if;
    if tg_op <> 'DELETE' and new.exam_id is not null then
      perform end_current_exam_state(new.exam_id);
    end if;
    return null;
  end
$$;

create function setup_files_end_laboratory_state() returns trigger language plpgsql as $$
  begin
    if tg_op <> 'INSERT' and old.laboratory_id is not null then
      perform end_current_laboratory_state(old.laboratory_id);
    end if;
    if tg_op <> 'DELETE' and new.laboratory_id is not null then
      perform end_current_laboratory_state(new.laboratory_id);
    end if;
    return null;
  end
$$;

create function setup_key_of(exam integer, laboratory integer) returns text language sql stable as $$
  select md5(string_agg(piece, ' ' order by place, order_index, id, path)) from (
    select 0 as place, 0 as order_index, id, '' as path, md5(setup_script) as piece from exams where id = exam
    union all select 0, 0, id, '', md5(setup_script) from laboratories where id = laboratory
    union all select 1, order_index, id, '', md5(setup_script) from exam_tasks where exam_id = exam
    union all select 1, order_index, id, '', md5(setup_script) from laboratory_tasks where laboratory_id = laboratory
    union all select 2, coalesce(task.order_index, -1), coalesce(task.id, 0), path, md5(concat_ws(' ', owner, mode, digest, path))
      from setup_files left join exam_tasks task on task.id = exam_task_id where setup_files.exam_id = exam
    union all select 2, coalesce(task.order_index, -1), coalesce(task.id, 0), path, md5(concat_ws(' ', owner, mode, digest, path))
      from setup_files left join laboratory_tasks task on task.id = laboratory_task_id where setup_files.laboratory_id = laboratory
  ) as pieces where piece is not null
$$;

create function unlock_login() returns trigger language plpgsql as $$
  begin
    update users set locked_login = null where id = old.user_id;
    perform pg_notify('attempt_held', '*');
    return null;
  end
$$;

create function withhold_results() returns trigger language plpgsql as $$
  begin
    update attempts set withheld = session_withholds(old, user_id) where session_id = old.id;
    return old;
  end
$$;

-- Triggers

create trigger activity_log_count after insert or delete on activity_log for each row execute function count_activity();
create trigger announcement_reads_changed after update on announcement_reads referencing new table as changed for each statement execute function notify_notifications();
create trigger announcement_reads_made after insert on announcement_reads referencing new table as changed for each statement execute function notify_notifications();
create trigger announcements_changed after insert or delete or update on announcements for each row execute function notify_announcement();
create trigger attempts_count before insert or delete on attempts for each row execute function count_attempt();
create trigger attempts_deleted_unlock_login after delete on attempts for each row when ((old.is_locked_down and (old.status = ANY (ARRAY['queued', 'starting', 'in_progress', 'grading'])))) execute function unlock_login();
create trigger attempts_end_break before update of status on attempts for each row when (((old.break_ends_at is not null) and (new.status = ANY (ARRAY['finished', 'expired', 'abandoned'])))) execute function end_break();
create trigger attempts_ended after update of status on attempts for each row when (((old.status = ANY (ARRAY['in_progress', 'grading'])) and (new.status = ANY (ARRAY['finished', 'expired', 'abandoned'])))) execute function notify_of_end();
create trigger attempts_got_more_time after update of expires_at on attempts for each row when (((old.status = 'in_progress') and (new.status = 'in_progress') and (not (old.paused_at is distinct from new.paused_at)) and (new.expires_at >= (old.expires_at + '00:00:30'::interval)))) execute function notify_of_more_time();
create trigger attempts_held after update of paused_at on attempts for each row when (((old.paused_at is null) <> (new.paused_at is null))) execute function notify_attempt_held();
create trigger attempts_locked_down after update of status on attempts for each row when ((new.is_locked_down and (new.status = 'in_progress') and (old.status = ANY (ARRAY['queued', 'starting'])))) execute function notify_attempt_held();
create trigger attempts_of_session_changed after update on attempts for each row when (((new.session_id is not null) and ((old.status is distinct from new.status) or (old.started_at is distinct from new.started_at) or (old.expires_at is distinct from new.expires_at) or (old.paused_at is distinct from new.paused_at) or (old.break_ends_at is distinct from new.break_ends_at) or (old.score is distinct from new.score) or (old.integrity is distinct from new.integrity) or (old.grading_error is distinct from new.grading_error)))) execute function notify_exam_session('session_id');
create trigger attempts_of_session_made after insert on attempts for each row when ((new.session_id is not null)) execute function notify_exam_session('session_id');
create trigger attempts_of_session_refused after update of login_refused_at on attempts for each row when (((new.session_id is not null) and (old.login_refused_at is distinct from new.login_refused_at))) execute function notify_exam_session('session_id');
create trigger attempts_recount before update of kind, exam_id, laboratory_id, status, passed, started_at on attempts for each row when (((((((old.kind is distinct from new.kind) or (old.exam_id is distinct from new.exam_id)) or (old.laboratory_id is distinct from new.laboratory_id)) or (old.status is distinct from new.status)) or (old.passed is distinct from new.passed)) or (old.started_at is distinct from new.started_at))) execute function count_attempt();
create trigger attempts_unlock_login after update of status on attempts for each row when ((old.is_locked_down and (old.status = ANY (ARRAY['queued', 'starting', 'in_progress', 'grading'])) and (not (new.status = ANY (ARRAY['queued', 'starting', 'in_progress', 'grading']))))) execute function unlock_login();
create trigger containers_deleted after delete on containers for each statement execute function notify_table_change('start_queue');
create trigger containers_released after update of status on containers for each row when (((old.status <> new.status) and (new.status = ANY (ARRAY['stopped', 'warm'])))) execute function notify_table_change('start_queue');
create trigger course_repositories_changed after insert or delete or update or truncate on course_repositories for each statement execute function notify_table_change('catalogue_changed');
create trigger courses_changed after insert or delete or update or truncate on courses for each statement execute function notify_table_change('catalogue_changed');
create trigger exam_accommodations_changed after insert or delete or update on exam_accommodations for each row execute function notify_exam_session('session_id');
create trigger exam_session_users_changed after insert or delete on exam_session_users for each row execute function notify_exam_session('session_id');
create trigger exam_sessions_changed after update on exam_sessions for each row execute function notify_exam_session('id');
create trigger exam_sessions_deleted before delete on exam_sessions for each row execute function withhold_results();
create trigger exam_sessions_shown after update on exam_sessions for each row when (((old.results_visible is distinct from new.results_visible) or (old.released_at is distinct from new.released_at))) execute function notify_of_release();
create trigger exam_tasks_changed after insert or delete or update or truncate on exam_tasks for each statement execute function notify_table_change('catalogue_changed');
create trigger exam_tasks_deleted before delete on exam_tasks for each row execute function keep_deleted_exam_task();
create trigger exam_tasks_end_exam_state after insert or delete or update on exam_tasks for each row execute function exam_tasks_end_exam_state();
create trigger exams_changed after insert or delete or update or truncate on exams for each statement execute function notify_table_change('catalogue_changed');
create trigger exams_end_exam_state after update on exams for each row execute function exams_end_exam_state();
create trigger laboratories_changed after insert or delete or update or truncate on laboratories for each statement execute function notify_table_change('catalogue_changed');
create trigger laboratories_end_laboratory_state after update on laboratories for each row execute function laboratories_end_laboratory_state();
create trigger laboratory_tasks_changed after insert or delete or update or truncate on laboratory_tasks for each statement execute function notify_table_change('catalogue_changed');
create trigger laboratory_tasks_deleted before delete on laboratory_tasks for each row execute function keep_deleted_laboratory_task();
create trigger laboratory_tasks_end_laboratory_state after insert or delete or update on laboratory_tasks for each row execute function laboratory_tasks_end_laboratory_state();
create trigger lesson_repositories_changed after insert or delete or update of url, branch, username, sealed_key or truncate on lesson_repositories for each statement execute function notify_table_change('catalogue_changed');
create trigger notification_settings_changed after update on notification_settings referencing new table as changed for each statement execute function notify_notifications();
create trigger notification_settings_made after insert on notification_settings referencing new table as changed for each statement execute function notify_notifications();
create trigger notifications_changed after update on notifications referencing new table as changed for each statement execute function notify_notifications();
create trigger notifications_deleted after delete on notifications referencing old table as changed for each statement execute function notify_notifications();
create trigger notifications_made after insert on notifications referencing new table as changed for each statement execute function notify_notifications();
create trigger sandbox_templates_changed after insert or delete or update or truncate on sandbox_templates for each statement execute function notify_table_change('catalogue_changed');
create trigger sections_changed after insert or delete or update or truncate on sections for each statement execute function notify_table_change('catalogue_changed');
create trigger setup_files_end_exam_state after insert or delete or update on setup_files for each row execute function setup_files_end_exam_state();
create trigger setup_files_end_laboratory_state after insert or delete or update on setup_files for each row execute function setup_files_end_laboratory_state();
create trigger task_results_solved before insert or update on task_results for each row execute function keep_solved_at();
create trigger theme_progress_changed after insert or update on theme_progress for each row execute function renew_progress_version();
create trigger theme_progress_deleted after delete on theme_progress referencing old table as gone for each statement execute function renew_progress_versions();
create trigger theme_progress_emptied after truncate on theme_progress for each statement execute function renew_all_progress_versions();
create trigger lesson_text_changed after update on themes for each row when (((old.title <> new.title) or (old.section_id <> new.section_id))) execute function keep_lesson_text();
create trigger lesson_text_made after insert on themes for each row execute function keep_lesson_text();
create trigger themes_changed after insert or delete or update or truncate on themes for each statement execute function notify_table_change('catalogue_changed');
create trigger users_changed after delete or update on users for each row execute function notify_row_change('users_changed');
create trigger users_count after insert or delete on users for each row execute function count_user();
create trigger users_delete_login_cookies after update of tokens_valid_from on users for each row when ((new.tokens_valid_from > old.tokens_valid_from)) execute function delete_login_cookies();
create trigger users_recount after update of role, is_active on users for each row when (((old.role is distinct from new.role) or (old.is_active is distinct from new.is_active))) execute function count_user();
create trigger written_files_changed after insert or delete or update or truncate on written_files for each statement execute function notify_table_change('written_lessons_changed');

-- Rows

insert into installation default values;
