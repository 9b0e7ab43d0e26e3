import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import Docker from 'dockerode';
import { sql } from 'kysely';
import { image, makeAssessment } from '../made-assessment.ts';
import { describeLong } from '../rounds.ts';
import { engineSkip, TestServer, type TestUser, testEngine, told } from '../server.ts';
import { until } from '../until.ts';

describeLong('administration of attempts and containers', { skip: engineSkip }, () => {
  let server: TestServer;
  let docker: Docker;
  let admin: TestUser;
  let exam: number;
  before(async () => {
    server = await TestServer.start();
    const engine = await testEngine();
    if ('options' in engine) docker = new Docker(engine.options);
    admin = await server.user('admin');
    exam = await makeAssessment(server, admin, 'exam', ['echo PASS'], { time_limit_minutes: 10 });
    const template = { name: 'Shell', image, memory_mb: 128, cpus: 1 };
    assert.equal((await server.post('/api/admin/sandbox-templates', admin.token, template)).status, 201);
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
  });

  const start = async (user: TestUser) => {
    const started = await server.post(`/api/exams/${exam}/start`, user.token);
    assert.equal(started.status, 201, started.text);
    return started.body as { attempt_id: number; container_id: number; expires_at: string; started_at: string };
  };
  const containerNames = async (): Promise<string[]> =>
    (await docker.listContainers({ all: true, filters: { name: [server.config.engine.namePrefix] } })).flatMap(
      ({ Names }) => Names,
    );
  const acts = async (entity_type: string, entity_id: number) =>
    (
      await server.get(`/api/admin/activity?entity_type=${entity_type}&entity_id=${entity_id}`, admin.token)
    ).body.filter(({ type }: { type: string }) => type.startsWith('admin_'));

  // Long: one attempt in all of its states, because its container takes seconds.
  it('lists and reads the attempts of all users, extends their time, and repeats failed gradings', async () => {
    const user = await server.user();
    const { attempt_id: id, container_id, started_at, expires_at } = await start(user);
    const url = `/api/admin/attempts/${id}`;
    const list = await server.get(
      `/api/admin/attempts?user_id=${user.id}&exam_id=${exam}&status=in_progress`,
      admin.token,
    );
    assert.equal(list.headers.get('x-total-count'), '1');
    const [listed] = list.body;
    assert.deepEqual([listed.id, listed.kind, listed.container_id], [id, 'exam', container_id]);
    assert.deepEqual((await server.get(`/api/admin/attempts?user_id=${user.id}&passed=true`, admin.token)).body, []);
    assert.deepEqual(
      (await server.get(`/api/admin/attempts?user_id=${user.id}&kind=laboratory`, admin.token)).body,
      [],
    );
    const read = await server.get(url, admin.token);
    assert.deepEqual([read.status, read.body.user_id, read.body.results], [200, user.id, []]);

    const extended = await server.put(`${url}?time_limit_minutes=25`, admin.token);
    assert.equal(extended.status, 200, extended.text);
    const deadline = Date.parse(started_at) + 25 * 60_000;
    assert.equal(Date.parse(extended.body.expires_at), deadline);
    const container = await server.get(`/api/containers/${container_id}`, user.token);
    assert.equal(Date.parse(container.body.expires_at), deadline);
    // Beside the one of the old deadline, which will find that the time is not over.
    await until(async () => {
      const { rows } = await sql<{ start_after: Date }>`select start_after from jobs.job
        where name = 'attempt-expiry' and data->>'attempt_id' = ${String(id)}`.execute(server.application.db);
      return rows.some(({ start_after }) => start_after.getTime() === deadline);
    }, 'the job of the new deadline');
    const [entry] = await acts('attempt', id);
    assert.deepEqual(
      [entry.type, entry.actor_id, entry.user_id, entry.details.old, entry.details.new],
      ['admin_attempt_extend', admin.id, user.id, { expires_at }, { expires_at: extended.body.expires_at }],
    );
    const more = {
      detail: 'Only an attempt in progress with a time limit can be given more time',
      code: 'attempt_not_extendable',
    };
    const shorter = await server.put(url, admin.token, { time_limit_minutes: 5 });
    assert.deepEqual([shorter.status, told(shorter)], [409, more]);
    assert.equal((await server.put(url, admin.token, { time_limit_minutes: 0 })).status, 422);

    const notFailed = await server.post(`${url}/grade`, admin.token);
    assert.deepEqual(
      [notFailed.status, told(notFailed)],
      [
        409,
        {
          detail: 'Only an attempt in progress whose grading failed can be graded again',
          code: 'attempt_not_regradable',
        },
      ],
    );
    await server.application.db
      .updateTable('attempts')
      .set({ grading_error: 'The connection was lost' })
      .where('id', '=', id)
      .execute();
    const graded = await server.post(`${url}/grade`, admin.token);
    assert.equal(graded.status, 200, graded.text);
    assert.deepEqual(
      [graded.body.status, graded.body.passed, graded.body.grading_error, graded.body.results.length],
      ['finished', true, null, 1],
    );
    assert.equal((await acts('attempt', id))[0].type, 'admin_attempt_grade');
    const late = await server.put(url, admin.token, { time_limit_minutes: 60 });
    assert.deepEqual([late.status, told(late)], [409, more]);
    const passed = await server.get(`/api/admin/attempts?user_id=${user.id}&passed=true`, admin.token);
    assert.equal(passed.body.length, 1);
  });

  // Long: the list needs a container of each kind.
  it('lists the containers of all users, and deletes sandboxes only', async () => {
    const user = await server.user();
    const sandbox = await server.post('/api/containers/create', user.token);
    assert.equal(sandbox.status, 201, sandbox.text);
    const { container_id } = await start(user);
    const list = await server.get(`/api/admin/containers?user_id=${user.id}`, admin.token);
    assert.deepEqual(
      list.body.map(({ id }: { id: number }) => id),
      [container_id, sandbox.body.id],
    );
    const kinds = await server.get(`/api/admin/containers?user_id=${user.id}&kind=sandbox&status=running`, admin.token);
    const { kept_when_stopped: _, ...own } = sandbox.body;
    const owned = { ...own, username: user.username };
    assert.deepEqual(kinds.body, [owned]);
    const url = `/api/admin/containers/${sandbox.body.id}`;
    assert.deepEqual((await server.get(url, admin.token)).body, owned);
    const stats = await server.get('/api/admin/stats', admin.token);
    assert.equal(stats.status, 200, stats.text);
    assert.ok(stats.body.containers.sandbox >= 1 && stats.body.containers.exam >= 1, stats.text);
    assert.ok(stats.body.attempts.in_progress >= 1);
    assert.deepEqual(stats.body.users.admin, 1);
    assert.ok(stats.body.activity_last_24_hours.exam_start >= 1);

    const refused = await server.delete(`/api/admin/containers/${container_id}`, admin.token);
    assert.deepEqual(
      [refused.status, refused.code, refused.body],
      [409, 'container_of_attempt', { detail: 'This container belongs to an attempt and is removed with it' }],
    );
    const deleted = await server.delete(url, admin.token);
    assert.deepEqual([deleted.status, deleted.body], [200, { detail: 'Container deleted' }]);
    assert.equal((await server.get(url, admin.token)).status, 404);
    assert.equal((await server.delete(url, admin.token)).status, 404);
    await until(
      async () => !(await containerNames()).some((name) => name.endsWith(sandbox.body.name)),
      'the sandbox to go from the engine',
    );
    const [entry] = await acts('container', sandbox.body.id);
    assert.deepEqual(
      [entry.type, entry.title, entry.actor_id, entry.user_id],
      ['admin_container_delete', sandbox.body.name, admin.id, user.id],
    );
  });

  it('leaves no container of a deleted user, even while an exam starts', async () => {
    const settled = await server.user();
    await start(settled);
    const starting = await server.user();
    const { db } = server.application;
    const request = server.post(`/api/exams/${exam}/start`, starting.token);
    await until(
      async () =>
        (await db.selectFrom('containers').select('id').where('user_id', '=', starting.id).execute()).length > 0,
      'the container to be reserved',
    );
    for (const { id } of [starting, settled]) {
      assert.equal((await server.delete(`/api/admin/users/${id}`, admin.token)).status, 200);
    }
    const answer = await request;
    assert.ok([201, 401, 503].includes(answer.status), answer.text);
    await until(
      async () =>
        !(await containerNames()).some((name) => new RegExp(`user-(${settled.id}|${starting.id})-`).test(name)),
      'their containers to go from the engine',
    );
    await until(
      async () => (await db.selectFrom('containers').select('id').where('user_id', 'is', null).execute()).length === 0,
      'their records to go',
    );
  });

  it('lists activity with actors and users, filtered and in pages', async () => {
    const all = await server.get(`/api/admin/activity?actor_id=${admin.id}&page_size=2`, admin.token);
    assert.deepEqual([all.status, all.body.length], [200, 2]);
    assert.ok(all.body[0].id > all.body[1].id);
    const some = await server.get(`/api/admin/activity?type=admin_exam_create&entity_id=${exam}`, admin.token);
    assert.deepEqual(
      some.body.map(({ id: _id, created_at: _at, details: _details, ...rest }: Record<string, unknown>) => rest),
      [
        {
          type: 'admin_exam_create',
          title: 'Trial',
          user_id: null,
          username: null,
          actor_id: admin.id,
          actor_username: admin.username,
          entity_type: 'exam',
          entity_id: exam,
        },
      ],
    );
    assert.equal(some.body[0].details.new.container_image, image);
  });

  it('refuses missing rows and callers who are not administrators', async () => {
    for (const [method, path, detail] of [
      ['GET', 'attempts/999999', 'Attempt not found'],
      ['POST', 'attempts/999999/grade', 'Attempt not found'],
      ['PUT', 'attempts/999999?time_limit_minutes=5', 'Attempt not found'],
      ['GET', 'containers/999999', 'Container not found'],
      ['DELETE', 'containers/999999', 'Container not found'],
    ] as const) {
      const answer = await server.request(method, `/api/admin/${path}`, { token: admin.token });
      assert.deepEqual([answer.status, answer.code, answer.body], [404, 'not_found', { detail }], path);
    }
    assert.equal((await server.get('/api/admin/attempts?status=starting', admin.token)).status, 422);
    for (const role of ['student', 'instructor'] as const) {
      const { token } = await server.user(role);
      for (const [method, path] of [
        ['GET', 'attempts'],
        ['GET', 'attempts/1'],
        ['PUT', 'attempts/1'],
        ['POST', 'attempts/1/grade'],
        ['GET', 'containers'],
        ['GET', 'containers/1'],
        ['DELETE', 'containers/1'],
        ['GET', 'activity'],
        ['GET', 'stats'],
      ] as const) {
        const answer = await server.request(method, `/api/admin/${path}`, { token });
        assert.deepEqual(
          [answer.status, answer.code, answer.body],
          [403, 'admin_required', { detail: 'Admin access required' }],
          path,
        );
      }
    }
  });
});
