import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { sql } from 'kysely';
import { presenceSeconds } from '../../src/database/attempt-status.ts';
import { Classroom } from '../classroom.ts';
import { makeAssessment } from '../made-assessment.ts';
import { describeLong, rounds } from '../rounds.ts';
import { type Answer, engineSkip, TestServer, type TestUser } from '../server.ts';
import { TerminalClient } from '../terminal-client.ts';
import { until } from '../until.ts';

type Kind = 'exam' | 'laboratory';
const plural = { exam: 'exams', laboratory: 'laboratories' };

/** One container at a time, so that a second start has to wait. */
describeLong('the queue of starts', { skip: engineSkip }, () => {
  let room: Classroom;
  let server: TestServer;
  let exam: number;
  before(async () => {
    room = await Classroom.open({ CONTAINERS_MAX: '1', maxQueuedAttempts: 3 });
    ({ server } = room);
    exam = await room.make('exam', ['echo PASS']);
  });
  after(() => room?.[Symbol.asyncDispose]());

  const queue = (user: TestUser, id = exam, kind: Kind = 'exam'): Promise<Answer> =>
    server.request('POST', `/api/${plural[kind]}/${id}/start`, {
      token: user.token,
      headers: { prefer: 'respond-async' },
    });
  const start = (user: TestUser, id = exam) => server.post(`/api/exams/${id}/start`, user.token);
  const active = (user: TestUser) => server.get('/api/exams/attempts/active', user.token);
  const isInProgress = async (user: TestUser) => (await active(user)).body.status === 'in_progress';
  const begins = (user: TestUser) => until(() => isInProgress(user), `the attempt of ${user.username} to begin`);
  const abandon = (user: TestUser, id: number) => server.post(`/api/exams/attempts/${id}/abandon`, user.token);
  const submit = async (user: TestUser | undefined) => {
    if (!user) return;
    const submitted = await server.post(`/api/exams/${exam}/submit`, user.token);
    assert.equal(submitted.status, 200, submitted.text);
  };
  const isEmpty = async () =>
    (await server.application.db.selectFrom('containers').select('id').execute()).length === 0;
  /** A user whose attempt has the only container: a test leaves its last one to the next test. */
  let last: TestUser | undefined;
  const occupant = async (): Promise<TestUser> => {
    const left = last;
    last = undefined;
    if (left && (await isInProgress(left))) return left;
    await until(isEmpty, 'the container of the test before to go');
    const user = await server.user();
    assert.equal((await start(user)).status, 201);
    return user;
  };
  /** Submits the attempt that the test before has left. */
  const vacate = async () => {
    await submit(last);
    last = undefined;
    await until(isEmpty, 'an empty service');
  };
  const queued = async (user: TestUser): Promise<{ attempt_id: number; position: number }> => {
    const answer = await queue(user);
    assert.equal(answer.status, 202, answer.text);
    return answer.body;
  };
  /** Makes it look as if the user had not asked for so long. */
  const isSilent = async ({ id }: TestUser, seconds: number) => {
    const asked_at = sql<Date>`now() - make_interval(secs => ${seconds})`;
    const { db } = server.application;
    await db
      .updateTable('attempts')
      .set({ asked_at })
      .where('user_id', '=', id)
      .where('status', '=', 'queued')
      .execute();
  };

  it('is not used while there is a container', async () => {
    await vacate();
    const user = await server.user();
    const started = await queue(user);
    // A busy machine can take more than the two seconds after which a start is answered with its place.
    if (started.status === 202) await begins(user);
    else assert.deepEqual([started.status, started.headers.get('preference-applied')], [201, null], started.text);
    assert.ok(await isInProgress(user));
    last = user;
  });

  // Long: one queued attempt with each request about it, then its start.
  it('answers 202 with the place, keeps it, and starts the clock with the container', async () => {
    const first = await occupant();
    const [second, third] = [await server.user(), await server.user()];
    const answer = await queue(second);
    assert.deepEqual([answer.status, answer.headers.get('preference-applied')], [202, 'respond-async']);
    const { attempt_id, estimated_seconds, ...rest } = answer.body;
    assert.deepEqual(rest, { status: 'queued', position: 1 });
    // All are in use: until the deadline of the running attempt.
    assert.ok(estimated_seconds > 20 * 60 && estimated_seconds <= 30 * 60, `${estimated_seconds} s`);
    assert.equal((await queued(third)).position, 2);

    const { estimated_seconds: _, ...repeated } = (await queue(second)).body;
    assert.deepEqual(repeated, { attempt_id, ...rest });
    const again = await start(second);
    assert.deepEqual([again.status, again.code], [409, 'attempt_active']);
    const other = await queue(second, await room.make('exam', ['echo PASS']));
    assert.deepEqual([other.status, other.code], [409, 'attempt_active'], 'one attempt a user');
    const refused = await server.post(`/api/exams/${exam}/submit`, second.token);
    assert.deepEqual([refused.status, refused.code], [409, 'attempt_queued']);
    const { body: waiting } = await active(second);
    assert.deepEqual(
      [waiting.id, waiting.status, waiting.position, waiting.container_id, waiting.expires_at, waiting.results],
      [attempt_id, 'queued', 1, null, null, []],
    );
    assert.equal((await active(third)).body.position, 2);

    await submit(first);
    await begins(second);
    const { body: begun } = await active(second);
    assert.deepEqual([begun.id, begun.position, typeof begun.container_id], [attempt_id, undefined, 'number']);
    assert.equal(Date.parse(begun.expires_at) - Date.parse(begun.started_at), 30 * 60_000);
    assert.ok(begun.started_at > waiting.started_at, 'the clock starts with the container');
    assert.equal((await active(third)).body.position, 1);
    await submit(second);
    await begins(third);
    last = third;
  });

  it('loses no place to a request without the preference, and moves up when one leaves', async () => {
    const first = await occupant();
    const [second, third, fourth] = [await server.user(), await server.user(), await server.user()];
    const { attempt_id } = await queued(second);
    await queued(third);
    const refused = await start(fourth);
    assert.deepEqual([refused.status, refused.code], [503, 'no_capacity']);
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    const left = await abandon(second, attempt_id);
    assert.deepEqual([left.status, left.body.status], [200, 'abandoned']);
    assert.equal((await active(second)).status, 404);
    assert.equal((await active(third)).body.position, 1);
    await submit(first);
    await begins(third);
    last = third;
  });

  it('is preferred to all others where there is room', async () => {
    await vacate();
    const [waiting, student, author] = [await server.user(), await server.user(), room.admin];
    // Without a notification: nobody starts it before the test has looked.
    const { db } = server.application;
    const values = {
      kind: 'exam',
      assessment_id: exam,
      user_id: waiting.id,
      title: 'Trial',
      container_name: 'queued',
    } as const;
    const rest = { status: 'queued', asked_at: sql<Date>`now()`, expires_at: sql<Date>`now()` } as const;
    await db
      .insertInto('attempts')
      .values({ ...values, ...rest, max_score: 1, passing_score: 1 })
      .execute();
    const refused = await start(student);
    assert.deepEqual([refused.status, refused.body.detail], [503, 'Others wait for a container; try again later']);
    const template = { name: 'Shell', image: 'platform-exam-linux-basics', memory_mb: 128, cpus: 1 };
    assert.equal((await server.post('/api/admin/sandbox-templates', author.token, template)).status, 201);
    const sandbox = await server.post('/api/containers/create', student.token);
    assert.deepEqual([sandbox.status, sandbox.code], [503, 'no_capacity']);
    // A place behind the one that waits. Joining notifies, so both move on.
    const { attempt_id } = await queued(student);
    await begins(waiting);
    assert.equal((await active(student)).body.position, 1);
    await submit(waiting);
    await begins(student);
    assert.equal((await active(student)).body.id, attempt_id);
    last = student;
  });

  it('has a bound', async () => {
    const first = await occupant();
    const users = [await server.user(), await server.user(), await server.user()];
    const places = [];
    for (const user of users) places.push(await queued(user));
    const late = await server.user();
    const refused = await queue(late);
    assert.deepEqual([refused.status, refused.code], [503, 'queue_full']);
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    assert.equal((await active(late)).status, 404, 'a refusal leaves nothing');
    for (const [index, user] of users.entries()) await abandon(user, places[index]?.attempt_id ?? 0);
    last = first;
  });

  it('lets others pass while a user is away, and keeps the place', async () => {
    const first = await occupant();
    const [away, present] = [await server.user(), await server.user()];
    await queued(away);
    await queued(present);
    await isSilent(away, presenceSeconds + 10);
    assert.equal((await active(present)).body.position, 1, 'who is away does not count');
    await submit(first);
    await begins(present);
    assert.deepEqual([(await active(away)).body.status, (await active(away)).body.position], ['queued', 1]);
    await submit(present);
    await begins(away);
    last = away;
  });

  it('starts the attempt of a user who was away as soon as they ask', async () => {
    const first = await occupant();
    const away = await server.user();
    await queued(away);
    await isSilent(away, presenceSeconds + 10);
    await submit(first);
    await until(isEmpty, 'the container to go');
    await begins(away);
    last = away;
  });

  it('abandons an attempt whose user stays away', async () => {
    const first = await occupant();
    const away = await server.user();
    const { attempt_id } = await queued(away);
    await isSilent(away, server.config.containers.queue.absenceMinutes * 60 + 1);
    await server.reconcile();
    assert.equal((await active(away)).status, 404);
    const { body } = await server.get(`/api/exams/attempts/${attempt_id}/results`, away.token);
    assert.deepEqual([body.status, body.grading_error], ['abandoned', null]);
    last = first;
  });

  it('abandons an attempt whose container cannot be created, and starts the next', async () => {
    const first = await occupant();
    const [unlucky, next] = [await server.user(), await server.user()];
    const broken = await room.make('exam', ['echo PASS'], { container_image: 'no-such-image' });
    const { body } = await queue(unlucky, broken);
    await queued(next);
    await submit(first);
    await begins(next);
    await submit(next);
    await until(async () => (await active(unlucky)).status === 404, 'the attempt to be given up');
    const results = await server.get(`/api/exams/attempts/${body.attempt_id}/results`, unlucky.token);
    assert.deepEqual(
      [results.body.status, results.body.grading_error, results.body.grading_error_code],
      ['abandoned', 'The container could not be created', 'container_not_created'],
    );
  });

  it('refuses at once what fails at once, and leaves nothing', async () => {
    await vacate();
    const broken = await room.make('exam', ['echo PASS'], { container_image: 'no-such-image' });
    let user = await server.user();
    let refused = await queue(user, broken);
    // On a busy machine it can fail after the two seconds in which a start is answered with its outcome.
    await until(async () => {
      if (refused.status !== 202) return true;
      user = await server.user();
      refused = await queue(user, broken);
      return false;
    }, 'a failure in time');
    assert.deepEqual([refused.status, refused.code], [503, 'image_missing']);
    assert.deepEqual((await server.get('/api/exams/attempts', user.token)).body, []);
  });

  it('is for laboratories as well', async () => {
    const first = await occupant();
    const user = await server.user();
    const laboratory = await room.make('laboratory', ['echo PASS']);
    const own = async () => (await server.get('/api/laboratories/attempts/active', user.token)).body[0];
    const { body } = await queue(user, laboratory, 'laboratory');
    assert.deepEqual([body.status, body.position], ['queued', 1]);
    assert.equal((await queue(user, laboratory, 'laboratory')).body.attempt_id, body.attempt_id);
    const again = await server.post(`/api/laboratories/${laboratory}/start`, user.token);
    assert.deepEqual([again.status, again.code], [409, 'attempt_active']);
    const check = await server.post(`/api/laboratories/${laboratory}/check`, user.token);
    assert.deepEqual([check.status, check.code], [409, 'attempt_queued']);
    assert.deepEqual([(await own()).id, (await own()).position], [body.attempt_id, 1]);
    await submit(first);
    await until(async () => (await own()).status === 'in_progress', 'the attempt to begin');
    const resumed = await queue(user, laboratory, 'laboratory');
    assert.deepEqual([resumed.status, resumed.body.attempt_id], [200, body.attempt_id]);
    assert.equal((await server.post(`/api/laboratories/${laboratory}/submit`, user.token)).status, 200);
  });

  it('opens no terminal before the clock has started', async () => {
    const user = await occupant();
    const { body } = await active(user);
    const { db } = server.application;
    // As between the reservation of a warm container and the start of the clock.
    const attempt = db.updateTable('attempts').where('id', '=', body.id);
    await attempt.set({ status: 'queued', process_id: 0, asked_at: sql<Date>`now()` }).execute();
    const address = `${server.url}/ws/terminal/${body.container_id}?token=${user.token}`;
    const open = () => new TerminalClient(address, { protocol: 'terminal.v1' });
    assert.deepEqual(await open().closed, { code: 4409, reason: 'The container is not running' });
    await attempt.set({ status: 'in_progress' }).execute();
    (await open().ready()).socket.terminate();
    last = user;
  });

  it('is visible to staff, and counted', async () => {
    const first = await occupant();
    const user = await server.user();
    const { attempt_id } = await queued(user);
    const { admin, instructor } = room;
    const listed = await server.get('/api/admin/attempts?status=queued', admin.token);
    assert.deepEqual(
      listed.body.map(({ id }: { id: number }) => id),
      [attempt_id],
    );
    assert.equal((await server.get('/api/admin/stats', admin.token)).body.attempts.queued, 1);
    const shown = await server.get('/api/instructor/attempts?status=queued', instructor.token);
    assert.deepEqual(
      shown.body.map(({ id, expires_at }: { id: number; expires_at: null }) => [id, expires_at]),
      [[attempt_id, null]],
    );
    const { text } = await server.get('/api/instructor/attempts/export?status=queued', instructor.token);
    assert.match(text, /,queued,/);
    for (const [method, path, json] of [
      ['PUT', `/api/admin/attempts/${attempt_id}`, { time_limit_minutes: 60 }],
      ['POST', `/api/admin/attempts/${attempt_id}/grade`, undefined],
    ] as const)
      assert.equal((await server.request(method, path, { token: admin.token, json })).status, 409, path);
    await abandon(user, attempt_id);
    last = first;
  });

  it('forgets a deleted user, and keeps the places in a retired exam', async () => {
    const first = await occupant();
    const [deleted, next] = [await server.user(), await server.user()];
    const retired = await room.make('exam', ['echo PASS']);
    await queued(deleted);
    assert.equal((await queue(next, retired)).body.position, 2);
    assert.equal((await server.delete(`/api/admin/users/${deleted.id}`, room.admin.token)).status, 200);
    assert.equal((await server.delete(`/api/admin/exams/${retired}`, room.admin.token)).body.outcome, 'retired');
    assert.equal((await active(next)).body.position, 1);
    await submit(first);
    await begins(next);
    assert.equal((await server.post(`/api/exams/${retired}/submit`, next.token)).status, 200);
  });
});

