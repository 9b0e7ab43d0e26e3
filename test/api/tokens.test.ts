import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { type Answer, processCount, TestServer } from '../server.ts';
import { until } from '../until.ts';

const secretKey = 'a secret key of more than thirty-two bytes';

describe('a token', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start({ SECRET_KEY: secretKey });
  });
  after(() => server[Symbol.asyncDispose]());

  const encode = (part: unknown): string => Buffer.from(JSON.stringify(part)).toString('base64url');
  const sign = (payload: unknown, alg = 'HS256', hash = 'sha256', key = secretKey): string => {
    const content = `${encode({ alg, typ: 'JWT' })}.${encode(payload)}`;
    return `${content}.${alg === 'none' ? '' : createHmac(hash, key).update(content).digest('base64url')}`;
  };
  const inAnHour = () => Math.floor(Date.now() / 1000) + 3600;
  const users = () => server.application.db;
  const refused = (answer: Answer, detail: string) => {
    assert.deepEqual([answer.status, answer.code, answer.body], [401, 'unauthorized', { detail }]);
    assert.equal(answer.headers.get('www-authenticate'), 'Bearer');
  };
  const me = (token?: string) => server.get('/api/auth/me', token);

  it('is required', async () => {
    refused(await me(), 'Not authenticated');
    const headers = ['', 'Bearer', 'Basic YTpi', 'token'];
    for (const authorization of headers) {
      refused(await server.request('GET', '/api/auth/me', { headers: { authorization } }), 'Not authenticated');
    }
    refused(await server.get('/api/auth/me?token=x&access_token=x'), 'Not authenticated');
  });

  it('can be signed elsewhere with the key, with only a subject and an expiry', async () => {
    const { id } = await server.user();
    const { status, body } = await me(sign({ sub: String(id), exp: inAnHour() }));
    assert.deepEqual([status, body.id], [200, id]);
    assert.equal((await me(sign({ sub: id, exp: inAnHour() }))).body.id, id, 'an id as a number');
  });

  it('is refused if it is forged, expired, without expiry, of another kind, or of a missing user', async () => {
    const { id } = await server.user();
    const sub = String(id);
    const exp = inAnHour();
    const bad = [
      'x',
      'a.b.c',
      sign({ sub, exp }, 'HS256', 'sha256', 'another key, also of more than thirty-two bytes'),
      sign({ sub, exp }, 'none'),
      sign({ sub, exp }, 'HS512', 'sha512'),
      sign({ sub }),
      sign({ sub, exp: exp - 7200 }),
      sign({ sub: id + 0.5, exp }),
      sign({ sub: 'admin', exp }),
      sign({ sub: '2000000000', exp }),
      sign({ sub: '9999999999', exp }),
    ];
    for (const token of bad) refused(await me(token), 'Could not validate credentials');
  });

  it('contains no role; the database does', async () => {
    const { id } = await server.user();
    const token = sign({ sub: String(id), exp: inAnHour(), role: 'admin' });
    const { status, body, code } = await server.post('/api/lessons/refresh-repository', token);
    assert.deepEqual([status, code, body], [403, 'admin_required', { detail: 'Admin access required' }]);
    assert.equal((await me(token)).body.role, 'student');
  });

  it('follows the role, deactivation and deletion in the database, by any writer', async () => {
    const { id, token } = await server.user();
    const role = async () => (await me(token)).body.role;
    assert.equal(await role(), 'student');
    await users().updateTable('users').set({ role: 'instructor' }).where('id', '=', id).execute();
    await until(async () => (await role()) === 'instructor', 'the promotion');
    await users().updateTable('users').set({ is_active: false }).where('id', '=', id).execute();
    await until(async () => (await me(token)).status === 401, 'the deactivation');
    refused(await me(token), 'Could not validate credentials');
    await users().updateTable('users').set({ is_active: true }).where('id', '=', id).execute();
    await until(async () => (await me(token)).status === 200, 'the reactivation');
    await users().deleteFrom('users').where('id', '=', id).execute();
    await until(async () => (await me(token)).status === 401, 'the deletion');
  });

  it('is checked in the database while the change feed is interrupted', async () => {
    const { id, token } = await server.user();
    assert.equal((await me(token)).status, 200);
    const listening = sql`select pid from pg_stat_activity where datname = current_database() and application_name = 'learning-platform listening'`;
    const pids = async () => (await listening.execute(users())).rows.length;
    assert.equal(await pids(), processCount);
    await sql`select pg_terminate_backend(pid, 5000) from (${listening}) as feed`.execute(users());
    await users().updateTable('users').set({ role: 'admin' }).where('id', '=', id).execute();
    await until(async () => (await me(token)).body.role === 'admin', 'the change', 5000);
    await until(async () => (await pids()) === processCount, 'the feed to be back');
    await users().updateTable('users').set({ role: 'student' }).where('id', '=', id).execute();
    await until(async () => (await me(token)).body.role === 'student', 'the next change');
  });
});
