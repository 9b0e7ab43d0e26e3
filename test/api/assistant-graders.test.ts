import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { finishAttempt } from '../finished-attempt.ts';
import { awaitGrading, type GradingStaff, good, gradedSession, gradingStaff, refused } from '../grading-class.ts';
import { makeAssessment } from '../made-assessment.ts';
import { TestServer, type TestUser } from '../server.ts';

type Listed = { key: string; task_id: number; is_decider: boolean; student: object | null };

describe('assistants who grade', { timeout: 600_000 }, () => {
  let server: TestServer;
  let staff: GradingStaff;

  before(async () => {
    server = await TestServer.start({ INSTRUCTOR_SCOPE: 'classes' });
    staff = await gradingStaff(server);
  });
  after(() => server?.[Symbol.asyncDispose]());

  const path = '/api/instructor/grading';
  const list = async (query: string, user: TestUser): Promise<Listed[]> =>
    await good(server.get(`${path}?${query}`, user.token));
  const right = { points_earned: 4, reason: 'Right', revision: 0 };

  async function session(fields: Record<string, unknown> = {}) {
    const graded = await gradedSession(server, staff, { has_assistant_graders: true, ...fields });
    await awaitGrading(server, graded.students, graded.tasks[0]);
    const query = `session_id=${graded.session.id}`;
    const rows = await list(query, staff.teacher);
    const keyOf = (index: number) => rows.find(({ task_id }) => task_id === graded.tasks[index])?.key ?? '';
    return { ...graded, query, answered: keyOf(0), checked: keyOf(1) };
  }

  /** An answer in a laboratory, of a student of the class, that awaits a person. */
  async function laboratoryAnswer() {
    const laboratory = await makeAssessment(server, staff.admin, 'laboratory', ['echo FAIL']);
    const { tasks } = await good(server.get(`/api/admin/laboratories/${laboratory}`, staff.admin.token));
    const student = await server.user();
    await good(server.post(`/api/classes/${staff.classId}/members`, staff.admin.token, { user_id: student.id }));
    const attempt = await finishAttempt(server, student, 'laboratory', laboratory, [false]);
    await awaitGrading(server, [{ attempt }], tasks[0].id);
    const query = `laboratory_id=${laboratory}`;
    const [row] = await list(query, staff.teacher);
    return { laboratory, student, query, key: row?.key ?? '' };
  }

  // Long: each part of the page for grading, for one assistant.
  it('grade what people grade, with its rubric', async () => {
    const { assistant, teacher } = staff;
    const { answered, query, exam, tasks, students, session: planned } = await session();
    const rubric = `/api/instructor/exams/${exam}/tasks/${tasks[0]}/rubric`;
    const item = await good(server.post(rubric, teacher.token, { text: 'Right', points: 4 }));
    const rows = await list(query, assistant);
    assert.deepEqual(
      rows.map(({ key, is_decider }) => [key, is_decider]),
      [[answered, false]],
    );
    const progress = await good(server.get(`${path}/tasks?${query}`, assistant.token));
    assert.deepEqual(
      progress.map(({ task_id }: Listed) => task_id),
      [tasks[0]],
    );
    const [awaiting] = await good(server.get(`${path}/awaiting?${query}`, assistant.token));
    assert.deepEqual([awaiting.assessment_id, awaiting.awaiting_count], [exam, 1]);
    assert.equal((await good(server.get(`${path}/${answered}`, assistant.token))).is_decider, false);
    assert.deepEqual(await good(server.get(rubric, assistant.token)), [item]);
    assert.equal((await good(server.post(`${path}/${answered}/claim`, assistant.token))).is_own, true);
    const comment = { text: 'Well said' };
    const { id: said } = await good(server.post(`${path}/${answered}/comments`, assistant.token, comment));
    const { id: other } = await good(server.post(`${path}/${answered}/comments`, teacher.token, comment));
    await good(server.delete(`${students[0]?.path}/comments/${said}`, assistant.token));
    await refused(server.delete(`${students[0]?.path}/comments/${other}`, assistant.token), 403, 'forbidden');
    const chosen = { rubric_item_ids: [item.id], revision: 0 };
    const graded = await good(server.put(`${path}/${answered}`, assistant.token, chosen));
    assert.deepEqual([graded.points_earned, graded.decisions[0].decided_by], [4, assistant.username]);
    const [student] = students;
    const own = await good(server.get(`/api/exams/attempts/${student?.attempt}/results`, student?.user.token ?? ''));
    assert.equal(own.score, 4);
    await good(server.put(`/api/exam-sessions/${planned.id}`, teacher.token, { has_assistant_graders: false }));
    assert.deepEqual(await list(query, assistant), []);
    await refused(server.get(`${path}/${answered}`, assistant.token), 404);
    await refused(server.get(rubric, assistant.token), 404);
  });

  it('grade outside of exam sessions where the class lets them', async () => {
    const { assistant, teacher, stranger, classId } = staff;
    const { key, query, laboratory } = await laboratoryAnswer();
    assert.deepEqual(await list(query, assistant), []);
    await refused(server.get(`${path}/${key}`, assistant.token), 404);
    const change = (has_assistant_graders: boolean) =>
      good(server.put(`/api/classes/${classId}`, teacher.token, { has_assistant_graders }));
    assert.equal((await change(true)).has_assistant_graders, true);
    assert.deepEqual(
      (await list(query, assistant)).map((row) => [row.key, row.is_decider]),
      [[key, false]],
    );
    const [awaiting] = await good(server.get(`${path}/awaiting?class_id=${classId}`, assistant.token));
    assert.deepEqual([awaiting.kind, awaiting.assessment_id, awaiting.awaiting_count], ['laboratory', laboratory, 1]);
    assert.deepEqual(await list(query, stranger), []);
    const one = { ...right, points_earned: 1 };
    const graded = await good(server.put(`${path}/${key}`, assistant.token, one));
    assert.deepEqual([graded.points_earned, graded.decisions[0].decided_by], [1, assistant.username]);
    await refused(server.put(`${path}/${key}`, assistant.token, { ...one, revision: 1 }), 403, 'forbidden');
    const other = await laboratoryAnswer();
    await good(server.delete(`/api/classes/${classId}/members/${other.student.id}`, staff.admin.token));
    await refused(server.get(`${path}/${other.key}`, assistant.token), 404);
    await change(false);
    await refused(server.get(`${path}/${key}`, assistant.token), 404);
  });

  // Long: each thing that they may not do.
  it('decide about nothing else', async () => {
    const { assistant, teacher, stranger } = staff;
    const { answered, checked, exam, tasks, students } = await session();
    const attempt = `/api/instructor/attempts/${students[0]?.attempt}`;
    const rubric = `/api/instructor/exams/${exam}/tasks/${tasks[0]}/rubric`;
    const { id } = await good(server.post(rubric, teacher.token, { text: 'Right', points: 4 }));
    const { token } = assistant;
    await refused(server.get(`${path}/${checked}`, token), 404);
    await refused(server.put(`${path}/${checked}`, token, right), 404);
    await refused(server.post(`${path}/${checked}/comments`, token, { text: 'A check' }), 404);
    await refused(server.put(`${attempt}/results/${tasks[0]}`, token, right), 403);
    await refused(server.post(`${attempt}/comments`, token, { text: 'Of all' }), 403);
    await refused(server.post(rubric, token, { text: 'Mine', points: 1 }), 404);
    await refused(server.put(`${rubric}/${id}`, token, { points: 1 }), 404);
    await refused(server.delete(`${rubric}/${id}`, token), 404);
    await refused(server.get(`${rubric}/changes`, token), 404);
    await refused(server.post(`${attempt}/reopen`, token, {}), 403);
    await refused(server.post(`${attempt}/regrade`, token, { reason: 'Again' }), 403);
    assert.deepEqual(await list(`exam_id=${exam}`, stranger), []);
    await good(server.put(`${path}/${answered}`, token, right));
    await refused(server.put(`${path}/${answered}`, token, { ...right, revision: 1 }), 403, 'forbidden');
    const other = await gradedSession(server, staff);
    await awaitGrading(server, other.students, other.tasks[0]);
    assert.deepEqual(await list(`session_id=${other.session.id}`, assistant), [], 'another session lets none grade');
  });

  it('are one of two graders, and settle nothing', async () => {
    const { assistant, teacher } = staff;
    const { answered, students, query } = await session({ grader_tolerance_percent: 0, has_hidden_names: true });
    const [row] = await list(query, assistant);
    assert.equal(row?.student, null);
    await good(server.put(`${path}/${answered}`, assistant.token, right));
    const opened = await good(server.get(`${path}/${answered}`, assistant.token));
    assert.ok(!JSON.stringify([row, opened]).includes(students[0]?.user.username ?? ''));
    await good(server.put(`${path}/${answered}`, teacher.token, { ...right, points_earned: 1 }));
    const settles = { ...right, is_settlement: true };
    await refused(server.put(`${path}/${answered}`, assistant.token, right), 409, 'graded_meanwhile');
    await refused(server.put(`${path}/${answered}`, assistant.token, settles), 403, 'forbidden');
    assert.equal((await good(server.put(`${path}/${answered}`, teacher.token, settles))).points_earned, 4);
  });

  it('are no students, whatever their role in the class', async () => {
    const { admin, classId } = staff;
    const helper = await server.user();
    await good(server.post(`/api/classes/${classId}/members`, admin.token, { user_id: helper.id, role: 'assistant' }));
    const { answered } = await session();
    await refused(server.get(`${path}/${answered}`, helper.token), 403, 'instructor_required');
    await refused(server.put(`${path}/${answered}`, helper.token, right), 403, 'instructor_required');
  });
});
