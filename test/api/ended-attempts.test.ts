import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { minutes, openSession, runAttempt, schoolClass } from '../exam-session.ts';
import { makeAssessment } from '../made-assessment.ts';
import { TestServer, type TestUser } from '../server.ts';

describe('attempts that somebody else ends', () => {
  let server: TestServer;
  let teacher: TestUser;
  let students: [TestUser, TestUser, TestUser, TestUser];
  // biome-ignore lint/suspicious/noExplicitAny: an answer
  let session: any;
  before(async () => {
    server = await TestServer.start();
    const admin = await server.user('admin');
    teacher = await server.user('instructor');
    students = [await server.user(), await server.user(), await server.user(), await server.user()];
    const exam_id = await makeAssessment(server, admin, 'exam', ['echo PASS']);
    const class_id = await schoolClass(server, teacher, students);
    session = await openSession(server, teacher, { exam_id, class_id });
  });
  after(() => server?.[Symbol.asyncDispose]());

  const set = (id: number, fields: object) =>
    server.application.db.updateTable('attempts').set(fields).where('id', '=', id).execute();
  const post = async (action: string, json: object = {}) => {
    const { status, text } = await server.post(`/api/exam-sessions/${session.id}/${action}`, teacher.token, json);
    assert.equal(status, 200, text);
  };
  /** As its user and as its supervisor are told, in the list and on its own. */
  const told = async (user: TestUser, id: number) => {
    const get = async (path: string, { token }: TestUser) => (await server.get(path, token)).body;
    const own = await get(`/api/exams/attempts/${id}/results`, user);
    const seen = await get(`/api/instructor/attempts/${id}`, teacher);
    const listed = (await get('/api/exams/attempts', user)).find((one: { id: number }) => one.id === id);
    assert.deepEqual([seen.is_ended_by_staff, seen.ended_by], [own.is_ended_by_staff, own.ended_by]);
    assert.equal(listed.is_ended_by_staff, own.is_ended_by_staff);
    return [own.is_ended_by_staff, own.ended_by];
  };
  const ends = { status: 'expired', score: 3, passed: true } as const;

  it('say who ended them, unless their users or the clock did', async () => {
    const [ended, late, quick, waiting] = students;
    const attempts = [
      await runAttempt(server, ended, session),
      await runAttempt(server, late, session),
      await runAttempt(server, quick, session),
      await runAttempt(server, waiting, session),
    ] as const;
    // They have no containers: nothing else ends those that are being graded.
    await set(attempts[0], { status: 'grading' });
    await set(attempts[1], { status: 'grading', started_at: minutes(-31), expires_at: minutes(-1) });
    await set(attempts[2], { status: 'grading', submitted_at: new Date() });
    await set(attempts[3], { status: 'queued', asked_at: new Date(), process_id: null });
    assert.deepEqual(await told(ended, attempts[0]), [false, null]);
    await post('end', { user_id: ended.id });
    assert.deepEqual(await told(ended, attempts[0]), [true, teacher.username]);
    // More time takes it back.
    await post('extend', { user_id: ended.id, minutes: 5 });
    assert.deepEqual(await told(ended, attempts[0]), [false, null]);
    await post('end');
    await set(attempts[0], { ...ends, submitted_at: new Date() });
    await set(attempts[1], { ...ends, submitted_at: minutes(-1) });
    await set(attempts[2], { ...ends, status: 'finished' });
    const answers = [];
    for (const [index, user] of students.entries()) answers.push(await told(user, attempts[index] as number));
    const byTeacher = [true, teacher.username];
    assert.deepEqual(answers, [byTeacher, [false, null], [false, null], byTeacher]);
    const { id } = teacher;
    await server.application.db.updateTable('users').set({ full_name: 'Vera Ivanova' }).where('id', '=', id).execute();
    assert.deepEqual(await told(ended, attempts[0]), [true, 'Vera Ivanova']);
  });
});
