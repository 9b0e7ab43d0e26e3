import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import sharp from 'sharp';
import { ownData } from '../../src/features/profile/data-store.ts';
import { filesOf } from '../evidence-archive.ts';
import { oneRowEach } from '../rows-of-every-table.ts';
import { TestServer, type TestUser } from '../server.ts';
import { until } from '../until.ts';

/** Columns with a user whose rows are in the archive. */
const exported =
  `users.id logins.user_id passkeys.user_id personal_tokens.user_id user_identities.user_id address_checks.user_id
  notification_settings.user_id notifications.user_id mails.user_id class_members.user_id course_staff.user_id theme_progress.user_id
  lesson_notes.user_id grade_values.user_id attempts.user_id task_reports.user_id hands.user_id certificates.user_id
  exam_session_users.user_id exam_accommodations.user_id class_accommodations.user_id deadline_extensions.user_id
  deletion_requests.user_id recording_consents.user_id announcement_reads.user_id activity_log.user_id`.split(/\s+/);
/** Those that are not, with the reason. */
const left: Record<string, string> = {
  ...Object.fromEntries(
    ['second_factors', 'recovery_codes', 'login_cookies', 'invitations', 'mail_tokens'].map((table) => [
      `${table}.user_id`,
      'secrets, which are kept sealed or as hashes',
    ]),
  ),
  'known_devices.user_id': 'keyed hashes of networks, which say nothing',
  'progress_versions.user_id': 'a counter',
  'terminals.user_id': 'an open terminal, until it ends; recordings are exported',
  'containers.user_id': 'a machine of the moment, until it ends',
  'deleted_rows.user_id': 'copies for an undo, until they are deleted for good',
  'lti_grades.user_id': 'a copy of results, which are exported, for the book of a platform',
  'lti_members.user_id': 'why the user is a member of a class, which is exported',
  'provider_members.user_id': 'why the user is a member of a class, which is exported',
  'exam_plans.user_id': 'a mail that waits, which is exported once it is written',
  'grading_claims.user_id': 'what a grader has open now, in work of students',
  'refused_publications.user_id': 'a report on content of a course',
  ...Object.fromEntries(
    ['student_views.viewer_id', 'student_views.student_id'].map((column) => [
      column,
      'lasts minutes; it is in the activity log',
    ]),
  ),
  ...Object.fromEntries(
    [
      'activity_log.actor_id',
      'announcements.author_id',
      'attempts.ended_by',
      'attempt_comments.author_id',
      'attempt_endings.reopened_by',
    ]
      .concat([
        'deletions.deleted_by',
        'exam_messages.user_id',
        'hands.taken_by',
        'regrades.requested_by',
        'regrades.decided_by',
      ])
      .concat([
        'reopen_requests.declined_by',
        'review_requests.answered_by',
        'task_decisions.decided_by',
        'task_grades.grader_id',
      ])
      .concat(['task_reports.answered_by', 'user_imports.actor_id', 'written_revisions.author_id'])
      .map((column) => [column, 'who did it, in a row about others']),
  ),
};

/** Tables of what belongs to an attempt, which are in the archive. */
const exportedOfAttempts =
  `attempt_comments attempt_evidence attempt_signals notifications recordings reopen_requests review_requests
  task_answers task_decisions task_reports task_results`.split(/\s+/);
const leftOfAttempts: Record<string, string> = {
  certificates: 'exported by their user',
  hands: 'exported by their user',
  containers: 'a machine of the moment, until it ends',
  grading_claims: 'what a grader has open now',
  task_grades: 'what one of two graders thinks, for the staff alone; the decision is exported',
  attempt_endings: 'what an attempt was before it was reopened, for the staff alone',
  regrade_attempts: 'work on results, which are exported',
  regrade_differences: 'results that were proposed, for the staff alone',
  silent_looks: 'how far supervisors have looked at the checks',
  webhook_results: 'work that waits',
};

type ShownResult = { output: string | null; remark: string | null };

