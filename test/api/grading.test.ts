import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { WorkKeys } from '../../src/database/work-keys.ts';
import { runAttempt, schoolClass } from '../exam-session.ts';
import { finishAttempt } from '../finished-attempt.ts';
import { awaitGrading, type GradingStaff, good, gradedSession, gradingStaff, refused } from '../grading-class.ts';
import { makeAssessment } from '../made-assessment.ts';
import { codedItems, TestServer, type TestUser } from '../server.ts';

type Listed = { key: string; task_id: number; revision: number; student: { attempt_id: number } | null };

describe('grading', { timeout: 600_000 }, () => {
  let server: TestServer;
  let staff: GradingStaff;

  before(async () => {
    server = await TestServer.start({ INSTRUCTOR_SCOPE: 'classes' });
    staff = await gradingStaff(server);
  });
  after(() => server?.[Symbol.asyncDispose]());

  const path = '/api/instructor/grading';
  const list = async (query: string, user: TestUser = staff.teacher): Promise<Listed[]> =>
    await good(server.get(`${path}?${query}`, user.token));
  const attemptsOf = (rows: Listed[]) => rows.map(({ student }) => student?.attempt_id);
  const decide = (key: string, json: object, user: TestUser = staff.teacher) =>
    server.put(`${path}/${key}`, user.token, { revision: 0, ...json });
  const right = { points_earned: 5, reason: 'Right' };

  // Long: each filter and each reader of one session.
  it('lists what the caller decides about, by task across students', async () => {
    const { admin, colleague, assistant, stranger } = staff;
    const { exam, tasks, session, students } = await gradedSession(server, staff, { students: 3 });
    const other = await gradedSession(server, staff);
    const all = students.map(({ attempt }) => attempt);
    await runAttempt(server, await server.user(), { id: session.id, exam_id: exam });
    const query = `session_id=${session.id}&task_id=${tasks[0]}`;
    assert.deepEqual(attemptsOf(await list(query)), all);
    for (const user of [admin, colleague]) assert.deepEqual((await list(query, user)).length, 3);
    for (const user of [assistant, stranger]) assert.deepEqual(await list(query, user), []);
    assert.equal((await list(`exam_id=${exam}`)).length, 6);
    assert.deepEqual(attemptsOf(await list(`exam_id=${other.exam}&task_id=${other.tasks[1]}`)), [
      other.students[0]?.attempt,
    ]);
    assert.deepEqual(await list(`laboratory_id=${exam}&task_id=${tasks[0]}`), []);
    const [first] = await list(query);
    assert.deepEqual(first, {
      ...{ key: first?.key, kind: 'exam', assessment_id: exam, assessment_title: 'Trial', session_id: session.id },
      ...{ task_id: tasks[0], title: 'Task 1', points: 5, points_earned: 0, revision: 0, claim: null },
      ...{ is_awaiting_grading: false, is_decider: true },
      ...{ has_two_graders: false, grade_count: 0, has_own_grade: false },
      student: {
        ...{ attempt_id: all[0], user_id: students[0]?.user.id, username: students[0]?.user.username },
        full_name: null,
      },
    });
    await good(decide(first?.key ?? '', right));
    assert.deepEqual(attemptsOf(await list(`${query}&is_graded=false`)), all.slice(1));
    assert.deepEqual(attemptsOf(await list(`${query}&is_graded=true`)), all.slice(0, 1));
    const page = await server.get(`${path}?${query}&page=2&page_size=2`, staff.teacher.token);
    assert.deepEqual([attemptsOf(page.body), page.headers.get('x-total-count')], [all.slice(2), '3']);
    const progress = await good(server.get(`${path}/tasks?session_id=${session.id}`, staff.teacher.token));
    const task = {
      kind: 'exam',
      assessment_id: exam,
      assessment_title: 'Trial',
      points: 5,
      total_count: 3,
      ...{ awaiting_count: 0, once_graded_count: 0, unsettled_count: 0 },
    };
    assert.deepEqual(progress, [
      { ...task, task_id: tasks[0], title: 'Task 1', graded_count: 1 },
      { ...task, task_id: tasks[1], title: 'Task 2', graded_count: 0 },
    ]);
    assert.deepEqual(await good(server.get(`${path}/tasks?exam_id=${exam}`, stranger.token)), []);
  });

  // Long: one result, from its opening to the comments on it.
  it('opens one result, decides it and comments on it', async () => {
    const { teacher, colleague, assistant, stranger } = staff;
    const { tasks, session, students } = await gradedSession(server, staff);
    const [{ user, attempt }] = students as [(typeof students)[0]];
    const key = (await list(`session_id=${session.id}&task_id=${tasks[1]}`))[0]?.key ?? '';
    const opened = await good(server.get(`${path}/${key}`, teacher.token));
    assert.deepEqual([opened.output, opened.decisions, opened.comments, opened.recordings], ['FAIL', [], [], []]);
    const codes = [{ code: 'check_timeout', params: { seconds: 30 } }];
    const { db } = server.application;
    const results = db.updateTable('task_results').where('attempt_id', '=', attempt).where('task_id', '=', tasks[1]);
    await results.set({ remark: 'Stopped', remark_codes: JSON.stringify(codes) }).execute();
    assert.deepEqual((await good(server.get(`${path}/${key}`, teacher.token))).remark_codes, codes, 'for any language');
    const decided = await good(decide(key, right));
    assert.deepEqual([decided.points_earned, decided.revision, decided.decisions[0].reason], [5, 1, 'Right']);
    await refused(decide(key, right, colleague), 409, 'graded_meanwhile');
    await refused(decide(key, { ...right, revision: 1, points_earned: 5.01 }), 422);
    const comment = await good(server.post(`${path}/${key}/comments`, teacher.token, { text: 'Here', line: 1 }));
    assert.deepEqual([comment.task_id, comment.line], [tasks[1], 1]);
    const wrong = await server.post(`${path}/${key}/comments`, teacher.token, { text: 'Where?', seconds: 1 });
    assert.deepEqual([wrong.status, codedItems(wrong)[0]?.code], [422, 'comment_place']);
    const seen = await good(server.get(`/api/exams/attempts/${attempt}/feedback`, user.token));
    assert.deepEqual([seen.decisions.length, seen.comments.length], [1, 1]);
    const deleted = await good(server.post(`${path}/${key}/comments`, teacher.token, { text: 'Mistaken' }));
    await refused(server.delete(`${path}/${key}/comments/${deleted.id}`, colleague.token), 403, 'forbidden');
    const otherKey = (await list(`session_id=${session.id}&task_id=${tasks[1]}`))[1]?.key;
    await refused(server.delete(`${path}/${otherKey}/comments/${deleted.id}`, teacher.token), 404, 'not_found');
    await good(server.delete(`${path}/${key}/comments/${deleted.id}`, teacher.token));
    assert.equal((await good(server.get(`${path}/${key}`, teacher.token))).comments.length, 1);
    const made = new WorkKeys('another key of another installation').of({
      ...{ attemptId: attempt, taskId: tasks[1], reopenings: 0 },
    });
    for (const [who, name] of [
      ...[assistant, stranger].map((one) => [one, key] as const),
      ...[made, 'x', `${key}A`].map((one) => [teacher, one] as const),
    ]) {
      await refused(server.get(`${path}/${name}`, who.token), 404);
      await refused(decide(name, { ...right, revision: 1 }, who), who === assistant ? 403 : 404);
      await refused(server.post(`${path}/${name}/claim`, who.token), 404);
    }
    await refused(server.get(`${path}/${key}`, user.token), 403, 'instructor_required');
  });

  // Long: one result from where it is counted to its score.
  it('gives the points of what awaits a person, after which the attempt has a score', async () => {
    const { admin, teacher } = staff;
    const { tasks, session, students } = await gradedSession(server, staff);
    const [{ attempt, path: ofAttempt }] = students as [(typeof students)[0]];
    await awaitGrading(server, students, tasks[0]);
    const [listed] = await list(`session_id=${session.id}&task_id=${tasks[0]}`);
    const opened = await good(server.get(`${path}/${listed?.key}`, teacher.token));
    assert.deepEqual([opened.is_awaiting_grading, opened.answer], [true, null]);
    const [task] = await good(server.get(`${path}/tasks?session_id=${session.id}`, teacher.token));
    assert.equal(task.awaiting_count, 1);
    const { colleague, assistant, stranger, classId } = staff;
    const awaiting = { kind: 'exam', assessment_id: session.exam_id, assessment_title: 'Trial', awaiting_count: 1 };
    for (const query of [`session_id=${session.id}`, `class_id=${classId}`]) {
      const seen = async (user: TestUser) => await good(server.get(`${path}/awaiting?${query}`, user.token));
      for (const user of [admin, teacher, colleague]) assert.deepEqual(await seen(user), [awaiting]);
      for (const user of [assistant, stranger]) assert.deepEqual(await seen(user), []);
    }
    const ofClass = await list(`class_id=${classId}&exam_id=${session.exam_id}&task_id=${tasks[0]}`);
    assert.deepEqual(attemptsOf(ofClass), [attempt]);
    const elsewhere = await schoolClass(server, stranger, []);
    await good(server.post(`/api/classes/${elsewhere}/members`, admin.token, { user_id: students[0]?.user.id }));
    for (const user of [admin, teacher, stranger])
      assert.deepEqual(await good(server.get(`${path}/awaiting?class_id=${elsewhere}`, user.token)), []);
    const item = { text: 'Explains why', points: 5 };
    const rubric = `/api/instructor/exams/${session.exam_id}/tasks/${tasks[0]}/rubric`;
    const { id } = await good(server.post(rubric, teacher.token, item));
    const decided = await good(decide(listed?.key ?? '', { rubric_item_ids: [id] }));
    assert.deepEqual([decided.is_awaiting_grading, decided.points_earned], [false, 5]);
    const ended = await good(server.get(ofAttempt, admin.token));
    assert.deepEqual([ended.score, ended.passed], [5, true]);
    assert.deepEqual(await good(server.get(`${path}/awaiting?session_id=${session.id}`, teacher.token)), []);
  });

  it('shows who works on what, one at a time', async () => {
    const { teacher, colleague } = staff;
    const { tasks, session } = await gradedSession(server, staff, { students: 2 });
    const query = `session_id=${session.id}&task_id=${tasks[0]}`;
    const [one, two] = (await list(query)).map(({ key }) => key) as [string, string];
    const claim = (key: string, user: TestUser) => good(server.post(`${path}/${key}/claim`, user.token));
    const claims = async (user: TestUser) =>
      (await list(query, user)).map(
        (row) => (row as unknown as { claim: { by: string; is_own: boolean } | null }).claim?.is_own,
      );
    const both = await Promise.all([claim(one, teacher), claim(one, colleague)]);
    assert.deepEqual(both.map(({ is_own }) => is_own).toSorted(), [false, true]);
    const [winner, loser] = both[0].is_own ? [teacher, colleague] : [colleague, teacher];
    assert.deepEqual(await claims(winner), [true, undefined]);
    assert.deepEqual(await claims(loser), [false, undefined]);
    assert.equal((await claim(one, loser)).by, winner.username);
    await claim(two, loser);
    await claim(two, winner);
    assert.deepEqual(await claims(loser), [false, true], 'nobody loses a claim by asking for one that is taken');
    await good(server.delete(`${path}/${one}/claim`, winner.token));
    assert.equal((await claim(one, loser)).is_own, true);
    assert.deepEqual(await claims(loser), [true, undefined]);
    const { db } = server.application;
    await db
      .updateTable('grading_claims')
      .set({ expires_at: new Date(Date.now() - 1000) })
      .execute();
    assert.deepEqual(await claims(loser), [undefined, undefined]);
    assert.equal((await claim(one, winner)).is_own, true);
    await refused(server.delete(`${path}/none/claim`, teacher.token), 404);
  });

  // Long: each place of one session where a name could stand.
  it('hides whose results they are where the session says so', async () => {
    const { admin, teacher } = staff;
    const { tasks, session, students } = await gradedSession(server, staff, { students: 8, has_hidden_names: true });
    for (const { user } of students)
      await good(server.put(`/api/admin/users/${user.id}`, admin.token, { full_name: `Quokka ${user.id}` }));
    await server.application.db
      .insertInto('recordings')
      .values({
        ...{ attempt_id: students[0]?.attempt ?? 0, key: 'a'.repeat(40), cols: 80, rows: 24 },
        ...{ started_at: new Date(Date.now() - 60_000), ended_at: new Date() },
      })
      .execute();
    const query = `session_id=${session.id}&task_id=${tasks[0]}`;
    const rows = await list(query);
    const ofExam = await list(`exam_id=${session.exam_id}&task_id=${tasks[0]}`);
    const answers: unknown[] = [rows, ofExam, await list(query, admin)];
    for (const { key } of rows) {
      answers.push(await good(server.get(`${path}/${key}`, teacher.token)));
      answers.push(await good(decide(key, right)));
      answers.push(await good(server.post(`${path}/${key}/comments`, teacher.token, { text: 'Seen' })));
    }
    const text = JSON.stringify(answers);
    const numbers = new Set(text.match(/(?<=_id":)\d+/g)?.map(Number));
    for (const { user, attempt } of students) {
      for (const name of [user.username, user.email, `Quokka ${user.id}`]) assert.ok(!text.includes(name), name);
      assert.ok(!text.includes('"attempt_id"') && !text.includes('"user_id"'), `${attempt}`);
      assert.ok(
        !numbers.has(attempt) || attempt === session.id || tasks.includes(attempt) || attempt === session.exam_id,
      );
    }
    assert.equal(new Set(rows.map(({ key }) => key)).size, 8);
    await good(server.put(`/api/exam-sessions/${session.id}`, teacher.token, { has_hidden_names: false }));
    const named = await list(query);
    assert.deepEqual(
      attemptsOf(named),
      students.map(({ attempt }) => attempt),
    );
    const attemptBy = new Map(named.map(({ key, student }) => [key, student?.attempt_id ?? 0]));
    const digest = (id: number) => createHash('md5').update(`${id}`).digest('hex');
    const ids = [...attemptBy.values()];
    for (const hidden of [rows, ofExam])
      for (const known of [ids, ids.toSorted((a, b) => (digest(a) < digest(b) ? -1 : 1))])
        assert.notDeepEqual(
          hidden.map(({ key }) => attemptBy.get(key)),
          known,
          'an order that a reader can compute would tell whose they are',
        );
  });

  it('is for laboratories as well, and not for attempts of test students', async () => {
    const { admin, teacher, stranger, classId } = staff;
    const laboratory = await makeAssessment(server, admin, 'laboratory', ['echo FAIL']);
    const student = await server.user();
    await good(server.post(`/api/classes/${classId}/members`, admin.token, { user_id: student.id }));
    const attempt = await finishAttempt(server, student, 'laboratory', laboratory, [false]);
    assert.deepEqual(attemptsOf(await list(`laboratory_id=${laboratory}`)), [attempt]);
    assert.deepEqual(await list(`laboratory_id=${laboratory}`, stranger), []);
    const [key] = (await list(`laboratory_id=${laboratory}`)).map((row) => row.key);
    await good(decide(key ?? '', { points_earned: 1, reason: 'Right' }));
    await good(server.delete(`/api/admin/laboratories/${laboratory}`, admin.token));
    assert.equal((await good(server.get(`${path}/${key}`, teacher.token))).decisions.length, 1);
    await good(server.post('/api/teaching/test-student/view', teacher.token));
    await finishAttempt(server, { ...teacher, id: -teacher.id }, 'laboratory', laboratory, [false]);
    assert.equal((await list(`laboratory_id=${laboratory}`, admin)).length, 1);
  });
});
