import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { finishAttempt } from '../finished-attempt.ts';
import { TestServer, type TestUser } from '../server.ts';

const assessment = { container_image: 'platform-exam-linux-basics', passing_score: 2 };
const task = { title: 'Task', points: 2, verification_script: 'echo PASS' };

describe('the progress of a class', () => {
  let server: TestServer;
  let teacher: TestUser;
  let group: number;
  let path: string;
  let subjects: { exam: number; laboratory: number };
  const people = new Map<string, TestUser>();
  before(async () => {
    server = await TestServer.start();
    teacher = await server.user('instructor');
    const admin = await server.user('admin');
    const made = async (where: string, json: object, by = admin): Promise<number> => {
      const { status, body, text } = await server.post(where, by.token, json);
      assert.equal(status, 201, text);
      return body.id;
    };
    const lessons = '/api/admin/lessons';
    const course = await made(`${lessons}/courses`, { name: 'Course' });
    const section = await made(`${lessons}/sections`, { name: 'Section', course_id: course });
    const closed = await made(`${lessons}/sections`, { name: 'Closed', course_id: course, is_active: false });
    const theme = (title: string, section_id: number) =>
      made(`${lessons}/themes`, { title, section_id, markdown_file_path: 'a.md' });
    const themes = [await theme('One', section), await theme('Two', section)];
    await theme('Of a closed section', closed);
    const exam = await made('/api/admin/exams', {
      ...assessment,
      title: '=Exam',
      time_limit_minutes: 5,
      course_id: course,
    });
    const laboratory = await made('/api/admin/laboratories', {
      ...assessment,
      title: 'Laboratory',
      section_id: section,
    });
    const foreign = await made('/api/admin/exams', { ...assessment, title: 'Foreign', time_limit_minutes: 5 });
    subjects = { exam, laboratory };
    for (const [kind, id] of [
      ['exams', exam],
      ['exams', foreign],
      ['laboratories', laboratory],
    ] as const)
      await made(`/api/admin/${kind}/${id}/tasks`, task);
    group = await made('/api/classes', { name: 'Class', course_ids: [course] }, teacher);
    path = `/api/classes/${group}/progress`;
    for (const [name, role] of [
      ['idle', 'student'],
      ['reader', 'student'],
      ['stuck', 'student'],
      ['done', 'student'],
      ['helper', 'assistant'],
    ] as const) {
      const user = await server.user();
      people.set(name, user);
      await made(`/api/classes/${group}/members`, { user_id: user.id, role }, teacher);
    }
    const complete = (name: string, id = themes[0]) =>
      server.post(`/api/lessons/themes/${id}/complete`, people.get(name)?.token);
    const finish = (name: string, kind: 'exam' | 'laboratory', id: number, passed: boolean) =>
      finishAttempt(server, people.get(name) as TestUser, kind, id, [passed]);
    await finish('idle', 'exam', foreign, true);
    await complete('reader');
    await finish('reader', 'exam', exam, false);
    await finish('reader', 'exam', exam, false);
    for (let round = 0; round < 3; round += 1) await finish('stuck', 'laboratory', laboratory, false);
    for (const id of themes) await complete('done', id);
    await finish('done', 'exam', exam, false);
    await finish('done', 'exam', exam, true);
    await finish('done', 'laboratory', laboratory, true);
    await complete('helper');
  });
  after(() => server[Symbol.asyncDispose]());

  const name = (id: number) => [...people].find(([, user]) => user.id === id)?.[0];
  const get = async (query = '', token = teacher.token) => {
    const { status, body, headers, text } = await server.get(`${path}${query}`, token);
    assert.equal(status, 200, text);
    return { ...body, total: headers.get('x-total-count') };
  };

  it('is sorted on all pages, with what is missing last', async () => {
    const sorted = async (sort: string, order = 'asc') => {
      const pages = [1, 2].map((page) => get(`?sort=${sort}&order=${order}&page=${page}&page_size=2`));
      const students = (await Promise.all(pages)).flatMap((page) => page.students as { user_id: number }[]);
      return students.map(({ user_id }) => name(user_id)).join(' ');
    };
    assert.equal(await sorted('username'), 'idle reader stuck done');
    assert.equal(await sorted('username', 'desc'), 'done stuck reader idle');
    assert.equal(await sorted('name', 'desc'), 'done stuck reader idle');
    assert.equal(await sorted('state', 'desc'), 'done stuck reader idle');
    assert.equal(await sorted('completed_themes'), 'idle stuck reader done');
    assert.equal(await sorted('last_active_at', 'desc'), 'done stuck reader idle');
    assert.equal(await sorted(`exam-${subjects.exam}`), 'reader done idle stuck');
    assert.equal(await sorted(`laboratory-${subjects.laboratory}`, 'desc'), 'done stuck idle reader');
    for (const sort of ['exam-999999', 'email', 'username;', 'exam-0'])
      assert.equal((await server.get(`${path}?sort=${sort}`, teacher.token)).status, 422, sort);
  });

  it('has the state of each student, and counts them all', async () => {
    const { students, counts, total_themes, total, ...rest } = await get();
    assert.deepEqual([total_themes, total], [2, '4']);
    assert.deepEqual(counts, { not_begun: 1, begun: 1, stuck: 1, finished: 1 });
    assert.deepEqual(rest.subjects, [
      { kind: 'exam', id: subjects.exam, title: '=Exam', max_score: 2, due_at: null },
      { kind: 'laboratory', id: subjects.laboratory, title: 'Laboratory', max_score: 2, due_at: null },
    ]);
    const ended = (attempts: number, score: number, passed: boolean) => ({
      ...{ attempts, score, passed, is_active: false, is_awaiting_grading: false },
      hasTime: passed,
    });
    type Student = {
      user_id: number;
      state: string;
      completed_themes: number;
      results: ({ passed_at: string | null } | null)[];
      last_active_at: string;
    };
    assert.deepEqual(
      students.map(({ user_id, state, completed_themes, results }: Student) => [
        ...[name(user_id), state, completed_themes],
        results.map((one) => {
          if (one === null) return null;
          const { passed_at, ...rest } = one;
          return { ...rest, hasTime: passed_at !== null };
        }),
      ]),
      [
        ['idle', 'not_begun', 0, [null, null]],
        ['reader', 'begun', 1, [ended(2, 0, false), null]],
        ['stuck', 'stuck', 0, [null, ended(3, 0, false)]],
        ['done', 'finished', 2, [ended(2, 2, true), ended(1, 2, true)]],
      ],
    );
    assert.deepEqual(
      students.map(({ last_active_at }: Student) => last_active_at === null),
      [true, false, false, false],
    );
  });

  it('has nobody as stuck whose attempt awaits a person', async () => {
    const { db } = server.application;
    const { id = 0 } = people.get('stuck') ?? {};
    const last = db.selectFrom('attempts').select('id').where('user_id', '=', id).orderBy('id', 'desc').limit(1);
    const change = db.updateTable('attempts').where('id', '=', last);
    await change.set({ is_awaiting_grading: true, score: null, passed: null }).execute();
    const { students, counts } = await get();
    const { state, results } = students.find((one: { user_id: number }) => one.user_id === id);
    assert.deepEqual([counts.stuck, state, results[1].is_awaiting_grading], [0, 'begun', true]);
    await change.set({ is_awaiting_grading: false, score: 0, passed: false }).execute();
    assert.equal((await get()).counts.stuck, 1);
  });

  it('is filtered by state, in pages', async () => {
    const found = await get('?state=stuck&stuck_after=2');
    assert.deepEqual(
      found.students.map(({ user_id }: { user_id: number }) => name(user_id)),
      ['reader', 'stuck'],
    );
    assert.deepEqual([found.total, found.counts.begun, found.counts.stuck], ['2', 0, 2]);
    const second = await get('?page=2&page_size=3');
    assert.deepEqual(
      second.students.map(({ user_id }: { user_id: number }) => name(user_id)),
      ['done'],
    );
    assert.deepEqual([second.total, second.counts.not_begun], ['4', 1]);
    assert.equal((await server.get(`${path}?state=lazy`, teacher.token)).status, 422);
    assert.equal((await server.get(`${path}?stuck_after=0`, teacher.token)).status, 422);
  });

  it('is a CSV of all students for those who ask for one', async () => {
    const headers = { accept: 'text/csv' };
    const answer = await server.request('GET', `${path}?page_size=1`, { token: teacher.token, headers });
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.headers.get('content-type'), 'text/csv; charset=utf-8');
    assert.match(answer.headers.get('vary') ?? '', /accept/i);
    const [head, ...lines] = answer.text.trimEnd().split('\r\n');
    const columns = 'username,full_name,email,state,completed_themes,total_themes,last_active_at';
    assert.equal(head, `${columns},'=Exam,Laboratory`);
    assert.equal(lines.length, 4);
    assert.match(lines[1] ?? '', /,begun,1,2,\d{4}-[^,]+Z,0,$/);
    assert.match(lines[3] ?? '', /,finished,2,2,\d{4}-[^,]+Z,2,2$/);
    const one = await server.request('GET', `${path}?state=finished`, { token: teacher.token, headers });
    assert.equal(one.text.trimEnd().split('\r\n').length, 2);
  });

  it('is for assistants and instructors of the class, instructors and administrators', async () => {
    const helper = people.get('helper') as TestUser;
    assert.equal((await get('', helper.token)).students.length, 4);
    assert.equal((await server.get(path, people.get('idle')?.token)).status, 403);
    assert.equal((await server.get(path, (await server.user()).token)).status, 404);
    assert.equal((await get('', (await server.user('instructor')).token)).students.length, 4);
    const empty = (await server.post('/api/classes', teacher.token, { name: 'Empty' })).body.id;
    const { body } = await server.get(`/api/classes/${empty}/progress`, teacher.token);
    assert.deepEqual([body.students, body.subjects, body.total_themes], [[], [], 0]);
  });
});
