import { sql } from 'kysely';
import type { Database } from '../src/database/connection/connect.ts';

/**
 * Writes at least one row into every table of the database, with values that are hard to transfer: quotes, line ends, other alphabets, an
 * attempt of each state.
 * @param userId of the user who owns all rows
 */
export async function oneRowEach(db: Database, userId: number): Promise<void> {
  await run(
    db,
    userId,
    [
      ...lessons,
      `insert into assessments (kind, title, container_image, time_limit_minutes, passing_score)
      values ('exam', 'Exam', 'image', 60, 1), ('exam', 'Gone', 'image', 60, 1)`,
      `delete from assessments where title = 'Gone'`,
      `insert into assessments (kind, title, container_image, passing_score) values ('laboratory', 'Laboratory', 'image', 1)`,
      `insert into assessment_tasks (assessment_kind, assessment_id, title, points, verification_script)
      select kind, id, 'Task', 5, E'#!/bin/bash\\necho "PASS"\\n' from assessments`,
      ...attempts('kind, assessment_id', `'exam', $exam`, `'laboratory', $laboratory`),
      ...people,
      `insert into student_views (viewer_id, student_id, class_id, viewer_login, started_at, expires_at)
        select $user, $user, max(id), 'login', now(), now() + interval '15 minutes' from classes on conflict do nothing`,
      `insert into grade_book_assessments (class_id, kind, assessment_id, weight, counted_attempt) select max(id), 'exam', $exam, 2.5, 'last' from classes`,
      ...sessions,
      `insert into laboratory_deadlines (class_id, laboratory_id, due_at) select max(id), $laboratory, now() from classes`,
      `insert into deadline_extensions (class_id, laboratory_id, user_id, due_at) select max(id), $laboratory, $user, now() from classes`,
      `insert into class_openings (class_id, assessment_kind, assessment_id, opens_at) select max(id), 'exam', $exam, now() from classes`,
      ...rest,
      `insert into hands (user_id, container_id, title, text) select $user, id, E'"Ünï"', E'\\\\' from containers where name = 'running'`,
      `insert into notifications (user_id, key, kind, hand_id) select $user, 'hand:' || id, 'help', id from hands`,
      `insert into task_reports (user_id, attempt_id, kind, task_id, task_title, text, output, answer, answered_by, answered_at)
      select $user, id, 'exam', 1, E'"Task" \\ 1', E'Line\none', 'FAIL', 'Ünï', $user, now() from attempts where container_name = 'finished'`,
      `insert into task_answers (attempt_id, task_id, choice_ids, text, file_name, file_bytes)
        select attempt_id, task_id, '{1,2}', E'"Ünï" \\\\ #', 'ü.txt', 3 from task_results`,
      `insert into task_answer_parts select attempt_id, task_id, 0, '\\x00ff0a' from task_answers`,
      `insert into task_decisions (attempt_id, task_id, revision, points_before, points_earned, reason, decided_by)
        select attempt_id, task_id, 1, 5, 2.5, E'"Ünï" \\\\ half', $user from task_results`,
      `insert into task_grades (attempt_id, task_id, position, grader_id, points_earned, reason, is_by_rubric)
        select attempt_id, task_id, 1, $user, 2.25, E'"Ünï" \\\\ half', false from task_results`,
      `insert into grading_claims (user_id, attempt_id, task_id, expires_at) select $user, attempt_id, task_id, now() from task_results limit 1`,
      `insert into rubric_items (kind, assessment_id, task_id, text, points)
        select assessment_kind, assessment_id, id, E'"Ünï" \\\\ half', -0.25 from assessment_tasks`,
      `insert into review_requests (attempt_id, text, outcome, answer, answered_by, answered_at)
        select attempt_id, E'"Why"\\n', 'granted', 'Ünï', $user, now() from task_results`,
      `insert into attempt_comments (attempt_id, task_id, line, text, author_id) select attempt_id, task_id, 3, E'"Line" \\\\ Ünï', $user from task_results`,
      `insert into attempt_endings (attempt_id, status, max_score, results, decisions, reopened_by, minutes)
        select id, 'finished', 5, '[{"output": "Ünï"}]', '[]', $user, 5 from attempts where container_name = 'finished'`,
      `insert into reopen_requests (attempt_id, declined_at, declined_by) select id, now(), $user from attempts where container_name = 'finished'`,
      `insert into regrades (kind, assessment_id, reason, status, requested_by, decided_by, decided_at) values ('exam', $exam, E'"Ünï" \\\\', 'applied', $user, $user, now())`,
      `insert into regrade_attempts (regrade_id, attempt_id, status) select regrades.id, attempts.id, 'done' from regrades, attempts where container_name = 'finished'`,
      `insert into regrade_differences (regrade_id, attempt_id, task_id, before, after, is_deterministic)
        select regrade_id, attempt_id, 1, '{"output": "Ünï"}', '{}', false from regrade_attempts`,
      `insert into attempt_evidence (attempt_id, container_uid, status, key, kept_at, bytes, notes)
        select id, gen_random_uuid(), 'kept', md5(id::text), now(), 5, '{container_lost}' from attempts where container_name = 'finished'`,
      `update exam_sessions set review_days = 14`,
      `insert into certificates (user_id, kind, attempt_id, title, name, earned_at)
        select $user, 'exam', max(attempt_id), E'"Exam" \\\\ Ünï', E'Zoë "O\\'\\'Neil"', now() from task_results`,
      `insert into certificates (kind, course_id, title, earned_at, withdrawn_at) select 'course', max(id), 'Course', now(), now() from courses`,
      `insert into certificate_statuses (certificate_id) select id from certificates`,
      `insert into identity_providers (slug, name, issuer, client_id, sealed_secret, scopes, rules)
        values ('school', E'"School" \\ Ünï', 'https://id.example.com', 'platform', '\\x00ff', 'openid', '[{"claim": "a", "value": "b"}]')
        on conflict do nothing`,
      `insert into user_identities (provider_id, user_id, subject, proven_email)
        select id, $user, 'student-1', 'student@example.com' from identity_providers on conflict do nothing`,
      `insert into provider_members (class_id, user_id, provider_id)
        select class_id, user_id, identity_providers.id from class_members, identity_providers limit 1`,
      `insert into lti_keys (sealed_key, public_key) select '\\x00ff', '{"kty": "RSA"}' where not exists (select from lti_keys)`,
      `insert into lti_platforms (name, issuer, client_id, authorization_url, token_url, jwks_url, deployment_ids, origins)
        values (E'"School" \\ Ünï', 'https://lms.example.com', 'platform', 'https://lms.example.com/auth', 'https://lms.example.com/token',
          'https://lms.example.com/keys', '{1}', '{https://lms.example.com}') on conflict do nothing`,
      `insert into user_identities (platform_id, user_id, subject) select id, $user, 'student-1' from lti_platforms on conflict do nothing`,
      `insert into lti_contexts (platform_id, deployment_id, context_id, title, class_id, memberships_url)
        select id, '1', 'course-1', E'"Course" \\ Ünï', (select max(id) from classes), 'https://lms.example.com/members' from lti_platforms
        on conflict do nothing`,
      `insert into lti_resource_links (course_id, resource_link_id, laboratory_id) select id, 'link-1', $laboratory from lti_contexts on conflict do nothing`,
      `insert into lti_members (course_id, user_id) select id, $user from lti_contexts on conflict do nothing`,
      `insert into lti_grades (link_id, user_id, score, max_score, status) select id, $user, 1.5, 3, 'sent' from lti_resource_links on conflict do nothing`,
      `insert into used_login_states (state, expires_at) values ('state', now() + interval '1 day') on conflict do nothing`,
      `insert into attempt_signals (attempt_id, first_key_at, pastes, networks, signature) select max(id), now(), 1, '{hash}', array_fill(-5, array[64]) from attempts`,
      `insert into mails (user_id, kind, key, recipient, language, content, sealed_secret, expires_at)
        values ($user, 'results', 'results:1', 'zoe@example.com', 'de', '{"title": "Ünï"}', '\\x00ff', now())`,
      `insert into push_secrets (repository_id, sealed_secret) select max(id), '\\x00ff' from lesson_repositories on conflict do nothing`,
      `insert into lesson_commits (commit) values ('abc') on conflict do nothing`,
      `insert into taken_pushes (push_secret_id, digest) select id, 'digest' from push_secrets on conflict do nothing`,
      `insert into webhooks (url, events, sealed_secret) values ('https://hooks.example.com/', '{attempt.graded,attempt.started,member.added,content.published}', '\\x00ff')`,
      `insert into notifications (user_id, key, kind, webhook_id) select $user, 'webhook:' || max(id), 'webhook', max(id) from webhooks`,
      `insert into webhook_deliveries (webhook_id, event, body) select max(id), 'test', E'{"type": "Ünï"}' from webhooks`,
      `insert into webhook_results (attempt_id) select max(id) from attempts on conflict do nothing`,
      `insert into address_checks (user_id, email, verified_at) values ($user, 'zoe@example.com', now())`,
      `insert into mail_tokens (token_hash, user_id, purpose, email, expires_at) values ('hash', $user, 'password', 'zoe@example.com', now())`,
      `insert into exam_plans (session_id, is_moved) select max(id), true from exam_sessions on conflict do nothing`,
      `insert into silent_checks (session_id, interval_minutes) select max(id), 5 from exam_sessions`,
      `insert into silent_looks (attempt_id, session_id, began_at, marks) select max(attempts.id), max(silent_checks.session_id), now(), '[]'
        from attempts, silent_checks`,
      `insert into site (name, accent, welcome) values (E'"Школа" \\\\ Ünï', '#0b6b62', E'# Line\n*end*')
        on conflict do nothing`,
      `insert into container_images (name, reference, username, sealed_password, state, image_id, digest, lacks)
        values ('Net "1"', 'registry.example.com/net:1', 'school', '\\x00ff0a'::bytea, 'ready', 'sha256:1', 'sha256:2', '{}')`,
      `insert into course_staff (course_id, user_id, role) select max(id), $user, 'owner' from courses`,
      `insert into course_own_repositories (course_id, repository_id) select max(c.id), max(r.id) from courses c, lesson_repositories r`,
      `insert into logins (user_id, login, device, address, valid_from, expires_at)
        values ($user, 'login', 'Firefox, Linux', '192.0.2.1', now(), now() + interval '8 hours') on conflict do nothing`,
      `insert into second_factors (user_id, sealed_secret) values ($user, '\\x00ff') on conflict do nothing`,
      `insert into recovery_codes (user_id, code_hash) values ($user, 'hash') on conflict do nothing`,
      `insert into deletion_requests (user_id) values ($user) on conflict do nothing`,
      `insert into recording_consents (user_id, is_given, version) values ($user, true, 1) on conflict do nothing`,
      `insert into passkeys (user_id, credential, public_key, counter, transports, name)
        values ($user, 'credential', '\\x00ff', 7, '{usb}', E'"Key" \\\\ Ünï') on conflict do nothing`,
      `insert into personal_tokens (user_id, name, scopes, hash, expires_at)
        values ($user, E'"CI" \\\\ Ünï', '{read,grades}', 'hash', now() + interval '1 day') on conflict do nothing`,
      `insert into course_grants (course_id, images) select max(id), array[E'"image"'] from courses`,
      `insert into deleted_tasks select 'exam', $exam, 1, 'Task "1"', 5, 0`,
      `insert into assessment_files (kind, assessment_id, task_id, path, owner, mode, bytes, digest)
      select assessment_kind, assessment_id, id, E'/srv/"Ünï"', 'root', '0644', 3, md5('x') from assessment_tasks`,
      `insert into refused_publications (user_id, kind, assessment_id, report) select $user, 'exam', $exam, '{"tasks": ["\\u0000ü"]}'`,
      `insert into assessment_revisions (kind, assessment_id, revision, container_image, passing_score, max_score, is_sequential, content)
      select 'exam', $exam, 1, 'image', 1, 2, false, '${content}'`,
      `insert into assessment_revision_contents select max(id), md5('x') from assessment_revisions`,
      `update attempts set revision_id = (select max(id) from assessment_revisions), image_id = 'sha256:1' where container_name = 'finished'`,
    ],
    {
      $exam: `(select max(id) from assessments where kind = 'exam')`,
      $laboratory: `(select max(id) from assessments where kind = 'laboratory')`,
    },
  );
}

