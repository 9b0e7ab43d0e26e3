/**
 * Latency of the grading page with 200 attempts that await two graders, in a school of 1,000 users and 24,000 attempts: what the page requests
 * when it is opened, and when it goes on to the next attempt. The reference is the same page of a session with one attempt. Rounds alternate.
 */
import { sql } from 'kysely';
import { openSession, schoolClass } from '../test/exam-session.ts';
import { makeAssessment } from '../test/made-assessment.ts';
import { TestServer, type TestUser } from '../test/server.ts';
import { tasksOfKinds } from '../test/task-kinds.ts';
import { median, prepareEnvironment, quantile, report, timed } from './environment.ts';
import { seed, small } from './large-lists-data.ts';

const rounds = 40;
const path = '/api/instructor/grading';

type Queue = { session: number; exam: number; task: number; keys: string[] };

/** A session of one class whose attempts have five essays, each with an output, comments and a first grade. */
async function queue(server: TestServer, admin: TestUser, teacher: TestUser, attempts: number): Promise<Queue> {
  const { db } = server.application;
  const exam = await makeAssessment(server, admin, 'exam', []);
  const tasks: number[] = [];
  for (let index = 0; index < 5; index += 1) {
    const { body } = await server.post(`/api/admin/exams/${exam}/tasks`, admin.token, tasksOfKinds.essay);
    tasks.push(body.id);
  }
  const [task = 0] = tasks;
  for (let index = 0; index < 10; index += 1)
    await server.post(`/api/instructor/exams/${exam}/tasks/${task}/rubric`, admin.token, {
      text: `${index}`,
      points: 1,
    });
  const classId = await schoolClass(server, teacher, []);
  const plan = { exam_id: exam, class_id: classId, grader_tolerance_percent: 20 };
  const { id: session } = await openSession(server, teacher, plan);
  // One attempt by the service, which the others copy with its revision.
  const student = await server.user();
  await server.post(`/api/classes/${classId}/members`, admin.token, { user_id: student.id });
  const started = await server.post(`/api/exams/${exam}/start`, student.token, { session_id: session });
  if (started.status !== 201) throw new Error(started.text);
  for (const each of tasks) {
    const answers = `/api/exams/attempts/${started.body.attempt_id}/answers/${each}`;
    await server.put(answers, student.token, { text: 'An answer of some length. '.repeat(160) });
  }
  await server.post(`/api/exams/${exam}/submit`, student.token);
  const first = sql`${started.body.attempt_id}::int`;
  await sql`insert into class_members (class_id, user_id, role) select ${classId}, id, 'student' from users
    where id <= ${attempts - 1} on conflict do nothing`.execute(db);
  await sql`insert into attempts (kind, assessment_id, user_id, title, container_name, status, started_at, expires_at, submitted_at,
      max_score, passing_score, session_id, revision_id, is_awaiting_grading, needs_machine)
    select kind, assessment_id, member.user_id, title, 'bench-' || ${exam}::int || '-' || member.user_id, status, started_at, expires_at, submitted_at,
      max_score, passing_score, session_id, revision_id, true, false
    from attempts, generate_series(1, ${attempts - 1}) as member (user_id) where id = ${first}`.execute(db);
  const others = sql`attempts as other on other.session_id = ${session} and other.id <> ${first}`;
  await sql`insert into task_results (attempt_id, task_id, title, order_index, points, points_earned, passed, output, is_awaiting_grading)
    select other.id, task_id, result.title, order_index, points, 0, false, output, true
    from task_results as result join ${others} where attempt_id = ${first}`.execute(db);
  await sql`insert into task_answers (attempt_id, task_id, text)
    select other.id, task_id, text from task_answers as answer join ${others} where attempt_id = ${first}`.execute(db);
  await sql`insert into task_grades (attempt_id, task_id, position, grader_id, points_earned, reason, is_by_rubric)
    select attempt_id, task_id, 1, ${admin.id}, 1, 'Right', false from task_results where attempt_id in (
      select id from attempts where session_id = ${session})`.execute(db);
  await sql`insert into attempt_comments (attempt_id, text, author_id) select id, 'Look at ' || n, ${admin.id}
    from attempts, generate_series(1, 20) n where session_id = ${session}`.execute(db);
  const { body } = await server.get(`${path}?session_id=${session}&task_id=${task}`, teacher.token);
  if (body.length !== attempts) throw new Error(`${body.length} of ${attempts} attempts`);
  return { session, exam, task, keys: body.map(({ key }: { key: string }) => key) };
}

await using _environment = await prepareEnvironment();
await using server = await TestServer.start({ REQUESTS_PER_MINUTE: '100000000', INSTRUCTOR_SCOPE: 'classes' });
await server.application.db.connection().execute(async (connection) => {
  // The rows are consistent by construction.
  await sql`set session_replication_role = replica`.execute(connection);
  for (const statement of seed(small)) await sql.raw(statement).execute(connection);
  await sql`set session_replication_role = default`.execute(connection);
  await sql`select setval(pg_get_serial_sequence('assessments', 'id'), max(id)) from assessments`.execute(connection);
});
const [admin, teacher] = [await server.user('admin'), await server.user('instructor')];
const many = await queue(server, admin, teacher, 200);
const one = await queue(server, admin, teacher, 1);
await sql`vacuum analyze`.execute(server.application.db);

const request = async (method: 'GET' | 'POST', url: string): Promise<void> => {
  const { status, text } = await server.request(method, url, { token: teacher.token });
  if (status !== 200) throw new Error(`${method} ${url}: ${status} ${text}`);
};
const openResult = async ({ keys }: Queue, round: number): Promise<void> => {
  const key = keys[(7 * round) % keys.length];
  await Promise.all([request('GET', `${path}/${key}`), request('POST', `${path}/${key}/claim`)]);
};
const openPage = async (of: Queue, round: number): Promise<void> => {
  await request('GET', `${path}/tasks?session_id=${of.session}`);
  await request('GET', `${path}?session_id=${of.session}&task_id=${of.task}`);
  const rubric = `/api/instructor/exams/${of.exam}/tasks/${of.task}/rubric`;
  await Promise.all([openResult(of, round), request('GET', rubric), request('GET', `${rubric}/changes`)]);
};
for (const [name, open] of [
  ['the next attempt on the grading page', openResult],
  ['the grading page with its first attempt', openPage],
] as const) {
  const times = { ours: [] as number[], reference: [] as number[] };
  for (let round = -5; round < rounds; round += 1) {
    const [ours, reference] = [await timed(() => open(many, round + 5)), await timed(() => open(one, round + 5))];
    // The first rounds fill the caches.
    if (round < 0) continue;
    times.ours.push(ours);
    times.reference.push(reference);
  }
  const p95 = quantile(times.ours, 0.95).toFixed(1);
  report(`${name}, 200 await / 1 (p95 ${p95} ms)`, median(times.ours), median(times.reference), 'ms', '< 100 ms');
}
