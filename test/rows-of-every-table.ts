import { sql } from 'kysely';
import type { Database } from '../src/database/connection/connect.ts';

/**
 * Writes at least one row into every table of the database, with values that are hard to transfer: quotes, line ends, other alphabets, an
 * attempt of each state.
 * @param userId of the user who owns all rows
 */
export async function oneRowEach(db: Database, userId: number): Promise<void> {
  const statements = [
    `insert into login_throttles values ('key', 1, now(), now()) on conflict do nothing`,
    `insert into courses (name, slug, description) values (E'Line\\n"end" \\\\ Ünï 日本', 'carried', E'tab\\t')`,
    `insert into sections (course_id, name, slug) select max(id), 'Section', 'carried' from courses`,
    `insert into themes (section_id, title, slug, markdown_file_path) select max(id), 'Theme', 'carried', 'a/b.md' from sections`,
    `insert into themes (section_id, title, slug, markdown_file_path) select max(id), 'Next', 'next', 'a/c.md' from sections`,
    `insert into theme_progress select $user, max(id), true, now() from themes`,
    `insert into sandbox_templates (name, slug, image, memory_mb, cpus) values ('Template', 'carried', 'image', 64, 0.1)`,
    `insert into exams (title, container_image, time_limit_minutes, passing_score) values ('Exam', 'image', 60, 1), ('Gone', 'image', 60, 1)`,
    `delete from exams where title = 'Gone'`,
    `insert into laboratories (title, container_image, passing_score) values ('Laboratory', 'image', 1)`,
    `insert into exam_tasks (exam_id, title, points, verification_script) select max(id), 'Task', 5, E'#!/bin/bash\\necho "PASS"\\n' from exams`,
    `insert into laboratory_tasks (laboratory_id, title, points, verification_script) select max(id), 'Task', 5, 'x' from laboratories`,
    `insert into attempts (kind, exam_id, user_id, title, container_name, status, expires_at, submitted_at, score, passed, max_score, passing_score, integrity)
      select 'exam', max(id), $user, 'Exam', 'finished', 'finished', now() + interval '1 hour', now(), 5, true, 5, 1, '["/usr/bin/id"]' from exams`,
    `insert into task_results (attempt_id, task_id, title, order_index, points, points_earned, passed, output)
      select max(id), 1, 'Task', 0, 5, 5, true, E'PASS "quoted" \\\\ Ünï' from attempts`,
    `insert into attempts (kind, exam_id, user_id, title, container_name, status, expires_at, max_score, passing_score)
      select 'exam', max(id), $user, 'Exam', 'running', 'in_progress', now() + interval '1 hour', 5, 1 from exams`,
    `insert into attempts (kind, laboratory_id, user_id, title, container_name, status, grading_beat_at, max_score, passing_score)
      select 'laboratory', max(id), $user, 'Laboratory', 'graded', 'grading', now(), 5, 1 from laboratories`,
    `insert into containers (name, user_id, kind, image, attempt_id, engine_ref, status)
      select 'running', $user, 'exam', 'image', id, 'ref', 'running' from attempts where container_name = 'running'`,
    `insert into activity_log (user_id, actor_id, type, title, details) values ($user, $user, 'register', 'x', '{"a": [1, 2.50, "\\u00fc"]}')`,
  ];
  for (const statement of statements) await sql.raw(statement.replaceAll('$user', `${userId}`)).execute(db);
  if (await isThere(db, 'registration_codes')) {
    for (const statement of registrationStatements)
      await sql.raw(statement.replaceAll('$user', `${userId}`)).execute(db);
  }
  if (await isThere(db, 'network_limits'))
    await sql`insert into network_limits (network, limit_met) values ('192.0.2.0/24', 'logins') on conflict do nothing`.execute(
      db,
    );
  if (await isThere(db, 'user_imports')) {
    for (const statement of importStatements) await sql.raw(statement.replaceAll('$user', `${userId}`)).execute(db);
  }
  if (await isThere(db, 'classes')) {
    for (const statement of classStatements) await sql.raw(statement.replaceAll('$user', `${userId}`)).execute(db);
  }
  if (await isThere(db, 'grade_books')) {
    for (const statement of gradeStatements) await sql.raw(statement.replaceAll('$user', `${userId}`)).execute(db);
  }
  if (await isThere(db, 'exam_sessions')) {
    for (const statement of sessionStatements) await sql.raw(statement.replaceAll('$user', `${userId}`)).execute(db);
  }
  if (await isThere(db, 'exam_session_users')) {
    await sql`insert into exam_sessions (exam_id, title, opens_at, closes_at)
      select max(id), 'Resit', now(), now() + interval '1 hour' from exams`.execute(db);
    await sql`insert into exam_session_users (session_id, user_id) select max(id), ${userId} from exam_sessions`.execute(
      db,
    );
  }
  if (await isThere(db, 'class_accommodations')) {
    await sql`insert into class_accommodations (class_id, user_id, extra_attempts)
      select class_id, user_id, 1 from class_members limit 1`.execute(db);
    await sql`update exam_sessions set is_locked_down = true`.execute(db);
  }
  if (await isThere(db, 'attempts_on_break')) {
    await sql`update class_accommodations set break_minutes = 10`.execute(db);
    await sql`update exam_accommodations set break_minutes = 15`.execute(db);
    await sql`update attempts set break_seconds = 2.5 where container_name = 'running'`.execute(db);
  }
  if (await isThere(db, 'notifications')) {
    for (const statement of notificationStatements)
      await sql.raw(statement.replaceAll('$user', `${userId}`)).execute(db);
  }
  await sql`insert into attempts (kind, user_id, title, container_name, status, asked_at, max_score, passing_score)
    values ('laboratory', ${userId}, 'Laboratory', 'queued', 'queued', now(), 5, 1)`.execute(db);
  if (await isThere(db, 'lesson_notes')) {
    await sql`insert into lesson_notes (user_id, theme_id, heading, excerpt, text)
      select ${userId}, max(id), 'lesson-ü', E'"Line" \\ one', E'a\nnote' from themes`.execute(db);
  }
  if (await isThere(db, 'lesson_texts'))
    await sql`update lesson_texts set source = 'file', body = E'A "text" \\ ünï'`.execute(db);
  if (await isThere(db, 'deleted_tasks')) {
    await sql`insert into deleted_tasks select 'exam', max(id), 1, 'Task "1"', 5, 0 from exams`.execute(db);
  }
  if (await isThere(db, 'terminals')) {
    await sql`insert into terminals (id, container_id, user_id, process_id, holder, cols, rows, picture, picture_at)
      select 'terminal', id, ${userId}, 2147483647, '/socket', 80, 24, 'picture', 7 from containers where name = 'running'`.execute(
      db,
    );
  }
  if (await isThere(db, 'deletions')) {
    for (const statement of deletionStatements) await sql.raw(statement.replaceAll('$user', `${userId}`)).execute(db);
  }
  if (await isThere(db, 'written_files')) {
    for (const statement of writtenStatements) await sql.raw(statement.replaceAll('$user', `${userId}`)).execute(db);
  }
  if (await isThere(db, 'lesson_repositories')) {
    await sql`insert into course_repositories (course_id, outline)
      select max(id), '{"slug": "ünï", "sections": []}' from courses`.execute(db);
    await sql`insert into lesson_repositories (name, url, branch, username, sealed_key, commit, updated_at, error, failed_at)
      values ('Private', 'https://example.com/lessons.git', 'main', 'git', '\\x00ff0a'::bytea, 'abc', now(), 'Why', now())`.execute(
      db,
    );
    await sql`update courses set repository_id = (select max(id) from lesson_repositories)`.execute(db);
  } else if (await isThere(db, 'course_repositories')) {
    await sql`insert into course_repositories (course_id, url, branch, outline)
      select max(id), 'https://example.com/lessons.git', 'main', '{"slug": "ünï", "sections": []}' from courses`.execute(
      db,
    );
  }
  if (await isThere(db, 'setup_files')) {
    const isByDigest = await isThere(db, 'setup_contents');
    if (isByDigest)
      await sql`insert into setup_contents (digest, bytes) values (md5('x'), 3) on conflict do nothing`.execute(db);
    await sql.raw(fileStatement).execute(db);
    const parts = isByDigest
      ? sql`insert into setup_content_parts values (md5('x'), 0, '\\x00ff5c') on conflict do nothing`
      : sql`insert into setup_file_parts select max(id), 0, '\\x00ff5c' from setup_files`;
    await parts.execute(db);
  }
  if (await isThere(db, 'refused_publications')) {
    await sql`insert into refused_publications (user_id, exam_id, report)
      select ${userId}, max(id), '{"tasks": ["\\u0000ü"]}' from exams`.execute(db);
  }
  if (await isThere(db, 'subject_states')) {
    for (const statement of stateStatements) await sql.raw(statement).execute(db);
  }
  if (await hasColumn(db, 'themes', 'template_id'))
    await sql`update themes set template_id = (select max(id) from sandbox_templates)`.execute(db);
  if (await isThere(db, 'recordings')) {
    await sql`insert into recordings (attempt_id, key, cols, rows, ended_at) select id, md5('r') || '01234567', 80, 24, now()
      from attempts where container_name = 'finished'`.execute(db);
  }
}

