import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { minutes, openSession, runAttempt, schoolClass } from '../exam-session.ts';
import { finishAttempt } from '../finished-attempt.ts';
import { makeAssessment } from '../made-assessment.ts';
import { codedItems, TestServer, type TestUser } from '../server.ts';

describe('decisions about results', { timeout: 600_000 }, () => {
  let server: TestServer;
  /** Teaches the class; another of its teachers; one of another class. */
  let [admin, teacher, colleague, assistant, stranger]: TestUser[] = [];
  let classId: number;
  let exam: number;
  let tasks: number[];

  before(async () => {
    server = await TestServer.start({ INSTRUCTOR_SCOPE: 'classes' });
    admin = await server.user('admin');
    [teacher, colleague, assistant, stranger] = await Promise.all([1, 2, 3, 4].map(() => server.user('instructor')));
    classId = await schoolClass(server, as(teacher), []);
    for (const [user, role] of [
      [colleague, 'instructor'],
      [assistant, 'assistant'],
    ] as const)
      await good(server.post(`/api/classes/${classId}/members`, as(admin).token, { user_id: as(user).id, role }));
    await schoolClass(server, as(stranger), []);
    exam = await makeAssessment(server, as(admin), 'exam', ['echo FAIL', 'echo PASS'], { passing_score: 2 });
    tasks = (await good(server.get(`/api/admin/exams/${exam}`, as(admin).token))).tasks.map(
      ({ id }: { id: number }) => id,
    );
    await Promise.all(
      tasks.map((id) => good(server.put(`/api/admin/exams/${exam}/tasks/${id}`, as(admin).token, { points: 2.5 }))),
    );
  });
  after(() => server?.[Symbol.asyncDispose]());

  const as = (user: TestUser | undefined): TestUser => user ?? assert.fail('no such user');
  // biome-ignore lint/suspicious/noExplicitAny: an answer
  async function good(answer: ReturnType<TestServer['post']>): Promise<any> {
    const { status, body, text } = await answer;
    assert.ok(status === 200 || status === 201, `${status} ${text}`);
    return body;
  }
  async function refused(answer: ReturnType<TestServer['post']>, status: number, code?: string): Promise<void> {
    const given = await answer;
    assert.deepEqual([given.status, code && given.code], [status, code], given.text);
  }
  const db = () => server.application.db;

  /** A student of the class whose attempt has ended in a session: the first task has failed, the second has passed. */
  async function graded(fields: object = {}, passed = [false, true]) {
    const student = await server.user();
    await good(server.post(`/api/classes/${classId}/members`, as(admin).token, { user_id: student.id }));
    const plan = { exam_id: exam, class_id: classId, results_visible: 'at_end', review_days: 14, ...fields };
    const session = await openSession(server, as(teacher), plan);
    const attempt = await finishAttempt(server, student, 'exam', exam, passed);
    await db().updateTable('attempts').set({ session_id: session.id }).where('id', '=', attempt).execute();
    return { student, attempt, session, path: `/api/instructor/attempts/${attempt}` };
  }
  const decide = (user: TestUser | undefined, path: string, points_earned: number, revision = 0, task = tasks[0]) =>
    server.put(`${path}/results/${task}`, as(user).token, { points_earned, reason: 'It was right', revision });
  const feedbackOf = (user: TestUser | undefined, attempt: number) =>
    good(server.get(`/api/exams/attempts/${attempt}/feedback`, as(user).token));
  const kindsOf = async (user: TestUser | undefined, attempt: number): Promise<string[]> => {
    const all = await good(server.get('/api/notifications', as(user).token));
    return all
      .filter((one: { attempt_id: number }) => one.attempt_id === attempt)
      .map(({ kind }: { kind: string }) => kind);
  };
  const ask = (user: TestUser | undefined, attempt: number) =>
    server.post(`/api/exams/attempts/${attempt}/review-request`, as(user).token, { text: 'Task 1 was right' });

  it('give other points, of which score, result and history follow', async () => {
    const { student, attempt, path } = await graded({}, [false, false]);
    const first = await good(decide(teacher, path, 1.255));
    assert.deepEqual(
      first.decisions.map(({ decided_at: _at, ...rest }: { decided_at: string }) => rest),
      [
        {
          task_id: tasks[0],
          revision: 1,
          points_before: 0,
          points_earned: 1.26,
          reason: 'It was right',
          ...{ rubric_items: null, is_by_rubric: false, is_mean: false },
          decided_by: as(teacher).username,
        },
      ],
    );
    const half = await good(server.get(path, as(teacher).token));
    assert.deepEqual([half.score, half.passed, half.results[0].passed], [1.26, false, false]);
    await good(decide(colleague, path, 2.5, 1));
    const whole = await good(server.get(`/api/exams/attempts/${attempt}/results`, student.token));
    assert.deepEqual([whole.score, whole.passed], [2.5, true]);
    assert.deepEqual([whole.results[0].points_earned, whole.results[0].passed], [2.5, true]);
    const own = await feedbackOf(student, attempt);
    assert.deepEqual(
      own.decisions.map(({ points_before, points_earned }: Record<string, number>) => [points_before, points_earned]),
      [
        [0, 1.26],
        [1.26, 2.5],
      ],
    );
    assert.equal(own.is_decider, false);
    assert.deepEqual(await kindsOf(student, attempt), ['grade']);
    const book = await good(
      server.get(`/api/instructor/exams/${exam}/grade-book?search=${student.username}`, as(teacher).token),
    );
    assert.deepEqual([book.students[0].score, book.students[0].results[0].points_earned], [2.5, 2.5]);
    const log = await good(server.get(`/api/admin/activity?type=admin_attempt_decide`, as(admin).token));
    assert.deepEqual(log[0].details.new, { points_earned: 2.5 });
  });

  it('can take points away', async () => {
    const { attempt, path, student } = await graded();
    await good(decide(admin, path, 0, 0, tasks[1]));
    const { score, passed } = await good(server.get(`/api/exams/attempts/${attempt}/results`, student.token));
    assert.deepEqual([score, passed], [0, false]);
  });

  it('are made once by two at the same time', async () => {
    const { path } = await graded();
    const both = await Promise.all([decide(teacher, path, 1), decide(colleague, path, 2)]);
    assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 409]);
    const late = both.find(({ status }) => status === 409);
    assert.equal(late?.code, 'graded_meanwhile');
  });

  it('are refused to all others, and with wrong values', async () => {
    const { student, attempt, session, path } = await graded();
    await refused(decide(assistant, path, 1), 403, 'forbidden');
    await refused(decide(stranger, path, 1), 404);
    await refused(decide(student, path, 1), 403, 'instructor_required');
    await refused(decide(teacher, path, 2.51), 422);
    await refused(decide(teacher, path, -1), 422);
    await refused(decide(teacher, path, 1, 0, 2_000_000_000), 404);
    await refused(decide(teacher, path, 1, 7), 409, 'graded_meanwhile');
    for (const reason of ['', ' \n'])
      await refused(
        server.put(`${path}/results/${tasks[0]}`, as(teacher).token, { points_earned: 1, reason, revision: 0 }),
        422,
      );
    assert.equal((await feedbackOf(assistant, attempt)).is_decider, false);
    const running = await runAttempt(server, student, { id: session.id, exam_id: exam });
    await refused(decide(teacher, `/api/instructor/attempts/${running}`, 1), 409, 'attempt_not_graded');
    const own = await finishAttempt(server, as(teacher), 'exam', exam, [false, true]);
    await refused(decide(teacher, `/api/instructor/attempts/${own}`, 1), 404);
  });

  it('are not made about an own attempt where all students are seen', async () => {
    await using open = await TestServer.start();
    const [one, root] = [await open.user('instructor'), await open.user('admin')];
    const id = await makeAssessment(open, root, 'exam', ['echo FAIL']);
    const attempt = await finishAttempt(open, one, 'exam', id, [false]);
    const { tasks: own } = (await open.get(`/api/admin/exams/${id}`, root.token)).body;
    const json = { points_earned: 1, reason: 'Mine', revision: 0 };
    const path = `/api/instructor/attempts/${attempt}/results/${own[0].id}`;
    await refused(open.put(path, one.token, json), 403, 'forbidden');
    await good(open.put(path, root.token, json));
  });

  it('stay when the exam is edited and retired', async () => {
    const { attempt, path, student } = await graded();
    const other = await makeAssessment(server, as(admin), 'exam', ['echo FAIL']);
    const retired = await finishAttempt(server, student, 'exam', other, [false]);
    const [task] = (await good(server.get(`/api/admin/exams/${other}`, as(admin).token))).tasks;
    await good(decide(admin, `/api/instructor/attempts/${retired}`, task.points, 0, task.id));
    await good(decide(teacher, path, 1));
    await good(server.delete(`/api/admin/exams/${other}/tasks/${task.id}`, as(admin).token));
    await good(server.delete(`/api/admin/exams/${other}`, as(admin).token));
    await good(server.put(`/api/admin/exams/${exam}`, as(admin).token, { title: 'Renamed' }));
    assert.equal((await feedbackOf(student, retired)).decisions.length, 1);
    assert.equal((await feedbackOf(student, attempt)).decisions.length, 1);
  });

  // Long: each place of a comment, each refusal, and who deletes.
  it('come with comments on an attempt, a task, a line and a moment', async () => {
    const { student, attempt, path } = await graded();
    const recording = await db()
      .insertInto('recordings')
      .values({ attempt_id: attempt, key: `${attempt}`.padStart(40, '0'), cols: 80, rows: 24, started_at: new Date() })
      .returning('id')
      .executeTakeFirstOrThrow();
    const say = (json: object, user = teacher) => server.post(`${path}/comments`, as(user).token, json);
    await good(say({ text: 'Well done' }));
    const line = await good(say({ text: 'Here', task_id: tasks[0], line: 2 }, colleague));
    await good(say({ text: 'Watch this', recording_id: recording.id, seconds: 61.5 }));
    const { comments } = await feedbackOf(student, attempt);
    assert.deepEqual(
      comments.map((one: Record<string, unknown>) => [one['text'], one['task_id'], one['line'], one['seconds']]),
      [
        ['Well done', null, null, null],
        ['Here', tasks[0], 2, null],
        ['Watch this', null, null, 61.5],
      ],
    );
    for (const wrong of [
      { task_id: 2_000_000_000 },
      { line: 1 },
      { recording_id: 2_000_000_000, seconds: 1 },
      { recording_id: recording.id },
      { seconds: 1 },
    ]) {
      const given = await say({ text: 'Where?', ...wrong });
      assert.deepEqual([given.status, codedItems(given)[0]?.code], [422, 'comment_place'], JSON.stringify(wrong));
    }
    await refused(say({ text: 'No' }, assistant), 403, 'forbidden');
    await refused(say({ text: 'No' }, stranger), 404);
    await refused(say({ text: '' }), 422);
    assert.deepEqual(await good(server.get(`${path}/comments`, as(assistant).token)), comments);
    await refused(server.get(`${path}/comments`, as(stranger).token), 404);
    await refused(server.delete(`${path}/comments/${line.id}`, as(teacher).token), 403, 'forbidden');
    await refused(server.delete(`${path}/comments/2000000000`, as(teacher).token), 404);
    await good(server.delete(`${path}/comments/${line.id}`, as(colleague).token));
    await db().deleteFrom('recordings').where('id', '=', recording.id).execute();
    const left = (await feedbackOf(student, attempt)).comments;
    assert.deepEqual(
      left.map((one: Record<string, unknown>) => [one['text'], one['recording_id'], one['seconds']]),
      [
        ['Well done', null, null],
        ['Watch this', null, 61.5],
      ],
    );
    const many = Array.from({ length: 198 }, () => ({ attempt_id: attempt, text: 'x', author_id: as(teacher).id }));
    await db().insertInto('attempt_comments').values(many).execute();
    await refused(say({ text: 'One more' }), 409, 'too_many_comments');
  });

  it('are hidden from the student as long as the results are', async () => {
    const { student, attempt, session, path } = await graded({ results_visible: 'when_released' });
    await good(decide(teacher, path, 2));
    await good(server.post(`${path}/comments`, as(teacher).token, { text: 'Nearly' }));
    const hidden = await feedbackOf(student, attempt);
    assert.deepEqual([hidden.decisions, hidden.comments, hidden.review_until], [[], [], null]);
    assert.deepEqual(await kindsOf(student, attempt), []);
    await refused(ask(student, attempt), 403, 'no_review');
    await good(server.post(`/api/exam-sessions/${session.id}/release`, as(teacher).token));
    const shown = await feedbackOf(student, attempt);
    assert.deepEqual([shown.decisions.length, shown.comments.length], [1, 1]);
    assert.ok(Date.parse(shown.review_until) > Date.now() + 13 * 86_400_000);
    assert.ok((await kindsOf(student, attempt)).includes('grade'));
    const other = await server.user();
    await refused(server.get(`/api/exams/attempts/${attempt}/feedback`, other.token), 404);
  });

  it('are asked for by a student once, and answered once', async () => {
    const { student, attempt, path } = await graded();
    const twice = await Promise.all([ask(student, attempt), ask(student, attempt)]);
    assert.deepEqual(twice.map(({ status }) => status).toSorted(), [201, 409]);
    await refused(ask(student, attempt), 409, 'review_requested');
    const list = async (user: TestUser | undefined) =>
      (await good(server.get('/api/instructor/review-requests', as(user).token))).filter(
        (one: { attempt_id: number }) => one.attempt_id === attempt,
      );
    const [request] = await list(teacher);
    assert.deepEqual([request.user_id, request.text], [student.id, 'Task 1 was right']);
    assert.deepEqual(
      [(await list(admin)).length, (await list(assistant)).length, (await list(stranger)).length],
      [1, 0, 0],
    );
    assert.deepEqual(await kindsOf(colleague, attempt), ['review']);
    assert.deepEqual(await kindsOf(assistant, attempt), []);
    const answer = (user: TestUser | undefined, outcome = 'granted') =>
      server.put(`/api/instructor/review-requests/${request.id}`, as(user).token, { outcome, text: 'You are right' });
    await refused(answer(assistant), 403, 'forbidden');
    await refused(answer(stranger), 404);
    await refused(answer(teacher, 'perhaps'), 422);
    await good(decide(teacher, path, 2.5));
    const both = await Promise.all([answer(teacher), answer(colleague, 'rejected')]);
    assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 409]);
    const { review } = await feedbackOf(student, attempt);
    assert.deepEqual(
      [review.answer, typeof review.answered_by, review.outcome !== null],
      ['You are right', 'string', true],
    );
    assert.deepEqual([await list(teacher), await kindsOf(colleague, attempt)], [[], []]);
    await refused(
      server.put('/api/instructor/review-requests/2000000000', as(teacher).token, { outcome: 'granted', text: 'x' }),
      404,
    );
  });

  it('are asked for again after the attempt was reopened and has ended again', async () => {
    const { student, attempt } = await graded();
    const { id } = await good(ask(student, attempt));
    const endsAgain = async () =>
      await db().updateTable('attempts').set({ submitted_at: new Date() }).where('id', '=', attempt).execute();
    await endsAgain();
    await refused(ask(student, attempt), 409, 'review_requested');
    const json = { outcome: 'rejected', text: 'It was wrong' };
    await good(server.put(`/api/instructor/review-requests/${id}`, as(teacher).token, json));
    await endsAgain();
    const again = await good(ask(student, attempt));
    assert.notEqual(again.id, id);
    assert.deepEqual((await feedbackOf(student, attempt)).review, again);
    await refused(ask(student, attempt), 409, 'review_requested');
  });

  const endedAt = async (attempt: number, at: Date): Promise<void> => {
    await db().updateTable('attempts').set({ submitted_at: at }).where('id', '=', attempt).execute();
    await db().updateTable('task_results').set({ graded_at: at }).where('attempt_id', '=', attempt).execute();
  };

  it('are asked for as long after people have graded as after any other end', async () => {
    const { student, attempt, path } = await graded({ review_days: 1 });
    await endedAt(attempt, new Date(minutes(-3 * 24 * 60)));
    await refused(ask(student, attempt), 403, 'no_review');
    await good(decide(teacher, path, 1));
    const { review_until } = await feedbackOf(student, attempt);
    assert.ok(Date.parse(review_until) > Date.now() + 23 * 3_600_000, review_until);
    await good(ask(student, attempt));
  });

  it('are asked for only as long as the session allows it', async () => {
    const none = await graded({ review_days: null });
    await refused(ask(none.student, none.attempt), 403, 'no_review');
    const late = await graded({ review_days: 1 });
    const submitted_at = new Date(minutes(-24 * 60 - 1));
    await endedAt(late.attempt, submitted_at);
    await refused(ask(late.student, late.attempt), 403, 'no_review');
    await refused(ask(none.student, late.attempt), 404);
    await refused(server.put(`/api/exam-sessions/${late.session.id}`, as(teacher).token, { review_days: 0 }), 422);
    await good(server.put(`/api/exam-sessions/${late.session.id}`, as(teacher).token, { review_days: 3 }));
    await good(ask(late.student, late.attempt));
  });

  it('are still made after the session was deleted', async () => {
    const { student, attempt, session, path } = await graded();
    const { id } = await good(ask(student, attempt));
    await good(server.delete(`/api/exam-sessions/${session.id}`, as(teacher).token));
    await good(decide(teacher, path, 2));
    const json = { outcome: 'rejected', text: 'Half of it' };
    await good(server.put(`/api/instructor/review-requests/${id}`, as(colleague).token, json));
    const { review, decisions } = await feedbackOf(student, attempt);
    assert.deepEqual([review.outcome, decisions.length], ['rejected', 1]);
  });

  it('concern laboratories as well', async () => {
    const { student } = await graded();
    const laboratory = await makeAssessment(server, as(admin), 'laboratory', ['echo FAIL']);
    const attempt = await finishAttempt(server, student, 'laboratory', laboratory, [false]);
    const [task] = (await good(server.get(`/api/admin/laboratories/${laboratory}`, as(admin).token))).tasks;
    await good(decide(teacher, `/api/instructor/attempts/${attempt}`, task.points, 0, task.id));
    const own = await good(server.get(`/api/laboratories/attempts/${attempt}/feedback`, student.token));
    assert.deepEqual([own.decisions.length, own.review_until], [1, null]);
    await refused(server.get(`/api/exams/attempts/${attempt}/feedback`, student.token), 404);
    await refused(ask(student, attempt), 404);
  });
});
