import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { TestServer, type TestUser } from '../server.ts';

describe('the totals of lists', () => {
  let server: TestServer;
  let admin: TestUser;
  before(async () => {
    server = await TestServer.start();
    admin = await server.user('admin');
  });
  after(() => server[Symbol.asyncDispose]());

  const total = async (path: string) =>
    Number((await server.get(`${path}page_size=1`, admin.token)).headers.get('x-total-count'));
  const exam = async (title = 'Exam') => {
    const values = { title, container_image: 'image', passing_score: 2, time_limit_minutes: 60 };
    const { db } = server.application;
    return (
      await db
        .insertInto('assessments')
        .values({ kind: 'exam', ...values })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id;
  };
  /** An attempt whose request waits for its container. */
  const attempt = async (user: number, of: number) => {
    const { rows } = await sql<{ id: number }>`
      insert into attempts (kind, assessment_id, user_id, title, container_name, status, expires_at, max_score, passing_score)
      values ('exam', ${of}, ${user}, 'Title', gen_random_uuid(), 'starting', now(), 3, 2) returning id`.execute(
      server.application.db,
    );
    return rows[0]?.id ?? 0;
  };
  const change = async (id: number, values: string) =>
    void (await sql.raw(`update attempts set ${values} where id = ${id}`).execute(server.application.db));
  const finished = "status = 'finished', submitted_at = now(), score = 2, passed = true";
  const students = async (id: number): Promise<number> => {
    const { body } = await server.get('/api/instructor/subjects', admin.token);
    return body.find((row: { kind: string; id: number }) => row.kind === 'exam' && row.id === id)?.students;
  };

  it('are exact as rows are added, changed and deleted', async () => {
    const [of, one, two] = [await exam(), await server.user(), await server.user()];
    const totals = async () => [
      await total(`/api/admin/attempts?exam_id=${of}&`),
      await total(`/api/admin/attempts?exam_id=${of}&passed=true&`),
      await total(`/api/instructor/attempts?search=${one.username}&`),
      await total('/api/admin/users?role=instructor&'),
      await total('/api/admin/users?is_active=false&'),
    ];
    const [first, second] = [await attempt(one.id, of), await attempt(two.id, of)];
    assert.deepEqual(await totals(), [0, 0, 0, 0, 0], 'no list shows an attempt before it has begun');
    await change(first, "status = 'in_progress'");
    await change(second, finished);
    assert.deepEqual(await totals(), [2, 1, 1, 0, 0]);
    await change(first, finished);
    const { db } = server.application;
    await db.updateTable('users').set({ role: 'instructor' }).where('id', '=', one.id).execute();
    await db.updateTable('users').set({ is_active: false }).where('id', '=', two.id).execute();
    assert.deepEqual(await totals(), [2, 2, 1, 1, 1]);
    await db.deleteFrom('users').where('id', '=', two.id).execute();
    assert.deepEqual(await totals(), [1, 1, 1, 1, 0]);
  });

  it('count a student of an assessment once, and not for an attempt that never began', async () => {
    const [of, user] = [await exam(), await server.user()];
    for (const before of [0, 1]) {
      const id = await attempt(user.id, of);
      assert.equal(await students(of), before);
      await change(id, "status = 'abandoned'");
      assert.equal(await students(of), 1);
    }
    await server.application.db.deleteFrom('users').where('id', '=', user.id).execute();
    assert.equal(await students(of), 0);
  });

  // Long: each index that the filters choose has the same attempts.
  it('of a range of time are of the attempts that started in it, in the order of their starts', async () => {
    const [of, user] = [await exam(), await server.user()];
    // The second one waited for its container until after the third one had ended.
    const starts = ['2026-03-01', '2026-03-04', '2026-03-02', '2026-03-03', '2026-03-02'];
    const ids: number[] = [];
    for (const start of starts) {
      const id = await attempt(user.id, of);
      await change(id, `status = 'abandoned', started_at = '${start}T12:00:00Z'`);
      ids.push(id);
    }
    const [first = 0, late = 0, second = 0, third = 0, same = 0] = ids;
    const inRange = [late, third, same, second];
    for (const path of [
      `/api/instructor/attempts?exam_id=${of}&`,
      `/api/instructor/attempts?user_id=${user.id}&`,
      `/api/instructor/attempts?search=${user.username}&`,
      '/api/instructor/attempts?kind=exam&status=abandoned&',
      '/api/instructor/attempts?',
    ]) {
      const range = `${path}from=2026-03-02&to=2026-03-05&`;
      const seen: number[] = [];
      for (let url: string | undefined = `${range}page_size=1`; url !== undefined; ) {
        const { body, headers } = await server.get(url, admin.token);
        assert.equal(headers.get('x-total-count'), '4', url);
        seen.push(...body.map(({ id }: { id: number }) => id));
        url = /<([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
      }
      assert.deepEqual(seen, inRange, range);
      const { body } = await server.get(`${path}to=2026-03-05&order=asc`, admin.token);
      assert.deepEqual(
        body.map(({ id }: { id: number }) => id),
        [first, ...inRange.toReversed()],
      );
    }
    const { text } = await server.get(`/api/instructor/attempts/export?exam_id=${of}`, admin.token);
    const exported = text
      .trim()
      .split(/\r?\n/)
      .slice(1)
      .map((line) => Number(line.split(',')[0]));
    assert.deepEqual(exported, [...inRange, first]);
  });
});
