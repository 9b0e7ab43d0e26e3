import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { endMemberships } from '../../src/features/classes/leaving-store.ts';
import { tokenScopes } from '../../src/values/token-scopes.ts';
import { TestServer, type TestUser } from '../server.ts';

const path = '/api/admin/service-accounts';

describe('service accounts', () => {
  let server: TestServer;
  let admin: TestUser;
  before(async () => {
    server = await TestServer.start({}, { engine: { reason: 'this test has none' } });
    admin = await server.user('admin');
  });
  after(() => server?.[Symbol.asyncDispose]());

  type Made = { id: number; name: string; userId: number; token: string; tokenId: number };
  async function made(fields: object = {}, scopes: readonly string[] = tokenScopes, by = admin): Promise<Made> {
    const account = await server.post(path, by.token, { name: 'Timetable', role: 'admin', ...fields });
    assert.equal(account.status, 201, account.text);
    const { id, name } = account.body;
    const created = await server.post(`${path}/${id}/tokens`, by.token, { name: 'Nightly', scopes });
    assert.equal(created.status, 201, created.text);
    return { id, name, userId: -id, token: created.body.token, tokenId: created.body.id };
  }
  const me = (token: string) => server.get('/api/auth/me', token);

  it('act by their tokens, also when the administrator who made them is gone', async () => {
    const leaving = await server.user('admin');
    const { id, token, tokenId } = await made({}, ['read', 'admin'], leaving);
    assert.equal((await server.delete(`/api/admin/users/${leaving.id}`, admin.token)).status, 200);
    assert.equal((await me(token)).body.role, 'admin');
    assert.equal((await server.get('/api/admin/users', token)).status, 200);
    assert.equal((await server.post('/api/classes', token, { name: 'A' })).code, 'scope');
    const [row] = (await server.get(path, admin.token)).body.filter((one: { id: number }) => one.id === id);
    assert.deepEqual([row.name, row.role, row.tokens], ['Timetable', 'admin', 1]);
    assert.notEqual(row.last_used_at, null);
    assert.deepEqual(
      (await server.get(`${path}/${id}/tokens`, admin.token)).body.map((one: { id: number }) => one.id),
      [tokenId],
    );
    assert.equal((await server.delete(`${path}/${id}/tokens/${tokenId}`, admin.token)).status, 200);
    assert.equal((await me(token)).status, 401);
  });

  it('are named by the log, and end with their tokens', async () => {
    const { id, token, userId } = await made();
    assert.equal((await server.post('/api/admin/lessons/courses', token, { name: 'Made by a program' })).status, 201);
    assert.equal((await server.delete(`${path}/${id}`, admin.token)).status, 200);
    assert.equal((await server.delete(`${path}/${id}`, admin.token)).status, 404);
    assert.equal((await me(token)).status, 401);
    for (const gone of [`${path}/${id}/tokens`, `${path}/${admin.id}/tokens`])
      assert.equal((await server.get(gone, admin.token)).status, 404);
    const refused = await server.post(`${path}/${admin.id}/tokens`, admin.token, { name: 'A', scopes: ['read'] });
    assert.equal(refused.status, 404);
    const { body } = await server.get('/api/admin/activity?page_size=100', admin.token);
    const types = body
      .filter((one: { user_id: number; actor_id: number }) => [one.user_id, one.actor_id].includes(userId))
      .map((one: { type: string }) => one.type);
    for (const type of ['service_account_create', 'personal_token_create', 'service_account_delete'])
      assert.ok(types.includes(type), `${type} in ${types}`);
    assert.ok(JSON.stringify(body).includes('Timetable (service '));
  });

  it('are made by people who have just logged in, never by tokens, never for students', async () => {
    const [{ token, id }, old] = [await made(), await server.user('admin')];
    for (const [method, address] of [
      ['GET', path],
      ['POST', path],
      ['POST', `${path}/${id}/tokens`],
    ] as const)
      assert.equal((await server.request(method, address, { token })).code, 'scope');
    await sql`update logins set created_at = now() - interval '1 hour' where user_id = ${old.id}`.execute(
      server.application.db,
    );
    assert.equal((await server.post(path, old.token, { name: 'A', role: 'admin' })).code, 'login_not_recent');
    const body = { name: 'A', scopes: ['read'] };
    assert.equal((await server.post(`${path}/${id}/tokens`, old.token, body)).code, 'login_not_recent');
    assert.equal((await server.post(path, admin.token, { name: 'A', role: 'student' })).status, 422);
  });

  // Long: each way to log in, and each list of people, is asked for the same account.
  it('cannot log in, and are in no list of people', async () => {
    const name = 'Unmistakable';
    const { token, userId } = await made({ name, role: 'instructor' });
    const { username, email } = (await me(token)).body;
    for (const password of ['', 'password of a service']) {
      const { status } = await server.post('/api/auth/login', undefined, { username, password });
      assert.ok(status === 401 || status === 422, `${status}`);
    }
    assert.equal((await server.post('/api/auth/password/forgot', undefined, { email })).status !== 500, true);
    const db = server.application.db;
    assert.deepEqual(await db.selectFrom('login_cookies').where('user_id', '=', userId).selectAll().execute(), []);
    for (const [method, address, json] of [
      ['PUT', '/api/profile/me', { full_name: 'Headmaster' }],
      ['POST', '/api/profile/deletion', {}],
      ['POST', '/api/classes/join', { code: 'ABCDEFGH' }],
      ['POST', '/api/teaching/test-student/view', {}],
      ['PUT', '/api/auth/password', { old_password: '', new_password: 'long enough for it' }],
    ] as const)
      assert.equal((await server.request(method, address, { token, json })).code, 'scope', address);

    const group = await server.post('/api/classes', token, { name: 'Of a program' });
    assert.equal(group.status, 201, group.text);
    assert.equal(group.body.member_count, 0);
    const about = `/api/classes/${group.body.id}`;
    const lists = [
      ...['/api/admin/users', `/api/admin/users?q=${name}`, '/api/admin/users/export', `/api/search?q=${name}`],
      ...[`${about}/members`, '/api/instructor/overview'],
    ];
    for (const list of lists) {
      const { status, text } = await server.get(list, admin.token);
      assert.equal(status, 200, `${list}: ${text}`);
      assert.ok(!text.replace('"q":', '').includes(`${name} (`), `${list}: ${text}`);
    }
    const added = await server.post(`${about}/members`, admin.token, { username, role: 'instructor' });
    assert.equal(added.status, 404, added.text);
    const stats = await server.get('/api/admin/stats', admin.token);
    const { total } = await db
      .selectFrom('users')
      .where('id', '>', 0)
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    if (stats.status === 200) assert.ok(JSON.stringify(stats.body).includes(String(total)));
  });

  it('leave the classes and courses that they have made to the people whom administrators add', async () => {
    const db = server.application.db;
    await sql`insert into webhooks (url, events, sealed_secret) values ('https://hooks.example.com/', '{member.added}', '')`.execute(
      db,
    );
    const { token, userId } = await made({ name: 'Rosters', role: 'instructor' });
    const { body: group } = await server.post('/api/classes', token, { name: 'Of a program' });
    const { body: course } = await server.post('/api/teaching/courses', token, { name: 'Of a program' });
    const [members, staff] = [`/api/classes/${group.id}/members`, `/api/teaching/courses/${course.id}/staff`];
    for (const list of [members, staff]) assert.deepEqual((await server.get(list, admin.token)).body, []);
    const teacher = await server.user('instructor');
    const added = [
      await server.post(members, admin.token, { user_id: teacher.id, role: 'instructor' }),
      await server.post(staff, admin.token, { user_id: teacher.id, role: 'owner' }),
    ];
    assert.deepEqual(
      added.map(({ status }) => status),
      [201, 201],
    );
    // The teacher is the last one, by hand and by the claims of a provider.
    assert.equal((await server.delete(`${members}/${teacher.id}`, teacher.token)).code, 'last_class_instructor');
    assert.equal((await server.delete(`${staff}/${teacher.id}`, teacher.token)).code, 'last_owner');
    await db.transaction().execute(async (trx) => await endMemberships(trx, group.id, [teacher.id]));
    assert.deepEqual(
      (await server.get(members, token)).body.map(({ user_id }: { user_id: number }) => user_id),
      [teacher.id],
    );
    // The program still keeps what it has made.
    const renamed = await server.put(`/api/classes/${group.id}`, token, { name: 'Renamed' });
    assert.equal(renamed.status, 200, renamed.text);
    const { rows } = await sql<{ body: string }>`select body from webhook_deliveries`.execute(db);
    assert.deepEqual(
      rows.map(({ body }) => JSON.parse(body).data.user_id),
      [teacher.id],
    );
    assert.ok(userId < 0);
  });

  it('neither keep the last administrator from being the last, nor need a second factor', async () => {
    const { token } = await made();
    const db = server.application.db;
    const others = db.updateTable('users').where('role', '=', 'admin').where('id', '>', 0).where('id', '<>', admin.id);
    await others.set({ is_active: false }).execute();
    assert.equal((await server.delete(`/api/admin/users/${admin.id}`, admin.token)).code, 'last_administrator');
    const change = await server.put('/api/admin/site', admin.token, { second_factor_roles: ['admin'] });
    assert.equal(change.status, 200, change.text);
    assert.equal((await server.get('/api/admin/users', token)).status, 200);
  });
});
