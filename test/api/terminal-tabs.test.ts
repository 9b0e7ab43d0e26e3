import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { Classroom } from '../classroom.ts';
import { engineSkip, type TestServer, type TestUser } from '../server.ts';
import { TerminalClient } from '../terminal-client.ts';
import { until } from '../until.ts';

const v1 = { protocol: 'terminal.v1' } as const;

describe('several shells of a container', { skip: engineSkip }, () => {
  let classroom: Classroom;
  let server: TestServer;
  let student: TestUser;
  let exam: number;
  let attempt: { attempt_id: number; container_id: number };

  before(async () => {
    classroom = await Classroom.open({ maxTerminalsPerContainer: 2 });
    ({ server } = classroom);
    exam = await classroom.make('exam', ['echo PASS']);
    student = await server.user();
    attempt = await classroom.start(student, 'exam', exam);
  });
  after(async () => {
    await classroom?.[Symbol.asyncDispose]();
  });

  const open = (query = '', user = student): TerminalClient =>
    new TerminalClient(`${server.url}/ws/terminal/${attempt.container_id}?token=${user.token}${query}`, v1);
  const idOf = async (client: TerminalClient) => String((await client.message('ready')).session_id);
  const listed = async (user: TestUser) =>
    (await server.get(`/api/containers/${attempt.container_id}/terminals`, user.token)).body as {
      id: string;
      is_connected: boolean;
    }[];
  const ended = async (client: TerminalClient) => {
    client.send({ type: 'end' });
    assert.deepEqual(await client.closed, { code: 1000, reason: 'The shell has ended' });
  };

  it('are limited, where a disconnected one yields, and each ends by itself', async () => {
    const [one, two] = [await open().ready(), await open().ready()];
    const tooMany = { code: 4429, reason: 'Too many terminals are open in this container' };
    assert.deepEqual(await open().closed, tooMany);
    one.socket.terminate();
    await until(async () => (await listed(student)).some(({ is_connected }) => !is_connected), 'the disconnection');
    const three = await open().ready();
    assert.deepEqual(await open(`&session=${await idOf(one)}`).closed, {
      code: 4404,
      reason: 'There is no such terminal session',
    });
    await ended(two);
    assert.deepEqual(
      (await listed(student)).map(({ id }) => id),
      [await idOf(three)],
    );
    await ended(three);
  });

  it('are listed for those who may watch, who choose one', async () => {
    const [one, two] = [await open().ready(), await open().ready()];
    const ids = [await idOf(one), await idOf(two)];
    assert.deepEqual(
      (await listed(classroom.instructor)).map(({ id }) => id),
      ids,
    );
    const other = await server.user();
    assert.equal((await server.get(`/api/containers/${attempt.container_id}/terminals`, other.token)).status, 404);
    for (const [index, client] of [one, two].entries()) {
      client.type(`clear; echo this is she""ll ${index}\n`);
      await client.shows(`this is shell ${index}`);
      const watcher = open(`&session=${ids[index]}`, classroom.instructor);
      await watcher.shows(`this is shell ${index}`);
      watcher.send({ type: 'end' });
      assert.equal((await watcher.closed).code, 4403);
    }
    assert.equal((await open('&session=none', classroom.instructor).closed).code, 4404);
    await Promise.all([one, two].map(ended));
  });

  it('are each recorded, and all held while the clock is stopped', async () => {
    const recordings = async () => {
      const path = `/api/instructor/attempts/${attempt.attempt_id}/recordings`;
      return (await server.get(path, classroom.instructor.token)).body as { id: number }[];
    };
    const before = (await recordings()).length;
    const shells = [await open().ready(), await open().ready()];
    await until(async () => (await recordings()).length === before + 2, 'two recordings');
    await sql`update attempts set paused_at = now() where id = ${attempt.attempt_id}`.execute(server.application.db);
    for (const shell of shells) {
      await shell.message('notice', ({ reason }) => reason === 'held');
      shell.send({ type: 'end' });
      assert.equal((await shell.message('error')).detail, 'A held terminal cannot be ended');
    }
    await sql`update attempts set paused_at = null where id = ${attempt.attempt_id}`.execute(server.application.db);
    for (const shell of shells) await shell.message('notice', ({ reason }) => reason === 'released');
    await Promise.all(shells.map(ended));
  });

  // Long: one attempt, in the order of what happens to it.
  it('take and give files that are logged, unless they are held or their user is locked down', async () => {
    const { db } = server.application;
    const address = `/api/containers/${attempt.container_id}/files?path=notes`;
    const put = async () => {
      const headers = { 'content-type': 'application/octet-stream' };
      const answer = await server.request('PUT', `${address}&is_replacing=true`, {
        ...{ token: student.token, body: 'text', headers },
      });
      return answer.status === 200 ? 200 : answer.code;
    };
    const get = async () => {
      const answer = await server.get(address, student.token);
      return answer.status === 200 ? answer.text : answer.code;
    };
    const set = (change: { is_locked_down?: boolean; paused_at?: Date | null }) =>
      db.updateTable('attempts').set(change).where('id', '=', attempt.attempt_id).execute();
    // Its processes may still stand still after the test before.
    await until(async () => (await get()) === 'file_not_found', 'the container to go on');
    assert.deepEqual([await put(), await get()], [200, 'text']);
    const log = await db.selectFrom('activity_log').selectAll().where('type', 'like', 'file_%').orderBy('id').execute();
    const details = { kind: 'exam', attempt_id: attempt.attempt_id, path: '/home/student/notes', bytes: 4 };
    assert.deepEqual(
      log.map((entry) => [entry.type, entry.actor_id, entry.entity_id, entry.details]),
      ['file_upload', 'file_download'].map((type) => [type, student.id, attempt.container_id, details]),
    );
    await set({ is_locked_down: true });
    assert.deepEqual([await put(), await get()], ['exam_locked_down', 'text']);
    await set({ is_locked_down: false, paused_at: new Date() });
    assert.deepEqual([await put(), await get()], ['terminal_held', 'terminal_held']);
    await set({ paused_at: null });
    await until(async () => (await get()) === 'text', 'the clock to go on');
    assert.deepEqual(
      (await server.post(`/api/containers/${attempt.container_id}/reset`, student.token)).code,
      'container_of_attempt',
    );
  });
});
