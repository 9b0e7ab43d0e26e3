import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { lock } from '../../src/database/locks.ts';
import { type Answer, codedItems, TestServer, type TestUser, told } from '../server.ts';
import { until } from '../until.ts';

const path = '/api/admin/users';

describe('administration of users', () => {
  let server: TestServer;
  let admin: TestUser;
  before(async () => {
    server = await TestServer.start();
    admin = await server.user('admin');
  });
  after(() => server[Symbol.asyncDispose]());

  const acts = async (id: number) =>
    await server.application.db
      .selectFrom('activity_log')
      .select(['type', 'title', 'actor_id', 'user_id', 'details'])
      .where('entity_type', '=', 'user')
      .where('entity_id', '=', id)
      .where('type', 'like', 'admin%')
      .orderBy('id')
      .execute();
  const items = (answer: Answer) => {
    assert.equal(answer.status, 422, answer.text);
    return answer.body.detail.map((item: { loc: unknown[]; type: string }) => [item.loc.join('.'), item.type]);
  };
  const login = (username: string, password: string) =>
    server.post('/api/auth/login', undefined, { username, password });
  const importCsv = (csv: string, token: string | undefined = admin.token) =>
    server.request('POST', `${path}/import`, { token, body: csv, headers: { 'content-type': 'text/csv' } });

  it('creates a user who can log in; the password is not stored', async () => {
    const query = new URLSearchParams({
      username: 'maria',
      email: 'maria@example.com',
      role: 'instructor',
      full_name: 'M',
    });
    const created = await server.post(`${path}?${query}`, admin.token, { password: 'the first password' });
    assert.equal(created.status, 201, created.text);
    const { id, created_at: _created, ...rest } = created.body;
    assert.deepEqual(rest, {
      username: 'maria',
      email: 'maria@example.com',
      role: 'instructor',
      full_name: 'M',
      avatar_url: null,
      is_active: true,
      last_login_at: null,
    });
    assert.deepEqual((await server.get(`${path}/${id}`, admin.token)).body, created.body);
    assert.equal((await login('maria', 'the first password')).status, 200);
    assert.deepEqual(await acts(id), [
      {
        type: 'admin_user_create',
        title: 'maria',
        actor_id: admin.id,
        user_id: id,
        details: { new: { username: 'maria', email: 'maria@example.com', role: 'instructor', full_name: 'M' } },
      },
    ]);
  });

  it('creates users with any username that can register, also by query, and changes no field that can only be read', async () => {
    const query = new URLSearchParams({ username: 'Ольга', email: 'olga@example.com', password: 'a long password' });
    const made = await server.post(`${path}?${query}`, admin.token);
    assert.deepEqual([made.status, made.body.username], [201, 'Ольга'], made.text);
    const foreign = { username: admin.email, email: 'another@example.com', password: 'a long password' };
    assert.deepEqual(items(await server.post(path, admin.token, foreign)), [['body.username', 'value_error']]);
    const parts = await server.post(`${path}?username=${admin.email}`, admin.token, {
      ...foreign,
      username: undefined,
    });
    assert.deepEqual(items(parts), [['body.username', 'value_error']]);
    const own = await server.post(path, admin.token, { ...foreign, username: 'ANOTHER@example.com' });
    assert.equal(own.status, 201, own.text);
    const place = `${path}/${own.body.id}`;
    const moved = await server.put(place, admin.token, { ...own.body, email: 'third@example.com' });
    assert.deepEqual([moved.status, moved.body.username], [200, 'third@example.com']);
    for (const [name, value] of [
      ['role', 'admin'],
      ['username', 'other'],
      ['id', 1],
      ['created_at', '2020-01-01T00:00:00.000Z'],
    ]) {
      const refused = await server.put(place, admin.token, { full_name: 'No', [name as string]: value });
      assert.deepEqual(items(refused), [[`body.${name}`, 'read_only']]);
      assert.deepEqual(codedItems(refused), [{ index: 0, code: 'read_only' }]);
    }
    assert.deepEqual(items(await server.put(`${place}?role=admin`, admin.token)), [['query.role', 'read_only']]);
    assert.equal((await server.put(`${place}?role=student`, admin.token)).status, 200);
    assert.deepEqual((await server.get(place, admin.token)).body, moved.body);
  });

  it('creates students by default, and refuses taken names and invalid fields', async () => {
    const plain = { username: 'plain', email: 'plain@example.com', password: 'a long password' };
    assert.equal((await server.post(path, admin.token, plain)).body.role, 'student', 'unless it is said');
    for (const [fields, detail, code] of [
      [{ username: 'PLAIN', email: 'other@example.com' }, 'Username already registered', 'username_taken'],
      [{ username: 'other', email: 'Plain@example.com' }, 'Email already registered', 'email_taken'],
    ] as const) {
      const json = { ...fields, password: 'a long password', role: 'student' };
      const answer = await server.post(path, admin.token, json);
      assert.deepEqual([answer.status, told(answer)], [400, { detail, code }]);
    }
    const wrong = { username: 'x', email: 'no', password: 'short', role: 'king' };
    assert.deepEqual(
      items(await server.post(path, admin.token, wrong))
        .map(([where]: [string]) => where)
        .sort(),
      ['body.email', 'body.password', 'body.role', 'body.username'],
    );
  });

  it('finds users by text, role and state, in ordered pages', async () => {
    const made = [];
    for (const [username, full_name, role] of [
      ['find-a', '100%_sure', 'student'],
      ['find-b', 'Somebody', 'student'],
      ['other-c', 'To Find- Too', 'instructor'],
    ]) {
      const json = { username, full_name, role, email: `${username}@example.com`, password: 'a long password' };
      made.push((await server.post(path, admin.token, json)).body);
    }
    const find = async (query: string) =>
      (await server.get(`${path}?${query}`, admin.token)).body.map(({ username }: { username: string }) => username);
    assert.deepEqual(await find('q=FIND-'), ['find-a', 'find-b', 'other-c']);
    assert.deepEqual(await find('q=find-&role=student'), ['find-a', 'find-b']);
    assert.deepEqual(await find('q=other-c@'), ['other-c']);
    assert.deepEqual(await find('q=%25_'), ['find-a'], 'wildcards are text');
    const page = await server.get(`${path}?q=find-&page=2&page_size=2`, admin.token);
    assert.deepEqual(page.body, [made[2]]);
    assert.equal(page.headers.get('x-total-count'), '3');
    await server.put(`${path}/${made[0].id}?is_active=false`, admin.token);
    assert.deepEqual(await find('q=find-&is_active=false'), ['find-a']);
    assert.deepEqual(await find('q=find-&is_active=true'), ['find-b', 'other-c']);
    assert.deepEqual(items(await server.get(`${path}?role=king`, admin.token)), [['query.role', 'enum']]);
  });

  it('gives concurrent requests for different pages their own rows, with the users created before', async () => {
    const ids = async (query: string) => {
      const { status, body, headers } = await server.get(`/api/admin/users${query}`, admin.token);
      assert.equal(status, 200);
      return { ids: body.map(({ id }: { id: number }) => id), total: Number(headers.get('x-total-count')), headers };
    };
    for (let round = 0; round < 3; round += 1) {
      const created = await server.user();
      const { rows } = await sql<{ id: number }>`select id from users order by id`.execute(server.application.db);
      const all = rows.map(({ id }) => id);
      assert.ok(all.includes(created.id));
      const { headers } = await ids('?page_size=2');
      const next = /cursor=([^&>]*)[^>]*>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
      const wanted: [query: string, begin: number, size: number][] = [
        ...Array.from({ length: 12 }, (_, page): [string, number, number] => [
          `?page=${page + 1}&page_size=1`,
          page,
          1,
        ]),
        ...[1, 1, 1].map((page): [string, number, number] => [`?page=${page}&page_size=3`, 0, 3]),
        [`?cursor=${next}&page_size=2`, 2, 2],
        ['', 0, 100],
        ['?page=2000&page_size=1', 1999, 1],
        ['?page=900&page_size=1', 899, 1],
      ];
      const pages = await Promise.all(wanted.map(([query]) => ids(query)));
      for (const [index, [query, begin, size]] of wanted.entries()) {
        assert.deepEqual(pages[index]?.ids, all.slice(begin, begin + size), query);
        assert.equal(pages[index]?.total, all.length, query);
      }
    }
  });

  it('changes a role with effect on the next request', async () => {
    const user = await server.user();
    assert.equal((await server.get(path, user.token)).status, 403);
    const raised = await server.put(`${path}/${user.id}/role?role=admin`, admin.token);
    assert.deepEqual([raised.status, raised.body.role], [200, 'admin']);
    assert.equal((await server.get(path, user.token)).status, 200);
    const lowered = await server.put(`${path}/${user.id}/role`, admin.token, { role: 'student' });
    assert.equal(lowered.body.role, 'student');
    assert.equal((await server.get(path, user.token)).status, 403);
    assert.deepEqual(
      (await acts(user.id)).map(({ type, details }) => [type, details]),
      [
        ['admin_user_role', { old: { role: 'student' }, new: { role: 'admin' } }],
        ['admin_user_role', { old: { role: 'admin' }, new: { role: 'student' } }],
      ],
    );
    assert.deepEqual(items(await server.put(`${path}/${user.id}/role`, admin.token)), [['query.role', 'missing']]);
  });

  it('changes names and addresses, resets passwords, and logs out deactivated users', async () => {
    const user = await server.user();
    const named = await server.put(`${path}/${user.id}`, admin.token, { full_name: 'New', email: 'new@example.com' });
    assert.deepEqual([named.status, named.body.full_name, named.body.email], [200, 'New', 'new@example.com']);
    assert.equal((await server.get('/api/auth/me', user.token)).body.full_name, 'New');

    const reset = await server.put(`${path}/${user.id}`, admin.token, { password: 'the reset password' });
    assert.equal(reset.status, 200, reset.text);
    assert.equal((await server.get('/api/auth/me', user.token)).status, 401);
    assert.equal((await login(user.username, user.password)).status, 401);
    const fresh = (await login(user.username, 'the reset password')).body.access_token;
    assert.equal((await server.get('/api/auth/me', fresh)).status, 200);

    assert.equal((await server.put(`${path}/${user.id}?is_active=false`, admin.token)).body.is_active, false);
    assert.equal((await server.get('/api/auth/me', fresh)).status, 401);
    assert.equal((await login(user.username, 'the reset password')).status, 401);
    assert.equal((await server.put(`${path}/${user.id}?is_active=true`, admin.token)).body.is_active, true);
    assert.equal((await server.get('/api/auth/me', fresh)).status, 401, 'an older token stays refused');
    assert.equal((await login(user.username, 'the reset password')).status, 200);

    const entries = await acts(user.id);
    assert.deepEqual(
      entries.map(({ details }) => details),
      [
        { old: { full_name: null, email: user.email }, new: { full_name: 'New', email: 'new@example.com' } },
        { is_password_reset: true },
        { old: { is_active: true }, new: { is_active: false } },
        { old: { is_active: false }, new: { is_active: true } },
      ],
    );
    const taken = await server.put(`${path}/${user.id}`, admin.token, { email: admin.email });
    assert.deepEqual(
      [taken.status, taken.code, taken.body],
      [400, 'email_taken', { detail: 'Email already registered' }],
    );
  });

  it('deletes a user with their data, and refuses their token immediately', async () => {
    const user = await server.user();
    const { db } = server.application;
    const container = await db
      .insertInto('containers')
      .values({ name: 'being-made', user_id: user.id, kind: 'sandbox', image: 'image', slot: 1, status: 'creating' })
      .returning('id')
      .executeTakeFirstOrThrow();
    await login(user.username, 'a wrong password');
    const deleted = await server.delete(`${path}/${user.id}`, admin.token);
    assert.deepEqual([deleted.status, deleted.body], [200, { detail: 'User deleted' }]);
    assert.equal((await server.get('/api/auth/me', user.token)).status, 401);
    assert.equal((await server.get(`${path}/${user.id}`, admin.token)).status, 404);
    const kept = await db
      .selectFrom('containers')
      .select(['user_id', 'status'])
      .where('id', '=', container.id)
      .executeTakeFirst();
    assert.deepEqual(kept, { user_id: null, status: 'removing' }, 'its maker, or the reconciler, removes it');
    const entries = await acts(user.id);
    assert.deepEqual(
      entries.map(({ type, actor_id, user_id }) => [type, actor_id, user_id]),
      [['admin_user_delete', admin.id, null]],
    );
    const { rows } = await sql<{ text: string }>`select to_jsonb(a)::text as text from activity_log a
      union all select to_jsonb(t)::text from login_throttles t`.execute(db);
    assert.ok(!rows.some(({ text }) => text.includes(`"${user.username}"`) || text.includes(`:${user.username}:`)));
  });

  it('keeps the last administrator for any caller and concurrent requests', async () => {
    await using alone = await TestServer.start();
    const [one, two] = [await alone.user('admin'), await alone.user('admin')];
    const { db } = alone.application;
    const last = { detail: 'This is the last administrator', code: 'last_administrator' };
    // Both requests are admitted and wait for the lock, so that neither sees the other's result.
    const answers = await db.transaction().execute(async (trx) => {
      await lock(trx, 'administrators');
      const both = [
        alone.put(`${path}/${two.id}/role?role=student`, one.token),
        alone.put(`${path}/${one.id}/role?role=student`, two.token),
      ];
      await until(async () => {
        const waiting = await sql<{ count: number }>`select count(*)::int as count from pg_locks
          where locktype = 'advisory' and not granted
            and database = (select oid from pg_database where datname = current_database())`.execute(db);
        return waiting.rows[0]?.count === 2;
      }, 'both to wait');
      return both;
    });
    const settled = await Promise.all(answers);
    assert.deepEqual(settled.map(({ status }) => status).sort(), [200, 409]);
    assert.deepEqual(told(settled.find(({ status }) => status === 409) as Answer), last);
    const remaining = settled[0]?.status === 200 ? one : two;
    for (const answer of [
      await alone.put(`${path}/${remaining.id}/role?role=instructor`, remaining.token),
      await alone.put(`${path}/${remaining.id}?is_active=false`, remaining.token),
      await alone.delete(`${path}/${remaining.id}`, remaining.token),
    ]) {
      assert.deepEqual([answer.status, told(answer)], [409, last]);
    }
    const other = await alone.user('admin');
    await alone.put(`${path}/${other.id}?is_active=false`, remaining.token);
    const refused = await alone.delete(`${path}/${remaining.id}`, remaining.token);
    assert.deepEqual([refused.status, told(refused)], [409, last], 'one who cannot log in does not count');
    assert.equal((await alone.delete(`${path}/${other.id}`, remaining.token)).status, 200);
  });

  it('imports a whole CSV, with generated passwords where they are missing', async () => {
    const csv =
      '\uFEFFusername,email,full_name,role,password\r\n' +
      'csv-one,csv-one@example.com,"Doe, ""J""\r\nJane",student,her own password\r\n' +
      '\r\n' +
      'csv-two,csv-two@example.com,,instructor,\r\n';
    const imported = await importCsv(csv);
    assert.equal(imported.status, 201, imported.text);
    const [one, two] = imported.body;
    assert.deepEqual([one.username, one.full_name, one.password], ['csv-one', 'Doe, "J" Jane', null]);
    assert.deepEqual([two.full_name, two.role], [null, 'instructor']);
    assert.equal((await login('csv-one', 'her own password')).status, 200);
    assert.equal((await login('csv-two', two.password)).status, 200);
    const entries = await acts(two.id);
    assert.deepEqual([entries[0]?.type, entries[0]?.actor_id], ['admin_user_import', admin.id]);
    assert.ok(!JSON.stringify(entries).includes(two.password));
  });

  it('imports nothing if there is a problem, and reports each line', async () => {
    const count = async () =>
      Number((await server.get(`${path}?page_size=1`, admin.token)).headers.get('x-total-count'));
    const before = await count();
    const head = 'username,email,full_name,role\n';
    const good = 'fine,fine@example.com,Fine,student\n';
    const cases: [string, [string, string][]][] = [
      ['', [['body.1', 'value_error']]],
      [head, [['body.1', 'value_error']]],
      [
        `username,email\n${good}`,
        [
          ['body.1', 'value_error'],
          ['body.1', 'value_error'],
        ],
      ],
      [`username,email,full_name,role,is_admin\n${good}`, [['body.1', 'value_error']]],
      [`${head}${good}too,few\n`, [['body.3', 'value_error']]],
      [`${head}${good}"open,x@example.com,x,student\n`, [['body.3', 'value_error']]],
      [
        `${head}x,no address,X,king\n${good}`,
        [
          ['body.2.username', 'string_too_short'],
          ['body.2.email', 'value_error'],
          ['body.2.role', 'enum'],
        ],
      ],
      [`${head}${good}FINE,other@example.com,x,student\n`, [['body.3.username', 'value_error']]],
      [`${head}${good}fine2,${admin.email},x,student\n`, [['body.3.email', 'value_error']]],
      [`${head}${good}no-role,no-role@example.com,x,\n`, [['body.3.role', 'missing']]],
      [`${head}${'a,b,c,d\n'.repeat(501)}`, [['body.1', 'value_error']]],
    ];
    for (const [csv, expected] of cases) {
      assert.deepEqual(items(await importCsv(csv)).sort(), expected.sort(), csv.slice(0, 80));
    }
    assert.equal(await count(), before);
    assert.equal((await server.post(`${path}/import`, admin.token, { users: [] })).status, 422);
    const xml = { token: admin.token, body: '<x/>', headers: { 'content-type': 'application/xml' } };
    assert.equal((await server.request('POST', `${path}/import`, xml)).status, 415);
  });

  it('exports a CSV with escaped formulas', async () => {
    for (const [username, full_name] of [
      ['=1+1', null],
      ['exported', '=HYPERLINK("http://example.com","x")'],
      ['exported-2', '+cmd, "quoted"'],
    ]) {
      const json = { username, full_name, role: 'student', email: `u${full_name?.length ?? 0}@example.com` };
      const answer = await server.post(path, admin.token, { ...json, password: 'a long password' });
      assert.equal(answer.status, username === '=1+1' ? 422 : 201, answer.text);
    }
    const answer = await server.get(`${path}/export?q=exported`, admin.token);
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.headers.get('content-type'), 'text/csv; charset=utf-8');
    assert.match(answer.headers.get('content-disposition') ?? '', /^attachment/);
    const [head, one, two, end] = answer.text.split('\r\n');
    assert.equal(head, 'id,username,email,full_name,role,is_active,created_at,last_login_at');
    assert.match(
      one ?? '',
      /^\d+,exported,[^,]+,"'=HYPERLINK\(""http:\/\/example.com"",""x""\)",student,true,\d{4}-[^,]+Z,$/,
    );
    assert.match(two ?? '', /,"'\+cmd, ""quoted""",student,true,/);
    assert.equal(end, '');
    const all = await server.get(`${path}/export`, admin.token);
    const total = (await server.get(`${path}?page_size=1`, admin.token)).headers.get('x-total-count');
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from users`.execute(
      server.application.db,
    );
    assert.equal(Number(total), rows[0]?.count);
    assert.ok(!/\$2[aby]\$/.test(all.text), 'no hash');
  });

  it('refuses unknown users', async () => {
    const unknown = `${path}/2000000000`;
    for (const answer of [
      await server.get(unknown, admin.token),
      await server.put(unknown, admin.token, { full_name: 'x' }),
      await server.put(`${unknown}/role?role=student`, admin.token),
      await server.delete(unknown, admin.token),
    ]) {
      assert.deepEqual([answer.status, answer.code, answer.body], [404, 'not_found', { detail: 'User not found' }]);
    }
  });

  it('is for administrators', async () => {
    for (const role of ['student', 'instructor'] as const) {
      const { token, id } = await server.user(role);
      for (const answer of [
        await server.get(path, token),
        await server.get(`${path}/export`, token),
        await server.get(`${path}/${id}`, token),
        await server.post(path, token),
        await importCsv('x', token),
        await server.put(`${path}/${id}`, token),
        await server.put(`${path}/${id}/role?role=admin`, token),
        await server.delete(`${path}/${id}`, token),
      ]) {
        assert.deepEqual(
          [answer.status, answer.code, answer.body],
          [403, 'admin_required', { detail: 'Admin access required' }],
        );
      }
    }
  });
});
