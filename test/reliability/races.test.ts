import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, it } from 'node:test';
import Docker from 'dockerode';
import { sql } from 'kysely';
import { createTestDatabase } from '../database.ts';
import { image, makeAssessment, warmedUp } from '../made-assessment.ts';
import { describeLong, rounds } from '../rounds.ts';
import { type Answer, engineSkip, TestServer, type TestUser, testEngine } from '../server.ts';
import { until } from '../until.ts';

describeLong('races', { skip: engineSkip }, () => {
  let server: TestServer;
  let docker: Docker;
  let admin: TestUser;
  let exam: number;

  before(async () => {
    server = await TestServer.start();
    const engine = await testEngine();
    if ('options' in engine) docker = new Docker(engine.options);
    admin = await server.user('admin');
    exam = await newExam();
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
  });

  /** The output of its only check differs in every grading. */
  const newExam = () => makeAssessment(server, admin, 'exam', ['date +%s%N; echo PASS']);

  async function start(user: TestUser, id = exam): Promise<number> {
    const { status, text, body } = await server.post(`/api/exams/${id}/start`, user.token);
    assert.equal(status, 201, text);
    return body.attempt_id;
  }

  const many = (count: number, request: () => Promise<Answer>): Promise<Answer[]> =>
    Promise.all(Array.from({ length: count }, request));
  const statuses = (answers: readonly Answer[]): number[] => answers.map(({ status }) => status).sort();
  const read = async (user: TestUser, id: number) =>
    (await server.get(`/api/exams/attempts/${id}/results`, user.token)).body;

  async function entries(user: TestUser): Promise<string[]> {
    const rows = await server.application.db
      .selectFrom('activity_log')
      .select('type')
      .where('user_id', '=', user.id)
      .where('type', 'not in', ['register', 'admin_attempt_extend'])
      .orderBy('id')
      .execute();
    return rows.map(({ type }) => type);
  }

  /** A user's containers on the engine. */
  async function containers(user: TestUser): Promise<string[]> {
    const { namePrefix } = server.config.engine;
    const filters = { name: [namePrefix] };
    const found = await docker.listContainers({ all: true, filters });
    return found.flatMap(({ Names }) => Names).filter((name) => name.includes(`user-${user.id}-`));
  }

  const setDeadline = async (id: number, seconds: number): Promise<void> => {
    await server.application.db
      .updateTable('attempts')
      .set({ expires_at: sql<Date>`now() + make_interval(secs => ${seconds})` })
      .where('id', '=', id)
      .execute();
  };

  it('of 100 concurrent starts create one attempt and one container', async () => {
    const user = await server.user();
    for (let left = rounds(1, 50); left > 0; left -= 1) {
      const answers = await many(100, () => server.post(`/api/exams/${exam}/start`, user.token));
      assert.deepEqual(statuses(answers), [201, ...Array.from({ length: 99 }, () => 409)]);
      assert.equal((await containers(user)).length, 1);
      const id = answers.find(({ status }) => status === 201)?.body.attempt_id;
      assert.equal((await server.post(`/api/exams/attempts/${id}/abandon`, user.token)).status, 200);
      await until(async () => (await containers(user)).length === 0, 'the container to go');
    }
  });

  it('of 100 concurrent submissions cause one grading', async () => {
    for (let left = rounds(1, 20); left > 0; left -= 1) {
      const user = await server.user();
      const id = await start(user);
      const answers = await many(100, () => server.post(`/api/exams/${exam}/submit`, user.token));
      const graded = answers.filter(({ status }) => status === 200);
      assert.ok(graded.length >= 1);
      assert.equal(new Set(graded.map(({ text }) => text)).size, 1, 'all that are answered get the same grading');
      assert.ok(answers.every(({ status }) => [200, 404, 409].includes(status)));
      assert.deepEqual(await read(user, id), graded[0]?.body);
      assert.deepEqual(await entries(user), ['exam_start', 'exam_submit']);
    }
  });

  it('of a submission with the expiry cause one grading, as at the deadline', async () => {
    for (let left = rounds(3, 20); left > 0; left -= 1) {
      const user = await server.user();
      const id = await start(user);
      await setDeadline(id, 0);
      const [submitted] = await Promise.all([server.post(`/api/exams/${exam}/submit`, user.token), server.reconcile()]);
      assert.ok([200, 404, 409].includes(submitted.status), submitted.text);
      await until(async () => (await read(user, id)).status === 'expired', 'the attempt to expire');
      const result = await read(user, id);
      assert.deepEqual([result.score, result.submitted_at], [1, result.expires_at]);
      if (submitted.status === 200) assert.deepEqual(result, submitted.body);
      assert.deepEqual(await entries(user), ['exam_start', 'exam_expire']);
    }
  });

  it('of a submission with an abandonment have one winner', async () => {
    for (let left = rounds(3, 20); left > 0; left -= 1) {
      const user = await server.user();
      const id = await start(user);
      const [submitted, abandoned] = await Promise.all([
        server.post(`/api/exams/${exam}/submit`, user.token),
        server.post(`/api/exams/attempts/${id}/abandon`, user.token),
      ]);
      const outcome = submitted.status === 200 ? 'finished' : 'abandoned';
      assert.ok([404, 409].includes(outcome === 'finished' ? abandoned.status : submitted.status));
      assert.equal((await read(user, id)).status, outcome);
      const last = outcome === 'finished' ? 'exam_submit' : 'exam_abandon';
      assert.deepEqual(await entries(user), ['exam_start', last]);
      await until(async () => (await containers(user)).length === 0, 'the container to go');
    }
  });

  it('of an extension with the expiry have one winner', async () => {
    for (let left = rounds(3, 20); left > 0; left -= 1) {
      const user = await server.user();
      const id = await start(user);
      await setDeadline(id, 0);
      const [extended] = await Promise.all([
        server.put(`/api/admin/attempts/${id}`, admin.token, { time_limit_minutes: 60 }),
        server.reconcile(),
      ]);
      assert.ok([200, 409].includes(extended.status), extended.text);
      const { status, expires_at, started_at, score } = await read(user, id);
      if (extended.status === 200) {
        assert.deepEqual([status, Date.parse(expires_at) - Date.parse(started_at)], ['in_progress', 3_600_000]);
        assert.equal((await server.post(`/api/exams/${exam}/submit`, user.token)).status, 200);
      } else assert.deepEqual([status, score], ['expired', 1]);
    }
  });

  it('of a start with the deletion of its user leave nothing of either', async () => {
    for (let left = rounds(3, 20); left > 0; left -= 1) {
      const user = await server.user();
      const [started, deleted] = await Promise.all([
        server.post(`/api/exams/${exam}/start`, user.token),
        server.delete(`/api/admin/users/${user.id}`, admin.token),
      ]);
      assert.equal(deleted.status, 200, deleted.text);
      assert.ok([201, 401, 503].includes(started.status), started.text);
      await until(async () => (await containers(user)).length === 0, 'the container to go');
      const { db } = server.application;
      await until(
        async () =>
          (await db.selectFrom('containers').select('id').where('status', '=', 'removing').execute()).length === 0,
        'its record to go',
      );
      assert.deepEqual(await db.selectFrom('attempts').select('id').where('user_id', '=', user.id).execute(), []);
    }
  });

  it('of a start with the deletion of its exam keep the exam for the attempt, or have no attempt', async () => {
    for (let left = rounds(3, 20); left > 0; left -= 1) {
      const [user, id] = [await server.user(), await newExam()];
      const [started, deleted] = await Promise.all([
        server.post(`/api/exams/${id}/start`, user.token),
        server.delete(`/api/admin/exams/${id}`, admin.token),
      ]);
      assert.equal(deleted.status, 200, deleted.text);
      assert.ok([201, 404].includes(started.status), started.text);
      const row = await server.application.db
        .selectFrom('assessments')
        .where('kind', '=', 'exam')
        .select('is_active')
        .where('id', '=', id)
        .executeTakeFirst();
      assert.deepEqual(row, started.status === 201 ? { is_active: false } : undefined);
      if (started.status === 201) assert.equal((await server.post(`/api/exams/${id}/submit`, user.token)).status, 200);
      else await until(async () => (await containers(user)).length === 0, 'the container to go');
    }
  });

  it('of a sandbox with the deletion of its template are settled for both', async () => {
    const fields = { name: 'Race', image: 'platform-sandbox', memory_mb: 128, cpus: 1 };
    for (let left = rounds(3, 20); left > 0; left -= 1) {
      const user = await server.user();
      const made = await server.post('/api/admin/sandbox-templates', admin.token, fields);
      assert.equal(made.status, 201, made.text);
      const { id } = made.body;
      const [created, deleted] = await Promise.all([
        server.post('/api/containers/create', user.token, { template_id: id }),
        server.delete(`/api/admin/sandbox-templates/${id}`, admin.token),
      ]);
      assert.equal(deleted.status, 200, deleted.text);
      assert.ok([201, 404].includes(created.status), created.text);
      const own = (await server.get('/api/containers/sandbox', user.token)).body;
      assert.deepEqual(
        own.map(({ status, template_id }: Record<string, unknown>) => [status, template_id]),
        created.status === 201 ? [['running', null]] : [],
      );
    }
  });

  it("of the removal of a surplus warm container with a start keep the attempt's container", async () => {
    await using warm = await TestServer.start({ WARM_CONTAINERS: '1' });
    const boss = await warm.user('admin');
    const made = { title: 'Race', container_image: image, time_limit_minutes: 30, passing_score: 1 };
    const { id } = (await warm.post('/api/admin/exams', boss.token, made)).body;
    await warm.post(`/api/admin/exams/${id}/tasks`, boss.token, {
      title: 'Task',
      points: 1,
      verification_script: 'echo PASS',
    });
    for (let left = rounds(2, 20); left > 0; left -= 1) {
      const own = warm.application.db;
      await own
        .updateTable('assessments')
        .where('kind', '=', 'exam')
        .set({ is_active: true })
        .where('id', '=', id)
        .execute();
      await warm.reconcile();
      await warmedUp(warm, 1);
      const user = await warm.user();
      await warm.get(`/api/exams/${id}`, user.token);
      // Now there is one too many.
      const [started] = await Promise.all([
        warm.post(`/api/exams/${id}/start`, user.token),
        own
          .updateTable('assessments')
          .where('kind', '=', 'exam')
          .set({ is_active: false })
          .where('id', '=', id)
          .execute()
          .then(() => warm.reconcile()),
      ]);
      assert.ok([201, 404].includes(started.status), started.text);
      if (started.status === 404) continue;
      const submitted = await warm.post(`/api/exams/${id}/submit`, user.token);
      assert.deepEqual([submitted.status, submitted.body.score], [200, 1], submitted.text);
    }
  });

  it('of the first containers of a service create all of them', async () => {
    await using fresh = await TestServer.start();
    const template = { name: 'Shell', slug: 'shell', image: 'platform-sandbox', memory_mb: 128, cpus: 1 };
    await fresh.application.db.insertInto('sandbox_templates').values(template).execute();
    const users = await Promise.all(Array.from({ length: 4 }, () => fresh.user()));
    const answers = await Promise.all(users.map(({ token }) => fresh.post('/api/containers/create', token)));
    assert.deepEqual(statuses(answers), [201, 201, 201, 201], answers.map(({ text }) => text).join('\n'));
  });
});

