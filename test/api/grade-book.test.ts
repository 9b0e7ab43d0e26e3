import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openSession } from '../exam-session.ts';
import { finishAttempt } from '../finished-attempt.ts';
import { makeAssessment } from '../made-assessment.ts';
import { type Answer, codedItems, TestServer, type TestUser } from '../server.ts';

const passing = ['echo PASS', 'echo PASS', 'echo PASS'];

describe('the grade book of a class', () => {
  let server: TestServer;
  let admin: TestUser;
  let teacher: TestUser;
  before(async () => {
    const env = { maxGradeColumns: 4, maxGradeLines: 3 };
    server = await TestServer.start(env, { engine: { reason: 'this test has none' } });
    [admin, teacher] = [await server.user('admin'), await server.user('instructor')];
  });
  after(() => server[Symbol.asyncDispose]());

  const made = async (where: string, json: object, by = teacher) => {
    const { status, body, text } = await server.post(where, by.token, json);
    assert.equal(status, 201, text);
    return body.id as number;
  };
  const ok = async (request: Promise<Answer>) => {
    const answer = await request;
    assert.equal(answer.status, 200, answer.text);
    return answer.body;
  };
  const is = ({ status, code: answered, text }: Answer, expected: number, code: string): void =>
    assert.deepEqual([status, answered], [expected, code], text);

  type School = Awaited<ReturnType<typeof school>>;

  /** A class with an exam of six points and a laboratory of six, and students by username. */
  async function school(count: number) {
    const course = await made('/api/admin/lessons/courses', { name: 'Course' }, admin);
    const section_id = await made('/api/admin/lessons/sections', { name: 'Section', course_id: course }, admin);
    const exam = await makeAssessment(server, admin, 'exam', passing, { title: 'Exam (1)', course_id: course });
    const laboratory = await makeAssessment(server, admin, 'laboratory', passing, { title: 'Laboratory', section_id });
    const id = await made('/api/classes', { name: 'Class', course_ids: [course] });
    const students: TestUser[] = [];
    for (let index = 0; index < count; index += 1) {
      const student = await server.user();
      await made(`/api/classes/${id}/members`, { user_id: student.id });
      students.push(student);
    }
    const path = `/api/classes/${id}`;
    const finish = (index: number, kind: 'exam' | 'laboratory', passed: boolean[]) =>
      finishAttempt(server, students[index] as TestUser, kind, kind === 'exam' ? exam : laboratory, passed);
    return { id, path, exam, laboratory, students, finish };
  }
  const columnOf = ({ path }: School, name: string, max_score = 10) =>
    made(`${path}/grade-columns`, { name, max_score });
  const setRules = ({ path }: School, json: object) => server.put(`${path}/grade-book`, teacher.token, json);
  const grades = async ({ path }: School, query = '') => await ok(server.get(`${path}/grades${query}`, teacher.token));
  const csv = async ({ path }: School, query: string): Promise<string[]> => {
    const headers = { accept: 'text/csv' };
    const answer = await server.request('GET', `${path}/grades${query}`, { token: teacher.token, headers });
    assert.equal(answer.status, 200, answer.text);
    return answer.text.split('\r\n');
  };
  const importCsv = ({ path }: School, body: string, by = teacher) => {
    const headers = { 'content-type': 'text/csv' };
    return server.request('POST', `${path}/grade-columns/import`, { token: by.token, headers, body });
  };

  // Long: one grade book with each rule.
  it('weights exams, laboratories and columns, drops the lowest, and passes from a percentage', async () => {
    const of = await school(2);
    const column = await columnOf(of, 'Essay');
    await of.finish(0, 'exam', [true, true, true]);
    await of.finish(0, 'laboratory', [true, false, false]);
    const value = { value: 7.126 };
    const at = `${of.path}/grade-columns/${column}/values/${of.students[0]?.id}`;
    assert.deepEqual(await ok(server.put(at, teacher.token, value)), { value: 7.13 });
    const subjects = [{ kind: 'laboratory', id: of.laboratory, weight: 0.5 }];
    const book = await ok(setRules(of, { passing_percent: 50, subjects }));
    assert.deepEqual(book.rules, { missing: 'zero', drop_lowest: 0, passing_percent: 50, is_visible: false });
    assert.deepEqual(
      [...book.subjects, ...book.columns].map(({ key, weight }) => [key, weight]),
      [
        [`exam-${of.exam}`, 1],
        [`laboratory-${of.laboratory}`, 0.5],
        [`column-${column}`, 1],
      ],
    );
    const rows = async () =>
      (await grades(of)).students.map((row: Record<string, unknown>) => [
        ...[row['percent'], row['is_passed'], row['score'], row['missing'], row['dropped'], row['values']],
      ]);
    assert.deepEqual(await rows(), [
      [71.85, true, 14.13, 0, [], [7.13]],
      [0, false, 0, 3, [], [null]],
    ]);
    await ok(setRules(of, { drop_lowest: 1, missing: 'ignored', subjects: [{ ...subjects[0], weight: 1 }] }));
    assert.deepEqual(await rows(), [
      [85.65, true, 14.13, 0, [`laboratory-${of.laboratory}`], [7.13]],
      [null, null, 0, 3, [], [null]],
    ]);
    const { rows: log } = await server.application.db
      .selectFrom('activity_log')
      .select(['type', 'user_id'])
      .where('type', 'like', 'class_grade_%')
      .where('entity_id', '=', of.id)
      .orderBy('id')
      .execute()
      .then((rows) => ({ rows }));
    assert.deepEqual(
      log.map(({ type, user_id }) => [type, user_id]),
      // The feed of the student would show the value.
      [
        ['class_grade_column_create', null],
        ['class_grade_value', null],
        ['class_grade_rules', null],
        ['class_grade_rules', null],
      ],
    );
  });

  it('counts the best, the last or the first attempt; in an exam session the one that counts there', async () => {
    const of = await school(1);
    await of.finish(0, 'exam', [true, false, false]);
    const best = await of.finish(0, 'exam', [true, true, true]);
    const last = await of.finish(0, 'exam', [false, true, false]);
    const score = async () => (await grades(of)).students[0].results[0].score;
    const count = (counted_attempt: string) =>
      ok(setRules(of, { subjects: [{ kind: 'exam', id: of.exam, counted_attempt }] }));
    const scores = [];
    for (const counted of ['best', 'last', 'first']) {
      await count(counted);
      scores.push(await score());
    }
    assert.deepEqual(scores, [6, 2, 1]);
    // The session counts its last attempt, so its better one takes no part.
    const session = await openSession(server, teacher, { exam_id: of.exam, class_id: of.id, counted_attempt: 'last' });
    const { db } = server.application;
    await db.updateTable('attempts').set({ session_id: session.id }).where('id', 'in', [best, last]).execute();
    await count('best');
    assert.equal(await score(), 2);
    await server.put(`/api/exam-sessions/${session.id}`, teacher.token, { counted_attempt: 'first' });
    assert.equal(await score(), 6);
  });

  it('is sorted and filtered over all pages', async () => {
    const of = await school(3);
    const column = await columnOf(of, 'Essay');
    await of.finish(0, 'exam', [true, false, false]);
    await of.finish(1, 'exam', [true, true, true]);
    await ok(
      server.put(`${of.path}/grade-columns/${column}/values/${of.students[2]?.id}`, teacher.token, { value: 5 }),
    );
    await ok(setRules(of, { passing_percent: 20 }));
    const order = async (query: string) => {
      const answer = await server.get(`${of.path}/grades?${query}`, teacher.token);
      assert.equal(answer.status, 200, answer.text);
      const ids = answer.body.students.map(({ user_id }: { user_id: number }) => user_id);
      return [
        ids.map((id: number) => of.students.findIndex((user) => user.id === id)),
        answer.headers.get('x-total-count'),
      ];
    };
    assert.deepEqual(await order('sort=percent&order=desc'), [[1, 2, 0], '3']);
    assert.deepEqual(await order(`sort=exam-${of.exam}&order=desc&page_size=1&page=2`), [[0], '3']);
    // Missing grades come last in both orders.
    assert.deepEqual(await order(`sort=exam-${of.exam}`), [[0, 1, 2], '3']);
    assert.deepEqual(await order(`sort=column-${column}`), [[2, 0, 1], '3']);
    assert.deepEqual(await order('order=desc'), [[2, 1, 0], '3']);
    assert.deepEqual(await order('state=failed'), [[0, 2], '2']);
    assert.deepEqual(await order('state=passed'), [[1], '1']);
    assert.deepEqual(await order(`q=${of.students[2]?.username}`), [[2], '1']);
    for (const sort of ['exam-2000000000', 'password'])
      is(await server.get(`${of.path}/grades?sort=${sort}`, teacher.token), 422, 'validation');
  });

  it('has a limited number of columns with unique names, which are changed and deleted with their values', async () => {
    const of = await school(1);
    const path = `${of.path}/grade-columns`;
    const id = await columnOf(of, 'Essay');
    is(await server.post(path, teacher.token, { name: 'essay', max_score: 1 }), 409, 'column_name_taken');
    is(await server.post(path, teacher.token, { name: 'Email', max_score: 1 }), 422, 'validation');
    is(await server.post(path, teacher.token, { name: ' x', max_score: 1 }), 422, 'validation');
    const other = await columnOf(of, 'Other');
    is(await server.put(`${path}/${other}`, teacher.token, { name: 'ESSAY' }), 409, 'column_name_taken');
    const answers = await Promise.all(
      [1, 2, 3].map((number) => server.post(path, teacher.token, { name: `Column ${number}`, max_score: number })),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 201, 409]);
    is(answers.find(({ status }) => status === 409) as Answer, 409, 'too_many_grade_columns');

    const value = `${path}/${id}/values/${of.students[0]?.id}`;
    is(await server.put(value, teacher.token, { value: 10.01 }), 409, 'values_above_maximum');
    is(await server.put(value, teacher.token, { value: -1 }), 422, 'validation');
    await ok(server.put(value, teacher.token, { value: 10 }));
    is(await server.put(`${path}/${id}`, teacher.token, { max_score: 9 }), 409, 'values_above_maximum');
    assert.deepEqual(await ok(server.put(`${path}/${id}`, teacher.token, { max_score: 20, name: 'Text' })), {
      ...{ id, name: 'Text', max_score: 20, weight: 1 },
    });
    for (const absent of [`${path}/${id}/values/${teacher.id}`, `${path}/2000000000/values/${of.students[0]?.id}`])
      is(await server.put(absent, teacher.token, { value: 1 }), 404, 'not_found');
    const foreign = await school(0);
    is(await server.delete(`${foreign.path}/grade-columns/${id}`, teacher.token), 404, 'not_found');
    is(await setRules(foreign, { subjects: [{ kind: 'exam', id: of.exam }] }), 404, 'not_found');
    await ok(server.put(value, teacher.token, { value: null }));
    assert.deepEqual((await grades(of)).students[0].values[0], null);
    await ok(server.put(value, teacher.token, { value: 3 }));
    await ok(server.delete(`${path}/${id}`, teacher.token));
    assert.equal((await grades(of)).columns.length, 3);
  });

  it('imports and exports values as a CSV, all lines or none', async () => {
    const of = await school(2);
    await columnOf(of, '=Essay');
    await columnOf(of, 'Talk', 5);
    const [one, two] = of.students as [TestUser, TestUser];
    const lines = [`${one.username},,9,"4,5"`, `,${two.email.toUpperCase()},1.5,`];
    const first = await ok(importCsv(of, `username,email,=essay,Talk\n${lines.join('\n')}\n`));
    assert.deepEqual(first, { lines: 2, changed: 3 });
    const exported = await csv(of, '?format=columns');
    assert.deepEqual(exported, [
      "username,full_name,email,'=Essay,Talk",
      `${one.username},,${one.email},9,4.5`,
      `${two.username},,${two.email},1.5,`,
      '',
    ]);
    // An export is imported as it is. An empty cell leaves a value, a hyphen removes it.
    assert.deepEqual(await ok(importCsv(of, exported.join('\r\n'))), { lines: 2, changed: 0 });
    assert.deepEqual(await ok(importCsv(of, `email,Talk\n${one.email},-\n${two.email},\n`)), { lines: 2, changed: 1 });
    const values = async () => (await grades(of)).students.map((row: { values: unknown }) => row.values);
    assert.deepEqual(await values(), [
      [9, null],
      [1.5, null],
    ]);
    // A student who comes back has the values again.
    await server.delete(`${of.path}/members/${one.id}`, teacher.token);
    is(await importCsv(of, `username,Talk\n${one.username},1`), 422, 'validation');
    await made(`${of.path}/members`, { user_id: one.id });
    assert.deepEqual((await values())[0], [9, null]);
  });

  it('checks a file first, also with other names, separators and encodings', async () => {
    const of = await school(2);
    await columnOf(of, 'Реферат');
    const [one] = of.students as [TestUser, TestUser];
    const send = (path: string, text: string) => {
      const options = {
        token: teacher.token,
        headers: { 'content-type': 'text/csv' },
        body: Buffer.from(text, 'utf16le'),
      };
      return server.request('POST', `${of.path}/grade-columns/import${path}`, options);
    };
    const text = `\uFEFFФИО\tЭл. почта\tРЕФЕРАТ\tЗаметки\r\nX\t${one.email}\t9,5\tno\r\n`;
    const checked = await send('/check', text);
    assert.deepEqual([checked.body.outcomes, checked.body.encoding], [{ values: 1 }, 'utf-16le'], checked.text);
    const fields = checked.body.columns.map(({ field }: { field: string | null }) => field ?? '');
    assert.deepEqual([fields[0], fields[1], fields[3]], ['full_name', 'email', '']);
    assert.equal(codedItems(await send('', text))[0].code, 'column_unknown', 'nothing is ignored without being said');
    const wrong = await send('/check', text.replace('9,5', '99'));
    assert.deepEqual(wrong.body.problems[0].params, { max: 10 });
    assert.deepEqual((await send(`?columns=${fields.join(',')}`, text)).body, { lines: 1, changed: 1 });
  });

  // Long: a table of wrong files.
  it('refuses a file with a wrong line, and lists the problems of all lines', async () => {
    const of = await school(2);
    await columnOf(of, '=Essay');
    await columnOf(of, 'Talk', 5);
    const [one, two] = of.students as [TestUser, TestUser];
    const outsider = await server.user();
    const wrong = [`${one.username},${two.email},1,1`, `${outsider.username},,11,x`, `${two.username},,2,2,2`];
    const refused = await importCsv(of, `username,email,=Essay,Talk\n${wrong.join('\n')}`);
    assert.equal(refused.status, 422);
    assert.deepEqual(
      refused.body.detail.map(({ loc }: { loc: unknown[] }) => loc),
      [
        ['body', 2, 'email'],
        ['body', 3, 'username'],
        ['body', 3, '=Essay'],
        ['body', 3, 'Talk'],
        ['body', 4],
      ],
    );
    const again = await importCsv(of, `username,Talk\n${one.username},1\n,2\n${one.username.toUpperCase()},3`);
    assert.deepEqual(
      again.body.detail.map(({ loc, msg }: { loc: unknown[]; msg: string }) => [loc[1], msg.split(', ')[1]]),
      [
        [3, 'the line has neither a username nor an e-mail address'],
        [4, 'the student is in this file twice'],
      ],
    );
    for (const file of [
      '',
      'username,Talk',
      'Talk\n1',
      'username,Absent\nx,1',
      'username\nx',
      'username,Talk,talk\nx,1,1',
    ])
      is(await importCsv(of, file), 422, 'validation');
    is(await importCsv(of, `username,Talk\n${`${one.username},1\n`.repeat(4)}`), 422, 'validation');
    const { students } = await grades(of);
    assert.deepEqual(
      students.map((row: { values: unknown }) => row.values),
      [
        [null, null],
        [null, null],
      ],
    );
  });

  it('is exported in the formats of Moodle and Canvas', async () => {
    const of = await school(2);
    const column = await columnOf(of, '-Talk', 5);
    const [one, two] = of.students as [TestUser, TestUser];
    await of.finish(0, 'exam', [true, false, true]);
    await ok(server.put(`${of.path}/grade-columns/${column}/values/${one.id}`, teacher.token, { value: 2.5 }));
    await server.put('/api/profile/me', two.token, { full_name: 'Petrova, Anna' });
    assert.deepEqual(await csv(of, '?format=moodle'), [
      "Username,Full name,Email address,Exam (1),Laboratory,'-Talk,Total (%)",
      `${one.username},,${one.email},4,-,2.5,38.89`,
      `${two.username},"Petrova, Anna",${two.email},-,-,-,0`,
      '',
    ]);
    assert.deepEqual(await csv(of, '?format=canvas'), [
      "Student,ID,SIS User ID,SIS Login ID,Section,Exam [1],Laboratory,'-Talk",
      '    Points Possible,,,,,6,6,5',
      `${one.username},,,${one.username},Class,4,,2.5`,
      `"Petrova, Anna",,,${two.username},Class,,,`,
      '',
    ]);
  });

  it('is shown to students if the instructor says so: the own grades, without withheld results', async () => {
    const of = await school(2);
    const [one, two] = of.students as [TestUser, TestUser];
    const column = await columnOf(of, 'Essay');
    const mine = (user: TestUser) => server.get(`${of.path}/grades/mine`, user.token);
    is(await mine(one), 403, 'forbidden');
    is(await mine(teacher), 403, 'forbidden');
    is(await mine(await server.user()), 404, 'not_found');
    await ok(setRules(of, { is_visible: true, passing_percent: 40 }));
    assert.equal((await ok(server.get(of.path, one.token))).is_grade_book_visible, true);
    await ok(server.put(`${of.path}/grade-columns/${column}/values/${one.id}`, teacher.token, { value: 9 }));
    await of.finish(1, 'laboratory', [true, true, true]);
    const attempt = await of.finish(0, 'exam', [true, true, true]);
    const session = await openSession(server, teacher, {
      ...{ exam_id: of.exam, class_id: of.id, results_visible: 'when_released' },
    });
    const { db } = server.application;
    await db.updateTable('attempts').set({ session_id: session.id }).where('id', '=', attempt).execute();
    const seen = async () => {
      const { percent, is_passed, items } = await ok(mine(one));
      type Item = { key: string; score: number | null; is_withheld: boolean; is_missing: boolean };
      return [percent, is_passed, items.map((item: Item) => [item.score, item.is_withheld, item.is_missing])];
    };
    const others = [
      [null, false, true],
      [9, false, false],
    ];
    assert.deepEqual(await seen(), [45, true, [[null, true, false], ...others]]);
    await ok(server.post(`/api/exam-sessions/${session.id}/release`, teacher.token));
    assert.deepEqual(await seen(), [63.33, true, [[6, false, false], ...others]]);
    assert.equal((await ok(mine(two))).percent, 33.33);
  });

  it('counts what awaits a person neither as zero nor as missing', async () => {
    const of = await school(1);
    await ok(setRules(of, { is_visible: true, missing: 'zero', passing_percent: 50 }));
    await of.finish(0, 'laboratory', [true, true, true]);
    const attempt = await of.finish(0, 'exam', [true, false, false]);
    const { db } = server.application;
    const awaits = { is_awaiting_grading: true, score: null, passed: null };
    await db.updateTable('attempts').set(awaits).where('id', '=', attempt).execute();
    const {
      students: [student],
    } = await grades(of);
    assert.deepEqual([student.percent, student.is_passed, student.missing], [100, true, 0]);
    assert.equal(student.results[0].is_awaiting_grading, true);
    const own = await ok(server.get(`${of.path}/grades/mine`, of.students[0]?.token));
    type Item = { score: number | null; is_awaiting_grading: boolean; is_missing: boolean };
    const items = own.items.map((item: Item) => [item.score, item.is_awaiting_grading, item.is_missing]);
    assert.deepEqual(
      [own.percent, items],
      [
        100,
        [
          [null, true, false],
          [6, false, false],
        ],
      ],
    );
    const statistics = await ok(server.get(`${of.path}/grades/statistics?item=exam-${of.exam}`, teacher.token));
    assert.deepEqual([statistics.count, statistics.tasks], [0, []]);
    await finishAttempt(server, of.students[0] as TestUser, 'exam', of.exam, [true, false, false]);
    const again = await ok(server.get(`${of.path}/grades/mine`, of.students[0]?.token));
    assert.deepEqual([again.items[0].score, again.items[0].is_awaiting_grading], [1, false], 'the other one counts');
  });

  // Long: one class with all figures.
  it('has the distribution of the grades, and the difficulty, discrimination and time of each task', async () => {
    const of = await school(7);
    // The first task is solved by the better students, the last one by nobody.
    for (let index = 0; index < 6; index += 1) await of.finish(index, 'laboratory', [index < 3, index < 4, false]);
    const statistics = (item: string) => server.get(`${of.path}/grades/statistics?item=${item}`, teacher.token);
    const { bins, tasks, ...rest } = await ok(statistics(`laboratory-${of.laboratory}`));
    assert.deepEqual(
      bins.map(({ count }: { count: number }) => count),
      [2, 0, 0, 1, 0, 3, 0, 0, 0, 0],
    );
    assert.deepEqual(rest, {
      ...{ key: `laboratory-${of.laboratory}`, title: 'Laboratory', students: 7, count: 6, minutes: 1 },
      ...{ mean: 30.56, median: 41.67, deviation: 22.4, lowest: 0, highest: 50 },
    });
    type Task = Record<string, unknown>;
    assert.deepEqual(
      tasks.map((task: Task) => [
        ...[task['title'], task['count'], task['solved'], task['difficulty']],
        ...[task['discrimination'], task['correlation'], task['minutes']],
      ]),
      [
        ['Task 1', 6, 3, 0.5, 1, 0.71, 1],
        ['Task 2', 6, 4, 0.67, 1, 0.71, 1],
        ['Task 3', 6, 0, 0, 0, null, null],
      ],
    );
    // A later check of a task that has passed does not change when it was solved.
    const { db } = server.application;
    await db.updateTable('task_results').set({ passed: false, points_earned: 0 }).where('passed', '=', true).execute();
    const later = new Date(Date.now() + 3_600_000);
    await db
      .updateTable('task_results')
      .set(({ ref }) => ({ passed: true, points_earned: ref('points'), graded_at: later }))
      .where('solved_at', 'is not', null)
      .execute();
    assert.deepEqual((await ok(statistics(`laboratory-${of.laboratory}`))).tasks, tasks);
    const total = await ok(statistics('total'));
    assert.deepEqual([total.title, total.count, total.mean, total.tasks], [null, 7, 13.1, []]);
    await of.finish(0, 'exam', [true, true, true]);
    const [task] = (await ok(statistics(`exam-${of.exam}`))).tasks;
    assert.deepEqual([task.solved, task.minutes, task.discrimination], [1, null, null]);
    const column = await columnOf(of, 'Essay');
    assert.deepEqual((await ok(statistics(`column-${column}`))).count, 0);
    is(await statistics('column-2000000000'), 422, 'validation');
    is(await server.get(`${of.path}/grades/statistics`, of.students[0]?.token), 403, 'forbidden');
  });

  // Long: one pair of terms, seen by each who may and who may not.
  it('compares two classes: the same exam, a copy of a laboratory, and their tasks', async () => {
    const [of, next] = [await school(3), await school(2)];
    const copied = await server.post(`/api/admin/laboratories/${of.laboratory}/copy`, admin.token, { title: 'Again' });
    const course = await made('/api/admin/lessons/courses', { name: 'Next' }, admin);
    const section_id = await made('/api/admin/lessons/sections', { name: 'Section', course_id: course }, admin);
    await server.application.db
      .updateTable('assessments')
      .set({ section_id, is_active: true })
      .where('id', '=', copied.body.id)
      .execute();
    // The next term has the same exam, and the copy in the place of the laboratory.
    const { course_ids } = await ok(server.get(of.path, teacher.token));
    await ok(server.put(next.path, teacher.token, { course_ids: [...course_ids, course] }));
    await ok(server.put(`/api/admin/laboratories/${of.laboratory}`, admin.token, { is_active: false }));
    await of.finish(0, 'exam', [true, true, true]);
    await of.finish(1, 'exam', [true, false, false]);
    await of.finish(0, 'laboratory', [true, true, true]);
    const later = next.students[0] as TestUser;
    await finishAttempt(server, later, 'exam', of.exam, [false, false, false]);
    await finishAttempt(server, later, 'laboratory', copied.body.id, [true, false, true]);
    const compare = (by: TestUser, one = of.id, other: number | string = next.id) =>
      server.get(`/api/classes/${one}/grades/comparison?with=${other}`, by.token);
    const { classes, items } = await ok(compare(teacher));
    assert.deepEqual(classes, [
      { id: of.id, name: 'Class', students: 3 },
      { id: next.id, name: 'Class', students: 2 },
    ]);
    const figures = (count: number, mean: number, median: number, passed: number) => ({ count, mean, median, passed });
    const task = (title: string, ...pairs: [number, number][]) => ({
      ...{ title, figures: pairs.map(([passed, count]) => ({ count, passed })) },
    });
    assert.deepEqual(items, [
      {
        ...{ kind: 'exam', title: 'Exam (1)', keys: [`exam-${of.exam}`, `exam-${of.exam}`] },
        figures: [figures(2, 58.33, 58.33, 2), figures(1, 0, 0, 0)],
        tasks: [task('Task 1', [2, 2], [0, 1]), task('Task 2', [1, 2], [0, 1]), task('Task 3', [1, 2], [0, 1])],
      },
      {
        ...{
          kind: 'laboratory',
          title: 'Laboratory',
          keys: [`laboratory-${of.laboratory}`, `laboratory-${copied.body.id}`],
        },
        figures: [figures(1, 100, 100, 1), figures(1, 66.67, 66.67, 1)],
        tasks: [task('Task 1', [1, 1], [1, 1]), task('Task 2', [1, 1], [0, 1]), task('Task 3', [1, 1], [1, 1])],
      },
    ]);
    const none = await school(1);
    assert.deepEqual((await ok(compare(teacher, of.id, none.id))).items, []);
    is(await compare(of.students[0] as TestUser), 403, 'forbidden');
    is(await compare(later, next.id, of.id), 403, 'forbidden');
    is(await compare(await server.user()), 404, 'not_found');
    // An assistant of one class sees nothing of the other.
    const assistant = await server.user();
    await made(`${of.path}/members`, { user_id: assistant.id, role: 'assistant' });
    is(await compare(assistant), 404, 'not_found');
    is(await compare(teacher, of.id, 2_000_000_000), 404, 'not_found');
    is(await server.get(`${of.path}/grades/comparison`, teacher.token), 422, 'validation');
  });
});
