import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { Classroom } from '../classroom.ts';
import { describeLong, itLong } from '../rounds.ts';
import { runInContainer } from '../run-in-container.ts';
import { engineSkip, type TestUser } from '../server.ts';
import { TerminalClient } from '../terminal-client.ts';
import { until } from '../until.ts';

type Sandbox = { id: number; name: string };

const env = {
  CONTAINERS_MAX: '4',
  EXAM_RESERVE_PERCENT: '50',
  maxSandboxes: 5,
  CONTAINER_MEMORY_MB: '64',
  terminalPingSeconds: 1,
};

/** Registered strangers create as many containers as possible. Two of four are reserved for exams and laboratories. */
describeLong('users who take all containers', { skip: engineSkip }, () => {
  let room: Classroom;
  let exam: number;
  let laboratory: number;
  before(async () => {
    room = await Classroom.open(env);
    exam = await room.make('exam', ['echo PASS']);
    laboratory = await room.make('laboratory', ['echo PASS']);
    const shell = { name: 'Shell', image: 'platform-sandbox', memory_mb: 64, cpus: 1 };
    assert.equal((await room.server.post('/api/admin/sandbox-templates', room.admin.token, shell)).status, 201);
  });
  after(() => room?.[Symbol.asyncDispose]());

  const create = (user: TestUser) => room.server.post('/api/containers/create', user.token, {});
  const own = async (user: TestUser) => (await room.server.get('/api/containers/sandbox', user.token)).body;
  const startExam = (user: TestUser) => room.server.post(`/api/exams/${exam}/start`, user.token);
  const isRunning = async ({ name }: Sandbox) =>
    (await room.docker.getContainer(room.engineName(name)).inspect()).State.Running;
  const open = (user: TestUser, { id }: Sandbox) =>
    new TerminalClient(`${room.server.url}/ws/terminal/${id}?token=${user.token}`, { protocol: 'terminal.v1' });
  /** Sets the time since the last terminal of a container. */
  const unusedFor = async ({ id }: Sandbox, minutes: number) => {
    const moment = sql<Date>`now() - make_interval(mins => ${minutes})`;
    const { db } = room.server.application;
    await db
      .updateTable('containers')
      .set({ last_used_at: moment, stopped_at: sql<Date>`stopped_at - make_interval(mins => ${minutes})` })
      .where('id', '=', id)
      .execute();
  };
  const inUse = async () =>
    (await room.docker.listContainers({ filters: { name: [room.engineName('')] } })).map(({ Names }) => Names[0] ?? '');

  async function strangers(): Promise<{ users: TestUser[]; made: (Sandbox & { user: TestUser })[] }> {
    const users = [await room.server.user(), await room.server.user()];
    const answers = await Promise.all(
      users.flatMap((user) => Array.from({ length: 3 }, async () => ({ user, ...(await create(user)) }))),
    );
    for (const { status, headers, text } of answers)
      assert.ok(status === 201 || (status === 503 && Number(headers.get('retry-after')) > 0), text);
    const made = answers.filter(({ status }) => status === 201).map(({ user, body }) => ({ ...body, user }));
    return { users, made };
  }

  async function clear(): Promise<void> {
    const { db } = room.server.application;
    await db.updateTable('containers').set({ expires_at: sql<Date>`now()` }).where('kind', '=', 'sandbox').execute();
    await db
      .updateTable('attempts')
      .set({ expires_at: sql<Date>`now()` })
      .where('status', '=', 'in_progress')
      .execute();
    await room.server.reconcile();
    await until(async () => (await inUse()).length === 0, 'no container');
    await until(
      async () => (await db.selectFrom('containers').select('id').execute()).length === 0,
      'no record of a container',
    );
  }

  it('leave capacity for an exam and a laboratory', async () => {
    const { made } = await strangers();
    const [one, two, three] = [await room.server.user(), await room.server.user(), await room.server.user()];
    const started = await startExam(one);
    assert.equal(started.status, 201, started.text);
    await room.start(two, 'laboratory', laboratory);
    assert.equal(made.length, 2, 'they have their own share');
    const refused = await startExam(three);
    assert.deepEqual([refused.status, refused.body.detail], [503, 'All containers are in use; try again later']);
    assert.equal((await inUse()).length, 4);
    await clear();
  });

  it('lose an unused sandbox to an exam: it is stopped, its files are kept, and its user is notified', async () => {
    const { made } = await strangers();
    const [longest, other] = made as [(typeof made)[0], (typeof made)[0]];
    await runInContainer(room.docker, room.engineName(longest.name), 'echo mine > ~/work');
    await startExam(await room.server.user());
    await startExam(await room.server.user());
    // Longer than a terminal may be disconnected, and shorter than the time after which a sandbox may be stopped.
    await unusedFor(longest, 9);
    await unusedFor(other, 8);
    const student = await room.server.user();
    assert.equal((await startExam(student)).status, 503);
    await unusedFor(longest, 12);
    await unusedFor(other, 11);
    const started = await startExam(student);
    assert.equal(started.status, 201, started.text);
    assert.deepEqual([await isRunning(longest), await isRunning(other)], [false, true], 'the one longest unused');
    const [stopped] = (await own(longest.user)).filter(({ id }: Sandbox) => id === longest.id);
    assert.deepEqual([stopped.status, stopped.stop_reason], ['stopped', 'room']);
    const closed = await open(longest.user, longest).closed;
    assert.deepEqual(closed, {
      code: 4409,
      reason: 'The sandbox was stopped, because room was needed and nobody used it; its files are kept',
    });
    const feed = (await room.server.get('/api/dashboard/activity', longest.user.token)).body;
    assert.equal(feed[0].type, 'container_yield');
    await room.server.reconcile();
    assert.equal(await isRunning(longest), false, 'it stays so');

    const again = await room.server.post(`/api/containers/${longest.id}/start`, longest.user.token);
    assert.equal(again.status, 200, again.text);
    assert.equal(await isRunning(other), false, 'the other one yields to it');
    assert.deepEqual([again.body.status, again.body.stop_reason], ['running', null]);
    const { output } = await runInContainer(room.docker, room.engineName(longest.name), 'cat ~/work');
    assert.match(output, /mine/);
    const back = await room.server.post(`/api/containers/${other.id}/start`, other.user.token);
    assert.equal(back.status, 503, back.text);
    assert.deepEqual([(await own(other.user)).length > 0, await isRunning(other)], [true, false]);
    await clear();
  });

  it("lose it to another user's sandbox, except one with an open terminal", async () => {
    const { made } = await strangers();
    const [used, idle] = made as [(typeof made)[0], (typeof made)[0]];
    const client = await open(used.user, used).ready();
    await unusedFor(used, 60);
    await unusedFor(idle, 11);
    // The terminal reports that it is open.
    const last = async () =>
      (
        await room.server.application.db
          .selectFrom('containers')
          .select('last_used_at')
          .where('id', '=', used.id)
          .executeTakeFirstOrThrow()
      ).last_used_at.getTime();
    await until(async () => (await last()) > Date.now() - 600_000, 'a sign of use');
    const user = await room.server.user();
    const made2 = await create(user);
    assert.equal(made2.status, 201, made2.text);
    assert.deepEqual([await isRunning(used), await isRunning(idle)], [true, false]);
    assert.equal((await create(user)).status, 503, 'no other is unused');
    assert.equal(client.socket.readyState, WebSocket.OPEN);
    client.socket.terminate();
    await clear();
  });

  it('keep a limited number of stopped sandboxes: the oldest is deleted', async () => {
    const users = [await room.server.user(), await room.server.user()];
    const made: (Sandbox & { user: TestUser })[] = [];
    for (const user of [users[0], users[0], users[0], users[1], users[1]] as TestUser[]) {
      const { body, status, text } = await create(user);
      assert.equal(status, 201, text);
      assert.equal((await room.server.post(`/api/containers/${body.id}/stop`, user.token)).status, 200);
      made.push({ ...body, user });
    }
    const newcomer = await room.server.user();
    const refused = await create(newcomer);
    assert.deepEqual([refused.status, refused.body.detail], [503, 'There are too many sandboxes; try again later']);
    const [first, second] = made as [(typeof made)[0], (typeof made)[0]];
    await unusedFor(first, 61);
    await unusedFor(second, 90);
    assert.equal((await create(newcomer)).status, 201);
    assert.deepEqual(
      (await own(first.user)).map(({ id }: Sandbox) => id),
      [first.id, made[2]?.id],
    );
    const feed = (await room.server.get('/api/dashboard/activity', second.user.token)).body;
    assert.deepEqual([feed[0].type, feed[0].title], ['container_evict', second.name]);
    assert.equal((await startExam(await room.server.user())).status, 201, 'exams do not count them');
    await clear();
  });

  it('never exceed their share with concurrent requests or starts of stopped sandboxes', async () => {
    const users = await Promise.all(Array.from({ length: 5 }, () => room.server.user()));
    const made: (Sandbox & { user: TestUser })[] = [];
    for (const user of users.slice(0, 4)) {
      const { body } = await create(user);
      await room.server.post(`/api/containers/${body.id}/stop`, user.token);
      made.push({ ...body, user });
    }
    const answers = await Promise.all([
      ...made.map(({ id, user }) => room.server.post(`/api/containers/${id}/start`, user.token)),
      ...users.map((user) => create(user)),
    ]);
    assert.ok(answers.every(({ status }) => [200, 201, 503].includes(status)));
    assert.equal((await inUse()).length, 2);
    assert.equal(answers.filter(({ status }) => status < 300).length, 2);
    await clear();
  });
});