describe('the archive of what is stored about a user', () => {
  let server: TestServer;
  let user: TestUser;
  before(async () => {
    server = await TestServer.start({}, { engine: { reason: 'this test has none' } });
    user = await server.user();
  });
  after(() => server?.[Symbol.asyncDispose]());

  const archiveOf = async ({ token }: TestUser): Promise<Map<string, Buffer>> => {
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${server.url}/api/profile/data`, { headers });
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), 'application/x-tar');
    return filesOf(Buffer.from(await response.arrayBuffer()));
  };

  it('has each column with a user, or a reason why not', async () => {
    const { rows } = await sql<{ name: string }>`
      select c.conrelid::regclass || '.' || a.attname as name from pg_constraint c
      join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any(c.conkey)
      where c.contype = 'f' and c.confrelid = 'users'::regclass
      union select table_name || '.user_id' from information_schema.columns join information_schema.tables using (table_schema, table_name)
        where column_name = 'user_id' and table_schema = 'public' and table_type = 'BASE TABLE'`.execute(
      server.application.db,
    );
    const known = [...exported.filter((one) => one !== 'users.id'), ...Object.keys(left)];
    assert.deepEqual(known.sort(), rows.map(({ name }) => name).sort());
  });

  it('has each table of what belongs to an attempt, or a reason why not', async () => {
    const { rows } = await sql<{ name: string }>`
      select distinct conrelid::regclass::text as name from pg_constraint
      where contype = 'f' and confrelid in ('attempts'::regclass, 'task_results'::regclass, 'regrade_attempts'::regclass)`.execute(
      server.application.db,
    );
    const known = [...exportedOfAttempts, ...Object.keys(leftOfAttempts)];
    assert.deepEqual(known.sort(), rows.map(({ name }) => name).sort());
  });

  it('is read in an order, so that its parts neither repeat nor skip a row', () => {
    const oneRow = ['profile', 'addresses', 'notification_settings', 'hands', 'recording_consent', 'deletion'];
    const unordered = Object.entries(ownData).filter(
      ([, { rows }]) => !rows(1).compile(server.application.db).sql.includes('order by'),
    );
    assert.deepEqual(
      unordered.map(([name]) => name).filter((name) => !oneRow.includes(name)),
      [],
    );
  });

  it('has a file for every kind, with what belongs to its user alone and no secrets', async () => {
    await oneRowEach(server.application.db, user.id);
    await sql`update grade_books set is_visible = true`.execute(server.application.db);
    await sql`update task_decisions set reason = '', is_by_rubric = true, rubric_items = '[{"id": 1, "text": "No backup", "points": -2}]'`.execute(
      server.application.db,
    );
    await sql`update task_results set remark = 'It took too long'`.execute(server.application.db);
    const files = await archiveOf(user);
    const readme = files.get('README.txt')?.toString() ?? '';
    for (const name of Object.keys(ownData)) {
      assert.match(readme, new RegExp(`^${name}-N.json +\\w`, 'm'));
      const rows = JSON.parse(files.get(`${name}-1.json`)?.toString() ?? '[]') as unknown[];
      assert.ok(rows.length > 0, name);
    }
    assert.ok([...files.keys()].some((name) => /^files\/attempt-\d+-task-1\.txt$/.test(name)));
    assert.match(String(files.get('decisions-1.json')), /"text": "No backup"/);
    assert.match(String(files.get('results-1.json')), /It took too long/);
    const all = [...files.values()].map(String).join();
    assert.doesNotMatch(all, /password_hash|sealed|\$2b\$|verification_script|#!\/bin\/bash/);
    const other = await server.user();
    const others = await archiveOf(other);
    assert.equal(others.get('attempts-1.json')?.toString(), '[]\n');
    const mine = JSON.parse(others.get('profile-1.json')?.toString() ?? '') as { username: string }[];
    assert.deepEqual(
      mine.map(({ username }) => username),
      [other.username],
    );
  });

  it('has the picture of its user', async () => {
    const other = await server.user();
    assert.equal((await archiveOf(other)).has('avatar.webp'), false);
    const picture = await sharp({ create: { width: 16, height: 16, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    const body = new FormData();
    body.append('file', new Blob([new Uint8Array(picture)], { type: 'image/png' }), 'me.png');
    const saved = await server.request('POST', '/api/profile/avatar', { token: other.token, body });
    assert.equal(saved.status, 200);
    const { format } = await sharp((await archiveOf(other)).get('avatar.webp')).metadata();
    assert.equal(format, 'webp');
  });

  it('has no results that are withheld, nor those of an exam before its end', async () => {
    const { db } = server.application;
    const scores = async () => {
      const files = await archiveOf(user);
      const attempts = JSON.parse(files.get('attempts-1.json')?.toString() ?? '') as {
        kind: string;
        score: number | null;
      }[];
      const results = JSON.parse(files.get('results-1.json')?.toString() ?? '') as ShownResult[];
      const signals = JSON.parse(files.get('signals-1.json')?.toString() ?? '') as unknown[];
      const said = [files.get('notifications-1.json'), files.get('activity-1.json')].map(String).join();
      const isTold = /"grade"|admin_attempt_decide/.test(said);
      return {
        signals: signals.length,
        scores: attempts.filter(({ score }) => score !== null).length,
        results,
        isTold,
      };
    };
    await sql`insert into notifications (user_id, key, kind, attempt_id)
      select user_id, 'grade:' || id, 'grade', id from attempts on conflict do nothing`.execute(db);
    await sql`insert into activity_log (user_id, type, title, entity_type, entity_id)
      select user_id, 'admin_attempt_decide', title, 'attempt', id from attempts`.execute(db);
    const shown = await scores();
    assert.equal(shown.isTold, true);
    assert.ok(shown.scores > 0 && shown.results.some(({ output }) => output !== null));
    await sql`update attempts set withheld = 'output', session_id = null`.execute(db);
    const withoutOutput = await scores();
    assert.ok(
      withoutOutput.results.length > 0 &&
        withoutOutput.results.every(({ output, remark }) => output === null && remark === null),
    );
    await sql`update attempts set withheld = 'results'`.execute(db);
    assert.deepEqual(await scores(), { signals: 0, scores: 0, results: [], isTold: false });
    await sql`update attempts set withheld = null`.execute(db);
    const before = (await scores()).results.length;
    await sql`insert into task_results (attempt_id, task_id, title, order_index, points, points_earned, passed, output)
      select id, 9, 'Early', 0, 5, 5, true, 'PASS' from attempts where container_name = 'running'`.execute(db);
    assert.equal((await scores()).results.length, before);
  });

  it('is read once at a time, and again after a reader has left', async () => {
    const headers = { authorization: `Bearer ${user.token}` };
    await sql`insert into activity_log (user_id, type, title) select ${user.id}, 'register', repeat('x', 200) from generate_series(1, 60000)`.execute(
      server.application.db,
    );
    const reading = new AbortController();
    const first = await fetch(`${server.url}/api/profile/data`, { headers, signal: reading.signal });
    assert.equal(first.status, 200);
    const second = await server.get('/api/profile/data', user.token);
    assert.deepEqual([second.status, second.code], [429, 'too_many_requests']);
    reading.abort();
    await first.arrayBuffer().catch(() => undefined);
    await until(async () => {
      const again = await fetch(`${server.url}/api/profile/data`, { headers });
      await again.body?.cancel();
      return again.status === 200;
    }, 'another archive');
  });
});

describe('the deletion of the own account', () => {
  const path = '/api/profile/deletion';
  const outside = { engine: { reason: 'this test has none' } };

  it('is asked for soon after a login, seen by administrators, and withdrawn', async () => {
    await using server = await TestServer.start({}, outside);
    const [admin, user] = [await server.user('admin'), await server.user()];
    assert.deepEqual((await server.get(path, user.token)).body, { requested_at: null });
    const { db } = server.application;
    await sql`update logins set created_at = now() - interval '1 hour' where user_id = ${user.id}`.execute(db);
    assert.equal((await server.post(path, user.token)).code, 'login_not_recent');
    await sql`update logins set created_at = now() where user_id = ${user.id}`.execute(db);
    for (let times = 0; times < 2; times += 1) assert.equal((await server.post(path, user.token)).status, 200);
    const listed = await server.get('/api/admin/deletion-requests', admin.token);
    assert.deepEqual(
      listed.body.map((row: { user_id: number }) => row.user_id),
      [user.id],
    );
    assert.equal((await server.get('/api/admin/deletion-requests', user.token)).code, 'admin_required');
    await server.delete(path, user.token);
    assert.deepEqual((await server.get('/api/admin/deletion-requests', admin.token)).body, []);
    await server.post(path, user.token);
    assert.equal((await server.delete(`/api/admin/users/${user.id}`, admin.token)).status, 200);
    assert.deepEqual((await server.get('/api/admin/deletion-requests', admin.token)).body, []);
  });
});
