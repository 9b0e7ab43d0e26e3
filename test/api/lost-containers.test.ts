import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Classroom, type Started } from '../classroom.ts';
import { inNamespace, isOnCluster } from '../cluster.ts';
import type { TestUser } from '../server.ts';
import { TerminalClient } from '../terminal-client.ts';
import { until } from '../until.ts';

const pass = 'cat /home/student/answer 2>/dev/null; [ "$(cat /home/student/answer)" = 42 ] && echo PASS || echo FAIL';

/** Pods that the cluster evicts, as a drained, full or lost node does. Only a cluster loses containers with their files. */
describe('containers that the cluster evicts', {
  skip: isOnCluster ? false : 'only on a cluster',
  timeout: 240_000,
}, () => {
  let room: Classroom;
  let exam: number;
  let laboratory: number;

  before(async () => {
    room = await Classroom.open({ HOME_SAVE_SECONDS: '5' });
    exam = await room.make('exam', [pass]);
    laboratory = await room.make('laboratory', [pass], {
      container_image: 'platform-exam-linux-services',
      time_limit_minutes: 40,
    });
  });
  after(() => room?.[Symbol.asyncDispose]());

  const rowOf = (id: number) =>
    room.server.application.db.selectFrom('containers').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const expiryOf = async (id: number): Promise<number> => {
    const attempts = room.server.application.db.selectFrom('attempts').select('expires_at').where('id', '=', id);
    return (await attempts.executeTakeFirstOrThrow()).expires_at?.getTime() ?? 0;
  };
  const open = (user: TestUser, id: number) =>
    new TerminalClient(`${room.server.url}/ws/terminal/${id}?token=${user.token}`, { protocol: 'terminal.v1' });
  const evict = async (id: number): Promise<void> => {
    const { engine_ref } = await rowOf(id);
    await inNamespace(room.server.config.kubernetes.namespace, async (cluster) => {
      const metadata = { name: engine_ref, namespace: cluster.namespace };
      const body = { apiVersion: 'policy/v1beta1', kind: 'Eviction', metadata };
      await cluster.request('POST', cluster.path('pods', engine_ref ?? '', 'eviction'), { body });
    });
  };
  const saved = async (id: number): Promise<void> => {
    const now = new Date();
    await until(async () => ((await rowOf(id)).home_saved_at ?? 0) > now, 'the next save of the home');
  };
  const replaced = async (id: number, before: string | null) => {
    await until(async () => {
      const { engine_ref, status, lost_uid } = await rowOf(id);
      return engine_ref !== before && status === 'running' && lost_uid === null;
    }, 'the replacement');
    return await rowOf(id);
  };

  it('go on with their home folder, and the attempt gets the time since its last save back', async () => {
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

  it('go on when they are submitted at that moment, and are graded then', async () => {
    const user = await room.server.user();
    const { container_id, container_name }: Started = await room.start(user, 'exam', exam);
    await room.asStudent(container_name, 'echo 42 >~/answer');
    await saved(container_id);
    await evict(container_id);
    await until(async () => {
      const { status, body, text } = await room.server.post(`/api/exams/${exam}/submit`, user.token);
      if (status === 200) assert.equal(body.passed, true, text);
      else assert.deepEqual([status, body.code], [503, 'grading_failed']);
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