itLong(
  'starts an exam before queued sandboxes, even with a full queue',
  {
    skip: engineSkip,
  },
  async () => {
    // So many that some still wait when the exam's start has come to the queue.
    const waiting = 8;
    const queue = { CONTAINER_STARTS: '1', maxStartsWaiting: waiting, maxStartWaitSeconds: 60 };
    await using room = await Classroom.open({ ...queue, CONTAINER_MEMORY_MB: '64' });
    const { server } = room;
    const exam = await room.make('exam', ['echo PASS']);
    const shell = { name: 'Shell', image: 'platform-sandbox', memory_mb: 64, cpus: 1 };
    assert.equal((await server.post('/api/admin/sandbox-templates', room.admin.token, shell)).status, 201);
    const student = await server.user();
    const users = await Promise.all(Array.from({ length: 2 * waiting }, () => server.user()));
    let isOver = false;
    // Who is refused comes again, so that the queue is full for longer than a look at it takes.
    const flood = users.map(async (user) => {
      for (;;) {
        const answer = await server.post('/api/containers/create', user.token, {});
        if (answer.status !== 503 || isOver) return answer;
        await delay(50);
      }
    });
    // The page of the system asks the engine as well, which is slow while it makes containers.
    const queued = async () => /^container_starts_waiting (\d+)$/m.exec((await server.get('/metrics')).text)?.[1];
    await until(async () => (await queued()) === `${waiting}`, 'a full queue');
    const { attempt_id } = await room.start(student, 'exam', exam);
    isOver = true;
    const sandboxes = (await Promise.all(flood)).filter(({ status }) => status === 201);
    const { body } = await server.get(`/api/exams/attempts/${attempt_id}/results`, student.token);
    const later = sandboxes.filter(({ body: sandbox }) => sandbox.started_at > body.started_at);
    assert.ok(later.length >= 1, 'sandboxes that waited before it were made after it');
  },
);

