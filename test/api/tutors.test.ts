import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { EventReader } from '../event-reader.ts';
import { minutes, openSession, runAttempt, schoolClass } from '../exam-session.ts';
import { finishAttempt } from '../finished-attempt.ts';
import { makeAssessment } from '../made-assessment.ts';
import { TestServer, type TestUser } from '../server.ts';

/** A number that no other part of an answer has. */
const score = 864_213;

describe('students who supervise a class', { timeout: 600_000 }, () => {
  let server: TestServer;
  let admin: TestUser;
  let teacher: TestUser;
  let student: TestUser;
  let outsider: TestUser;
  /** Of own role student: with the class roles instructor and assistant, and a demoted instructor of the class. */
  let tutor: TestUser;
  let helper: TestUser;
  let former: TestUser;
  let hidden: number;
  let exam: number;
  let laboratory: number;
  let of: string;
  let classId: number;
  before(async () => {
    server = await TestServer.start();
    [admin, teacher] = [await server.user('admin'), await server.user('instructor')];
    [student, outsider, tutor, helper] = [
      ...[await server.user(), await server.user(), await server.user(), await server.user()],
    ] as [TestUser, TestUser, TestUser, TestUser];
    former = await server.user('instructor');
    const make = async (path: string, fields: object) =>
      (await server.post(`/api/admin/lessons/${path}`, admin.token, fields)).body.id;
    const course = await make('courses', { name: 'Course' });
    hidden = await make('courses', { name: 'Hidden' });
    const section_id = await make('sections', { name: 'Section', course_id: course });
    exam = await makeAssessment(server, admin, 'exam', ['echo PASS'], { course_id: course });
    laboratory = await makeAssessment(server, admin, 'laboratory', ['echo PASS'], { section_id });
    classId = await schoolClass(server, teacher, [student]);
    of = `/api/classes/${classId}`;
    await server.put(of, teacher.token, { course_ids: [course] });
    for (const [user, role] of [
      [tutor, 'instructor'],
      [helper, 'assistant'],
      [former, 'instructor'],
    ] as const)
      assert.equal((await server.post(`${of}/members`, admin.token, { user_id: user.id, role })).status, 201);
    await server.put(`/api/admin/users/${former.id}/role`, admin.token, { role: 'student' });
  });
  after(() => server?.[Symbol.asyncDispose]());

  it('are instructors of a class no longer after a demotion', async () => {
    const { body } = await server.get(`${of}/members`, admin.token);
    const roles = Object.fromEntries(body.map(({ username, role }: Record<string, string>) => [username, role]));
    assert.deepEqual(
      [roles[former.username], roles[tutor.username], roles[teacher.username]],
      ['assistant', 'instructor', 'instructor'],
    );
    await server.put(`/api/admin/users/${former.id}/role`, admin.token, { role: 'instructor' });
    assert.equal((await server.put(of, former.token, { name: 'Mine again' })).code, 'forbidden');
    await server.put(`/api/admin/users/${former.id}/role`, admin.token, { role: 'student' });
  });

  // Long: every operation that plans something or changes a class.
  it('plan and change nothing', async () => {
    const times = { opens_at: minutes(-1), closes_at: minutes(60) };
    const session = await openSession(server, teacher, { exam_id: exam, class_id: classId });
    const at = `/api/exam-sessions/${session.id}`;
    const csv = (user: TestUser) => ({
      ...{ token: user.token, body: `username\n${outsider.username}\n`, headers: { 'content-type': 'text/csv' } },
    });
    const announced = await server.post('/api/announcements', teacher.token, {
      ...{ class_id: classId, title: 'Later', shows_from: minutes(60) },
    });
    const { body: code } = await server.post(`${of}/join-codes`, teacher.token, {});
    const columns = { name: 'Essay', max_score: 10 };
    const { body: column } = await server.post(`${of}/grade-columns`, teacher.token, columns);
    for (const user of [tutor, helper, former]) {
      const { token } = user;
      for (const [number, answer] of [
        await server.post(`${of}/members`, token, { user_id: outsider.id }),
        await server.post(`${of}/members`, token, { username: outsider.username }),
        await server.put(`${of}/members/${user.id}`, token, { role: 'instructor' }),
        await server.put(`${of}/members/${student.id}`, token, { role: 'assistant' }),
        await server.delete(`${of}/members/${student.id}`, token),
        await server.request('POST', `${of}/members/import`, csv(user)),
        await server.request('POST', `${of}/members/import/check`, csv(user)),
        await server.put(of, token, { course_ids: [hidden] }),
        await server.put(of, token, { is_archived: true }),
        await server.delete(of, token),
        await server.get(`${of}/join-codes`, token),
        await server.post(`${of}/join-codes`, token, {}),
        await server.delete(`${of}/join-codes/${code.id}`, token),
        await server.put(`${of}/grade-book`, token, { is_visible: true }),
        await server.post(`${of}/grade-columns`, token, columns),
        await server.put(`${of}/grade-columns/${column.id}/values/${student.id}`, token, { value: 1 }),
        await server.delete(`${of}/grade-columns/${column.id}`, token),
        await server.put(`${of}/deadlines/${laboratory}`, token, { due_at: minutes(60) }),
        await server.put(`${of}/accommodations/${user.id}`, token, { time_factor: 3 }),
        await server.get(`${of}/accommodations`, token),
        await server.post('/api/announcements', token, { class_id: classId, title: 'By a tutor' }),
        await server.post('/api/exam-sessions', token, { exam_id: exam, class_id: classId, ...times }),
        await server.post('/api/exam-sessions', token, { exam_id: exam, user_ids: [user.id], ...times }),
        await server.get(
          `/api/exam-sessions/forecast?class_id=${classId}&opens_at=${times.opens_at}&closes_at=${times.closes_at}`,
          token,
        ),
        await server.put(at, token, times),
        await server.put(at, token, { results_visible: 'at_end', access_code: null }),
        await server.delete(at, token),
        await server.get(`${at}/accommodations`, token),
        await server.put(`${at}/accommodations/${user.id}`, token, { opens_at: minutes(-5) }),
        await server.post(`${at}/release`, token),
        await server.get('/api/instructor/attempts', token),
      ].entries())
        assert.equal(answer.status, 403, `${user.username}, request ${number}: ${answer.text}`);
      const { id } = announced.body;
      assert.equal(
        (await server.put(`/api/announcements/${id}`, token, { title: 'Mine' })).status,
        404,
        'not shown yet',
      );
      const courses = (await server.get('/api/lessons/courses', token)).body;
      assert.ok(courses.length > 0);
    }
    assert.equal((await server.delete(at, teacher.token)).status, 200);
  });

  // Long: each act of those who supervise.
  it('supervise what an instructor has planned', async () => {
    const session = await openSession(server, teacher, { exam_id: exam, class_id: classId });
    const at = `/api/exam-sessions/${session.id}`;
    await server.put(`${at}/accommodations/${student.id}`, teacher.token, { time_factor: 1.5 });
    await runAttempt(server, student, session);
    for (const { token } of [tutor, helper, former]) {
      const [row] = (await server.get(`${at}/room`, token)).body.students;
      assert.deepEqual([row.status, row.time_factor], ['in_progress', null], 'accommodations are not for students');
    }
    const acts = [
      ['message', { text: 'Ten minutes left' }],
      ['pause', undefined],
      ['resume', undefined],
      ['extend', { minutes: 5, user_id: student.id }],
      ['end', { user_id: student.id }],
    ] as const;
    for (const [act, body] of acts) {
      for (const { token } of [helper, former])
        assert.equal((await server.post(`${at}/${act}`, token, body)).code, 'forbidden', act);
      assert.ok((await server.post(`${at}/${act}`, tutor.token, body)).status < 300, act);
    }
    // Whoever takes the exam as well does not supervise it meanwhile.
    await runAttempt(server, tutor, session);
    assert.equal((await server.get(`${at}/room`, tutor.token)).status, 403);
    assert.equal((await server.post(`${at}/extend`, tutor.token, { minutes: 60, user_id: tutor.id })).status, 403);
    await server.application.db.deleteFrom('attempts').execute();
    assert.equal((await server.delete(at, teacher.token)).status, 200);
  });

  // Long: every way to read a result.
  it('read no result that its student does not see yet', async () => {
    const fields = { exam_id: exam, class_id: classId, results_visible: 'when_released' };
    const session = await openSession(server, teacher, fields);
    const at = `/api/exam-sessions/${session.id}`;
    const attempt = await finishAttempt(server, student, 'exam', exam, [true]);
    const values = { session_id: session.id, score, max_score: score + 1 };
    const { db } = server.application;
    await db.updateTable('attempts').set(values).where('id', '=', attempt).execute();
    const reads = async (token: string): Promise<string[]> => {
      await using events = await EventReader.open(server, `${at}/room/events`, token, server.urls[0]);
      const csv = { token, headers: { accept: 'text/csv' } };
      return [
        (await server.get(`${of}/grades`, token)).text,
        (await server.get(`${of}/grades?sort=score&order=desc`, token)).text,
        (await server.request('GET', `${of}/grades`, csv)).text,
        (await server.get(`${of}/progress`, token)).text,
        (await server.request('GET', `${of}/progress`, csv)).text,
        (await server.get(`${at}/room`, token)).text,
        JSON.stringify((await events.next())?.data),
      ];
    };
    const analysed = async (token: string) =>
      (await server.get(`${of}/grades/statistics?item=exam-${exam}`, token)).body.tasks.length;
    for (const { token } of [tutor, helper, former]) {
      for (const [number, text] of (await reads(token)).entries())
        assert.ok(!text.includes(`${score}`), `read ${number}: ${text}`);
      assert.equal(await analysed(token), 0);
      const [progress] = (await server.get(`${of}/progress`, token)).body.students;
      const [result] = progress.results.filter((one: { attempts: number } | null) => one !== null);
      assert.deepEqual([result.score, result.passed, result.passed_at], [null, false, null]);
    }
    for (const [number, text] of (await reads(teacher.token)).entries())
      assert.ok(text.includes(`${score}`), `read ${number} of an instructor: ${text}`);
    assert.equal(await analysed(teacher.token), 1);
    assert.equal((await server.post(`${at}/release`, teacher.token)).status, 200);
    for (const text of await reads(tutor.token)) assert.ok(text.includes(`${score}`), text);
  });

  it('see the courses of an archived class no longer, and do not keep it from being left without instructors', async () => {
    const { body } = await server.post('/api/admin/lessons/courses', admin.token, {
      ...{ name: 'Closed', is_class_only: true },
    });
    const own = await schoolClass(server, teacher, []);
    await server.post(`/api/classes/${own}/members`, teacher.token, { user_id: tutor.id, role: 'instructor' });
    await server.put(`/api/classes/${own}`, teacher.token, { course_ids: [body.id] });
    const sees = async () =>
      (await server.get('/api/lessons/courses', tutor.token)).body.some(({ id }: { id: number }) => id === body.id);
    assert.equal(await sees(), true);
    await server.put(`/api/classes/${own}`, teacher.token, { is_archived: true });
    assert.equal(await sees(), false);
    const left = await server.delete(`/api/classes/${own}/members/${teacher.id}`, teacher.token);
    assert.equal(left.code, 'last_class_instructor');
    assert.equal((await server.delete(`/api/classes/${own}/members/${tutor.id}`, tutor.token)).status, 200);
  });

  it('undo no deletion of their time as an instructor', async () => {
    const user = await server.user('instructor');
    const own = await schoolClass(server, user, []);
    const chosen = { exam_id: exam, user_ids: [student.id], opens_at: minutes(60), closes_at: minutes(90) };
    const session = (await server.post('/api/exam-sessions', user.token, chosen)).body.id;
    assert.equal((await server.delete(`/api/classes/${own}`, user.token)).status, 200);
    assert.equal((await server.delete(`/api/exam-sessions/${session}`, user.token)).status, 200);
    await server.put(`/api/admin/users/${user.id}/role`, admin.token, { role: 'student' });
    for (const [kind, entity_id] of [
      ['class', own],
      ['exam_session', session],
    ] as const) {
      const undone = await server.post('/api/deletions/undo', user.token, { kind, entity_id });
      assert.deepEqual([undone.status, undone.code], [403, 'instructor_required']);
    }
  });
});
