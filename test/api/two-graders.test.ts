import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { awaitGrading, type GradingStaff, good, gradedSession, gradingStaff, refused } from '../grading-class.ts';
import { TestServer, type TestUser } from '../server.ts';

type Grade = { points_earned: number; is_own: boolean; graded_by: string };
type Listed = { key: string; task_id: number; grade_count: number; has_own_grade: boolean; is_decider: boolean };

describe('two graders', { timeout: 600_000 }, () => {
  let server: TestServer;
  let staff: GradingStaff;

  before(async () => {
    server = await TestServer.start({ INSTRUCTOR_SCOPE: 'classes' });
    staff = await gradingStaff(server);
  });
  after(() => server?.[Symbol.asyncDispose]());

  const path = '/api/instructor/grading';
  const open = async (key: string, user: TestUser) => await good(server.get(`${path}/${key}`, user.token));
  const list = async (query: string, user: TestUser): Promise<Listed[]> =>
    await good(server.get(`${path}?${query}`, user.token));
  const give = (key: string, user: TestUser, points_earned: number, reason = `${points_earned} for it`, more = {}) =>
    server.put(`${path}/${key}`, user.token, { points_earned, reason, revision: 0, ...more });
  const own = async ({ user, attempt }: { user: TestUser; attempt: number }) => ({
    attempt: await good(server.get(`/api/exams/attempts/${attempt}/results`, user.token)),
    feedback: await good(server.get(`/api/exams/attempts/${attempt}/feedback`, user.token)),
  });
  /** A session of a class whose first task two people grade, and the keys of its results. */
  async function session(fields: Record<string, unknown> = {}) {
    const graded = await gradedSession(server, staff, { grader_tolerance_percent: 20, ...fields });
    await awaitGrading(server, graded.students, graded.tasks[0]);
    const query = `session_id=${graded.session.id}&task_id=${graded.tasks[0]}`;
    const keys = (await list(query, staff.teacher)).map(({ key }) => key);
    return { ...graded, query, keys, key: keys[0] ?? '', student: graded.students[0] as (typeof graded.students)[0] };
  }

  // Long: what each reader sees of one result after each step.
  it('grade independently, and the mean of points that agree counts', async () => {
    const { teacher, colleague, admin, assistant } = staff;
    const { key, query, student, session: planned, tasks } = await session();
    const before = await open(key, teacher);
    assert.deepEqual([before.has_two_graders, before.max_difference, before.grades], [true, 1, []]);
    const first = await good(give(key, teacher, 3));
    assert.deepEqual([first.revision, first.is_awaiting_grading, first.points_earned], [0, true, 0]);
    const { graded_at: _at, ...grade } = first.grades[0];
    assert.deepEqual(grade, {
      ...{ task_id: tasks[0], points_earned: 3, reason: '3 for it', rubric_items: null, is_by_rubric: false },
      ...{ graded_by: teacher.username, is_own: true },
    });
    await good(server.post(`${path}/${key}/comments`, teacher.token, { text: 'Mine alone' }));
    const ofAttempt = `/api/instructor/attempts/${student.attempt}`;
    await good(server.post(`${ofAttempt}/comments`, teacher.token, { text: 'Of the whole attempt' }));
    for (const user of [colleague, assistant, admin]) {
      const seen = [
        user === assistant ? [] : await open(key, user),
        user === assistant ? [] : await list(query, user),
        await good(server.get(`/api/exams/attempts/${student.attempt}/feedback`, user.token)),
        await good(server.get(`${ofAttempt}/comments`, user.token)),
        await good(server.get(ofAttempt, user.token)),
      ];
      for (const told of ['3 for it', 'Mine alone', 'Of the whole attempt', '"points_earned":3'])
        assert.ok(!JSON.stringify(seen).includes(told), told);
    }
    const hers = await open(key, teacher);
    assert.deepEqual([hers.comments.length, hers.grades.length, hers.has_own_grade], [2, 1, true]);
    const [row] = await list(query, colleague);
    assert.deepEqual([row?.grade_count, row?.has_own_grade], [1, false]);
    const counts = async () =>
      (await good(server.get(`${path}/tasks?session_id=${planned.id}`, colleague.token))).map(
        (task: Record<string, number>) => [task['awaiting_count'], task['once_graded_count'], task['graded_count']],
      )[0];
    assert.deepEqual(await counts(), [1, 1, 0]);
    const waiting = await own(student);
    assert.deepEqual([waiting.attempt.score, waiting.attempt.results, waiting.feedback.decisions], [null, [], []]);
    const decided = await good(give(key, colleague, 4));
    assert.deepEqual(
      decided.grades.map(({ points_earned, is_own }: Grade) => [points_earned, is_own]),
      [
        [3, false],
        [4, true],
      ],
    );
    assert.deepEqual([decided.revision, decided.points_earned, decided.comments.length], [1, 3.5, 2]);
    assert.deepEqual(await counts(), [0, 0, 1]);
    const { attempt, feedback } = await own(student);
    assert.deepEqual([attempt.score, attempt.passed], [3.5, false]);
    const [decision] = feedback.decisions;
    assert.deepEqual(
      [decision.points_earned, decision.is_mean, decision.reason, feedback.decisions.length, feedback.grades],
      [3.5, true, '3 for it\n\n4 for it', 1, []],
    );
    const again = { revision: 1, points_earned: 5, reason: 'After a review' };
    const last = await good(server.put(`${ofAttempt}/results/${tasks[0]}`, teacher.token, again));
    assert.deepEqual([last.decisions.at(-1).is_mean, last.grades.length], [false, 2]);
    assert.equal((await own(student)).attempt.score, 5);
  });

  // Long: each way in which a difference is not settled, before it is.
  it('wait where they differ, until an instructor settles it with a reason', async () => {
    const { teacher, colleague, admin } = staff;
    const { key, query, student, tasks, session: planned } = await session({ grader_tolerance_percent: 0 });
    await refused(give(key, admin, 1, 'None yet', { is_settlement: true }), 409, 'graded_meanwhile');
    await refused(give(key, teacher, 5.01), 422);
    const override = { revision: 0, points_earned: 1, reason: 'Past both' };
    const ofAttempt = `/api/instructor/attempts/${student.attempt}/results/${tasks[0]}`;
    await refused(server.put(ofAttempt, teacher.token, override), 409, 'two_graders');
    await good(give(key, teacher, 2));
    await good(give(key, teacher, 3, 'Changed before the second'));
    const differing = await good(give(key, colleague, 3.01));
    assert.deepEqual([differing.is_awaiting_grading, differing.grade_count, differing.revision], [true, 2, 0]);
    assert.deepEqual((await own(student)).attempt.score, null);
    const [task] = await good(server.get(`${path}/tasks?session_id=${planned.id}`, teacher.token));
    assert.deepEqual([task.unsettled_count, task.once_graded_count, task.awaiting_count], [1, 0, 1]);
    assert.deepEqual(
      (await open(key, admin)).grades.map(({ points_earned }: Grade) => points_earned),
      [3, 3.01],
    );
    for (const user of [teacher, admin]) await refused(give(key, user, 4), 409, 'graded_meanwhile');
    const settles = { is_settlement: true, revision: 0 };
    const rubric = `/api/instructor/exams/${planned.exam_id}/tasks/${tasks[0]}/rubric`;
    const { id } = await good(server.post(rubric, teacher.token, { text: 'Right', points: 4 }));
    await refused(server.put(`${path}/${key}`, admin.token, { ...settles, rubric_item_ids: [id] }), 422);
    const json = { ...settles, rubric_item_ids: [id], reason: 'Both have missed a line' };
    const both = await Promise.all([admin, teacher].map(({ token }) => server.put(`${path}/${key}`, token, json)));
    assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 409]);
    const { attempt, feedback } = await own(student);
    assert.deepEqual([attempt.score, feedback.decisions.length, feedback.decisions[0].is_mean], [4, 1, false]);
    assert.deepEqual([feedback.decisions[0].reason, feedback.grades], [json.reason, []]);
    assert.deepEqual((await list(`${query}&is_graded=true`, teacher)).length, 1);
  });

  it('are two, of many who grade at the same moment', async () => {
    const { teacher, colleague, admin } = staff;
    const { key } = await session({ grader_tolerance_percent: 100 });
    const twice = [teacher, teacher, colleague, colleague, admin, admin];
    const answers = await Promise.all(twice.map((user, index) => give(key, user, index % 2)));
    assert.ok(answers.some(({ status }) => status === 200));
    for (const { status, code } of answers)
      assert.ok(status === 200 || code === 'graded_meanwhile', `${status} ${code}`);
    const { grades, revision } = await open(key, teacher);
    assert.deepEqual([grades.length, revision], [2, 1]);
    assert.equal(new Set(grades.map(({ graded_by }: Grade) => graded_by)).size, 2);
  });

  it('claim results as one grader does, and one grades again where the session asks for two no more', async () => {
    const { teacher, colleague } = staff;
    const { keys, query, session: planned, students } = await session({ students: 2 });
    const [one, two] = keys as [string, string];
    const claims = await Promise.all(
      [teacher, colleague].map(({ token }) => good(server.post(`${path}/${one}/claim`, token))),
    );
    assert.deepEqual(claims.map(({ is_own }) => is_own).toSorted(), [false, true]);
    await good(give(one, teacher, 5));
    await good(give(one, colleague, 1));
    await good(give(two, teacher, 5));
    const change = { grader_tolerance_percent: null };
    const session_ = await good(server.put(`/api/exam-sessions/${planned.id}`, teacher.token, change));
    assert.equal(session_.grader_tolerance_percent, null);
    assert.equal((await open(two, colleague)).grades.length, 1);
    for (const key of [one, two]) assert.equal((await good(give(key, colleague, 2))).points_earned, 2);
    assert.deepEqual((await list(`${query}&is_graded=true`, teacher)).length, 2);
    assert.deepEqual((await own(students[0] as (typeof students)[0])).attempt.score, 2);
    for (const wrong of [-1, 101, 0.5])
      await refused(
        server.put(`/api/exam-sessions/${planned.id}`, teacher.token, { grader_tolerance_percent: wrong }),
        422,
      );
  });
});