/** The same in the schema of release 0.2.0, with exams and laboratories that were deleted and can be restored. */
export async function oneRowEachOfBaseline(db: Database, userId: number): Promise<void> {
  await run(
    db,
    userId,
    [
      ...lessons,
      `insert into exams (title, container_image, time_limit_minutes, passing_score) values ('Exam', 'image', 60, 1), ('Gone', 'image', 60, 1)`,
      `delete from exams where title = 'Gone'`,
      `insert into laboratories (title, container_image, passing_score, is_sequential, section_id)
      select 'Laboratory', 'image', 1, true, max(id) from sections`,
      `insert into exam_tasks (exam_id, title, points, verification_script) select max(id), 'Task', 5, E'#!/bin/bash\\necho "PASS"\\n' from exams`,
      `insert into laboratory_tasks (laboratory_id, title, points, verification_script, hint) select max(id), 'Task', 5, 'x', 'Hint' from laboratories`,
      ...attempts('kind, exam_id, laboratory_id', `'exam', $exam, null`, `'laboratory', null, $laboratory`),
      ...people,
      `insert into grade_book_subjects (class_id, exam_id, weight, counted_attempt) select max(classes.id), max(exams.id), 2.5, 'last' from classes, exams`,
      `insert into grade_book_subjects (class_id, laboratory_id) select max(classes.id), max(laboratories.id) from classes, laboratories`,
      ...sessions,
      `insert into laboratory_deadlines select max(classes.id), max(laboratories.id), now() from classes, laboratories`,
      ...rest,
      `insert into deleted_tasks select 'exam', max(id), 1, 'Task "1"', 5, 0 from exams`,
      `insert into setup_files (exam_id, exam_task_id, path, owner, mode, bytes, digest)
      select max(exam_id), max(id), E'/srv/"Ünï"', 'root', '0644', 3, md5('x') from exam_tasks`,
      `insert into setup_files (laboratory_id, path, owner, mode, bytes, digest) select max(id), '/srv/x', 'root', '0644', 3, md5('x') from laboratories`,
      `insert into refused_publications (user_id, exam_id, report) select $user, max(id), '{"tasks": ["\\u0000ü"]}' from exams`,
      `insert into refused_publications (user_id, laboratory_id, report) select $user, max(id), '{}' from laboratories`,
      `insert into subject_states (exam_id, digest, container_image, passing_score, max_score, is_sequential, content)
      select max(id), md5('state'), 'image', 1, 2, false, '${content}' from exams`,
      `insert into subject_states (digest, container_image, passing_score, max_score, is_sequential, content)
      values (md5('gone'), 'image', 1, 2, false, '${content}')`,
      `insert into subject_state_contents select max(id), md5('x') from subject_states`,
      `update attempts set state_id = (select min(id) from subject_states), image_id = 'sha256:1' where container_name = 'finished'`,
      `update attempts set state_id = (select max(id) from subject_states) where container_name = 'graded'`,
    ],
    { $exam: '(select max(id) from exams)', $laboratory: '(select max(id) from laboratories)' },
  );
}

