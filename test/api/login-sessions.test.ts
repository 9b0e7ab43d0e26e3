import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Answer, TestServer, type TestUser } from '../server.ts';

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:146.0) Gecko/20100101 Firefox/146.0';

describe('sessions', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
  });
  after(() => server[Symbol.asyncDispose]());

  const login = async ({ username, password }: TestUser, agent: string, more: object = {}): Promise<Answer> => {
    const json = { username, password, ...more };
    const answer = await server.request('POST', '/api/auth/login', {
      ...{ json, headers: { 'user-agent': agent, origin: server.url } },
    });
    assert.equal(answer.status, 200, answer.text);
    return answer;
  };
  const list = async (token: string) => (await server.get('/api/auth/sessions', token)).body;
  const me = async (token: string) => (await server.get('/api/auth/me', token)).status;

  it('are listed with device, address and times, the last used first', async () => {
    const user = await server.user();
    const one = (await login(user, firefox)).body.access_token;
    const two = (await login(user, 'curl/8.14.1')).body.access_token;
    await server.request('POST', '/api/auth/refresh', { token: one, headers: { 'user-agent': firefox } });
    const [first, second, ...rest] = await list(two);
    assert.deepEqual(
      [first.device, first.is_current, second.device, second.is_current],
      ['Firefox, Linux', false, 'curl', true],
    );
    assert.match(first.address, /^(127\.0\.0\.1|::1)$/);
    assert.ok(first.last_used_at > first.created_at && first.expires_at > first.last_used_at);
    assert.deepEqual(Object.keys(first).sort(), [
      ...['address', 'created_at', 'device', 'expires_at', 'id', 'is_current', 'last_used_at'],
    ]);
    assert.ok(rest.length <= 1, 'that of the test user itself');
    const bounded = (await login(user, `${'x'.repeat(5000)}\u00ff`)).body.access_token;
    assert.equal((await list(bounded))[0].device.length, 60);
  });

  it('end one by one: the tokens and the cookie of one are refused at once, those of the others are not', async () => {
    const user = await server.user();
    const stolen = await login(user, 'curl/8.14.1', { has_cookie: true });
    const cookie = stolen.headers.get('set-cookie')?.split(';')[0] ?? '';
    const byCookie = () => server.request('POST', '/api/auth/refresh', { headers: { cookie, origin: server.url } });
    const mine = (await login(user, firefox)).body.access_token;
    const { id } = (await list(mine)).find(({ device }: { device: string }) => device === 'curl');
    const renewed = await server.post('/api/auth/refresh', stolen.body.access_token);
    const end = (of: number, token: string) => server.delete(`/api/auth/sessions/${of}`, token);
    const stranger = await server.user();
    assert.equal((await end(id, stranger.token)).status, 404);
    assert.equal((await end(id, mine)).status, 200);
    assert.equal((await end(id, mine)).status, 404);
    assert.deepEqual(
      [await me(stolen.body.access_token), await me(renewed.body.access_token), (await byCookie()).status],
      [401, 401, 401],
    );
    assert.equal((await server.post('/api/auth/refresh', stolen.body.access_token)).status, 401);
    assert.equal(await me(mine), 200);
    assert.ok((await list(mine)).every(({ device }: { device: string }) => device !== 'curl'));
  });

  it('go with a changed password, but for the one that changed it, and with a logout', async () => {
    const user = await server.user();
    const other = (await login(user, 'curl/8.14.1')).body.access_token;
    const mine = (await login(user, firefox)).body.access_token;
    const { body } = await server.put('/api/auth/password', mine, {
      ...{ old_password: user.password, new_password: 'another password' },
    });
    assert.equal(await me(other), 401);
    const left = await list(body.access_token);
    assert.deepEqual(
      left.map(({ device, is_current }: Record<string, unknown>) => [device, is_current]),
      [['Firefox, Linux', true]],
    );
    await server.post('/api/auth/logout', body.access_token);
    const again = await login({ ...user, password: 'another password' }, 'curl/8.14.1');
    assert.equal((await list(again.body.access_token)).length, 1);
  });

  it('are at most 100 of one user', async () => {
    const user = await server.user();
    const { db } = server.application;
    const now = new Date();
    const rows = Array.from({ length: 120 }, (_, index) => ({
      ...{ user_id: user.id, login: `many-${index}`, device: 'many', address: '192.0.2.1', valid_from: now },
      expires_at: new Date(now.getTime() + 3_600_000),
    }));
    await db.insertInto('logins').values(rows).execute();
    const { access_token } = (await login(user, firefox)).body;
    const sessions = await list(access_token);
    assert.deepEqual([sessions.length, sessions[0].is_current], [100, true]);
  });
});
