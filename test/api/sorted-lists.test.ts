import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { finishAttempt } from '../finished-attempt.ts';
import { makeAssessment } from '../made-assessment.ts';
import { TestServer, type TestUser } from '../server.ts';

describe('a sorted list', () => {
  let server: TestServer;
  let admin: TestUser;
  let students: TestUser[];
  before(async () => {
    server = await TestServer.start();
    admin = await server.user('admin');
    students = [await server.user(), await server.user(), await server.user()];
    const days = [2, null, 1];
    for (const [index, { id }] of students.entries()) {
      const ago = days[index] ?? null;
      const last_login_at = ago === null ? null : new Date(Date.now() - ago * 86_400_000);
      const { db } = server.application;
      await db.updateTable('users').set({ last_login_at }).where('id', '=', id).execute();
    }
  });
  after(() => server?.[Symbol.asyncDispose]());

  type Row = { id: number } | { user_id: number };
  const ids = (rows: Row[]): number[] => rows.map((row) => ('id' in row ? row.id : row.user_id));
  const get = async (path: string) => {
    const { status, body, text, headers } = await server.get(path, admin.token);
    assert.equal(status, 200, text);
    return { rows: ids(Array.isArray(body) ? body : body.students), link: headers.get('link') ?? '' };
  };
  const linked = (link: string, rel: string): string | undefined =>
    new RegExp(`<([^>]*)>; rel="${rel}"`).exec(link)?.[1];
  const next = (link: string): string => linked(link, 'next') ?? assert.fail(link);
  const refused = async (path: string, field: string): Promise<void> => {
    const { status, body } = await server.get(path, admin.token);
    assert.equal(status, 422, path);
    assert.deepEqual(body.detail[0].loc, ['query', field]);
  };
  /** Compares a list, in both directions, with its pages by their numbers. */
  const checkPages = async (path: string, ascending: number[]): Promise<void> => {
    for (const [order, expected] of [
      ['asc', ascending],
      ['desc', ascending.toReversed()],
    ] as const) {
      const sorted = `${path}&order=${order}`;
      assert.deepEqual((await get(sorted)).rows, expected, sorted);
      assert.deepEqual((await get(`${sorted}&page_size=2&page=2`)).rows, expected.slice(2, 4), sorted);
    }
  };
  /** Compares the whole list, in both directions, with the pages that its links lead to, forwards and back. */
  const checkOrder = async (path: string, ascending: number[]): Promise<void> => {
    await checkPages(path, ascending);
    for (const [order, expected] of [
      ['asc', ascending],
      ['desc', ascending.toReversed()],
    ] as const) {
      const sorted = `${path}&order=${order}`;
      const seen: number[] = [];
      let link = '';
      for (let url: string | undefined = `${sorted}&page_size=1`; url !== undefined; url = linked(link, 'next')) {
        const page = await get(url);
        seen.push(...page.rows);
        link = page.link;
      }
      assert.deepEqual(seen, expected, `${sorted} by next`);
      const before = await get(linked(link, 'prev') ?? assert.fail(link));
      assert.deepEqual(before.rows, expected.slice(-2, -1), `${sorted} by prev`);
    }
  };

  it('of users leads through all of them by cursors, in both directions', async () => {
    for (const sort of ['username', 'last_login_at', 'id'])
      for (const order of ['asc', 'desc']) {
        const path = `/api/admin/users?role=student&sort=${sort}&order=${order}`;
        const whole = (await get(path)).rows;
        const seen: number[] = [];
        for (let { rows, link } = await get(`${path}&page_size=1`); ; { rows, link } = await get(next(link))) {
          seen.push(...rows);
          if (!link.includes('rel="next"')) break;
        }
        assert.deepEqual(seen, whole, `${sort} ${order}`);
        assert.deepEqual((await get(`${path}&page=2&page_size=2`)).rows, whole.slice(2));
        const turned = order === 'asc' ? 'desc' : 'asc';
        assert.deepEqual((await get(path.replace(`order=${order}`, `order=${turned}`))).rows, whole.toReversed());
      }
    const [first, never, last] = ids(students);
    assert.deepEqual((await get('/api/admin/users?role=student&sort=last_login_at')).rows, [never, first, last]);
  });

  it('refuses a cursor of another order, and unknown fields', async () => {
    const { link } = await get('/api/admin/users?sort=username&page_size=1');
    const other = next(link).replace('sort=username', 'sort=last_login_at');
    const { status, body } = await server.get(other, admin.token);
    assert.equal(status, 422);
    assert.deepEqual(body.detail[0].loc, ['query', 'cursor']);
    assert.equal((await server.get('/api/admin/users?sort=password_hash', admin.token)).status, 422);
  });

  it('of attempts can begin with the oldest', async () => {
    const exam = await makeAssessment(server, admin, 'exam', ['echo PASS']);
    const attempts: number[] = [];
    for (const student of students) attempts.push(await finishAttempt(server, student, 'exam', exam, [true]));
    assert.deepEqual((await get('/api/instructor/attempts')).rows, attempts.toReversed());
    const { rows, link } = await get('/api/instructor/attempts?order=asc&page_size=2');
    assert.deepEqual(rows, attempts.slice(0, 2));
    assert.deepEqual((await get(next(link))).rows, attempts.slice(2));
    assert.deepEqual((await get('/api/instructor/attempts?order=asc&page_size=2&page=2')).rows, attempts.slice(2));
  });

  // Long: each field of one list, with equal values.
  it('of attempts has the order of each of its fields, of equal values that of the ids', async () => {
    const subjects = [
      await makeAssessment(server, admin, 'exam', ['echo PASS', 'echo PASS'], { title: 'beta' }),
      await makeAssessment(server, admin, 'laboratory', ['echo PASS', 'echo PASS'], { title: 'Alpha' }),
    ];
    const user_id = students[0]?.id ?? 0;
    await server.application.db.deleteFrom('attempts').execute();
    for (const passed of [
      [true, false],
      [true, true],
      [true, false],
    ])
      for (const [index, student] of students.slice(0, 2).entries())
        await finishAttempt(server, student, index === 0 ? 'exam' : 'laboratory', subjects[index] ?? 0, passed);
    const all = server.application.db.selectFrom('attempts').innerJoin('users', 'users.id', 'user_id');
    const [first, second] = (await get('/api/instructor/attempts?order=asc')).rows;
    const { db } = server.application;
    await db
      .updateTable('attempts')
      .set({ status: 'abandoned', score: null, passed: null })
      .where('id', 'in', [first ?? 0])
      .execute();
    await db
      .updateTable('attempts')
      .set({ status: 'expired' })
      .where('id', 'in', [second ?? 0])
      .execute();
    const rows = await all
      .select(['attempts.id', 'users.username', 'attempts.title', 'attempts.status', 'attempts.score'])
      .execute();
    const compare = (a: string | number, b: string | number): number => (a < b ? -1 : Number(a > b));
    const by = (value: (row: (typeof rows)[number]) => string | number): number[] =>
      rows.toSorted((a, b) => compare(value(a), value(b)) || a.id - b.id).map(({ id }) => id);
    const orders = {
      started_at: by(({ id }) => id),
      username: by(({ username }) => username.toLowerCase()),
      title: by(({ title }) => title.toLowerCase()),
      status: by(({ status }) => status),
      score: by(({ score }) => score ?? -1),
    };
    for (const [sort, ascending] of Object.entries(orders))
      await checkOrder(`/api/instructor/attempts?sort=${sort}`, ascending);
    const own = rows.filter(({ title }) => title === 'beta').map(({ id }) => id);
    const shown = orders.score.filter((id) => own.includes(id));
    await checkOrder(`/api/instructor/attempts?user_id=${user_id}&kind=exam&sort=score`, shown);
    const { link } = await get('/api/instructor/attempts?sort=score&page_size=1');
    await refused(next(link).replace('sort=score', 'sort=status'), 'cursor');
    await refused(next(link).replace('sort=score', 'sort=started_at'), 'cursor');
    await refused('/api/instructor/attempts?sort=email', 'sort');
  });

  it('of the students of an assessment has the order of their names or of the scores that count', async () => {
    const exam = await makeAssessment(server, admin, 'exam', ['echo PASS', 'echo PASS']);
    const [one, two, three] = students as [TestUser, TestUser, TestUser];
    // The best attempts have 2, 3 and 2 points, the latest ones 2, 0 and 2.
    await finishAttempt(server, two, 'exam', exam, [true, true]);
    for (const student of [one, three]) await finishAttempt(server, student, 'exam', exam, [false, true]);
    await finishAttempt(server, two, 'exam', exam, [false, false]);
    const path = `/api/instructor/exams/${exam}/grade-book`;
    await checkOrder(`${path}?sort=score`, [one.id, three.id, two.id]);
    await checkOrder(`${path}?attempt=latest&sort=score`, [two.id, one.id, three.id]);
    await checkPages(`${path}?search=${one.username}&sort=score`, [one.id]);
    const byName = students.toSorted((a, b) => (a.username.toLowerCase() < b.username.toLowerCase() ? -1 : 1));
    await checkOrder(`${path}?sort=username`, ids(byName));
    assert.deepEqual((await get(path)).rows, ids(byName));
    const { link } = await get(`${path}?sort=score&page_size=1`);
    await refused(next(link).replace('sort=score', 'sort=username'), 'cursor');
    await refused(`${path}?sort=email`, 'sort');
  });

  it('of the activity log begins with the newest or with the oldest entry', async () => {
    const newest = (await get('/api/admin/activity?page_size=100&type=admin_exam_create')).rows;
    assert.ok(newest.length > 1);
    const path = '/api/admin/activity?type=admin_exam_create&sort=created_at';
    await checkOrder(path, newest.toReversed());
    await refused('/api/admin/activity?sort=title', 'sort');
  });

  it('of registration codes has the order of each of its fields', async () => {
    const create = async (fields: object): Promise<{ id: number; code: string }> =>
      (await server.post('/api/admin/registration-codes', admin.token, fields)).body;
    const a = await create({ expires_at: '2030-01-01T00:00:00Z' });
    const b = await create({});
    const c = await create({ expires_at: '2029-01-01T00:00:00Z' });
    await server.application.db.updateTable('registration_codes').set({ uses: 2 }).where('id', '=', a.id).execute();
    const byCode = ids([a, b, c].toSorted((one, other) => (one.code < other.code ? -1 : 1)));
    const orders = { created_at: [a, b, c], uses: [b, c, a], expires_at: [c, a, b] };
    for (const [sort, rows] of [...Object.entries(orders).map(([name, of]) => [name, ids(of)]), ['code', byCode]]) {
      await checkPages(`/api/admin/registration-codes?sort=${sort}`, rows as number[]);
    }
    assert.deepEqual((await get('/api/admin/registration-codes')).rows, ids([c, b, a]));
    await refused('/api/admin/registration-codes?sort=note', 'sort');
  });

  it('of exams and of laboratories has the order of each of its fields', async () => {
    for (const kind of ['exams', 'laboratories'] as const) {
      const { db } = server.application;
      await db.deleteFrom('attempts').execute();
      const one = kind === 'exams' ? 'exam' : 'laboratory';
      await db.deleteFrom('assessments').where('kind', '=', one).execute();
      const b = await makeAssessment(server, admin, one, ['echo PASS'], { title: 'b', time_limit_minutes: 10 });
      const a = await makeAssessment(server, admin, one, [], { title: 'A', time_limit_minutes: 30 });
      const c = await makeAssessment(server, admin, one, ['echo PASS', 'echo PASS'], {
        title: 'c',
        time_limit_minutes: 20,
      });
      const all = db.updateTable('assessments').where('kind', '=', one);
      await all.set({ is_active: false }).where('id', 'in', [b, c]).execute();
      await all.set({ container_image: 'another' }).where('id', '=', a).execute();
      const orders = {
        position: [b, a, c],
        title: [a, b, c],
        is_active: [b, c, a],
        place: [b, a, c],
        task_count: [a, b, c],
        max_score: [a, b, c],
        time_limit_minutes: [b, c, a],
        container_image: [a, b, c],
      };
      for (const [sort, rows] of Object.entries(orders)) await checkPages(`/api/admin/${kind}?sort=${sort}`, rows);
      assert.deepEqual((await get(`/api/admin/${kind}`)).rows, orders.position);
      await refused(`/api/admin/${kind}?sort=setup_script`, 'sort');
    }
  });

  it('of classes and of members has the order that is asked for', async () => {
    const create = async (name: string): Promise<number> =>
      (await server.post('/api/classes', admin.token, { name })).body.id;
    const [b, a] = [await create('B'), await create('A')];
    for (const { id: user_id } of students) await server.post(`/api/classes/${b}/members`, admin.token, { user_id });
    assert.deepEqual((await get('/api/classes')).rows, [a, b]);
    assert.deepEqual((await get('/api/classes?sort=member_count&order=desc')).rows, [b, a]);
    const members = (await server.get(`/api/classes/${b}/members?sort=role&order=desc`, admin.token)).body;
    assert.equal(members[0].user_id, admin.id);
    const newest = (await server.get(`/api/classes/${b}/members?sort=joined_at&order=desc`, admin.token)).body;
    assert.equal(newest[0].user_id, students[2]?.id);
  });
});