async function run(
  db: Database,
  userId: number,
  statements: readonly string[],
  values: Readonly<Record<string, string>>,
): Promise<void> {
  for (const statement of statements) {
    const text = Object.entries({ ...values, $user: `${userId}` }).reduce(
      (all, [name, value]) => all.replaceAll(name, value),
      statement,
    );
    await sql.raw(text).execute(db);
  }
}

const content = '{"title": "\\"Ünï\\" \\\\", "tasks": [], "files": []}';

const lessons = [
  `insert into login_throttles values ('key', 1, now(), now()) on conflict do nothing`,
  `insert into courses (name, slug, description) values (E'Line\\n"end" \\\\ Ünï 日本', 'carried', E'tab\\t')`,
  `insert into sections (course_id, name, slug) select max(id), 'Section', 'carried' from courses`,
  `insert into themes (section_id, title, slug, markdown_file_path) select max(id), 'Theme', 'carried', 'a/b.md' from sections`,
  `insert into themes (section_id, title, slug, markdown_file_path) select max(id), 'Next', 'next', 'a/c.md' from sections`,
  `insert into theme_progress select $user, max(id), true, now() from themes`,
  `insert into sandbox_templates (name, slug, image, memory_mb, cpus) values ('Template', 'carried', 'image', 64, 0.1)`,
];

