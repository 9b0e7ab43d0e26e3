import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { recordState } from '../../src/database/catalogue/revisions.ts';
import type { AttemptKind } from '../../src/database/tables.ts';
import { EventReader } from '../event-reader.ts';
import { openSession, runAttempt, schoolClass } from '../exam-session.ts';
import { finishAttempt } from '../finished-attempt.ts';
import { assessmentPaths, makeAssessment } from '../made-assessment.ts';
import { type Answer, TestServer, type TestUser } from '../server.ts';

type Place = { kind: AttemptKind; id: number; tasks: number[] };

describe('reports that something is wrong with a task', { timeout: 600_000 }, () => {
  let server: TestServer;
  let admin: TestUser;
  /** The staff of the course by role, the teacher of a class that has it, and one who has nothing to do with either. */
  let [owner, editor, viewer, teacher, stranger] = [] as unknown as [TestUser, TestUser, TestUser, TestUser, TestUser];
  let [course, section, classId] = [0, 0, 0];

  before(async () => {
    server = await TestServer.start({ INSTRUCTOR_SCOPE: 'classes' });
    admin = await server.user('admin');
    [owner, editor, viewer, teacher, stranger] = (await Promise.all(
      [1, 2, 3, 4, 5].map(() => server.user('instructor')),
    )) as [TestUser, TestUser, TestUser, TestUser, TestUser];
    course = (await good(server.post('/api/teaching/courses', owner.token, { name: 'Shell' }))).id;
    for (const [{ id: user_id }, role] of [
      [editor, 'editor'],
      [viewer, 'viewer'],
    ] as const)
      await good(server.post(`/api/teaching/courses/${course}/staff`, owner.token, { user_id, role }));
    classId = await schoolClass(server, teacher, []);
    await good(server.put(`/api/classes/${classId}`, teacher.token, { course_ids: [course] }));
  });
  after(() => server?.[Symbol.asyncDispose]());

  // biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary answers
  async function good(answer: Promise<Answer>): Promise<any> {
    const { status, body, text } = await answer;
    assert.ok(status === 200 || status === 201, `${status} ${text}`);
    return body;
  }
  async function place(kind: AttemptKind = 'laboratory', more?: object): Promise<Place> {
    const at = async (): Promise<object> => {
      if (kind === 'exam') return { course_id: course };
      section = (await good(server.post(`/api/teaching/courses/${course}/sections`, owner.token, { name: 'One' }))).id;
      return { section_id: section };
    };
    const id = await makeAssessment(server, admin, kind, ['echo FAIL', 'echo PASS'], more ?? (await at()));
    const tasks = await good(server.get(`/api/admin/${assessmentPaths[kind]}/${id}/tasks`, admin.token));
    return { kind, id, tasks: tasks.map((task: { id: number }) => task.id) };
  }
  async function reporter(at: Place, by?: TestUser): Promise<TestUser> {
    const user = by ?? (await server.user());
    if (!by) await good(server.post(`/api/classes/${classId}/members`, admin.token, { user_id: user.id }));
    await finishAttempt(server, user, at.kind, at.id, [false, true]);
    return user;
  }
  const report = ({ kind, id, tasks }: Place, { token }: TestUser, text = 'The path is wrong', task = tasks[0]) =>
    server.post(`/api/${assessmentPaths[kind]}/${id}/tasks/${task}/reports`, token, { text });
  const own = async ({ kind, id }: Place, { token }: TestUser) =>
    await good(server.get(`/api/${assessmentPaths[kind]}/${id}/reports`, token));
  const door = (of: number | null) => (of === null ? '/api/admin' : `/api/teaching/courses/${of}`);
  const answer = ({ kind, id, tasks }: Place, { token }: TestUser, text = 'It is /srv/data') =>
    server.post(`${door(course)}/${assessmentPaths[kind]}/${id}/tasks/${tasks[0]}/reports/answer`, token, { text });
  /** The reported task as the staff see it. */
  const listed = async ({ kind, tasks }: Place, { token }: TestUser, of: number | null = course) =>
    (await good(server.get(`${door(of)}/reports`, token))).find(
      (one: { kind: string; task_id: number }) => one.kind === kind && one.task_id === tasks[0],
    );
  const notified = async ({ token }: TestUser, ...kinds: string[]) =>
    (await good(server.get('/api/notifications', token))).filter(({ kind }: { kind: string }) => kinds.includes(kind));

  // Long: the life of the reports of one task.
  it('reach the staff of the course, who answer once for all', async () => {
    const at = await place();
    const [one, two] = [await reporter(at), await reporter(at)];
    await using news = await EventReader.open(server, '/api/notifications/events', owner.token);
    const { id, ...first } = await good(report(at, one));
    assert.deepEqual(
      [first.task_id, first.text, first.answer, first.answered_by, 'output' in first],
      [at.tasks[0], 'The path is wrong', null, null, false],
    );
    const [told] = await news.until((list) => list.some(({ kind }: { kind: string }) => kind === 'report'));
    assert.deepEqual([told.title, told.course_id], ['Trial', course]);
    await good(report(at, two, 'Which file?'));
    assert.equal((await notified(editor, 'report')).length, 1, 'one for the task');
    for (const user of [viewer, teacher, stranger, admin])
      assert.deepEqual(await notified(user, 'report'), [], user.username);

    for (const user of [owner, editor, viewer, admin]) {
      const task = await listed(at, user);
      assert.deepEqual(
        [task.assessment_id, task.assessment_title, task.task_title, task.report_count, task.is_deleted],
        [at.id, 'Trial', 'Task 1', 2, false],
      );
      assert.deepEqual(
        task.reports.map(({ username, text, output }: Record<string, unknown>) => [username, text, output]),
        [
          [two.username, 'Which file?', 'FAIL'],
          [one.username, 'The path is wrong', 'FAIL'],
        ],
      );
      assert.equal(task.reports[0].is_attempt_visible, user === admin, 'the staff of a course see no further attempts');
    }
    assert.equal((await listed(at, admin, null)).report_count, 2);
    for (const user of [teacher, stranger, one])
      assert.equal((await server.get(`/api/teaching/courses/${course}/reports`, user.token)).status, 404);
    const refused = await answer(at, viewer);
    assert.deepEqual([refused.status, refused.code], [403, 'viewer']);

    assert.deepEqual(await good(answer(at, editor)), { answered_count: 2 });
    assert.equal(await listed(at, owner), undefined);
    assert.deepEqual(await notified(owner, 'report'), []);
    for (const user of [one, two]) {
      const [mine] = await own(at, user);
      assert.deepEqual([mine.answer, mine.answered_by], ['It is /srv/data', editor.username]);
      assert.equal((await notified(user, 'report_answer')).length, 1);
    }
    assert.equal((await answer(at, owner)).status, 404, 'all have an answer');

    // It is still wrong: the report is open again, and the other student keeps the answer.
    assert.equal((await good(report(at, one, 'There is no /srv/data'))).id, id);
    const [again] = await own(at, one);
    assert.deepEqual([again.text, again.answer, again.answered_at], ['There is no /srv/data', null, null]);
    assert.deepEqual(await notified(one, 'report_answer'), []);
    assert.equal((await listed(at, owner)).report_count, 1);
    assert.equal((await notified(owner, 'report')).length, 1);
    assert.equal((await own(at, two))[0].answer, 'It is /srv/data');
    await good(answer(at, owner, 'Now it is'));
  });

  it('replace each other while they are open, without further news', async () => {
    const at = await place();
    const user = await reporter(at);
    const reports = await Promise.all(Array.from({ length: 8 }, (_, index) => report(at, user, `Text ${index}`)));
    assert.deepEqual([...new Set(reports.map(({ status }) => status))], [201]);
    assert.equal(new Set(reports.map(({ body }) => body.id)).size, 1);
    assert.equal((await listed(at, owner)).report_count, 1);
    await good(server.post('/api/notifications/read', owner.token, {}));
    await good(report(at, user, 'Another text'));
    assert.deepEqual(
      (await notified(owner, 'report')).map(({ is_read }: { is_read: boolean }) => is_read),
      [true],
    );
    const other = await reporter(at);
    await good(report(at, other));
    assert.equal((await notified(owner, 'report'))[0].is_read, false, 'somebody else is news');
    const answers = await Promise.all([owner, editor, admin].map((one) => answer(at, one)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 404, 404]);
  });

  it('keep the attempt, its revision and the last output of the check', async () => {
    const at = await place('exam');
    const user = await reporter(at);
    const { db } = server.application;
    const { id: revision_id } = await recordState(db, 'exam', at.id);
    await db.updateTable('attempts').set({ revision_id }).where('user_id', '=', user.id).execute();
    const long = `begin${'x'.repeat(9000)}end`;
    await db
      .updateTable('task_results')
      .set({ output: long })
      .where('task_id', '=', at.tasks[0] ?? 0)
      .execute();
    await good(report(at, user));
    const [before] = (await listed(at, owner)).reports;
    assert.deepEqual([before.is_revised, before.output], [false, long.slice(-8000)]);
    assert.equal(before.revision, (await server.get(`/api/exams/${at.id}`, admin.token)).body.revision);
    const [attempt] = await good(server.get('/api/exams/attempts', user.token));
    assert.equal(before.attempt_id, attempt.id);
    await good(server.put(`/api/admin/exams/${at.id}/tasks/${at.tasks[0]}`, admin.token, { title: 'Another' }));
    await recordState(db, 'exam', at.id);
    const changed = await listed(at, owner);
    assert.deepEqual([changed.reports[0].is_revised, changed.task_title], [true, 'Task 1']);
    // A later attempt takes the place of the first with the next report.
    await reporter(at, user);
    await good(report(at, user));
    const [later] = (await listed(at, owner)).reports;
    assert.ok(later.attempt_id > before.attempt_id);
    assert.equal(later.output, 'FAIL');
  });

  it('show a student nothing that the exam session withholds', async () => {
    const at = await place('exam');
    const user = await reporter(await place('exam'));
    const session = await openSession(server, teacher, {
      ...{ exam_id: at.id, class_id: classId, results_visible: 'never' },
    });
    const attempt = await runAttempt(server, user, session);
    const { db } = server.application;
    const result = { attempt_id: attempt, task_id: at.tasks[0] ?? 0, title: 'Task 1', order_index: 0, points: 1 };
    await db
      .insertInto('task_results')
      .values({ ...result, points_earned: 0, passed: false, output: 'expected 42' })
      .execute();
    // The attempt runs, and its task is reported while the staff help nobody.
    const answered = await report(at, user);
    assert.equal(answered.status, 201);
    const seen = await server.get(`/api/exams/${at.id}/reports`, user.token);
    for (const { text } of [answered, seen]) assert.doesNotMatch(text, /expected 42|echo FAIL/);
    assert.equal((await listed(at, owner)).reports[0].output, 'expected 42');
    assert.doesNotMatch(JSON.stringify(await listed(at, owner)), /echo FAIL/);
  });

  it('are refused without an attempt that has the task, and without a text', async () => {
    const [at, other] = [await place(), await place()];
    const user = await reporter(at);
    const refused = async (answered: Promise<Answer>, status: number) => assert.equal((await answered).status, status);
    await refused(report(other, user), 404);
    await refused(report(at, user, 'Text', other.tasks[0]), 404);
    await refused(report(at, user, 'Text', 2_147_483_647), 404);
    await refused(report({ ...at, kind: 'exam' }, user), 404);
    await refused(report(at, await server.user()), 404);
    await refused(report(at, owner), 404);
    for (const text of ['', ' \n', 'x'.repeat(1001)]) {
      await refused(report(at, user, text), 422);
      await refused(answer(at, owner, text), 422);
    }
    await refused(answer(at, owner), 404);
    const waiting = await server.user();
    const values = {
      kind: at.kind,
      assessment_id: at.id,
      user_id: waiting.id,
      title: 'Trial',
      status: 'queued',
    } as const;
    await server.application.db
      .insertInto('attempts')
      .values({ ...values, container_name: 'waits-to-report', asked_at: new Date(), max_score: 1, passing_score: 1 })
      .execute();
    await refused(report(at, waiting), 404);
    assert.deepEqual(await own(at, waiting), []);
  });

  // Long: each deletion that a report outlives, or not.
  it('outlive the task and the course, and go with the student', async () => {
    const at = await place();
    const [user, leaving] = [await reporter(at), await reporter(at)];
    for (const one of [user, leaving]) await good(report(at, one));
    const path = `/api/teaching/courses/${course}/laboratories/${at.id}`;
    await good(server.delete(`${path}/tasks/${at.tasks[0]}`, owner.token));
    assert.deepEqual([(await listed(at, owner)).is_deleted, (await listed(at, owner)).task_title], [true, 'Task 1']);
    await good(server.post('/api/deletions/undo', owner.token, { kind: 'laboratory_task', entity_id: at.tasks[0] }));
    assert.equal((await listed(at, owner)).is_deleted, false);
    await good(server.delete(`/api/admin/users/${leaving.id}`, admin.token));
    assert.equal((await listed(at, owner)).report_count, 1);
    // With attempts it is retired.
    await good(server.delete(path, owner.token));
    assert.equal((await listed(at, owner)).report_count, 1);
    await good(server.delete(`${path}/tasks/${at.tasks[0]}`, owner.token));
    await good(answer(at, owner));
    assert.equal((await own(at, user))[0].answer, 'It is /srv/data');

    const second = (await good(server.post('/api/teaching/courses', owner.token, { name: 'Second' }))).id;
    const exam = await place('exam', { course_id: second });
    await good(report(exam, await reporter(exam)));
    assert.equal((await listed(exam, owner, second)).report_count, 1);
    await good(server.delete(`/api/teaching/courses/${second}`, owner.token));
    const left = await listed(exam, admin, null);
    assert.deepEqual([left.report_count, left.course_id], [1, null], 'administrators keep it');
  });

  it('of an assessment without a course reach administrators', async () => {
    const at = await place('exam', {});
    const user = await reporter(at);
    await good(report(at, user));
    const [told] = await notified(admin, 'report');
    assert.deepEqual([told.exam_id, told.course_id], [at.id, null]);
    for (const one of [owner, teacher, stranger])
      assert.ok((await notified(one, 'report')).every(({ exam_id }: { exam_id: number }) => exam_id !== at.id));
    assert.equal(await listed(at, owner), undefined);
    assert.equal((await answer(at, owner)).status, 404);
    assert.equal((await server.get('/api/admin/reports', owner.token)).status, 403);
    assert.equal((await listed(at, admin, null)).course_id, null);
    await good(
      server.post(`/api/admin/exams/${at.id}/tasks/${at.tasks[0]}/reports/answer`, admin.token, { text: 'So it is' }),
    );
    assert.equal((await own(at, user))[0].answer, 'So it is');
  });

  it('of a course that a program has made reach administrators', async () => {
    const other = await server.user('admin');
    const accounts = '/api/admin/service-accounts';
    const { id } = await good(server.post(accounts, admin.token, { name: 'Rosters', role: 'instructor' }));
    const scopes = ['read', 'write', 'content'];
    const { token } = await good(server.post(`${accounts}/${id}/tokens`, admin.token, { name: 'Nightly', scopes }));
    const { id: made } = await good(server.post('/api/teaching/courses', token, { name: 'Of a program' }));
    const sections = `/api/teaching/courses/${made}/sections`;
    const { id: section_id } = await good(server.post(sections, token, { name: 'One' }));
    const at = await place('laboratory', { section_id });
    await good(report(at, await reporter(at)));
    assert.equal((await notified(other, 'report')).length, 1);
  });
});
