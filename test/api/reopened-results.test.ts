import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { lock } from '../../src/database/locks.ts';
import { good, refused } from '../grading-class.ts';
import { lockWaits } from '../lock-waits.ts';
import { makeAssessment } from '../made-assessment.ts';
import { TestServer, type TestUser } from '../server.ts';
import { tasksOfKinds } from '../task-kinds.ts';
import { until } from '../until.ts';

// No task needs a machine, so nothing here needs an engine.
describe('an attempt that was reopened and submitted again', () => {
  let server: TestServer;
  let admin: TestUser;
  let student: TestUser;
  before(async () => {
    server = await TestServer.start({}, { engine: { reason: 'this test has none' } });
    [admin, student] = [await server.user('admin'), await server.user()];
  });
  after(() => server?.[Symbol.asyncDispose]());

  /** An exam with one task, an attempt at it that is submitted, and how it is submitted once more. */
  async function submitted(task: { kind: string }, text: string) {
    const exam = await makeAssessment(server, admin, 'exam', [], { passing_score: 1 });
    const { id } = await good(server.post(`/api/admin/exams/${exam}/tasks`, admin.token, task));
    const { attempt_id: attempt } = await good(server.post(`/api/exams/${exam}/start`, student.token));
    const submit = async (answer: string) => {
      await good(server.put(`/api/exams/attempts/${attempt}/answers/${id}`, student.token, { text: answer }));
      await good(server.post(`/api/exams/${exam}/submit`, student.token));
    };
    await submit(text);
    const again = async (answer: string) => {
      await good(server.post(`/api/instructor/attempts/${attempt}/reopen`, admin.token, { minutes: 10 }));
      await submit(answer);
    };
    return { exam, task: id as number, attempt: attempt as number, again };
  }
  const regrade = (exam: number, sent = {}) => server.post(`/api/admin/exams/${exam}/regrade`, admin.token, sent);

  it('keeps its result where a regrade of the former answer is applied', async () => {
    const { exam, task, attempt, again } = await submitted(tasksOfKinds.answer, '50');
    await good(server.put(`/api/admin/exams/${exam}/tasks/${task}`, admin.token, { accepted: ['42', '50'] }));
    const { revision } = await good(server.get(`/api/admin/exams/${exam}`, admin.token));
    const { body } = await regrade(exam, { revision });
    const path = `/api/instructor/regrades/${body.id}`;
    await until(async () => (await server.get(path, admin.token)).body.status === 'ready', 'the regrade');
    const { differences } = await good(server.get(path, admin.token));
    assert.deepEqual([differences[0].before.points_earned, differences[0].after.points_earned], [0, 2]);
    await again('no number');
    const applied = await good(server.post(`${path}/apply`, admin.token));
    assert.equal(applied.differences[0].is_applied, false);
    const { score, passed } = await good(server.get(`/api/instructor/attempts/${attempt}`, admin.token));
    assert.deepEqual([score, passed], [0, false]);
  });

  it('takes no points of a grader who has opened the former answer', async () => {
    const { exam, again } = await submitted(tasksOfKinds.essay, 'The former answer');
    const list = async () => await good(server.get(`/api/instructor/grading?exam_id=${exam}`, admin.token));
    const path = (key: string) => `/api/instructor/grading/${key}`;
    const [{ key: former }] = await list();
    await again('Another answer');
    const grade = { points_earned: 5, reason: 'Well said', revision: 0 };
    await refused(server.put(path(former), admin.token, grade), 404, 'not_found');
    await refused(server.get(path(former), admin.token), 404, 'not_found');
    await refused(server.post(`${path(former)}/claim`, admin.token), 404, 'not_found');
    const [{ key }] = await list();
    const opened = await good(server.get(path(key), admin.token));
    assert.equal(opened.answer.text, 'Another answer');
    assert.equal((await good(server.put(path(key), admin.token, grade))).points_earned, 5);
  });

  it('takes no decision of somebody who has seen the former submission', async () => {
    const { task, attempt, again } = await submitted(tasksOfKinds.essay, 'The former answer');
    const seen = async () => (await good(server.get(`/api/instructor/attempts/${attempt}`, admin.token))).submitted_at;
    const decide = (submitted_at: string) =>
      server.put(`/api/instructor/attempts/${attempt}/results/${task}`, admin.token, {
        ...{ points_earned: 5, reason: 'Well said', revision: 0, submitted_at },
      });
    const former = await seen();
    await again('Another answer');
    await refused(decide(former), 409, 'graded_meanwhile');
    await good(decide(await seen()));
  });

  it('is asked back once, also by concurrent requests', async () => {
    const { attempt } = await submitted(tasksOfKinds.answer, '1');
    const path = `/api/exams/attempts/${attempt}/reopen-request`;
    const { db } = server.application;
    const statuses = await db.transaction().execute(async (trx) => {
      // Both have found no request before one of them writes it.
      await sql`lock table reopen_requests in share mode`.execute(trx);
      const asked = [1, 2].map(() => server.post(path, student.token));
      await until(async () => (await lockWaits(db)) === 2, 'the requests');
      return { asked };
    });
    assert.deepEqual((await Promise.all(statuses.asked)).map(({ status }) => status).sort(), [201, 409]);
  });

  it('is graded again at most three times at once for a person, also by concurrent requests', async () => {
    const { exam } = await submitted(tasksOfKinds.answer, '1');
    const { db } = server.application;
    const running = { kind: 'exam', assessment_id: exam, reason: 'Runs', requested_by: admin.id } as const;
    await db.insertInto('regrades').values([running, running]).execute();
    const statuses = await db.transaction().execute(async (trx) => {
      // None of them becomes ready meanwhile.
      await lock(trx, 'regrades');
      const asked = await db.transaction().execute(async (held) => {
        await held.selectFrom('users').select('id').where('id', '=', admin.id).forUpdate().execute();
        const requests = [1, 2].map(() => regrade(exam));
        await until(async () => (await lockWaits(db)) === 2, 'the requests');
        return { requests };
      });
      return (await Promise.all(asked.requests)).map(({ status }) => status);
    });
    assert.deepEqual(statuses.sort(), [202, 409]);
  });
});