/** An attempt of each state. @param columns those of the assessment, and their values */
const attempts = (columns: string, ofExam: string, ofLaboratory: string) => [
  `insert into attempts (${columns}, user_id, title, container_name, status, expires_at, submitted_at, score, passed, max_score, passing_score, integrity)
    select ${ofExam}, $user, 'Exam', 'finished', 'finished', now() + interval '1 hour', now(), 5, true, 5, 1, '["/usr/bin/id"]'`,
  `insert into task_results (attempt_id, task_id, title, order_index, points, points_earned, passed, output)
    select max(id), 1, 'Task', 0, 5, 5, true, E'PASS "quoted" \\\\ Ünï' from attempts`,
  `insert into attempts (${columns}, user_id, title, container_name, status, expires_at, max_score, passing_score)
    select ${ofExam}, $user, 'Exam', 'running', 'in_progress', now() + interval '1 hour', 5, 1`,
  `insert into attempts (${columns}, user_id, title, container_name, status, grading_beat_at, max_score, passing_score)
    select ${ofLaboratory}, $user, 'Laboratory', 'graded', 'grading', now(), 5, 1`,
  `insert into containers (name, user_id, kind, image, attempt_id, engine_ref, status)
    select 'running', $user, 'exam', 'image', id, 'ref', 'running' from attempts where container_name = 'running'`,
  `insert into activity_log (user_id, actor_id, type, title, details) values ($user, $user, 'register', 'x', '{"a": [1, 2.50, "\\u00fc"]}')`,
  `insert into attempts (kind, user_id, title, container_name, status, asked_at, max_score, passing_score)
    values ('laboratory', $user, 'Laboratory', 'queued', 'queued', now(), 5, 1)`,
];

