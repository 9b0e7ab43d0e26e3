import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Classroom } from '../classroom.ts';
import { minutes, openSession, runAttempt, schoolClass } from '../exam-session.ts';
import { itLong } from '../rounds.ts';
import { engineSkip, type TestServer, type TestUser } from '../server.ts';
import { until } from '../until.ts';

const limits = { WARM_CONTAINERS: '0', examWarmMinutes: 10, examWarmHours: 2, CONTAINER_MEMORY_MB: '64' };

const studentsOf = (server: TestServer, count: number): Promise<TestUser[]> =>
  Promise.all(Array.from({ length: count }, () => server.user()));
const warm = (server: TestServer) =>
  server.application.db.selectFrom('containers').select('engine_ref').where('status', '=', 'warm').execute();
/** Waits until so many warm containers are there. */
const filled = async (server: TestServer, count: number) =>
  await until(async () => {
    await server.reconcile();
    return (await warm(server)).length === count;
  }, `${count} warm containers`);

describe('containers for the students of an exam session', { skip: engineSkip, timeout: 600_000 }, () => {
  let room: Classroom;
  before(async () => {
    room = await Classroom.open({ ...limits, CONTAINERS_MAX: '4', EXAM_RESERVE_PERCENT: '0' });
  });
  after(() => room?.[Symbol.asyncDispose]());

  // Long: one session from before its opening to its end.
  it('are ready before it opens, are claimed, and are given back when nobody needs them', async () => {
    const { server, admin, instructor } = room;
    const shell = { name: 'Shell', image: 'platform-sandbox', memory_mb: 64, cpus: 1 };
    assert.equal((await server.post('/api/admin/sandbox-templates', admin.token, shell)).status, 201);
    const sandbox = await server.post('/api/containers/create', admin.token, {});
    const last_used_at = new Date(minutes(-40));
    await server.application.db
      .updateTable('containers')
      .set({ last_used_at })
      .where('id', '=', sandbox.body.id)
      .execute();
    const students = await studentsOf(server, 4);
    const [first, second] = students as [TestUser, TestUser];
    const exam_id = await room.make('exam', ['echo PASS'], { setup_script: 'echo ready >/root/ready' });
    const class_id = await schoolClass(server, instructor, students);
    const session = await openSession(server, instructor, { exam_id, class_id, opens_at: minutes(1) });
    const levels = async () => (await server.get('/api/admin/system', admin.token)).body.warm_pool;
    await filled(server, 4);
    assert.deepEqual(await levels(), { wanted: 4, ready: 4 });
    const yielded = await server.get(`/api/containers/${sandbox.body.id}`, admin.token);
    assert.deepEqual([yielded.body.status, yielded.body.stop_reason], ['stopped', 'room'], 'an unused sandbox');
    assert.equal((await server.post('/api/containers/create', first.token, {})).code, 'no_capacity');
    const trial = await server.post(`/api/admin/exams/${exam_id}/try`, admin.token, {});
    assert.equal(trial.code, 'no_capacity', 'a trial waits');

    await server.put(`/api/exam-sessions/${session.id}`, instructor.token, { opens_at: minutes(-1) });
    const before = (await warm(server)).map(({ engine_ref }) => engine_ref);
    const { container_id } = await room.start(first, 'exam', exam_id);
    const claimed = server.application.db.selectFrom('containers').select('engine_ref').where('id', '=', container_id);
    assert.ok(before.includes((await claimed.executeTakeFirstOrThrow()).engine_ref));
    await server.reconcile();
    assert.deepEqual(await levels(), { wanted: 3, ready: 3 }, 'none more for a student who has started');

    // An attempt that is waiting now comes before a student who may come.
    const other = await room.make('exam', ['echo PASS']);
    await room.start(second, 'exam', other);
    assert.equal((await warm(server)).length, 2);
    await server.post(`/api/exam-sessions/${session.id}/end`, instructor.token, {});
    await filled(server, 0);
  });
});

describe('the number of students whom exam sessions expect', { skip: engineSkip, timeout: 600_000 }, () => {
  let room: Classroom;
  before(async () => {
    // The pool is never filled.
    room = await Classroom.open(limits);
  });
  after(() => room?.[Symbol.asyncDispose]());

  const wanted = async () => (await room.server.get('/api/admin/system', room.admin.token)).body.warm_pool.wanted;

  it('grows before the opening, and follows the windows and attempts of each student', async () => {
    const { server, instructor } = room;
    const students = await studentsOf(server, 8);
    const [one, two, three] = students as [TestUser, TestUser, TestUser];
    const exam_id = await room.make('exam', ['echo PASS']);
    const class_id = await schoolClass(server, instructor, students);
    const session = await openSession(server, instructor, { exam_id, class_id, opens_at: minutes(11) });
    const at = `/api/exam-sessions/${session.id}`;
    const opens = async (opens_at: number) => {
      await server.put(at, instructor.token, { opens_at: minutes(opens_at), closes_at: minutes(240) });
      return await wanted();
    };
    assert.equal(await wanted(), 0);
    assert.equal(await opens(9.95), 1);
    assert.equal(await opens(6.05), 4);
    assert.equal(await opens(1.9), 8);
    assert.equal(await opens(-119), 8);
    assert.equal(await opens(-121), 0, 'nobody is expected hours later');
    assert.equal(await opens(-5), 8);

    await server.put(`${at}/accommodations/${one.id}`, instructor.token, { opens_at: minutes(60) });
    assert.equal(await wanted(), 7, 'a student who starts later');
    await runAttempt(server, two, session);
    assert.equal(await wanted(), 6, 'a student who has started');
    await server.put(`/api/admin/users/${three.id}`, room.admin.token, { is_active: false });
    assert.equal(await wanted(), 5, 'a deactivated student');
  });

  itLong('is zero for archived classes, inactive exams and closed sessions', async () => {
    const { server, instructor, admin } = room;
    const before = await wanted();
    const students = await studentsOf(server, 2);
    const exam_id = await room.make('exam', ['echo PASS']);
    const class_id = await schoolClass(server, instructor, students);
    const session = await openSession(server, instructor, { exam_id, class_id });
    const now = async () => (await wanted()) - before;
    assert.equal(await now(), 2);
    await server.put(`/api/classes/${class_id}`, instructor.token, { is_archived: true });
    assert.equal(await now(), 0);
    await server.put(`/api/classes/${class_id}`, instructor.token, { is_archived: false });
    assert.equal(await now(), 2);
    await server.put(`/api/exam-sessions/${session.id}`, instructor.token, { closes_at: minutes(-1) });
    assert.equal(await now(), 0);
    await server.put(`/api/exam-sessions/${session.id}`, instructor.token, { closes_at: minutes(60) });
    assert.equal(await now(), 2);
    await server.put(`/api/admin/exams/${exam_id}`, admin.token, { is_active: false });
    assert.equal(await now(), 0);
  });
});
