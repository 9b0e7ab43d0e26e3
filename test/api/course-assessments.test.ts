import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { finishAttempt } from '../finished-attempt.ts';
import { makeAssessment } from '../made-assessment.ts';
import { TestServer, type TestUser } from '../server.ts';

describe('the laboratories and exams of a course', () => {
  let server: TestServer;
  let admin: TestUser;
  let student: TestUser;
  let course: number;
  let sections: number[];
  let exam: number;
  let laboratories: number[];
  before(async () => {
    server = await TestServer.start();
    [admin, student] = [await server.user('admin'), await server.user()];
    const create = async (path: string, fields: object): Promise<number> => {
      const { status, body, text } = await server.post(`/api/admin/lessons/${path}`, admin.token, fields);
      assert.equal(status, 201, text);
      return body.id;
    };
    course = await create('courses', { name: 'Course' });
    const section = (name: string, fields: object = {}) => create('sections', { name, course_id: course, ...fields });
    sections = [await section('One'), await section('Two'), await section('Closed', { is_active: false })];
    // Made in the opposite order of their sections.
    const inSection = (section_id: number | undefined) =>
      makeAssessment(server, admin, 'laboratory', ['echo PASS'], { title: `Of ${section_id}`, section_id });
    laboratories = [await inSection(sections[1]), await inSection(sections[0]), await inSection(sections[2])];
    exam = await makeAssessment(server, admin, 'exam', ['echo PASS'], { title: 'Exam', course_id: course });
    await makeAssessment(server, admin, 'exam', ['echo PASS'], { title: 'Elsewhere' });
    await makeAssessment(server, admin, 'exam', ['echo PASS'], { title: 'Draft', course_id: course, is_active: false });
  });
  after(() => server?.[Symbol.asyncDispose]());

  const get = (query: string, { token } = student) => server.get(`/api/dashboard/course-subjects?${query}`, token);

  it('are listed with those that the caller has passed', async () => {
    await finishAttempt(server, student, 'laboratory', laboratories[0] ?? 0, [true]);
    await finishAttempt(server, student, 'exam', exam, [false]);
    const [second, first] = laboratories;
    const expected = [
      { kind: 'laboratory', id: first, title: `Of ${sections[0]}`, section_id: sections[0], is_passed: false },
      { kind: 'laboratory', id: second, title: `Of ${sections[1]}`, section_id: sections[1], is_passed: true },
      { kind: 'exam', id: exam, title: 'Exam', section_id: null, is_passed: false },
    ].map((row) => ({ ...row, course_id: course }));
    const { status, body } = await get(`course_id=${course}`);
    assert.deepEqual([status, body], [200, expected]);
    assert.deepEqual((await get(`section_id=${sections[1]}`)).body, expected);

    await finishAttempt(server, student, 'exam', exam, [true]);
    const isPassed = async (user: TestUser) =>
      (await get(`course_id=${course}`, user)).body.map(({ is_passed }: { is_passed: boolean }) => is_passed);
    assert.deepEqual(await isPassed(student), [false, true, true]);
    // Those of others do not count. Administrators see inactive sections.
    assert.deepEqual(await isPassed(admin), [false, false, false, false]);
  });

  it('do not count as passed while their results are withheld', async () => {
    const user = await server.user();
    const id = await finishAttempt(server, user, 'exam', exam, [true]);
    await server.application.db.updateTable('attempts').set({ withheld: 'results' }).where('id', '=', id).execute();
    const { body } = await get(`course_id=${course}`, user);
    assert.equal(body.at(-1).is_passed, false);
  });

  it('are missing where the course or section does not exist or is not visible', async () => {
    for (const query of ['course_id=2000000', 'section_id=2000000', `section_id=${sections[2]}`]) {
      const { status, code } = await get(query);
      assert.deepEqual([status, code], [404, 'not_found'], query);
      assert.deepEqual((await get(`${query}&is_optional=true`)).body, [], query);
    }
    for (const query of ['', 'course_id=x']) assert.equal((await get(query)).status, 422, query);
    assert.equal((await server.get(`/api/dashboard/course-subjects?course_id=${course}`)).status, 401);
  });
});
