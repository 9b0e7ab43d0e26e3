import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { finishAttempt } from '../finished-attempt.ts';
import { makeAssessment } from '../made-assessment.ts';
import { type Answer, codedItems, TestServer, type TestUser } from '../server.ts';

const day = 24 * 3600 * 1000;
const passing = ['echo PASS', 'echo PASS'];

describe('late rules and extensions', () => {
  let server: TestServer;
  let admin: TestUser;
  let teacher: TestUser;
  before(async () => {
    server = await TestServer.start({}, { engine: { reason: 'this test has none' } });
    [admin, teacher] = [await server.user('admin'), await server.user('instructor')];
  });
  after(() => server[Symbol.asyncDispose]());

  const ok = async (request: Promise<Answer>) => {
    const answer = await request;
    assert.ok(answer.status === 200 || answer.status === 201, answer.text);
    return answer.body;
  };
  const made = async (where: string, json: object, by = teacher): Promise<number> =>
    (await ok(server.post(where, by.token, json))).id;

  async function school() {
    const course = await made('/api/admin/lessons/courses', { name: 'Course' }, admin);
    const section_id = await made('/api/admin/lessons/sections', { name: 'Section', course_id: course }, admin);
    const laboratory = await makeAssessment(server, admin, 'laboratory', passing, { title: 'Laboratory', section_id });
    const id = await made('/api/classes', { name: 'Class', course_ids: [course] });
    const students = [await server.user(), await server.user()] as const;
    for (const { id: user_id } of students) await made(`/api/classes/${id}/members`, { user_id });
    const path = `/api/classes/${id}`;
    await ok(server.put(`${path}/grade-book`, teacher.token, { is_visible: true }));
    return { id, path, deadline: `${path}/deadlines/${laboratory}`, laboratory, students };
  }
  type School = Awaited<ReturnType<typeof school>>;

  /** Hands in at a time. */
  async function submit({ laboratory }: School, student: TestUser, at: number, passed = [true, true]) {
    const attempt = await finishAttempt(server, student, 'laboratory', laboratory, passed);
    const time = new Date(at).toISOString();
    await sql`update attempts set started_at = ${time}, submitted_at = ${time} where id = ${attempt}`.execute(
      server.application.db,
    );
    return attempt;
  }
  const due = Date.now() - 30 * day;
  const set = ({ deadline }: School, more: object = {}) =>
    ok(server.put(deadline, teacher.token, { due_at: new Date(due).toISOString(), ...more }));
  const gradeOf = async ({ path }: School, student: TestUser) => {
    const { students } = await ok(server.get(`${path}/grades`, teacher.token));
    const { results } = students.find(({ user_id }: { user_id: number }) => user_id === student.id);
    return { score: results[0].score, late: results[0].late };
  };

  // Long: one grade is read after each change of the rule, in every place that shows it.
  it('takes a part of the grade for each day, down to the floor, and shows it', async () => {
    const room = await school();
    const [student] = room.students;
    await submit(room, student, due + day + 1);
    const on = await set(room);
    assert.deepEqual([on.late_percent_per_day, on.late_floor_percent], [null, 0]);
    const full = 3;
    assert.deepEqual(
      await gradeOf(room, student),
      { score: full, late: null },
      'without a rule lateness costs nothing',
    );

    await set(room, { late_percent_per_day: 10, late_floor_percent: 50 });
    const late = { score: 2.4, late: { days: 2, percent: 20, full_score: full } };
    assert.deepEqual(await gradeOf(room, student), late);
    const own = await ok(server.get(`${room.path}/grades/mine`, student.token));
    assert.deepEqual([own.items[0].score, own.items[0].late], [late.score, late.late]);
    assert.equal(own.percent, 80);
    const csv = await server.request('GET', `${room.path}/grades`, {
      ...{ token: teacher.token, headers: { accept: 'text/csv' } },
    });
    const [head = '', line = ''] = csv.text.split('\r\n').filter((row) => /username|80/.test(row));
    const cells = Object.fromEntries(head.split(',').map((name, index) => [name, line.split(',')[index]]));
    assert.deepEqual(
      [cells['Laboratory'], cells['Laboratory (late days)'], cells['Laboratory (late %)']],
      [...[String(late.score), '2', '-20']],
    );

    await set(room, { late_percent_per_day: 60 });
    assert.deepEqual(
      (await gradeOf(room, student)).late,
      { days: 2, percent: 50, full_score: full },
      'the floor stays',
    );
    await set(room, { late_percent_per_day: null });
    assert.deepEqual(await gradeOf(room, student), { score: full, late: null });
  });

  it('counts the best of what is left', async () => {
    const room = await school();
    const [student] = room.students;
    await set(room, { late_percent_per_day: 30 });
    await submit(room, student, due - 1, [false, true]);
    const inTime = 2;
    await submit(room, student, due + 2 * day);
    assert.deepEqual(
      await gradeOf(room, student),
      { score: inTime, late: null },
      'two points in time are more than 40 % of three',
    );
    await set(room, { late_percent_per_day: 10 });
    assert.equal((await gradeOf(room, student)).score, 2.4);
  });

  // Long: the three ways to extend act on the same two students.
  it('extends the deadline for one student, for several, and from a file', async () => {
    const room = await school();
    const [first, second] = room.students;
    await set(room, { late_percent_per_day: 10 });
    for (const student of room.students) await submit(room, student, due + 2 * day);
    const due_at = new Date(due + day).toISOString();
    const one = await ok(server.put(`${room.deadline}/extensions/${first.id}`, teacher.token, { due_at }));
    assert.deepEqual([one.user_id, one.due_at], [first.id, due_at]);
    assert.equal((await gradeOf(room, first)).late.days, 1);
    assert.equal((await gradeOf(room, second)).late.days, 2);
    const [own] = await ok(server.get('/api/deadlines', first.token));
    assert.deepEqual([own.due_at, own.is_extended], [due_at, true]);
    const [other] = await ok(server.get('/api/deadlines', second.token));
    assert.deepEqual([other.due_at, other.is_extended], [new Date(due).toISOString(), false]);

    const later = new Date(due + 2 * day).toISOString();
    const both = { user_ids: [first.id, second.id], due_at: later };
    assert.equal((await ok(server.put(`${room.deadline}/extensions`, teacher.token, both))).length, 2);
    for (const student of room.students) assert.equal((await gradeOf(room, student)).late, null);

    const send = (lines: string[], to = 'import') =>
      server.request('POST', `${room.deadline}/extensions/${to}`, {
        ...{ token: teacher.token, headers: { 'content-type': 'text/csv' } },
        body: ['username,due_at', ...lines].join('\n'),
      });
    const wrong = await send([`${first.username},${due_at}`, `nobody-here,${due_at}`, `${second.username},tomorrow`]);
    assert.equal(wrong.status, 422, wrong.text);
    assert.deepEqual(
      codedItems(wrong).map((item: { code: string }) => item.code),
      ['username_not_in_class', 'value_invalid'],
    );
    assert.equal((await gradeOf(room, first)).late, null, 'one wrong line changes nothing');
    assert.equal((await send([])).status, 422, 'a file without a student');
    const checked = await ok(send([`${first.username},${due_at}`, `${second.username},tomorrow`], 'import/check'));
    assert.deepEqual(
      [checked.outcomes, checked.problems.map(({ line, code }: { line: number; code: string }) => [line, code])],
      [{}, [[3, 'value_invalid']]],
    );
    const good = await ok(send([`${first.username},${due_at}`], 'import/check'));
    assert.deepEqual([good.outcomes, good.problem_count], [{ extended: 1 }, 0]);
    assert.equal((await gradeOf(room, first)).late, null, 'a check changes nothing');
    assert.equal((await ok(send([`${first.username},${due_at}`]))).length, 1);
    assert.equal((await gradeOf(room, first)).late.days, 1);

    const listed = await ok(server.get(`${room.deadline}/extensions`, teacher.token));
    assert.deepEqual(new Set(listed.map(({ user_id }: { user_id: number }) => user_id)), new Set(both.user_ids));
    await ok(server.delete(`${room.deadline}/extensions/${second.id}`, teacher.token));
    assert.equal((await gradeOf(room, second)).late.days, 2);
    assert.equal((await server.delete(`${room.deadline}/extensions/${second.id}`, teacher.token)).status, 404);
  });

  it('refuses strangers, students, rules beyond their bounds and extensions without a deadline', async () => {
    const room = await school();
    const [student] = room.students;
    const extension = `${room.deadline}/extensions/${student.id}`;
    const body = { due_at: new Date(due).toISOString() };
    assert.equal((await server.put(extension, teacher.token, body)).status, 404, 'there is no deadline yet');
    await set(room);
    assert.equal((await server.put(extension, student.token, body)).status, 403);
    assert.equal((await server.get(`${room.deadline}/extensions`, student.token)).status, 403);
    assert.equal((await server.put(extension, (await server.user()).token, body)).status, 404);
    const stranger = await server.user();
    const both = { user_ids: [student.id, stranger.id], ...body };
    assert.equal((await server.put(`${room.deadline}/extensions`, teacher.token, both)).status, 404);
    assert.deepEqual(await ok(server.get(`${room.deadline}/extensions`, teacher.token)), [], 'all or none');
    for (const rule of [{ late_percent_per_day: 0 }, { late_percent_per_day: 101 }, { late_floor_percent: -1 }])
      assert.equal((await server.put(room.deadline, teacher.token, { ...body, ...rule })).status, 422);
    await ok(server.put(room.path, teacher.token, { is_archived: true }));
    assert.equal((await server.put(extension, teacher.token, body)).code, 'class_archived');
  });

  it('computes exactly, at each edge of a day', async () => {
    const cases: [
      after: string,
      perDay: number | null,
      floor: number,
      score: number,
      expected: [number, number, number],
    ][] = [
      ['0', 10, 0, 100, [0, 0, 100]],
      ['-1 day', 10, 0, 100, [0, 0, 100]],
      ['1 millisecond', 10, 0, 100, [1, 10, 90]],
      ['1 day', 10, 0, 100, [1, 10, 90]],
      ['1 day 1 millisecond', 10, 0, 100, [2, 20, 80]],
      ['2 days', 7, 0, 33.33, [2, 14, 28.66]],
      ['1 day', 50, 0, 0.01, [1, 50, 0.01]],
      ['20 days', 10, 0, 100, [20, 100, 0]],
      ['20 days', 10, 40, 100, [20, 60, 40]],
      ['20 days', 10, 100, 100, [20, 0, 100]],
      ['20 days', null, 0, 100, [20, 0, 100]],
      ['2900000 days', 100, 0, 100, [2_900_000, 100, 0]],
    ];
    for (const [after, perDay, floor, score, expected] of cases) {
      const { rows } = await sql<{ days: number; lost: number; left: string }>`
        select days, lost, late_score(${score}::numeric, lost) as left
        from days_late(timestamptz '2026-10-25 00:00Z' + ${after}::interval, '2026-10-25 00:00Z') as days
        cross join lateral late_percent(days, ${perDay}::int, ${floor}::int) as lost`.execute(server.application.db);
      const [row] = rows;
      assert.deepEqual([row?.days, row?.lost, Number(row?.left)], expected, `${after} ${perDay} ${floor} ${score}`);
    }
  });
});