itLong('uses warm containers of other exams before it refuses an exam', { skip: engineSkip }, async () => {
  await using room = await Classroom.open({ CONTAINERS_MAX: '2', WARM_CONTAINERS: '1', CONTAINER_MEMORY_MB: '64' });
  const { server } = room;
  const { db } = server.application;
  const [first, second] = [
    await room.make('exam', ['echo PASS']),
    await room.make('exam', ['echo PASS'], { container_image: 'platform-exam-linux-services' }),
  ];
  const warm = () => db.selectFrom('containers').select(['id', 'image']).where('status', '=', 'warm').execute();
  await until(async () => {
    await server.reconcile();
    return (await warm()).length === 2;
  }, 'a warm container for each exam');
  const users = [await server.user(), await server.user(), await server.user()] as [TestUser, TestUser, TestUser];
  await room.start(users[0], 'exam', first);
  await room.start(users[1], 'exam', first);
  assert.deepEqual(await warm(), []);
  const refused = await server.post(`/api/exams/${second}/start`, users[2].token);
  assert.equal(refused.status, 503, 'attempts do not yield');
});

itLong('completes the stop of a sandbox for a service that then died', { skip: engineSkip }, async () => {
  await using room = await Classroom.open({ CONTAINER_MEMORY_MB: '64' });
  const { server } = room;
  const shell = { name: 'Shell', image: 'platform-sandbox', memory_mb: 64, cpus: 1 };
  assert.equal((await server.post('/api/admin/sandbox-templates', room.admin.token, shell)).status, 201);
  const user = await server.user();
  const { body } = await server.post('/api/containers/create', user.token, {});
  const { db } = server.application;
  await db
    .updateTable('containers')
    .set({ status: 'stopped', stopped_at: sql<Date>`now()`, stop_reason: 'room' })
    .where('id', '=', body.id)
    .execute();
  await server.reconcile();
  const { State } = await room.docker.getContainer(room.engineName(body.name)).inspect();
  assert.equal(State.Running, false);
  const shown = (await server.get(`/api/containers/${body.id}`, user.token)).body;
  assert.deepEqual([shown.status, shown.stop_reason], ['stopped', 'room']);
});

itLong('limits the open laboratories of a student', { skip: engineSkip }, async () => {
  await using room = await Classroom.open({ maxLaboratoriesPerUser: 1, CONTAINER_MEMORY_MB: '64' });
  const { server } = room;
  const laboratories = [await room.make('laboratory', ['echo PASS']), await room.make('laboratory', ['echo PASS'])];
  const student = await server.user();
  const start = (id: number | undefined) => server.post(`/api/laboratories/${id}/start`, student.token);
  const answers = await Promise.all(laboratories.map(start));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409]);
  const taken = laboratories[answers.findIndex(({ status }) => status === 201)];
  const other = laboratories.find((id) => id !== taken);
  assert.equal((await start(taken)).status, 200, 'the open one is given back');
  assert.match((await start(other)).text, /laboratories open/);
  assert.equal((await server.post(`/api/laboratories/${taken}/submit`, student.token)).status, 200);
  assert.equal((await start(other)).status, 201);
});
