import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { sql } from 'kysely';
import { Classroom } from '../classroom.ts';
import { describeLong } from '../rounds.ts';
import { engineSkip, type TestServer, type TestUser } from '../server.ts';
import { TerminalClient } from '../terminal-client.ts';
import { until } from '../until.ts';

const v1 = { protocol: 'terminal.v1' } as const;

describeLong('how long a shell lives without its client', { skip: engineSkip }, () => {
  let room: Classroom;
  let server: TestServer;
  before(async () => {
    room = await Classroom.open({ TERMINAL_RESUME_SECONDS: '1', TERMINALS_MAX: '3' });
    ({ server } = room);
    const template = { name: 'Shell', slug: 'shell', image: 'platform-sandbox', memory_mb: 256, cpus: 1 };
    await server.application.db.insertInto('sandbox_templates').values(template).execute();
  });
  after(() => room?.[Symbol.asyncDispose]());

  const open = (container: number, { token }: TestUser, query = '') =>
    new TerminalClient(`${server.url}/ws/terminal/${container}?token=${token}${query}`, v1);
  const listed = async (container: number, { token }: TestUser): Promise<{ id: string; is_connected: boolean }[]> =>
    (await server.get(`/api/containers/${container}/terminals`, token)).body;
  const sandbox = async (user: TestUser): Promise<number> => (await made(user)).body.id;
  const made = async (user: TestUser) => {
    const answer = await server.post('/api/containers/create', user.token);
    assert.equal(answer.status, 201, answer.text);
    return answer;
  };
  /** A shell of a sandbox that is left now has ended: more than the time of the resume is over. */
  const timePasses = async (user: TestUser, container: number): Promise<void> => {
    const client = await open(container, user).ready();
    assert.equal((await client.message('ready'))['resume_seconds'], 1);
    client.socket.terminate();
    await until(async () => (await listed(container, user)).length === 0, 'the end of the shell of a sandbox');
  };

  for (const kind of ['exam', 'laboratory'] as const) {
    it(`that of ${kind === 'exam' ? 'an exam' : 'a laboratory'} goes on, paused or not, until the attempt ends`, async () => {
      const user = await server.user();
      const other = await server.user();
      const clockContainer = await sandbox(other);
      const assessment = await room.make(kind, ['echo PASS']);
      const { attempt_id, container_id } = await room.start(user, kind, assessment);
      const client = await open(container_id, user).ready();
      const { session_id, resume_seconds } = await client.message('ready');
      assert.equal(resume_seconds, null);
      client.type('kept=yes\n');
      client.socket.terminate();
      await timePasses(other, clockContainer);
      const set = (paused: Date | null) =>
        sql`update attempts set paused_at = ${paused} where id = ${attempt_id}`.execute(server.application.db);
      await set(new Date());
      await timePasses(other, clockContainer);
      await set(null);
      assert.deepEqual(await listed(container_id, user), [
        { ...(await listed(container_id, user))[0], id: session_id, is_connected: false },
      ]);
      const again = open(container_id, user, `&session=${session_id}`);
      assert.equal((await again.message('ready'))['is_resumed'], true);
      again.type('echo "<$kept>"\n');
      await again.shows('<yes>');
      const gone = again.closed;
      await server.post(`/api/${kind === 'exam' ? 'exams' : 'laboratories'}/${assessment}/submit`, user.token);
      assert.ok([4410, 1000].includes((await gone).code));
      assert.equal((await server.delete(`/api/containers/${clockContainer}`, other.token)).status, 200);
    });
  }

  it('yields where the service has too many, the one that was left first, and only after the time of the resume', async () => {
    const users = [await server.user(), await server.user(), await server.user(), await server.user()];
    const containers = await Promise.all(users.map(sandbox));
    const laboratory = await room.make('laboratory', ['echo PASS']);
    const left = await server.user();
    const { container_id } = await room.start(left, 'laboratory', laboratory);
    const first = await open(container_id, left).ready();
    first.socket.terminate();
    await until(async () => (await listed(container_id, left))[0]?.is_connected === false, 'the loss of the client');
    const [one, two, three, four] = containers.map(
      (container, index) => () => open(container, users[index] as TestUser),
    );
    assert.ok(one && two && three && four);
    await one().ready();
    await timePasses(users[1] as TestUser, containers[1] as number);
    await two().ready();
    await three().ready();
    assert.deepEqual(await listed(container_id, left), []);
    assert.equal((await four().closed).code, 4429);
  });
});