describeLong('the queue of starts in two processes', { skip: engineSkip }, () => {
  // Long: the order of six attempts that share one container.
  it('has one order', async () => {
    await using server = await TestServer.start({ CONTAINERS_MAX: '1' }, {}, 2);
    const { db } = server.application;
    const admin = await server.user('admin');
    const exam = await makeAssessment(server, admin, 'exam', ['echo PASS']);
    const on = (index: number, method: string, path: string, { token }: TestUser) =>
      fetch(`${server.urls[index % 2]}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, prefer: 'respond-async' },
      });
    const users: TestUser[] = [];
    for (let count = 0; count < rounds(6, 6, 3); count += 1) users.push(await server.user());
    const answers = await Promise.all(users.map((user, index) => on(index, 'POST', `/api/exams/${exam}/start`, user)));
    // The first one as well, where its container takes more than two seconds.
    const [first, ...others] = answers.map(({ status }) => status).sort();
    assert.ok(first === 201 || first === 202, `${first}`);
    assert.deepEqual([...new Set(others)], [202]);
    const running = () => db.selectFrom('attempts').select('user_id').where('status', '=', 'in_progress').execute();
    for (const [index] of users.entries()) {
      await until(async () => (await running()).length === 1, 'the next attempt to begin');
      const [now] = await running();
      const submitter = users.find(({ id }) => id === now?.user_id);
      assert.ok(submitter);
      assert.equal((await on(index, 'POST', `/api/exams/${exam}/submit`, submitter)).status, 200);
    }
    const begun = await db.selectFrom('attempts').select('id').orderBy('started_at').execute();
    const inOrder = begun.map(({ id }) => id).sort((one, other) => one - other);
    assert.deepEqual(
      begun.map(({ id }) => id),
      inOrder,
    );
  });
});
