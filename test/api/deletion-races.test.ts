import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { recordState } from '../../src/database/catalogue/revisions.ts';
import { openSession, schoolClass } from '../exam-session.ts';
import { lockWaits } from '../lock-waits.ts';
import { TestServer, type TestUser } from '../server.ts';
import { until } from '../until.ts';

describe('a row deleted during a request', () => {
  let server: TestServer;
  let admin: TestUser;
  before(async () => {
    server = await TestServer.start();
    admin = await server.user('admin');
  });
  after(() => server[Symbol.asyncDispose]());

  const create = async (path: string, fields: object): Promise<number> =>
    (await server.post(`/api/admin/${path}`, admin.token, fields)).body.id;

  const waiting = async (): Promise<void> =>
    await until(async () => (await lockWaits(server.application.db)) === 1, 'the request to wait for the deletion');

  /** Deletes a row, and commits that only when the request waits for it. */
  async function answerDuring(table: 'users' | 'themes', id: number, path: string, token: string) {
    const { db } = server.application;
    return await db.transaction().execute(async (trx) => {
      await sql`delete from ${sql.table(table)} where id = ${id}`.execute(trx);
      const request = server.post(path, token);
      await waiting();
      return { request };
    });
  }

  it('causes 401 if it is the user', async () => {
    const fields = { title: 'Exam', container_image: 'any', time_limit_minutes: 5, passing_score: 0 };
    const exam = await create('exams', fields);
    await create(`exams/${exam}/tasks`, { title: 'Task', points: 1, verification_script: 'echo PASS' });
    const user = await server.user();
    const { request } = await answerDuring('users', user.id, `/api/exams/${exam}/start`, user.token);
    const answer = await request;
    assert.deepEqual(
      [answer.status, answer.code, answer.body],
      [401, 'unauthorized', { detail: 'Could not validate credentials' }],
    );
    assert.equal(answer.headers.get('www-authenticate'), 'Bearer');
  });

  it('causes 404 otherwise', async () => {
    const course_id = await create('lessons/courses', { name: 'Course' });
    const section_id = await create('lessons/sections', { name: 'Section', course_id });
    const theme = await create('lessons/themes', { title: 'Theme', section_id, markdown_file_path: 'a.md' });
    const user = await server.user();
    const { request } = await answerDuring('themes', theme, `/api/lessons/themes/${theme}/complete`, user.token);
    assert.equal((await request).status, 404);
  });

  for (const hasSession of [false, true])
    it(`is an exam ${hasSession ? 'with a session ' : ''}that is started: neither waits for the other`, async () => {
      const { db } = server.application;
      const fields = { title: 'Exam', container_image: 'any', time_limit_minutes: 5, passing_score: 0 };
      const exam = await create('exams', fields);
      await create(`exams/${exam}/tasks`, { title: 'Task', points: 1, verification_script: 'echo PASS' });
      await recordState(db, 'exam', exam);
      const user = await server.user();
      if (hasSession) {
        const class_id = await schoolClass(server, admin, [user]);
        await openSession(server, admin, { exam_id: exam, class_id });
      }
      const waiters = async (count: number) =>
        await until(async () => (await lockWaits(db)) === count, `${count} requests to wait`);
      const answers = await db.transaction().execute(async (trx) => {
        // The deletion has locked the exam when it comes to this table.
        await sql`lock table deletions in share mode`.execute(trx);
        const deleted = server.delete(`/api/admin/exams/${exam}`, admin.token);
        await waiters(1);
        const started = server.post(`/api/exams/${exam}/start`, user.token);
        await waiters(2);
        return { both: Promise.all([deleted, started]) };
      });
      assert.deepEqual(
        (await answers.both).map(({ status }) => status),
        [200, 404],
      );
    });

  for (const kind of ['exam', 'laboratory'] as const) {
    const plural = kind === 'exam' ? 'exams' : 'laboratories';
    it(`is read whole or not at all: ${plural} with their tasks`, async () => {
      const user = await server.user();
      const { db } = server.application;
      const assessment = await db
        .insertInto('assessments')
        .values({ kind, title: 'Subject', container_image: 'any', time_limit_minutes: 5, passing_score: 0 })
        .returning('id')
        .executeTakeFirstOrThrow();
      await sql`insert into assessment_tasks (assessment_kind, assessment_id, title, points, verification_script)
        values (${kind}, ${assessment.id}, 'Task', 1, 'echo PASS')`.execute(db);
      const { request } = await db.transaction().execute(async (trx) => {
        await sql`lock table assessment_tasks in access exclusive mode`.execute(trx);
        await sql`delete from assessments where kind = ${kind} and id = ${assessment.id}`.execute(trx);
        const request = server.get(`/api/${plural}/${assessment.id}`, user.token);
        await waiting();
        return { request };
      });
      const { status, body } = await request;
      assert.deepEqual([status, body.task_count], [200, 1]);
    });
  }
});
