import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { TestServer, type TestUser } from '../server.ts';
import { until } from '../until.ts';

describe('what is deleted while a request needs it', () => {
  let server: TestServer;
  let admin: TestUser;
  before(async () => {
    server = await TestServer.start();
    admin = await server.user('admin');
  });
  after(() => server[Symbol.asyncDispose]());

  const create = async (path: string, fields: object): Promise<number> =>
    (await server.post(`/api/admin/${path}`, admin.token, fields)).body.id;

  /** Deletes a row, and commits that only when the request waits for it. */
  async function answerDuring(table: 'users' | 'themes', id: number, path: string, token: string) {
    const { db } = server.application;
    return await db.transaction().execute(async (trx) => {
      await sql`delete from ${sql.table(table)} where id = ${id}`.execute(trx);
      const request = server.post(path, token);
      await until(async () => {
        const { rows } = await sql<{ waiting: number }>`select count(*)::int as waiting from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
        return rows[0]?.waiting === 1;
      }, 'the request to wait for the deletion');
      return { request };
    });
  }

  it('is 401 where it is the user', async () => {
    const fields = { title: 'Exam', container_image: 'any', time_limit_minutes: 5, passing_score: 0 };
    const exam = await create('exams', fields);
    await create(`exams/${exam}/tasks`, { title: 'Task', points: 1, verification_script: 'echo PASS' });
    const user = await server.user();
    const { request } = await answerDuring('users', user.id, `/api/exams/${exam}/start`, user.token);
    const answer = await request;
    assert.deepEqual([answer.status, answer.body], [401, { detail: 'Could not validate credentials' }]);
    assert.equal(answer.headers.get('www-authenticate'), 'Bearer');
  });

  it('is 404 where it is something else', async () => {
    const course_id = await create('lessons/courses', { name: 'Course' });
    const section_id = await create('lessons/sections', { name: 'Section', course_id });
    const theme = await create('lessons/themes', { title: 'Theme', section_id, markdown_file_path: 'a.md' });
    const user = await server.user();
    const { request } = await answerDuring('themes', theme, `/api/lessons/themes/${theme}/complete`, user.token);
    assert.equal((await request).status, 404);
  });
});
