import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openSession, runAttempt, schoolClass } from '../exam-session.ts';
import { makeAssessment } from '../made-assessment.ts';
import { TestServer, type TestUser } from '../server.ts';

describe('attempts of those who leave a class', () => {
  let server: TestServer;
  let teacher: TestUser;
  let other: TestUser;
  let student: TestUser;
  let classId: number;
  // biome-ignore lint/suspicious/noExplicitAny: an answer
  let session: any;
  before(async () => {
    server = await TestServer.start({ INSTRUCTOR_SCOPE: 'classes' });
    const admin = await server.user('admin');
    [teacher, other, student] = [await server.user('instructor'), await server.user('instructor'), await server.user()];
    const exam_id = await makeAssessment(server, admin, 'exam', ['echo PASS']);
    classId = await schoolClass(server, teacher, []);
    await server.post(`/api/classes/${classId}/members`, admin.token, { user_id: student.id });
    session = await openSession(server, teacher, { exam_id, class_id: classId });
  });
  after(() => server?.[Symbol.asyncDispose]());

  // Long: one student, from the class to the lists afterwards.
  it('keep them in the class while they run, and stay in sight of the supervisors afterwards', async () => {
    const { db } = server.application;
    const member = `/api/classes/${classId}/members/${student.id}`;
    const attempt = await runAttempt(server, student, session);
    const set = (fields: object) => db.updateTable('attempts').set(fields).where('id', '=', attempt).execute();
    for (const status of ['in_progress', 'grading', 'queued']) {
      await set({ status, asked_at: new Date() });
      for (const user of [student, teacher]) {
        const { status: answer, code } = await server.delete(member, user.token);
        assert.deepEqual([answer, code], [409, 'member_in_exam'], `${user.username}, ${status}`);
      }
    }
    const score = { score: 3, passed: true };
    await set({ status: 'finished', submitted_at: new Date(), ...score });
    const recording = { attempt_id: attempt, key: 'a'.repeat(40), cols: 80, rows: 24, ended_at: new Date(), bytes: 1 };
    await db.insertInto('recordings').values(recording).execute();
    assert.equal((await server.delete(member, student.token)).status, 200);
    const reads = async ({ token }: TestUser) => {
      const paths = [
        `/api/instructor/attempts/${attempt}`,
        `/api/instructor/attempts/${attempt}/recordings`,
        `/api/exams/attempts/${attempt}/results`,
        `/api/exam-sessions/${session.id}/room`,
      ];
      return await Promise.all(paths.map(async (path) => (await server.get(path, token)).status));
    };
    assert.deepEqual(await reads(teacher), [200, 200, 200, 200]);
    assert.deepEqual(await reads(other), [404, 404, 404, 404]);
    const lists = async ({ token }: TestUser) => {
      const filters = [
        ...['', `user_id=${student.id}`, `search=${student.username}`, 'sort=score', 'status=finished'],
        ...[`exam_id=${session.exam_id}&from=2020-01-01`, 'order=asc'],
      ];
      const read = async (filter: string) => {
        const { body, headers } = await server.get(`/api/instructor/attempts?${filter}`, token);
        return [body.map(({ id }: { id: number }) => id), headers.get('x-total-count')];
      };
      return await Promise.all(filters.map(read));
    };
    assert.deepEqual(await lists(teacher), Array(7).fill([[attempt], '1']));
    assert.deepEqual(await lists(other), Array(7).fill([[], '0']));
    const listed = async (filter: string) => await server.get(`/api/instructor/attempts?${filter}`, teacher.token);
    for (const filter of ['status=expired', 'passed=false', 'search=somebody-else', 'user_id=2000000'])
      assert.deepEqual((await listed(filter)).body, [], filter);
    const second = await listed('page=2&page_size=1');
    assert.deepEqual([second.body, second.headers.get('x-total-count')], [[], '1']);
    const exported = await server.get('/api/instructor/attempts/export', teacher.token);
    assert.match(exported.text, new RegExp(`^${attempt},exam,.*${student.username}`, 'm'));
    const container = { kind: 'exam' as const, image: 'none', user_id: student.id, engine_ref: 'none' };
    await db.deleteFrom('containers').execute();
    const values = { ...container, name: 'left', attempt_id: attempt, status: 'running' as const };
    await db.insertInto('containers').values(values).execute();
    const watched = async ({ token }: TestUser) => (await server.get('/api/instructor/containers', token)).body.length;
    assert.deepEqual([await watched(teacher), await watched(other)], [1, 0]);
    await db.deleteFrom('containers').execute();
    // An attempt outside of the session is out of sight.
    await set({ session_id: null });
    assert.deepEqual(await reads(teacher), [404, 404, 404, 200]);
    assert.deepEqual(await lists(teacher), Array(7).fill([[], '0']));
  });
});
