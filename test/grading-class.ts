import assert from 'node:assert/strict';
import { openSession, schoolClass } from './exam-session.ts';
import { finishAttempt } from './finished-attempt.ts';
import { makeAssessment } from './made-assessment.ts';
import type { TestServer, TestUser } from './server.ts';

/** The body of an answer that succeeds. */
// biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary answers
export async function good(answer: ReturnType<TestServer['post']>): Promise<any> {
  const { status, body, text } = await answer;
  assert.ok(status === 200 || status === 201, `${status} ${text}`);
  return body;
}

export async function refused(answer: ReturnType<TestServer['post']>, status: number, code?: string): Promise<void> {
  const given = await answer;
  assert.deepEqual([given.status, code && given.code], [status, code], given.text);
}

/** A class of two instructors and an assistant, and an instructor of another one, on a service where each sees the own classes. */
export async function gradingStaff(server: TestServer) {
  const admin = await server.user('admin');
  const staff = await Promise.all([1, 2, 3, 4].map(() => server.user('instructor')));
  const [teacher, colleague, assistant, stranger] = staff as [TestUser, TestUser, TestUser, TestUser];
  const classId = await schoolClass(server, teacher, []);
  for (const [{ id: user_id }, role] of [
    [colleague, 'instructor'],
    [assistant, 'assistant'],
  ] as const)
    await good(server.post(`/api/classes/${classId}/members`, admin.token, { user_id, role }));
  await schoolClass(server, stranger, []);
  return { admin, teacher, colleague, assistant, stranger, classId };
}
export type GradingStaff = Awaited<ReturnType<typeof gradingStaff>>;

/** Makes a task of these attempts one that people grade, and that nobody has graded. */
export async function awaitGrading(server: TestServer, students: readonly { attempt: number }[], task: number) {
  const { db } = server.application;
  const ids = students.map(({ attempt }) => attempt);
  const results = db.updateTable('task_results').where('attempt_id', 'in', ids).where('task_id', '=', task);
  await results.set({ is_awaiting_grading: true, output: '' }).execute();
  const attempts = db.updateTable('attempts').where('id', 'in', ids);
  await attempts.set({ is_awaiting_grading: true, score: null, passed: null }).execute();
}

/** An exam with tasks of 5 points, its session in the class, and students who have failed all of them. */
export async function gradedSession(
  server: TestServer,
  { admin, teacher, classId }: GradingStaff,
  {
    students: count = 1,
    scripts = ['echo FAIL', 'echo FAIL'],
    ...fields
  }: Record<string, unknown> & {
    students?: number;
    scripts?: string[];
  } = {},
) {
  const exam = await makeAssessment(server, admin, 'exam', scripts, { passing_score: 5 });
  const { tasks } = await good(server.get(`/api/admin/exams/${exam}`, admin.token));
  const ids: number[] = tasks.map(({ id }: { id: number }) => id);
  for (const id of ids) await good(server.put(`/api/admin/exams/${exam}/tasks/${id}`, admin.token, { points: 5 }));
  const plan = { exam_id: exam, class_id: classId, results_visible: 'at_end', ...fields };
  const session = await openSession(server, teacher, plan);
  const students: { user: TestUser; attempt: number; path: string }[] = [];
  for (let index = 0; index < count; index += 1) {
    const user = await server.user();
    await good(server.post(`/api/classes/${classId}/members`, admin.token, { user_id: user.id }));
    const attempt = await finishAttempt(
      server,
      user,
      'exam',
      exam,
      ids.map(() => false),
    );
    await server.application.db
      .updateTable('attempts')
      .set({ session_id: session.id })
      .where('id', '=', attempt)
      .execute();
    students.push({ user, attempt, path: `/api/instructor/attempts/${attempt}` });
  }
  return { exam, tasks: ids as [number, number], session, students };
}
