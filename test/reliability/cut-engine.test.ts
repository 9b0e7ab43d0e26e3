import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { sql } from 'kysely';
import { Classroom } from '../classroom.ts';
import { describeLong, rounds } from '../rounds.ts';
import { engineSkip, type TestUser, testEngine } from '../server.ts';
import { TerminalClient } from '../terminal-client.ts';
import { until } from '../until.ts';
import { Cut } from './cut.ts';

/** The connection to the engine is cut during an operation and then restored. */
describeLong('an engine whose connection is interrupted', { skip: engineSkip }, () => {
  let cut: Cut;
  let room: Classroom;
  before(async () => {
    const engine = await testEngine();
    assert.ok('options' in engine);
    const { socketPath, host, port } = engine.options;
    cut = new Cut(socketPath ? { path: socketPath } : { host: host ?? '', port: Number(port) });
    const options = { host: '127.0.0.1', port: await cut.start(), protocol: 'http' as const };
    room = await Classroom.open({ reconcileSeconds: 1, engineTimeoutSeconds: 10 }, { engine: { options } });
  });
  after(async () => {
    cut?.restore();
    await room?.[Symbol.asyncDispose]();
    await cut?.[Symbol.asyncDispose]();
  });

  const containersOf = async (user: TestUser) =>
    (await room.names()).filter((name) => name.startsWith(room.engineName('')) && name.includes(`user-${user.id}-`));
  const attempt = async (id: number) =>
    await room.server.application.db.selectFrom('attempts').selectAll().where('id', '=', id).executeTakeFirst();
  const exists = async (table: 'attempts' | 'containers', user: TestUser) => {
    const { db } = room.server.application;
    return (await db.selectFrom(table).select('id').where('user_id', '=', user.id).execute()).length > 0;
  };
  const nothingIsLeft = (user: TestUser) =>
    until(
      async () =>
        !(await exists('attempts', user)) &&
        !(await exists('containers', user)) &&
        (await containersOf(user)).length === 0,
      'an end of what was begun',
    );

  const [create, begin] = [/^POST [^ ]*\/containers\/create/, /^POST [^ ]*\/containers\/\w+\/start/];
  const places = [
    ['when its container was made and nobody heard of it', create, 'answered'],
    ['when its container was made, not started', begin, 'before'],
    ['before its container is made', create, 'before'],
    ['when its container was started and nobody heard of it', begin, 'answered'],
  ] as const;
  for (const [place, request, when] of places.slice(0, rounds(2, places.length))) {
    it(`refuses a start ${place}, leaves nothing behind, and makes the next one`, async () => {
      const exam = await room.make('exam', ['echo PASS']);
      for (let round = 0; round < rounds(1, 20); round += 1) {
        const user = await room.server.user();
        const sprung = cut.cutAt(request, when);
        const [refused] = await Promise.all([room.server.post(`/api/exams/${exam}/start`, user.token), sprung]);
        assert.equal(refused.status, 503, refused.text);
        assert.ok(Number(refused.headers.get('retry-after')) > 0);
        cut.restore();
        await nothingIsLeft(user);
        await room.start(user, 'exam', exam);
        assert.equal((await containersOf(user)).length, 1);
        const submitted = await room.server.post(`/api/exams/${exam}/submit`, user.token);
        assert.deepEqual([submitted.status, submitted.body.score], [200, 1]);
      }
    });
  }

  it('refuses a start while it hangs; a container created late is removed', async () => {
    const user = await room.server.user();
    const exam = await room.make('exam', ['echo PASS']);
    cut.freeze();
    const refused = await room.server.post(`/api/exams/${exam}/start`, user.token);
    cut.restore();
    assert.deepEqual([refused.status, refused.body.detail], [503, 'The container engine does not answer']);
    await nothingIsLeft(user);
    await room.start(user, 'exam', exam);
  });

  it('keeps queued attempts in their places, and they begin when it is back', async () => {
    const exam = await room.make('exam', ['echo PASS']);
    const users = [await room.server.user(), await room.server.user()];
    const { db } = room.server.application;
    cut.cut();
    for (const { id: user_id } of users) {
      const values = {
        kind: 'exam',
        assessment_id: exam,
        user_id,
        title: 'Trial',
        container_name: `queued-${user_id}`,
      } as const;
      const now = sql<Date>`now()`;
      const rest = { status: 'queued', asked_at: now, expires_at: now, max_score: 1, passing_score: 1 } as const;
      await db
        .insertInto('attempts')
        .values({ ...values, ...rest })
        .execute();
    }
    const own = (user: TestUser) => room.server.get('/api/exams/attempts/active', user.token);
    // The first start fails, and so does each look at the engine.
    await until(
      async () => (await room.server.get('/readyz')).body.has_containers === false,
      'the engine to be noticed as away',
    );
    assert.deepEqual(await Promise.all(users.map(async (user) => (await own(user)).body.position)), [1, 2]);
    const refused = await room.server.request('POST', `/api/exams/${exam}/start`, {
      token: (await room.server.user()).token,
      headers: { prefer: 'respond-async' },
    });
    assert.deepEqual([refused.status, refused.code], [503, 'engine_unavailable']);
    cut.restore();
    for (const user of users)
      await until(async () => (await own(user)).body.status === 'in_progress', 'a queued attempt to begin');
  });

  it('closes a terminal with the reason; a new one has the files of the old', async () => {
    const user = await room.server.user();
    const { container_id } = await room.start(user, 'exam', await room.make('exam', ['echo PASS']));
    const address = `${room.server.url}/ws/terminal/${container_id}?token=${user.token}`;
    const terminal = await new TerminalClient(address, { protocol: 'terminal.v1' }).ready();
    terminal.type('echo mine > ~/work; echo sa""ved\n');
    await terminal.shows('saved\r\n');
    cut.cut();
    assert.deepEqual(await terminal.closed, { code: 1013, reason: 'The connection to the container was lost' });
    const refused = new TerminalClient(address, { protocol: 'terminal.v1' });
    assert.deepEqual(await refused.closed, { code: 1013, reason: 'The container engine cannot be reached' });
    cut.restore();
    const again = await new TerminalClient(address, { protocol: 'terminal.v1' }).ready();
    again.type('cat ~/work\n');
    await again.shows(/\rmine\r\n/);
    again.socket.terminate();
  });

  it('fails a submission, which can be repeated, and grades overdue attempts itself', async () => {
    const script = 'touch /home/student/begun; until [ -e /home/student/go ]; do sleep 0.1; done; echo PASS';
    const exam = await room.make('exam', ['echo PASS', script]);
    const [submitter, idler] = [await room.server.user(), await room.server.user()];
    const started = [await room.start(submitter, 'exam', exam), await room.start(idler, 'exam', exam)];
    const [submitted, overdue] = started.map(({ attempt_id }) => attempt_id) as [number, number];
    const submission = room.server.post(`/api/exams/${exam}/submit`, submitter.token);
    const container = started[0]?.container_name ?? '';
    await room.asStudent(container, 'until [ -e ~/begun ]; do sleep 0.05; done');
    cut.cut();
    const { db } = room.server.application;
    await sql`update attempts set expires_at = now() where id = ${overdue}`.execute(db);
    const refused = await submission;
    assert.deepEqual(
      [refused.status, refused.body.detail],
      [503, 'Grading failed part-way; nothing is lost, submit again'],
    );
    assert.equal((await attempt(submitted))?.status, 'in_progress');
    await until(async () => (await attempt(overdue))?.grading_error != null, 'a grading that fails');
    assert.match(`${(await attempt(overdue))?.grading_error_code}`, /^(?:container_unreachable|engine_unavailable)$/);
    for (const { container_name } of started) await room.asStudent(container_name, 'touch ~/go');
    cut.restore();
    const again = await room.server.post(`/api/exams/${exam}/submit`, submitter.token);
    assert.deepEqual([again.status, again.body.score], [200, 3], again.text);
    await until(async () => (await attempt(overdue))?.status === 'expired', 'the overdue attempt');
    const expired = await attempt(overdue);
    assert.deepEqual([expired?.score, expired?.submitted_at], [3, expired?.expires_at]);
    for (const user of [submitter, idler])
      await until(async () => (await containersOf(user)).length === 0, 'no container');
  });
});