describeLong('a demotion', () => {
  it("is in force for every call after its answer, in each of the service's processes", async () => {
    await using database = await createTestDatabase();
    const env = { SECRET_KEY: 'the same for both of these processes' };
    await using one = await TestServer.start(env, { database: database.address });
    await using two = await TestServer.start(env, { database: database.address });
    const [boss, other] = [await one.user('admin'), await one.user('admin')];
    for (let left = rounds(5, 200); left > 0; left -= 1) {
      const set = (role: string) => one.put(`/api/admin/users/${other.id}/role?role=${role}`, boss.token);
      assert.equal((await set('admin')).status, 200);
      const path = '/api/admin/users?page_size=1';
      await until(async () => (await two.get(path, other.token)).status === 200, 'the role to be there');
      assert.equal((await set('student')).status, 200);
      assert.equal((await two.get(path, other.token)).status, 403);
      assert.equal((await one.get(path, other.token)).status, 403);
    }
  });

  it('is in force for a call whose body arrived after its answer', async () => {
    await using server = await TestServer.start();
    const [boss, other] = [await server.user('admin'), await server.user('admin')];
    const { auth } = server.application;
    const authenticate = auth.authenticate.bind(auth);
    let admitted = 0;
    auth.authenticate = async (token) => {
      const user = await authenticate(token);
      if (user.id === other.id) admitted += 1;
      return user;
    };
    const body = JSON.stringify({ name: 'Course of somebody who is no administrator' });
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    let answer = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      answer += text;
    });
    const head = [
      'POST /api/admin/lessons/courses HTTP/1.1',
      `Host: ${hostname}`,
      `Authorization: Bearer ${other.token}`,
    ];
    const rest = ['Content-Type: application/json', `Content-Length: ${body.length}`];
    socket.write(`${[...head, ...rest].join('\r\n')}\r\n\r\n`);
    await until(() => admitted === 1, 'the request to be let in');
    const demoted = await server.put(`/api/admin/users/${other.id}/role?role=student`, boss.token);
    assert.equal(demoted.status, 200);
    socket.write(body);
    await until(() => answer.includes('HTTP/1.1 4') || answer.includes('HTTP/1.1 2'), 'the answer');
    socket.destroy();
    assert.match(answer, /HTTP\/1\.1 403 /);
    const made = await server.application.db.selectFrom('courses').select('id').execute();
    assert.deepEqual(made, []);
  });
});
