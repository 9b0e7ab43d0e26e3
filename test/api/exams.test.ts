import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { Classroom } from '../classroom.ts';
import { createTestDatabase } from '../database.ts';
import { image } from '../made-assessment.ts';
import { engineSkip, TestServer, type TestUser } from '../server.ts';
import { until } from '../until.ts';

describe('exams', { skip: engineSkip }, () => {
  let server: TestServer;
  let admin: TestUser;
  let instructor: TestUser;

  let room: Classroom;
  before(async () => {
    room = await Classroom.open();
    ({ server, admin, instructor } = room);
  });
  after(() => room?.[Symbol.asyncDispose]());

  const exam = (scripts: string[], more: object = {}) => room.make('exam', scripts, more);
  const start = (user: TestUser, id: number) => room.start(user, 'exam', id);

  // Long: one attempt from its start to its results, and each step stands on the one before.
  it('runs from start to results: one container, graded tasks, then the container is removed', async () => {
    const user = await server.user();
    const id = await exam(['test -f /home/student/done && echo PASS || echo FAIL', 'echo looking; echo FAIL']);
    const started = await server.post(`/api/exams/${id}/start`, user.token);
    assert.equal(started.status, 201, started.text);
    const { attempt_id, container_id, container_name, ...rest } = started.body;
    assert.deepEqual(
      { ...rest, started_at: 0, expires_at: 0 },
      { exam_id: id, session_id: null, status: 'in_progress', started_at: 0, expires_at: 0 },
    );
    assert.match(container_name, new RegExp(`^exam-${id}-user-${user.id}-\\d{10}$`));
    assert.equal(Date.parse(rest.expires_at) - Date.parse(rest.started_at), 30 * 60_000);
    assert.ok((await room.names()).includes(room.engineName(container_name)));

    const container = await server.get(`/api/containers/${container_id}`, user.token);
    assert.deepEqual(
      [container.body.kind, container.body.status, container.body.expires_at],
      ['exam', 'running', rest.expires_at],
    );
    for (const action of ['start', 'stop']) {
      assert.equal((await server.post(`/api/containers/${container_id}/${action}`, user.token)).status, 409);
    }
    assert.equal((await server.delete(`/api/containers/${container_id}`, user.token)).status, 409);
    assert.deepEqual((await server.get('/api/containers/sandbox', user.token)).body, []);

    const second = await server.post(`/api/exams/${id}/start`, user.token);
    assert.deepEqual(
      [second.status, second.code, second.body],
      [409, 'attempt_active', { detail: 'An attempt is active already' }],
    );
    const other = await exam(['echo PASS']);
    assert.equal(
      (await server.post(`/api/exams/${other}/start`, user.token)).status,
      409,
      'one active attempt a user, whatever the exam',
    );

    const active = await server.get('/api/exams/attempts/active', user.token);
    const told = Date.parse(active.headers.get('Service-Time') ?? '');
    assert.ok(Math.abs(told - Date.now()) < 60_000, 'the time of the service travels with the attempt');
    assert.deepEqual(
      [active.body.id, active.body.container_id, active.body.status],
      [attempt_id, container_id, 'in_progress'],
    );

    await room.asStudent(container_name, 'touch ~/done');
    const submitted = await server.post(`/api/exams/${id}/submit`, user.token);
    assert.equal(submitted.status, 200, submitted.text);
    const { results, ...attempt } = submitted.body;
    assert.deepEqual(
      { ...attempt, started_at: 0, submitted_at: 0, expires_at: 0 },
      {
        conclusion: '',
        id: attempt_id,
        exam_id: id,
        ...{ session_id: null, paused_at: null, break_ends_at: null, break_seconds_left: null, messages: [] },
        ...{ is_ended_by_staff: false, ended_by: null },
        user_id: user.id,
        title: 'Trial',
        container_id: null,
        container_name,
        status: 'finished',
        started_at: 0,
        submitted_at: 0,
        expires_at: 0,
        score: 1,
        max_score: 3,
        passing_score: 1,
        passed: true,
        is_awaiting_grading: false,
        needs_machine: true,
        revision: (await server.get(`/api/exams/${id}`, user.token)).body.revision,
        grading_error: null,
        grading_error_code: null,
        is_work_removed: false,
        graded_count: 2,
      },
    );
    assert.deepEqual(
      results.map(({ title, passed, points, points_earned, output }: Record<string, unknown>) => [
        title,
        passed,
        points,
        points_earned,
        output,
      ]),
      [
        ['Task 1', true, 1, 1, 'PASS\n'],
        ['Task 2', false, 2, 0, 'looking\nFAIL\n'],
      ],
    );
    const { started_at, submitted_at } = submitted.body;
    assert.ok(started_at < submitted_at);
    assert.ok(results.every(({ graded_at }: { graded_at: string }) => graded_at >= submitted_at));
    assert.deepEqual((await server.get(`/api/exams/attempts/${attempt_id}/results`, user.token)).body, submitted.body);
    assert.equal((await server.get(`/api/containers/${container_id}`, user.token)).status, 404);
    assert.equal((await server.get('/api/exams/attempts/active', user.token)).status, 404);
    assert.equal((await server.get('/api/exams/attempts/active?is_optional=true', user.token)).text, 'null');
    await until(async () => !(await room.names()).includes(room.engineName(container_name)), 'the container to go');

    const list = await server.get('/api/exams/attempts', user.token);
    assert.deepEqual(
      list.body.map((row: { id: number }) => row.id),
      [attempt_id],
    );
    const types = await server.application.db
      .selectFrom('activity_log')
      .select('type')
      .where('user_id', '=', user.id)
      .orderBy('id')
      .execute();
    assert.deepEqual(
      types.map(({ type }) => type),
      ['register', 'exam_start', 'exam_submit'],
    );
  });

  it('shows scripts to instructors and administrators only', async () => {
    const id = await exam(['# secret\necho PASS']);
    const student = await server.user();
    for (const path of ['/api/exams', `/api/exams/${id}`]) {
      const seen = await server.get(path, student.token);
      assert.equal(seen.status, 200);
      assert.ok(!seen.text.includes('secret') && !seen.text.includes('verification_script'), path);
      assert.ok((await server.get(path, instructor.token)).text.includes('secret'), path);
      assert.ok((await server.get(path, admin.token)).text.includes('secret'), path);
      assert.equal((await server.get(path)).status, 401);
    }
    const one = (await server.get(`/api/exams/${id}`, student.token)).body;
    assert.deepEqual([one.task_count, one.max_score, one.tasks.length], [1, 1, 1]);
  });

  it('shows exams to everybody if the catalogue is anonymous', async () => {
    await using open = await TestServer.start({ ANONYMOUS_CATALOGUE: 'true' });
    assert.equal((await open.get('/api/exams')).status, 200);
    assert.equal((await open.get('/api/sandbox-templates')).status, 200);
    assert.equal((await open.get('/api/exams/1')).status, 404);
    assert.equal((await open.get('/api/exams', 'nonsense')).status, 401);
    assert.equal((await open.get('/api/lessons/courses')).status, 401);
  });

  it('refuses invalid starts and submissions', async () => {
    const user = await server.user();
    const empty = await exam([]);
    const missing = await exam(['echo PASS'], { container_image: 'no-such-image' });
    assert.deepEqual(
      [
        (await server.post('/api/exams/999999/start', user.token)).status,
        (await server.get('/api/exams/999999', user.token)).status,
      ],
      [404, 404],
    );
    assert.equal((await server.post(`/api/exams/${empty}/submit`, user.token)).status, 404);
    assert.equal((await server.post('/api/exams/x/start', user.token)).status, 422);
    assert.equal((await server.post(`/api/exams/${empty}/start`)).status, 401);

    const refused = await server.post(`/api/exams/${missing}/start`, user.token);
    assert.equal(refused.status, 503);
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    const left = await server.application.db
      .selectFrom('attempts')
      .select('id')
      .where('user_id', '=', user.id)
      .execute();
    assert.deepEqual(left, [], 'no attempt was used up');
    await until(
      async () =>
        (await server.application.db.selectFrom('containers').select('id').where('user_id', '=', user.id).execute())
          .length === 0,
      'the record to go',
    );
  });

  it('hides attempts from other students, and shows them to instructors', async () => {
    const [owner, other] = [await server.user(), await server.user()];
    const id = await exam(['echo PASS']);
    const { attempt_id, container_id } = await start(owner, id);
    assert.equal((await server.get(`/api/exams/attempts/${attempt_id}/results`, other.token)).status, 404);
    assert.equal((await server.post(`/api/exams/attempts/${attempt_id}/abandon`, other.token)).status, 404);
    assert.equal((await server.post(`/api/exams/attempts/${attempt_id}/abandon`, instructor.token)).status, 404);
    assert.equal((await server.get(`/api/containers/${container_id}`, other.token)).status, 404);
    assert.equal((await server.post(`/api/exams/${id}/submit`, other.token)).status, 404);
    assert.equal((await server.get(`/api/exams/attempts/${attempt_id}/results`, instructor.token)).status, 200);

    await server.application.db
      .updateTable('assessments')
      .where('kind', '=', 'exam')
      .set({ is_active: false })
      .where('id', '=', id)
      .execute();
    await until(
      async () => (await server.get(`/api/exams/${id}`, other.token)).status === 404,
      'the exam to be retired',
    );
    const seen = await server.get(`/api/exams/${id}`, owner.token);
    assert.deepEqual([seen.status, seen.body.tasks.length], [200, 1], 'who is in the middle of it sees its tasks');
    assert.ok(!seen.text.includes('verification_script'));
    await server.application.db
      .updateTable('assessments')
      .where('kind', '=', 'exam')
      .set({ is_active: true })
      .where('id', '=', id)
      .execute();
    await until(async () => (await server.get(`/api/exams/${id}`, other.token)).status === 200, 'the exam to be back');

    const abandoned = await server.post(`/api/exams/attempts/${attempt_id}/abandon`, owner.token);
    assert.deepEqual([abandoned.status, abandoned.body.status, abandoned.body.score], [200, 'abandoned', null]);
    assert.equal((await server.post(`/api/exams/attempts/${attempt_id}/abandon`, owner.token)).status, 409);
    await start(owner, id);
  });

  it('creates one attempt and container from concurrent starts', async () => {
    const user = await server.user();
    const id = await exam(['echo PASS']);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => server.post(`/api/exams/${id}/start`, user.token)),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array.from({ length: 19 }, () => 409)]);
    assert.equal(
      (await room.names()).filter((name) => name.startsWith(room.engineName(`exam-${id}-user-${user.id}-`))).length,
      1,
    );
  });

  it('grades once for concurrent submissions', async () => {
    const user = await server.user();
    const id = await exam(['date +%N; echo PASS']);
    const { attempt_id } = await start(user, id);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => server.post(`/api/exams/${id}/submit`, user.token)),
    );
    const graded = answers.filter(({ status }) => status === 200);
    assert.ok(graded.length >= 1);
    assert.equal(new Set(graded.map(({ text }) => text)).size, 1, 'one grading');
    assert.ok(answers.every(({ status }) => [200, 404, 409].includes(status)));
    const results = await server.application.db
      .selectFrom('task_results')
      .selectAll()
      .where('attempt_id', '=', attempt_id)
      .execute();
    assert.equal(results.length, 1);
  });

  it('grades an attempt automatically at its deadline', async () => {
    const user = await server.user();
    const id = await exam(['echo PASS', 'echo FAIL']);
    const { attempt_id } = await start(user, id);
    const { db } = server.application;
    await db
      .updateTable('attempts')
      .set({ expires_at: sql<Date>`now() - interval '1 second'` })
      .where('id', '=', attempt_id)
      .execute();
    await server.reconcile();
    const { body } = await server.get(`/api/exams/attempts/${attempt_id}/results`, user.token);
    assert.deepEqual([body.status, body.score, body.passed, body.submitted_at], ['expired', 1, true, body.expires_at]);
    assert.equal((await server.post(`/api/exams/${id}/submit`, user.token)).status, 404);
  });

  it('grades it with the job queued for its deadline', async () => {
    const user = await server.user();
    const id = await exam(['echo PASS']);
    const { attempt_id } = await start(user, id);
    const { db } = server.application;
    // An hour passes: the deadline is now, for the attempt and for its job.
    await until(async () => {
      const due =
        await sql`update jobs.job set start_after = now() where name = 'attempt-expiry' and data->>'attempt_id' = ${`${attempt_id}`}`.execute(
          db,
        );
      return due.numAffectedRows === 1n;
    }, 'the job to be queued');
    await db.updateTable('attempts').set({ expires_at: sql<Date>`now()` }).where('id', '=', attempt_id).execute();
    const results = () => server.get(`/api/exams/attempts/${attempt_id}/results`, user.token);
    await until(async () => (await results()).body.status === 'expired', 'the attempt to expire');
    const { body } = await results();
    assert.deepEqual([body.score, body.submitted_at], [1, body.expires_at]);
  });

  it('grades overdue and interrupted attempts after a restart', async () => {
    await using database = await createTestDatabase();
    const ids: number[] = [];
    {
      await using first = await TestServer.start({}, { database: database.address });
      const [boss, users] = [await first.user('admin'), [await first.user(), await first.user()]];
      const fields = { title: 'Trial', container_image: image, time_limit_minutes: 30, passing_score: 1 };
      const { id } = (await first.post('/api/admin/exams', boss.token, fields)).body;
      await first.post(`/api/admin/exams/${id}/tasks`, boss.token, {
        title: 'T',
        points: 1,
        verification_script: 'echo PASS',
      });
      for (const user of users) ids.push((await first.post(`/api/exams/${id}/start`, user.token)).body.attempt_id);
      const [due = 0, dying = 0] = ids;
      const { db } = first.application;
      const past = sql<Date>`now() - interval '1 minute'`;
      await db.updateTable('attempts').set({ expires_at: past }).where('id', '=', due).execute();
      await db
        .updateTable('attempts')
        .set({ status: 'grading', expires_at: past, submitted_at: past, grading_beat_at: past })
        .where('id', '=', dying)
        .execute();
      first.keepContainers();
    }
    await using second = await TestServer.start({}, { database: database.address });
    const { db } = second.application;
    const statuses = async () =>
      (await db.selectFrom('attempts').select(['status', 'score']).where('id', 'in', ids).execute()).map(
        ({ status, score }) => `${status} ${score}`,
      );
    await until(async () => (await statuses()).every((status) => status === 'expired 1'), 'both to be graded');
    await until(
      async () => (await db.selectFrom('containers').select('id').execute()).length === 0,
      'their containers to go',
    );
  });

  it('treats a submission after the deadline as one at the deadline', async () => {
    const user = await server.user();
    const id = await exam(['echo PASS']);
    const { attempt_id } = await start(user, id);
    await server.application.db
      .updateTable('attempts')
      .set({ expires_at: sql<Date>`now()` })
      .where('id', '=', attempt_id)
      .execute();
    const { body } = await server.post(`/api/exams/${id}/submit`, user.token);
    assert.deepEqual([body.status, body.submitted_at], ['expired', body.expires_at]);
  });

  it('reads fields of exams and tasks from the query string and JSON', async () => {
    const query = new URLSearchParams({
      title: 'By query',
      container_image: image,
      time_limit_minutes: '45',
      passing_score: '5',
      description: 'ü&=',
    });
    const created = await server.post(`/api/admin/exams?${query}`, admin.token);
    assert.equal(created.status, 201, created.text);
    assert.deepEqual(
      [created.body.title, created.body.time_limit_minutes, created.body.description],
      ['By query', 45, 'ü&='],
    );
    const task = new URLSearchParams({ title: 'T', points: '3', verification_script: 'echo PASS\n' });
    const added = await server.post(`/api/admin/exams/${created.body.id}/tasks?${task}`, admin.token);
    assert.deepEqual([added.status, added.body.points, added.body.verification_script], [201, 3, 'echo PASS\n']);
  });

  it('refuses a task of a missing exam, and an exam of a missing course', async () => {
    assert.equal(
      (
        await server.post('/api/admin/exams/999999/tasks', admin.token, {
          title: 'T',
          points: 1,
          verification_script: 'x',
        })
      ).status,
      404,
    );
    assert.equal(
      (
        await server.post('/api/admin/exams', admin.token, {
          title: 'x',
          container_image: image,
          time_limit_minutes: 1,
          passing_score: 1,
          course_id: 99999,
        })
      ).status,
      404,
    );
  });

  it('lets administrators alone create exams', async () => {
    for (const user of [await server.user(), instructor]) {
      const refused = await server.post('/api/admin/exams', user.token, { title: 'x' });
      assert.deepEqual(
        [refused.status, refused.code, refused.body],
        [403, 'admin_required', { detail: 'Admin access required' }],
      );
    }
    assert.equal((await server.post('/api/admin/exams', undefined, { title: 'x' })).status, 401);
  });

  it('reports each invalid field of an exam', async () => {
    const invalid = await server.post('/api/admin/exams', admin.token, {
      title: '',
      container_image: '../x',
      time_limit_minutes: 0,
      passing_score: -1,
    });
    assert.equal(invalid.status, 422);
    assert.deepEqual(invalid.body.detail.map((item: { loc: string[] }) => item.loc[1]).sort(), [
      'container_image',
      'passing_score',
      'time_limit_minutes',
      'title',
    ]);
  });
});