const people = [
  `insert into registration_codes (code, note, max_uses) values ('CARRIED2345', E'"Spring" \\ Ünï', 60) on conflict do nothing`,
  `insert into known_devices (user_id, device) values ($user, 'device') on conflict do nothing`,
  `insert into login_cookies (family_hash, secret_hash, user_id, login, valid_from, expires_at)
    values ('family', 'secret', $user, 'login', now(), now() + interval '8 hours') on conflict do nothing`,
  `insert into network_limits (network, limit_met) values ('192.0.2.0/24', 'logins') on conflict do nothing`,
  `insert into user_imports (actor_id, total, problems, status, finished_at) values ($user, 2, '[{"code": "taken"}]', 'failed', now())`,
  `insert into user_imports (actor_id, total) values ($user, 2) on conflict do nothing`,
  `insert into user_import_lines (import_id, line, username, email, full_name, role, sealed_password)
    select max(id), 2, 'import-ed', 'import@example.com', E'"Ünï"', 'student', '\\x00ff' from user_imports`,
  `insert into invitations (user_id, import_id, code_hash, expires_at)
    select $user, max(id), 'hash', now() from user_imports on conflict do nothing`,
  `insert into classes (name, description) values (E'"10b" \\ Ünï', E'line\nend')`,
  `insert into class_members (class_id, user_id, role) select max(id), $user, 'instructor' from classes`,
  `insert into class_courses select max(classes.id), max(courses.id) from classes, courses`,
  `insert into class_join_codes (class_id, code, email_domain) select max(id), 'CLASS' || max(id) || '23456', 'example.com' from classes`,
  `insert into grade_books (class_id, missing, drop_lowest, passing_percent, is_visible) select max(id), 'ignored', 1, 50.25, true from classes`,
  `insert into grade_columns (class_id, name, max_score) select max(id), E'"Essay" \\ Ünï', 12.5 from classes`,
  `insert into grade_values (column_id, user_id, value) select max(id), $user, 7.25 from grade_columns`,
];

