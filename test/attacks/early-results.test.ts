import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { sql } from 'kysely';
import { Classroom } from '../classroom.ts';
import { Cut } from '../reliability/cut.ts';
import { describeLong } from '../rounds.ts';
import { engineSkip, type TestUser, testEngine } from '../server.ts';
import { until } from '../until.ts';

/** After the verdict of the first check, the second one waits for the test. */
const scripts = [
  'echo the first verdict; echo PASS',
  'touch /home/student/begun; until [ -e /home/student/go ]; do sleep 0.1; done; echo PASS',
];

/** Students try to read results of an exam before their attempt has ended. */
describeLong('results of an exam before its end', { skip: engineSkip }, () => {
  let cut: Cut;
  let room: Classroom;
  let exam: number;
  before(async () => {
    const engine = await testEngine();
    assert.ok('options' in engine);
    const { socketPath, host, port } = engine.options;
    cut = new Cut(socketPath ? { path: socketPath } : { host: host ?? '', port: Number(port) });
    const options = { host: '127.0.0.1', port: await cut.start(), protocol: 'http' as const };
    room = await Classroom.open({}, { engine: { options } });
    exam = await room.make('exam', scripts);
  });
  after(async () => {
    cut?.restore();
    await room?.[Symbol.asyncDispose]();
    await cut?.[Symbol.asyncDispose]();
  });

  const submit = (user: TestUser) => room.server.post(`/api/exams/${exam}/submit`, user.token);
  const saved = (id: number) =>
    room.server.application.db.selectFrom('task_results').selectAll().where('attempt_id', '=', id).execute();
  const stateOf = async (id: number) =>
    (
      await room.server.application.db
        .selectFrom('attempts')
        .select('status')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    ).status;

  /** An attempt that is being graded and has the first of its two verdicts. */
  async function halfGraded() {
    const user = await room.server.user();
    const { attempt_id: id, container_name } = await room.start(user, 'exam', exam);
    const submission = submit(user);
    await room.asStudent(container_name, 'until [ -e ~/begun ]; do sleep 0.05; done');
    await until(async () => (await saved(id)).length === 1, 'the first verdict');
    return { user, id, submission, letGo: () => room.asStudent(container_name, 'touch ~/go') };
  }

  /** Everything that a student can read about attempts. */
  async function assertNothingTold({ token }: TestUser, id: number, status: string): Promise<void> {
    for (const path of [`/api/exams/attempts/${id}/results`, '/api/exams/attempts/active']) {
      const { body } = await room.server.get(path, token);
      const { results, score, passed, integrity } = body;
      const told = { status: body.status, results, score, passed, integrity };
      assert.deepEqual(told, { status, results: [], score: null, passed: null, integrity: undefined }, path);
    }
    const paths = [
      '/api/exams/attempts',
      '/api/exams',
      `/api/exams/${exam}`,
      '/api/dashboard/activity',
      '/api/dashboard/analytics',
      '/api/dashboard/stats',
    ];
    for (const path of paths) {
      const { status: code, text } = await room.server.get(path, token);
      assert.equal(code, 200, path);
      assert.ok(!/the first verdict|"points_earned"|"passed":(true|false)|"score":\d/.test(text), `${path}: ${text}`);
    }
    const stats = (await room.server.get('/api/dashboard/stats', token)).body;
    assert.deepEqual([stats.exams_passed, stats.average_score_percent], [0, null]);
    assert.deepEqual((await room.server.get('/api/dashboard/analytics', token)).body.scores, []);
  }

  it('are hidden from the student during the grading; instructors and administrators see them', async () => {
    const { user, id, submission, letGo } = await halfGraded();
    await assertNothingTold(user, id, 'grading');
    const progress = (await room.server.get(`/api/exams/attempts/${id}/results`, user.token)).body;
    assert.equal(progress.graded_count, 1, 'how many of its tasks were graded, not how');
    for (const [path, { token }] of [
      [`/api/exams/attempts/${id}/results`, room.instructor],
      [`/api/instructor/attempts/${id}`, room.instructor],
      [`/api/admin/attempts/${id}`, room.admin],
    ] as const) {
      const { body } = await room.server.get(path, token);
      assert.deepEqual([body.results.length, body.results[0]?.output], [1, 'the first verdict\nPASS\n'], path);
    }
    await letGo();
    const { status, body } = await submission;
    assert.deepEqual([status, body.score, body.results.length], [200, 3, 2]);
    assert.deepEqual((await room.server.get(`/api/exams/attempts/${id}/results`, user.token)).body, body);
  });

  it('are discarded when the connection to the container is lost; the next submission grades everything', async () => {
    const { user, id, submission, letGo } = await halfGraded();
    const [first] = await saved(id);
    cut.cut();
    const refused = await submission;
    assert.equal(refused.status, 503, refused.text);
    assert.ok(!/verdict|PASS/.test(refused.text));
    cut.restore();
    await assertNothingTold(user, id, 'in_progress');
    assert.deepEqual(await saved(id), []);
    await letGo();
    const again = await submit(user);
    assert.deepEqual([again.status, again.body.score], [200, 3], again.text);
    assert.ok(again.body.results[0].graded_at > (first?.graded_at.toISOString() ?? ''), 'it was graded again');
  });

  it('are discarded when the grading process ended early', async () => {
    const user = await room.server.user();
    const { attempt_id: id, container_name } = await room.start(user, 'exam', exam);
    const { db } = room.server.application;
    const row = { attempt_id: id, task_id: 1, title: 'Task 1', order_index: 1, points: 1, points_earned: 1 };
    await db
      .insertInto('task_results')
      .values({ ...row, passed: true, output: 'the first verdict' })
      .execute();
    const past = sql<Date>`now() - interval '1 minute'`;
    await db
      .updateTable('attempts')
      .set({ status: 'grading', submitted_at: past, grading_beat_at: past })
      .where('id', '=', id)
      .execute();
    await room.server.reconcile();
    await assertNothingTold(user, id, 'in_progress');
    assert.deepEqual(await saved(id), []);
    await room.asStudent(container_name, 'touch ~/go');
    assert.equal((await submit(user)).body.score, 3);
  });

  it('are discarded when the container is lost, and stay hidden', async () => {
    const { user, id, submission } = await halfGraded();
    const { token } = user;
    const [name = ''] = (await room.names()).filter((one) =>
      one.startsWith(room.engineName(`exam-${exam}-user-${user.id}-`)),
    );
    await room.docker.getContainer(name).remove({ force: true });
    // While the engine is removing the container, the service may see it as unreachable.
    let refused = await submission;
    if (refused.status === 503) refused = await submit(user);
    assert.equal(refused.status, 409, refused.text);
    const { body } = await room.server.get(`/api/exams/attempts/${id}/results`, token);
    assert.deepEqual([body.status, body.results, body.score], ['abandoned', [], null]);
    assert.deepEqual(await saved(id), []);
  });

  it('come from one submission, which continues when its client disconnects', async () => {
    const user = await room.server.user();
    const { attempt_id: id, container_name } = await room.start(user, 'exam', exam);
    const leaving = new AbortController();
    const headers = { authorization: `Bearer ${user.token}` };
    const { signal } = leaving;
    const request = fetch(`${room.server.url}/api/exams/${exam}/submit`, { method: 'POST', headers, signal });
    await room.asStudent(container_name, 'until [ -e ~/begun ]; do sleep 0.05; done');
    leaving.abort();
    await assert.rejects(request, { name: 'AbortError' });
    // Every part of the service has noticed the disconnection by now. The grading continues.
    await until(async () => (await saved(id)).length === 1, 'the first verdict');
    await assertNothingTold(user, id, 'grading');
    const abandoned = await room.server.post(`/api/exams/attempts/${id}/abandon`, user.token);
    assert.equal(abandoned.status, 409, abandoned.text);
    await room.asStudent(container_name, 'touch ~/go');
    await until(async () => (await stateOf(id)) === 'finished', 'the end of the grading');
    const { body } = await room.server.get(`/api/exams/attempts/${id}/results`, user.token);
    assert.deepEqual([body.score, body.results.length], [3, 2]);
  });
});
