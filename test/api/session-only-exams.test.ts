import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Classroom } from '../classroom.ts';
import { minutes, openSession, runAttempt, schoolClass } from '../exam-session.ts';
import { finishAttempt } from '../finished-attempt.ts';
import { engineSkip, type TestServer, type TestUser } from '../server.ts';

describe('exams with sessions', { skip: engineSkip }, () => {
  let room: Classroom;
  let server: TestServer;
  let teacher: TestUser;
  let member: TestUser;
  let outsider: TestUser;
  let classId: number;
  before(async () => {
    room = await Classroom.open({ ANONYMOUS_CATALOGUE: 'true' });
    server = room.server;
    teacher = room.instructor;
    [member, outsider] = [await server.user(), await server.user()];
    classId = await schoolClass(server, teacher, [member]);
  });
  after(() => room?.[Symbol.asyncDispose]());

  const exam = async () => await room.make('exam', ['echo PASS', 'echo PASS']);
  const start = async (id: number, user: TestUser, json: object = {}) => {
    const { status, code } = await server.post(`/api/exams/${id}/start`, user.token, json);
    return status === 201 ? 'started' : code;
  };
  const isSessionOnly = async (id: number): Promise<boolean> =>
    (await server.get(`/api/exams/${id}`, member.token)).body.is_session_only;
  /** What a user reads of the tasks of an exam, alone and in the list: `open` or `locked`. */
  const read = async (id: number, user: TestUser | undefined) => {
    const alone = (await server.get(`/api/exams/${id}`, user?.token)).body;
    const listed = (await server.get('/api/exams', user?.token)).body.find((one: { id: number }) => one.id === id);
    const found = [alone, listed].map(({ tasks }) => {
      const texts = tasks.map(({ description, is_locked }: Record<string, unknown>) =>
        description === 'Do it' && is_locked === undefined
          ? 'open'
          : description === null && is_locked === true
            ? 'locked'
            : 'wrong',
      );
      assert.deepEqual(tasks[0].title, 'Task 1');
      return [...new Set(texts)].join();
    });
    assert.equal(found[0], found[1], 'the list shows what the exam shows');
    return found[0];
  };

  it('bind the members of the class only', async () => {
    const id = await exam();
    const session = await openSession(server, teacher, {
      ...{ exam_id: id, class_id: classId, opens_at: minutes(30), closes_at: minutes(60) },
    });
    assert.equal(await isSessionOnly(id), false, 'an instructor of a class decides for that class');
    assert.equal(await start(id, member), 'not_open_yet');
    assert.equal(await start(id, outsider, { session_id: session.id }), 'not_found');
    assert.equal(await start(id, outsider), 'started');
    // A chosen student is bound as well; one of an archived class is not.
    const chosen = await server.user();
    await openSession(server, teacher, { exam_id: id, user_ids: [chosen.id], opens_at: minutes(30) });
    assert.equal(await start(id, chosen), 'not_open_yet');
    assert.deepEqual(
      [await read(id, member), await read(id, chosen), await read(id, outsider), await read(id, teacher)],
      ['locked', 'locked', 'open', 'open'],
    );
    assert.equal(await read(id, undefined), 'locked', 'a bound student could read them without a login');
    await server.put(`/api/classes/${classId}`, teacher.token, { is_archived: true });
    assert.deepEqual([await read(id, member), await read(id, chosen)], ['open', 'locked']);
    await server.put(`/api/classes/${classId}`, teacher.token, { is_archived: false });
  });

  it('show the texts of the tasks from the start of the student on', async () => {
    const id = await exam();
    const session = await openSession(server, teacher, { exam_id: id, class_id: classId });
    assert.equal(await read(id, member), 'locked', 'also while the session is open');
    const attempt = await runAttempt(server, member, session);
    const { db } = server.application;
    const set = async (fields: object) =>
      await db.updateTable('attempts').set(fields).where('id', '=', attempt).execute();
    assert.equal(await read(id, member), 'open');
    await set({ status: 'queued', time_limit_minutes: null, asked_at: new Date() });
    assert.equal(await read(id, member), 'locked', 'the clock has not started');
    await set({ status: 'abandoned' });
    assert.equal(await read(id, member), 'locked', 'the student has left the queue');
    await set({ time_limit_minutes: 30 });
    assert.equal(await read(id, member), 'open', 'the student gave up');
    await db.deleteFrom('attempts').where('id', '=', attempt).execute();
    await finishAttempt(server, member, 'exam', id, [true, false]);
    assert.equal(await read(id, member), 'open');
  });

  it('start in sessions only, once an administrator has planned the first one', async () => {
    const id = await exam();
    const { admin } = room;
    const stranger = await server.user();
    const session = await openSession(server, admin, { exam_id: id, class_id: classId });
    assert.equal(await isSessionOnly(id), true);
    assert.deepEqual(
      [await start(id, stranger), await start(id, admin), await read(id, stranger), await read(id, undefined)],
      ['not_found', 'not_found', 'locked', 'locked'],
    );
    const put = async (user: TestUser, is_session_only: boolean) =>
      (await server.put(`/api/admin/exams/${id}`, user.token, { is_session_only })).status;
    assert.deepEqual([await put(teacher, false), await put(admin, false)], [403, 200]);
    assert.deepEqual([await read(id, stranger), await read(id, member)], ['open', 'locked']);
    await openSession(server, admin, { exam_id: id, class_id: classId });
    assert.equal(await isSessionOnly(id), false, 'only the first one sets it');
    const log = (await server.get('/api/admin/activity?type=admin_exam_update', admin.token)).body;
    assert.deepEqual(
      log.slice(0, 2).map(({ details }: { details: { new: object } }) => details.new),
      [{ is_session_only: false }, { is_session_only: true }],
    );
    assert.equal(await put(admin, true), 200);
    // Without any session it starts for nobody.
    const [first, second] = (await server.get(`/api/exam-sessions?exam_id=${id}`, admin.token)).body;
    for (const one of [first, second]) await server.delete(`/api/exam-sessions/${one.id}`, admin.token);
    assert.deepEqual([await start(id, member), await read(id, member)], ['not_found', 'locked']);
    assert.ok(session.id);
  });
});
