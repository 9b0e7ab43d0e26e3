import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { describeLong } from '../rounds.ts';
import { TestServer, type TestUser } from '../server.ts';
import { until } from '../until.ts';

const address = '203.0.113.5';
const people = 300;

describeLong('a class behind one address', () => {
  let server: TestServer;
  let admin: TestUser;
  before(async () => {
    // The limits of production.
    server = await TestServer.start({ TRUST_PROXY: 'true', PEOPLE_PER_ADDRESS: '500' });
    admin = await server.user('admin');
  });
  after(() => server?.[Symbol.asyncDispose]());
  const send = async (path: string, json: object, from = address) =>
    await server.request('POST', path, { json, headers: { 'x-forwarded-for': from } });
  const account = (index: number) => ({
    username: `student.${index}`,
    email: `student.${index}@example.com`,
    password: `password of ${index}`,
  });

  it('registers and logs in at once, 30 with a wrong password first, and meets no limit', async () => {
    const statuses = await Promise.all(
      Array.from({ length: people }, async (_, index) => {
        const registered = await send('/api/auth/register', account(index));
        const { username, password } = account(index);
        const mistaken = index < 30 ? await send('/api/auth/login', { username, password: 'wrong' }) : undefined;
        const { status } = await send('/api/auth/login', { username, password });
        return `${registered.status} ${mistaken?.status ?? ''} ${status}`;
      }),
    );
    assert.deepEqual([...new Set(statuses)].sort(), ['200  200', '200 401 200']);
  });

  it('does not keep the administrator of a new installation out with 150 wrong passwords', async () => {
    for (let index = 0; index < 150; index += 1)
      assert.equal((await send('/api/auth/login', { username: `nobody.${index}`, password: 'wrong' })).status, 401);
    assert.equal((await send('/api/auth/login', admin)).status, 200);
  });
});

describeLong('strangers behind one address', () => {
  it('register and guess as often as twice as many people would, and administrators see it', async () => {
    await using server = await TestServer.start({ TRUST_PROXY: 'true', PEOPLE_PER_ADDRESS: '10' });
    const admin = await server.user('admin');
    const headers = { 'x-forwarded-for': address };
    const count = async (path: string, bodyOf: (index: number) => object): Promise<Record<number, number>> => {
      const statuses: Record<number, number> = {};
      for (let index = 0; index < 40; index += 1) {
        const { status } = await server.request('POST', path, { json: bodyOf(index), headers });
        statuses[status] = (statuses[status] ?? 0) + 1;
      }
      return statuses;
    };
    const stranger = (index: number) => ({
      username: `s${index}x`,
      email: `s${index}@example.com`,
      password: 'stranger',
    });
    assert.deepEqual(await count('/api/auth/register', stranger), { 200: 20, 429: 20 });
    const guess = (index: number) => ({ username: `nobody ${index}`, password: 'wrong' });
    assert.deepEqual(await count('/api/auth/login', guess), { 401: 20, 429: 20 });
    // Accounts that are known from there are not affected.
    assert.equal((await server.request('POST', '/api/auth/login', { json: stranger(0), headers })).status, 200);
    const limits = async () => (await server.get('/api/admin/system', admin.token)).body.network_limits;
    await until(async () => (await limits()).length === 2, 'the reports');
    const shown = (await limits()).map(({ network, limit_met }: Record<string, unknown>) => [network, limit_met]);
    assert.deepEqual(shown.sort(), [
      ['203.0.113.0/24', 'logins'],
      ['203.0.113.0/24', 'registrations'],
    ]);
  });
});