const sessions = [
  `insert into exam_sessions (exam_id, class_id, title, opens_at, closes_at, networks, access_code_hash)
    select $exam, max(classes.id), E'"Exam" \\ Ünï', now(), now() + interval '1 hour', '{192.0.2.0/24,2001:db8::/32}', 'hash'
    from classes`,
  `insert into exam_accommodations (session_id, user_id, time_factor) select max(id), $user, 1.25 from exam_sessions`,
  `insert into exam_messages (session_id, user_id, text) select max(id), $user, E'"10" \\ minutes\nleft' from exam_sessions`,
  `update attempts set session_id = (select max(id) from exam_sessions), extra_seconds = 0.5 where container_name = 'running'`,
  `insert into exam_sessions (exam_id, title, opens_at, closes_at) select $exam, 'Resit', now(), now() + interval '1 hour'`,
  `insert into exam_session_users (session_id, user_id) select max(id), $user from exam_sessions`,
  `insert into class_accommodations (class_id, user_id, extra_attempts, break_minutes) select class_id, user_id, 1, 10 from class_members limit 1`,
  'update exam_sessions set is_locked_down = true',
  'update exam_accommodations set break_minutes = 15',
  `update attempts set break_seconds = 2.5 where container_name = 'running'`,
];

const rest = [
  `insert into announcements (class_id, author_id, title, text) select max(id), $user, E'"Room" \\ Ünï', E'# Line\n*end*' from classes`,
  `insert into announcement_reads (announcement_id, user_id) select max(id), $user from announcements`,
  `insert into notifications (user_id, key, kind, session_id, until) select $user, 'exam_opens:' || max(id), 'exam_opens', max(id), now() from exam_sessions
    on conflict do nothing`,
  `insert into notification_settings values ($user, '{results,deadline}') on conflict do nothing`,
  `insert into lesson_notes (user_id, theme_id, heading, excerpt, text)
    select $user, max(id), 'lesson-ü', E'"Line" \\ one', E'a\nnote' from themes`,
  `update lesson_texts set source = 'file', body = E'A "text" \\ ünï'`,
  `insert into terminals (id, container_id, user_id, process_id, holder, cols, rows, picture, picture_at)
    select 'terminal', id, $user, 2147483647, '/socket', 80, 24, 'picture', 7 from containers where name = 'running'`,
  `insert into deletions (kind, entity_id, title, deleted_by) values ('course', 2000000000, E'"Gone" \\ Ünï', $user)`,
  `insert into deleted_rows (deletion_id, table_name, is_reference, key, data, user_id)
    select max(id), 'courses', false, '{"id": 2000000000}', '{"name": "Ünï"}', $user from deletions`,
  `insert into setup_contents (digest, bytes) values ('written', 3)`,
  `insert into setup_content_parts (digest, part, content) values ('written', 0, '\\x00ff0a')`,
  `insert into written_files (path, revision, digest, bytes) values ('course/ü "1".md', 2, 'written', 3)`,
  `insert into written_revisions (file_id, revision, path, digest, bytes, message, author_id)
    select id, 1, 'old.md', 'written', 3, E'Line\\n"one"', $user from written_files
    union all select id, 2, path, 'written', 3, '', null from written_files`,
  'update themes set is_written = true where id = (select max(id) from themes)',
  `insert into course_repositories (course_id, outline) select max(id), '{"slug": "ünï", "sections": []}' from courses`,
  `insert into lesson_repositories (name, url, branch, username, sealed_key, commit, updated_at, error, failed_at)
    values ('Private', 'https://example.com/lessons.git', 'main', 'git', '\\x00ff0a'::bytea, 'abc', now(), 'Why', now())`,
  'update courses set repository_id = (select max(id) from lesson_repositories)',
  `insert into setup_contents (digest, bytes) values (md5('x'), 3) on conflict do nothing`,
  `insert into setup_content_parts values (md5('x'), 0, '\\x00ff5c') on conflict do nothing`,
  'update themes set template_id = (select max(id) from sandbox_templates)',
  `insert into recordings (attempt_id, key, cols, rows, ended_at) select id, md5('r') || '01234567', 80, 24, now()
    from attempts where container_name = 'finished'`,
];