const registrationStatements = [
  `insert into registration_codes (code, note, max_uses) values ('CARRIED2345', E'"Spring" \\ Ünï', 60) on conflict do nothing`,
  `insert into known_devices (user_id, device) values ($user, 'device') on conflict do nothing`,
  `insert into login_cookies (family_hash, secret_hash, user_id, login, valid_from, expires_at)
    values ('family', 'secret', $user, 'login', now(), now() + interval '8 hours') on conflict do nothing`,
];

const importStatements = [
  `insert into user_imports (actor_id, total, problems, status, finished_at) values ($user, 2, '[{"code": "taken"}]', 'failed', now())`,
  `insert into user_imports (actor_id, total) values ($user, 2) on conflict do nothing`,
  `insert into user_import_lines (import_id, line, username, email, full_name, role, sealed_password)
    select max(id), 2, 'import-ed', 'import@example.com', E'"Ünï"', 'student', '\\x00ff' from user_imports`,
  `insert into invitations (user_id, import_id, code_hash, expires_at)
    select $user, max(id), 'hash', now() from user_imports on conflict do nothing`,
];

const fileStatement = `insert into setup_files (exam_id, exam_task_id, path, owner, mode, bytes, digest)
    select max(exam_id), max(id), E'/srv/"Ünï"', 'root', '0644', 3, md5('x') from exam_tasks`;

