import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openSession, schoolClass } from '../exam-session.ts';
import { makeAssessment } from '../made-assessment.ts';
import { engineSkip, TestServer, type TestUser } from '../server.ts';

describe('the first steps', () => {
  let server: TestServer;
  let admin: TestUser;
  let teacher: TestUser;
  const done = async ({ token }: TestUser): Promise<string[]> => {
    const { status, body, text } = await server.get('/api/first-steps', token);
    assert.equal(status, 200, text);
    return body.filter(({ is_done }: { is_done: boolean }) => is_done).map(({ step }: { step: string }) => step);
  };

  before(async () => {
    server = await TestServer.start({}, { engine: { reason: 'no engine in this test' } });
    [admin, teacher] = [await server.user('admin'), await server.user('instructor')];
  });
  after(() => server?.[Symbol.asyncDispose]());

  it('of an empty installation become done', async () => {
    assert.deepEqual([await done(admin), await done(teacher)], [[], []]);
    await server.post('/api/admin/lessons/courses', admin.token, { name: 'Course' });
    const student = await server.user();
    assert.deepEqual(await done(admin), ['courses', 'students']);
    const class_id = await schoolClass(server, teacher, []);
    assert.deepEqual(await done(teacher), ['class']);
    await server.post(`/api/classes/${class_id}/join-codes`, teacher.token, {});
    await server.post(`/api/classes/${class_id}/members`, teacher.token, { user_id: student.id });
    const exam_id = await makeAssessment(server, admin, 'exam', ['echo PASS']);
    await openSession(server, teacher, { exam_id, class_id });
    assert.deepEqual(await done(teacher), ['class', 'students', 'exam_session']);
    assert.deepEqual(await done(await server.user('instructor')), [], 'each instructor has own classes');
    await server.application.db.updateTable('installation').set({ backed_up_at: new Date() }).execute();
    assert.deepEqual(await done(admin), ['courses', 'students', 'class', 'exam_session', 'backup']);
  });

  it('include images only while the engine responds', async () => {
    const { body } = await server.get('/api/first-steps', admin.token);
    assert.deepEqual(
      body.find(({ step }: { step: string }) => step === 'images'),
      { step: 'images', is_done: false },
    );
  });

  it('name the images that the engine does not have', { skip: engineSkip }, async (t) => {
    const open = await TestServer.start();
    t.after(() => open[Symbol.asyncDispose]());
    const head = await open.user('admin');
    const images = async () =>
      (await open.get('/api/first-steps', head.token)).body.find(({ step }: { step: string }) => step === 'images');
    assert.deepEqual(await images(), { step: 'images', is_done: true });
    const exam = await makeAssessment(open, head, 'exam', ['echo PASS']);
    await open.application.db
      .updateTable('assessments')
      .where('kind', '=', 'exam')
      .set({ container_image: 'no-such-image' })
      .where('id', '=', exam)
      .execute();
    assert.deepEqual(await images(), { step: 'images', is_done: false, missing: ['no-such-image'] });
  });
});
