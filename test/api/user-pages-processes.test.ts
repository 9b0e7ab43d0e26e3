import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { itInRounds, rounds } from '../rounds.ts';
import { TestServer, type TestUser } from '../server.ts';

/** Each process keeps the rows of `GET /api/admin/users`. Both must show every row as of its last change, whatever has made it. */
describe('pages of users in two processes', () => {
  let server: TestServer;
  let admin: TestUser;
  before(async () => {
    server = await TestServer.start({}, {}, 2);
    admin = await server.user('admin');
    await sql`insert into users (username, email, password_hash)
      select 'student-' || n, 'student-' || n || '@example.com', 'x' from generate_series(1, 130) n`.execute(
      server.application.db,
    );
  });
  after(() => server?.[Symbol.asyncDispose]());

  async function on(index: number, path: string, method = 'GET') {
    const headers = { authorization: `Bearer ${admin.token}` };
    const response = await fetch(`${server.urls[index]}${path}`, { method, headers });
    assert.equal(response.status, 200, path);
    // biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary answers
    return { body: (await response.json()) as any, total: Number(response.headers.get('x-total-count')) };
  }
  const page = (number: number) => `/api/admin/users?page=${number}&page_size=50`;
  /** The same page, of both processes. */
  async function both(number: number) {
    const [one, two] = await Promise.all([0, 1].map((index) => on(index, page(number))));
    assert.deepEqual(one, two);
    // The same rows in another order are not kept.
    if (one === undefined) throw new Error('unreachable');
    const { body } = await on(0, '/api/admin/users?page_size=100&sort=id&order=desc');
    const fresh = new Map(body.map((user: { id: number }) => [user.id, user]));
    for (const user of one.body) if (fresh.has(user.id)) assert.deepEqual(user, fresh.get(user.id));
    return one;
  }
  const change = async (text: string) => await sql.raw(text).execute(server.application.db);

  itInRounds('show changes as soon as either process has answered', async () => {
    for (let round = 0; round < rounds(20, 200, 4); round += 1) {
      const before = await both(2);
      const { id } = before.body[7];
      const name = `Name of round ${round}`;
      await on(round % 2, `/api/admin/users/${id}?full_name=${encodeURIComponent(name)}`, 'PUT');
      const now = await both(2);
      assert.equal(now.body[7].full_name, name);
      assert.deepEqual(now.body.toSpliced(7, 1), before.body.toSpliced(7, 1));
    }
  });

  it('show what no request has changed, also several times in one transaction', async () => {
    const { body } = await both(1);
    const { id } = body[3];
    await change(`update users set last_login_at = '2026-11-20T20:16:05.123Z' where id = ${id}`);
    assert.equal((await both(1)).body[3].last_login_at, '2026-11-20T20:16:05.123Z');
    await server.application.db.transaction().execute(async (trx) => {
      for (const role of ['instructor', 'admin', 'instructor'])
        await sql`update users set role = ${role} where id = ${id}`.execute(trx);
      assert.equal((await both(1)).body[3].role, 'student', 'before the commit');
    });
    assert.equal((await both(1)).body[3].role, 'instructor');
    await server.application.db
      .transaction()
      .execute(async (trx) => {
        await sql`update users set role = 'admin' where id = ${id}`.execute(trx);
        throw new Error('rolled back');
      })
      .catch(() => {});
    assert.equal((await both(1)).body[3].role, 'instructor');
  });

  it('have new users and no deleted ones, in pages that move with them', async () => {
    const [first, second] = [await both(1), await both(2)];
    await on(1, `/api/admin/users/${first.body[5].id}`, 'DELETE');
    const moved = await both(1);
    assert.equal(moved.total, first.total - 1);
    assert.deepEqual(moved.body, [...first.body.toSpliced(5, 1), second.body[0]]);
    const last = await both(3);
    const user = await server.user();
    const grown = await both(3);
    assert.deepEqual(grown.body.slice(0, -1), last.body);
    assert.deepEqual([grown.body.at(-1).id, grown.total], [user.id, last.total + 1]);
    assert.deepEqual((await both(9)).body, []);
  });

  it('reads rows that it keeps from memory', async () => {
    await both(1);
    // The statement that reads whole rows would now fail.
    await change('alter table users rename column full_name to moved');
    try {
      assert.equal((await on(0, page(1))).body.length, 50);
    } finally {
      await change('alter table users rename column moved to full_name');
    }
  });
});