const stateStatements = [
  `insert into subject_states (exam_id, digest, container_image, passing_score, max_score, is_sequential, content)
    select max(id), md5('state'), 'image', 1, 2, false, '{"title": "\\"Ünï\\" \\\\", "tasks": [], "files": []}' from exams`,
  `insert into subject_state_contents select max(id), md5('x') from subject_states`,
  `update attempts set state_id = (select max(id) from subject_states), image_id = 'sha256:1' where container_name = 'finished'`,
];

async function hasColumn(db: Database, table: string, column: string): Promise<boolean> {
  const { rows } = await sql`select 1 from information_schema.columns
    where table_schema = 'public' and table_name = ${table} and column_name = ${column}`.execute(db);
  return rows.length > 0;
}

const classStatements = [
  `insert into classes (name, description) values (E'"10b" \\ Ünï', E'line\nend')`,
  `insert into class_members (class_id, user_id, role) select max(id), $user, 'instructor' from classes`,
  `insert into class_courses select max(classes.id), max(courses.id) from classes, courses`,
  `insert into class_join_codes (class_id, code, email_domain) select max(id), 'CLASS' || max(id) || '23456', 'example.com' from classes`,
];

const gradeStatements = [
  `insert into grade_books (class_id, missing, drop_lowest, passing_percent, is_visible) select max(id), 'ignored', 1, 50.25, true from classes`,
  `insert into grade_book_subjects (class_id, exam_id, weight, counted_attempt) select max(classes.id), max(exams.id), 2.5, 'last' from classes, exams`,
  `insert into grade_columns (class_id, name, max_score) select max(id), E'"Essay" \\ Ünï', 12.5 from classes`,
  `insert into grade_values (column_id, user_id, value) select max(id), $user, 7.25 from grade_columns`,
];

const sessionStatements = [
  `insert into exam_sessions (exam_id, class_id, title, opens_at, closes_at, networks, access_code_hash)
    select max(exams.id), max(classes.id), E'"Exam" \\ Ünï', now(), now() + interval '1 hour', '{192.0.2.0/24,2001:db8::/32}', 'hash'
    from exams, classes`,
  `insert into exam_accommodations (session_id, user_id, time_factor) select max(id), $user, 1.25 from exam_sessions`,
  `insert into exam_messages (session_id, user_id, text) select max(id), $user, E'"10" \\ minutes\nleft' from exam_sessions`,
  `update attempts set session_id = (select max(id) from exam_sessions), extra_seconds = 0.5 where container_name = 'running'`,
];

const notificationStatements = [
  `insert into announcements (class_id, author_id, title, text) select max(id), $user, E'"Room" \\ Ünï', E'# Line\n*end*' from classes`,
  `insert into announcement_reads (announcement_id, user_id) select max(id), $user from announcements`,
  `insert into laboratory_deadlines select max(classes.id), max(laboratories.id), now() from classes, laboratories`,
  `insert into notifications (user_id, key, kind, session_id, until) select $user, 'exam_opens:' || max(id), 'exam_opens', max(id), now() from exam_sessions
    on conflict do nothing`,
  `insert into notification_settings values ($user, '{results,deadline}') on conflict do nothing`,
];

/** An older release has fewer tables. */
async function isThere(db: Database, table: string): Promise<boolean> {
  const { rows } = await sql<{ table: string | null }>`select to_regclass(${table})::text as table`.execute(db);
  return rows[0]?.table !== null;
}

const deletionStatements = [
  `insert into deletions (kind, entity_id, title, deleted_by) values ('course', 2000000000, E'"Gone" \\ Ünï', $user)`,
  `insert into deleted_rows (deletion_id, table_name, is_reference, key, data, user_id)
    select max(id), 'courses', false, '{"id": 2000000000}', '{"name": "Ünï"}', $user from deletions`,
];

const writtenStatements = [
  `insert into setup_contents (digest, bytes) values ('written', 3)`,
  `insert into setup_content_parts (digest, part, content) values ('written', 0, '\\x00ff0a')`,
  `insert into written_files (path, revision, digest, bytes) values ('course/ü "1".md', 2, 'written', 3)`,
  `insert into written_revisions (file_id, revision, path, digest, bytes, message, author_id)
    select id, 1, 'old.md', 'written', 3, E'Line\\n"one"', $user from written_files
    union all select id, 2, path, 'written', 3, '', null from written_files`,
  'update themes set is_written = true where id = (select max(id) from themes)',
];
