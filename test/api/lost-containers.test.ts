import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Cluster } from '../../src/adapters/kubernetes/cluster.ts';
import { Classroom, type Started } from '../classroom.ts';
import { closeNamespace, inNamespace, isOnCluster } from '../cluster.ts';
import type { TestUser } from '../server.ts';
import { TerminalClient } from '../terminal-client.ts';
import { until } from '../until.ts';

const pass = 'cat /home/student/answer 2>/dev/null; [ "$(cat /home/student/answer)" = 42 ] && echo PASS || echo FAIL';

/** Pods that the cluster evicts, as a drained, full or lost node does. Only a cluster loses containers with their files. */
describe('containers that the cluster evicts', {
  skip: isOnCluster ? false : 'only on a cluster',
  timeout: 600_000,
}, () => {
  let room: Classroom;
  let exam: number;
  let laboratory: number;

  const namespace = `test-${randomUUID()}`;
  const call = (method: string, path: (cluster: Cluster) => string, body?: object) =>
    inNamespace(namespace, (cluster) => cluster.request(method, path(cluster), { body }));
  const isDone = (work: Promise<unknown>) =>
    work.then(
      () => true,
      () => false,
    );

  before(async () => {
    // A quota of its own must not concern others.
    await call('POST', () => '/api/v1/namespaces', { metadata: { name: namespace } });
    const account = () => call('GET', (cluster) => cluster.path('serviceaccounts', 'default'));
    await until(() => isDone(account()), "the namespace's account");
    room = await Classroom.open({ homeSaveSeconds: 5, KUBERNETES_NAMESPACE: namespace });
    exam = await room.make('exam', [pass]);
    laboratory = await room.make('laboratory', [pass], {
      container_image: 'platform-exam-linux-services',
      time_limit_minutes: 40,
    });
  });
  after(async () => {
    await room?.[Symbol.asyncDispose]();
    await call('DELETE', () => `/api/v1/namespaces/${namespace}`);
  });

  const rowOf = (id: number) =>
    room.server.application.db.selectFrom('containers').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const expiryOf = async (id: number): Promise<number> => {
    const attempts = room.server.application.db.selectFrom('attempts').select('expires_at').where('id', '=', id);
    return (await attempts.executeTakeFirstOrThrow()).expires_at?.getTime() ?? 0;
  };
  const open = (user: TestUser, id: number) =>
    new TerminalClient(`${room.server.url}/ws/terminal/${id}?token=${user.token}`, { protocol: 'terminal.v1' });
  const evict = async (id: number): Promise<void> => {
    const name = (await rowOf(id)).engine_ref ?? '';
    const body = { apiVersion: 'policy/v1beta1', kind: 'Eviction', metadata: { name, namespace } };
    await call('POST', (cluster) => cluster.path('pods', name, 'eviction'), body);
  };
  const saved = async (id: number): Promise<void> => {
    const now = new Date();
    await until(async () => ((await rowOf(id)).home_saved_at ?? 0) > now, 'the next save of the home', 90_000);
  };
  const replaced = async (id: number, before: string | null) => {
    await until(async () => {
      const { engine_ref, status, lost_uid } = await rowOf(id);
      return engine_ref !== before && status === 'running' && lost_uid === null;
    }, 'the replacement');
    return await rowOf(id);
  };

  it('continue with their home folder, and the attempt gets the time since its last save back', async () => {
    const user = await room.server.user();
    const { attempt_id, container_id, container_name }: Started = await room.start(user, 'exam', exam);
    const client = await open(user, container_id).ready();
    await room.asStudent(container_name, 'echo 42 >~/answer');
    await saved(container_id);
    const [lost, deadline] = [await rowOf(container_id), await expiryOf(attempt_id)];
    await evict(container_id);
    assert.equal((await client.closed).code, 1013, 'its client connects again');
    const row = await replaced(container_id, lost.engine_ref);
    const since = row.home_kept_at?.getTime() ?? 0;
    assert.ok(since >= (lost.home_saved_at?.getTime() ?? Number.POSITIVE_INFINITY));
    const given = (await expiryOf(attempt_id)) - deadline;
    assert.equal(given, (row.replaced_at?.getTime() ?? 0) - since);
    assert.equal(row.expires_at?.getTime(), await expiryOf(attempt_id));

    const again = await open(user, container_id).ready();
    const notice = await again.message('notice', ({ reason }) => reason === 'replaced');
    assert.equal(notice['home_kept_at'], row.home_kept_at?.toISOString());
    again.type('cat answer\n');
    await again.shows('42\r\n');
    again.socket.terminate();
    const shown = await room.server.get(`/api/containers/${container_id}`, user.token);
    assert.equal(shown.body.home_kept_at, row.home_kept_at?.toISOString());
    assert.equal(shown.body.kept_when_stopped, 'home');
    const activity = await room.server.get('/api/dashboard/activity', user.token);
    assert.ok(activity.body.some(({ type }: { type: string }) => type === 'container_replace'));

    const submitted = await room.server.post(`/api/exams/${exam}/submit`, user.token);
    assert.deepEqual([submitted.status, submitted.body.passed], [200, true], submitted.text);
    await until(async () => !(await homes()).some((name) => name.includes(row.uid)), 'no home is left over');
    assert.ok(!(await homes()).some((name) => name.includes(lost.uid)));
  });

  it('give the whole time back where work can be outside the home folder', async () => {
    const user = await room.server.user();
    const { attempt_id, container_id }: Started = await room.start(user, 'laboratory', laboratory);
    const { engine_ref } = await rowOf(container_id);
    await saved(container_id);
    await evict(container_id);
    const row = await replaced(container_id, engine_ref);
    const left = (await expiryOf(attempt_id)) - (row.replaced_at?.getTime() ?? 0);
    assert.equal(left, 40 * 60_000);
    await room.server.post(`/api/laboratories/attempts/${attempt_id}/abandon`, user.token);
  });

  it('continue when they are submitted at that moment, and are graded then', async () => {
    const user = await room.server.user();
    const { container_id, container_name }: Started = await room.start(user, 'exam', exam);
    await room.asStudent(container_name, 'echo 42 >~/answer');
    await saved(container_id);
    await evict(container_id);
    await until(async () => {
      const { status, body, code, text } = await room.server.post(`/api/exams/${exam}/submit`, user.token);
      if (status === 200) assert.equal(body.passed, true, text);
      else assert.deepEqual([status, code], [503, 'grading_failed']);
      return status === 200;
    }, 'the grading');
  });

  it('are replaced as sandboxes as well, and a start meanwhile is refused for a moment', async () => {
    const user = await room.server.user();
    const template = { name: 'Shell', slug: 'shell', image: 'platform-sandbox', memory_mb: 256, cpus: 1 };
    await room.server.application.db.insertInto('sandbox_templates').values(template).execute();
    const { body } = await room.server.post('/api/containers/create', user.token, {});
    const { engine_ref, name } = await rowOf(body.id);
    await room.asStudent(name, 'echo mine >~/file');
    await saved(body.id);
    await evict(body.id);
    const { status, text } = await room.server.post(`/api/containers/${body.id}/start`, user.token);
    assert.ok([200, 409, 503].includes(status), text);
    await replaced(body.id, engine_ref);
    const client = await open(user, body.id).ready();
    client.type('cat file\n');
    await client.shows('mine\r\n');
    client.socket.terminate();
    assert.equal((await room.server.delete(`/api/containers/${body.id}`, user.token)).status, 200);
  });

  // Long: the quota is closed and opened while three attempts wait for it.
  it('wait for room in the cluster: no attempt is lost, and those in the queue keep their places', async () => {
    const [user, refused, queued] = [await room.server.user(), await room.server.user(), await room.server.user()];
    const { container_id, container_name }: Started = await room.start(user, 'exam', exam);
    await room.asStudent(container_name, 'echo 42 >~/answer');
    await saved(container_id);
    const { engine_ref } = await rowOf(container_id);
    const path = `/api/exams/${exam}/start`;
    {
      await using _quota = await closeNamespace(namespace);
      await evict(container_id);
      // Until its processes have ended, it could still be graded.
      const withoutGrace = { gracePeriodSeconds: 0 };
      await call('DELETE', (cluster) => cluster.path('pods', `${engine_ref}`), withoutGrace);
      await until(async () => (await rowOf(container_id)).lost_at !== null, 'the loss');
      const answer = await room.server.post(path, refused.token);
      assert.deepEqual([answer.status, answer.code], [503, 'no_capacity'], answer.text);
      const submitted = await room.server.post(`/api/exams/${exam}/submit`, user.token);
      assert.deepEqual([submitted.status, submitted.code], [503, 'grading_failed'], submitted.text);
      const { db } = room.server.application;
      // A start that is queued without somebody who waits for the answer.
      const values = {
        kind: 'exam' as const,
        assessment_id: exam,
        user_id: queued.id,
        title: 'Trial',
        container_name: 'queued',
      };
      const rest = {
        status: 'queued' as const,
        asked_at: new Date(),
        expires_at: new Date(Date.now() + 3_600_000),
        max_score: 1,
        passing_score: 1,
      };
      await db
        .insertInto('attempts')
        .values({ ...values, ...rest })
        .execute();
      await room.server.reconcile();
      await until(async () => {
        const tried = db.selectFrom('attempts').select('process_id').where('user_id', '=', queued.id);
        return (await tried.executeTakeFirstOrThrow()).process_id !== null;
      }, 'a try to start it');
      assert.equal((await rowOf(container_id)).replaced_at, null);
    }
    await replaced(container_id, engine_ref);
    const submitted = await room.server.post(`/api/exams/${exam}/submit`, user.token);
    assert.deepEqual([submitted.status, submitted.body.passed], [200, true], submitted.text);
    await until(async () => {
      const { body } = await room.server.get('/api/exams/attempts/active', queued.token);
      return body?.status === 'in_progress';
    }, 'the start of the queued attempt');
    const { body } = await room.server.get('/api/exams/attempts/active', queued.token);
    await room.server.post(`/api/exams/attempts/${body.id ?? body.attempt_id}/abandon`, queued.token);
  });

  it('are given up with their attempt, wherever the replacement is', async () => {
    const user = await room.server.user();
    const { attempt_id, container_id }: Started = await room.start(user, 'exam', exam);
    await evict(container_id);
    await until(async () => (await rowOf(container_id)).lost_at !== null, 'the replacement begins');
    await room.server.post(`/api/exams/attempts/${attempt_id}/abandon`, user.token);
    const { engine, db } = room.server.application;
    await until(async () => {
      await room.server.reconcile();
      const rows = await db.selectFrom('containers').select('id').where('attempt_id', '=', attempt_id).execute();
      return rows.length === 0 && (await engine.list()).length === 0;
    }, 'nothing is left');
    assert.deepEqual(await homes(), []);
  });

  const homes = () => readdir(join(room.server.dataDir, 'homes'));
});
