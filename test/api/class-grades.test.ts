import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { finishAttempt } from '../finished-attempt.ts';
import { makeAssessment } from '../made-assessment.ts';
import { TestServer, type TestUser } from '../server.ts';

type Student = { user_id: number; score: number; passed: number; missing: number; results: (Grade | null)[] };
type Grade = {
  attempts: number;
  attempt_id: number | null;
  score: number | null;
  passed: boolean | null;
  is_active: boolean;
};

describe('the grades of a class', () => {
  let server: TestServer;
  let admin: TestUser;
  let teacher: TestUser;
  let group: number;
  let path: string;
  const subjects: Record<string, number> = {};
  const people: Record<string, TestUser> = {};
  const attempts: Record<string, number> = {};
  before(async () => {
    server = await TestServer.start();
    admin = await server.user('admin');
    teacher = await server.user('instructor');
    const made = async (where: string, json: object, by = admin): Promise<number> => {
      const { status, body, text } = await server.post(where, by.token, json);
      assert.equal(status, 201, text);
      return body.id;
    };
    const course = await made('/api/admin/lessons/courses', { name: 'Course' });
    const section = await made('/api/admin/lessons/sections', { name: 'Section', course_id: course });
    // Two tasks, of one and of two points.
    const scripts = ['echo PASS', 'echo PASS'];
    const exam = (title: string) =>
      makeAssessment(server, admin, 'exam', scripts, { title, course_id: course, passing_score: 2 });
    const more = { title: '=Laboratory', section_id: section };
    Object.assign(subjects, {
      ...{ exam: await exam('Same title'), same: await exam('Same title'), retired: await exam('Retired') },
      ...{
        unused: await exam('Retired and unused'),
        laboratory: await makeAssessment(server, admin, 'laboratory', scripts, more),
      },
      foreign: await makeAssessment(server, admin, 'exam', scripts, { title: 'Foreign' }),
    });
    group = await made('/api/classes', { name: 'Class', course_ids: [course] }, teacher);
    path = `/api/classes/${group}/grades`;
    for (const name of ['good', 'idle', 'late']) {
      people[name] = await server.user();
      await made(`/api/classes/${group}/members`, { user_id: people[name].id }, teacher);
    }
    const finish = async (name: string, of: string, passed: boolean[]) => {
      const kind = of === 'laboratory' ? 'laboratory' : 'exam';
      return await finishAttempt(server, people[name] as TestUser, kind, subjects[of] ?? 0, passed);
    };
    await finish('good', 'exam', [true, false]);
    attempts['best'] = await finish('good', 'exam', [true, true]);
    await finish('good', 'exam', [false, false]);
    await finish('good', 'laboratory', [true, false]);
    await finish('good', 'retired', [true, true]);
    await finish('good', 'foreign', [true, true]);
    const { db } = server.application;
    const begun = {
      user_id: people['late']?.id ?? 0,
      title: 'Begun',
      max_score: 3,
      passing_score: 2,
      expires_at: new Date(Date.now() + 3_600_000),
    };
    await db
      .insertInto('attempts')
      .values({
        ...begun,
        kind: 'exam',
        assessment_id: subjects['exam'] ?? 0,
        container_name: 'begun',
        status: 'in_progress',
      })
      .execute();
    await finish('late', 'same', [false, false]);
    for (const name of ['retired', 'unused']) {
      const answer = await server.put(`/api/admin/exams/${subjects[name]}`, admin.token, { is_active: false });
      assert.equal(answer.status, 200, answer.text);
    }
  });
  after(() => server[Symbol.asyncDispose]());

  const get = async (query = '', by = teacher) => {
    const { status, body, headers, text } = await server.get(`${path}${query}`, by.token);
    assert.equal(status, 200, text);
    const name = ({ user_id }: Student) => Object.keys(people).find((key) => people[key]?.id === user_id);
    return { ...body, names: body.students.map(name), total: headers.get('x-total-count') };
  };

  it('has the best graded attempt of each student in each exam and laboratory of its courses', async () => {
    const { students, names, total, max_score, ...rest } = await get();
    assert.deepEqual(rest.rules, { missing: 'zero', drop_lowest: 0, passing_percent: null, is_visible: false });
    assert.deepEqual([names, total, max_score], [['good', 'idle', 'late'], '3', 9]);
    const row = (kind: string, name: string, title: string, passing_score: number, is_active = true) => ({
      ...{ key: `${kind}-${subjects[name]}`, kind, id: subjects[name], title, max_score: 3, passing_score, is_active },
      ...{ weight: 1, counted_attempt: 'best' },
    });
    assert.deepEqual(rest.subjects, [
      row('exam', 'exam', 'Same title', 2),
      row('exam', 'same', 'Same title', 2),
      row('laboratory', 'laboratory', '=Laboratory', 1),
      row('exam', 'retired', 'Retired', 2, false),
    ]);
    const short = (grade: Grade | null) => grade && [grade.attempts, grade.score, grade.passed, grade.is_active];
    assert.deepEqual(
      students.map(({ score, passed, missing, results }: Student) => [score, passed, missing, results.map(short)]),
      [
        // A retired exam counts for no total.
        [4, 2, 1, [[3, 3, true, false], null, [1, 1, true, false], [1, 3, true, false]]],
        [0, 0, 3, [null, null, null, null]],
        [0, 0, 2, [[1, null, null, true], [1, 0, false, false], null, null]],
      ],
    );
    const [best] = students[0].results;
    assert.equal(best.attempt_id, attempts['best']);
    assert.match(best.submitted_at, /^\d{4}-.*Z$/);
    assert.deepEqual([students[2].results[0].attempt_id, students[2].results[0].submitted_at], [null, null]);
  });

  it('is read in pages', async () => {
    const { names, total } = await get('?page=2&page_size=2');
    assert.deepEqual([names, total], [['late'], '3']);
    assert.deepEqual((await get('?page=9')).students, []);
    assert.equal((await server.get(`${path}?page_size=101`, teacher.token)).status, 422);
  });

  it('is a CSV of all students for those who ask for one, in which no cell is a formula', async () => {
    await server.put('/api/profile/me', people['idle']?.token, { full_name: '=cmd|calc' });
    const headers = { accept: 'text/csv' };
    const answer = await server.request('GET', `${path}?page_size=1`, { token: teacher.token, headers });
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.headers.get('content-type'), 'text/csv; charset=utf-8');
    assert.equal(answer.headers.get('content-disposition'), `attachment; filename="class-${group}-grades.csv"`);
    const [good, idle, late] = ['good', 'idle', 'late'].map((name) => people[name]);
    const same = (name: string) => `Same title (exam ${subjects[name]})`;
    assert.deepEqual(answer.text.split('\r\n'), [
      `username,full_name,email,score,max_score,passed,missing,percent,is_passed,${same('exam')},${same('same')},'=Laboratory,Retired`,
      `${good?.username},,${good?.email},4,9,2,1,44.44,,3,,1,3`,
      `${idle?.username},'=cmd|calc,${idle?.email},0,9,0,3,0,,,,,`,
      `${late?.username},,${late?.email},0,9,0,2,0,,,0,,`,
      '',
    ]);
  });

  it('is for assistants and instructors of the class, instructors who see all classes, and administrators', async () => {
    const helper = await server.user();
    await server.post(`/api/classes/${group}/members`, teacher.token, { user_id: helper.id, role: 'assistant' });
    for (const user of [helper, admin, await server.user('instructor')])
      assert.deepEqual((await get('', user)).names, ['good', 'idle', 'late']);
    assert.equal((await server.get(path, people['idle']?.token)).status, 403);
    assert.equal((await server.get(path, (await server.user()).token)).status, 404);
    const { body } = await server.post('/api/classes', teacher.token, { name: 'Empty' });
    const empty = await server.get(`/api/classes/${body.id}/grades`, teacher.token);
    assert.deepEqual(
      [empty.body.subjects, empty.body.columns, empty.body.max_score, empty.body.students],
      [[], [], 0, []],
    );
  });
});
