import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { TestServer, type TestUser, told } from '../server.ts';

const account = (name: string, more: Record<string, unknown> = {}) => ({
  username: name,
  email: `${name}@example.com`,
  password: `password of ${name}`,
  ...more,
});
const path = '/api/admin/registration-codes';
const refusal = { detail: 'The registration code is not valid', code: 'wrong_registration_code' };

const registerAt = (server: TestServer) => (json: unknown, address?: string) =>
  server.request('POST', '/api/auth/register', {
    json,
    ...(address === undefined ? {} : { headers: { 'x-forwarded-for': address } }),
  });

describe('registration with a code', () => {
  let server: TestServer;
  let admin: TestUser;
  before(async () => {
    server = await TestServer.start({ REGISTRATION: 'code', TRUST_PROXY: 'true', PEOPLE_PER_ADDRESS: '20' });
    admin = await makeAdmin(server);
  });
  after(() => server?.[Symbol.asyncDispose]());
  const register = (json: unknown, address?: string) => registerAt(server)(json, address);
  const create = async (fields: Record<string, unknown> = {}) => {
    const { status, body, text } = await server.post(path, admin.token, fields);
    assert.equal(status, 201, text);
    return body;
  };

  it('is announced to everybody, and requires a code', async () => {
    assert.deepEqual((await server.get('/api/auth/registration')).body, { mode: 'code' });
    for (const more of [{}, { code: null }, { code: ' - ' }]) {
      const { status, code, body } = await register(account('without', more));
      assert.deepEqual(
        [status, code, body],
        [403, 'registration_code_missing', { detail: 'Registration requires a registration code' }],
      );
    }
  });

  it('accepts a code in any spelling, and counts its uses', async () => {
    const code = await create({ note: 'Spring', max_uses: 10 });
    assert.deepEqual(Object.keys(code).sort(), ['code', 'created_at', 'expires_at', 'id', 'max_uses', 'note', 'uses']);
    assert.match(code.code, /^[A-HJKMNP-Z2-9]{12}$/);
    const spelled = `${code.code.slice(0, 4)}-${code.code.slice(4, 8)} ${code.code.slice(8)}`.toLowerCase();
    assert.equal((await register(account('one', { code: code.code }))).status, 200);
    assert.equal((await register(account('two', { code: spelled }))).status, 200);
    assert.equal((await register(account('ONE', { code: code.code }))).status, 400, 'a name that is taken');
    const [listed] = (await server.get(path, admin.token)).body;
    assert.deepEqual(listed, { ...code, uses: 2 });
    const { db } = server.application;
    const entries = await db.selectFrom('activity_log').select('details').where('type', '=', 'register').execute();
    const used = entries.filter(({ details }) => details?.['registration_code_id'] === code.id);
    assert.equal(used.length, 2);
  });

  it('refuses expired, used up, withdrawn and wrong codes in the same way', async () => {
    const expired = await create({ expires_at: '2020-01-01T00:00:00Z' });
    const usedUp = await create({ max_uses: 1 });
    assert.equal((await register(account('only', { code: usedUp.code }))).status, 200);
    const withdrawn = await create();
    const gone = await server.delete(`${path}/${withdrawn.id}`, admin.token);
    assert.deepEqual([gone.status, gone.body], [200, { detail: 'Registration code withdrawn' }]);
    for (const { code } of [expired, usedUp, withdrawn, { code: 'ABCDEFGH2345' }]) {
      const refused = await register(account('late', { code }), '192.0.2.1');
      assert.deepEqual([refused.status, told(refused)], [403, refusal]);
    }
  });

  it('never exceeds the uses of a code, even under concurrent requests', async () => {
    const { id, code } = await create({ max_uses: 3 });
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) => register(account(`crowd${index}`, { code }), `198.18.${index}.1`)),
    );
    const statuses = answers.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [200, 200, 200, ...Array(9).fill(403)]);
    const rows = (await server.get(path, admin.token)).body as { id: number; uses: number }[];
    assert.equal(rows.find((row) => row.id === id)?.uses, 3);
    const { db } = server.application;
    const users = await db.selectFrom('users').select('id').where('username', 'like', 'crowd%').execute();
    assert.equal(users.length, 3);
  });

  it('limits only the network that guesses codes', async () => {
    const { code: given } = await create();
    const guess = (index: number) => register(account('guesser', { code: `WRONG${index}` }), `203.0.113.${index}`);
    for (let index = 0; index < 40; index += 1) assert.equal((await guess(index)).status, 403);
    const { status, code, body, headers } = await guess(41);
    const detail = 'Too many wrong registration codes; try again in 1 minute';
    assert.deepEqual([status, code, body], [429, 'too_many_registration_codes', { detail }]);
    assert.ok(Number(headers.get('retry-after')) > 0);
    assert.equal(
      (await register(account('patient', { code: given }), '203.0.113.9')).status,
      429,
      'also with the right one',
    );
    assert.equal((await register(account('elsewhere', { code: given }), '192.0.2.200')).status, 200);
  });

  it('has codes that only administrators create, list and withdraw, with activity entries', async () => {
    const code = await create({ note: 'Autumn', expires_at: '2099-01-01T00:00:00+01:00', max_uses: 60 });
    assert.deepEqual([code.expires_at, code.uses], ['2098-12-31T23:00:00.000Z', 0]);
    const byQuery = await server.post(`${path}?note=By%20query&max_uses=2`, admin.token);
    assert.deepEqual([byQuery.status, byQuery.body.note, byQuery.body.max_uses], [201, 'By query', 2]);
    const listed = await server.get(`${path}?page_size=1`, admin.token);
    assert.equal(listed.body[0].note, 'By query');
    assert.ok(Number(listed.headers.get('x-total-count')) >= 2);
    // February has no 30th.
    for (const day of ['2099-02-30', '2099-02-29', '2099-04-31'])
      assert.equal((await server.post(path, admin.token, { expires_at: `${day}T00:00:00Z` })).status, 422, day);
    const wrong = await server.post(path, admin.token, { expires_at: 'tomorrow', max_uses: 0, note: 'x'.repeat(201) });
    assert.deepEqual(
      wrong.body.detail.map(({ loc, type }: { loc: string[]; type: string }) => `${loc.join('.')} ${type}`).sort(),
      ['body.expires_at datetime_parsing', 'body.max_uses greater_than_equal', 'body.note string_too_long'],
    );
    assert.equal((await server.delete(`${path}/${code.id}`, admin.token)).status, 200);
    assert.equal((await server.delete(`${path}/${code.id}`, admin.token)).status, 404);
    const entries = (await server.get('/api/admin/activity', admin.token)).text;
    assert.match(entries, /admin_registration_code_create/);
    assert.match(entries, /admin_registration_code_delete/);
    assert.ok(!entries.includes(code.code), 'a code is in the log');
  });
});

describe('registration by domain', () => {
  it('accepts only addresses of the domains', async () => {
    await using server = await TestServer.start({
      REGISTRATION: 'domain',
      REGISTRATION_DOMAINS: 'School.example.com, xn--mnchen-3ya.de',
    });
    const register = registerAt(server);
    const domains = ['school.example.com', 'xn--mnchen-3ya.de'];
    assert.deepEqual((await server.get('/api/auth/registration')).body, { mode: 'domain', domains });
    for (const email of ['a@SCHOOL.example.com', 'b@xn--mnchen-3ya.de', 'c@münchen.de'])
      assert.equal((await register(account(`in-${email[0]}`, { email }))).status, 200, email);
    for (const email of [
      'a@example.com',
      'a@sub.school.example.com',
      'a@school.example.com.evil.com',
      'a@notschool.example.com',
      'school.example.com@evil.com',
    ]) {
      const { status, body, code } = await register(account('outsider', { email }));
      const detail = `Registration requires an e-mail address of ${domains.join(' or ')}`;
      assert.deepEqual([status, code, body], [403, 'registration_domain', { detail }], email);
    }
  });
});

describe('closed registration', () => {
  it('refuses everybody, and administrators still create users', async () => {
    await using server = await TestServer.start({ REGISTRATION: 'closed' });
    assert.deepEqual((await server.get('/api/auth/registration')).body, { mode: 'closed' });
    const { status, body, code } = await registerAt(server)(account('late'));
    const detail = 'Registration is closed; ask an administrator for an account';
    assert.deepEqual([status, code, body], [403, 'registration_closed', { detail }]);
    const admin = await makeAdmin(server);
    assert.equal((await server.post('/api/admin/users', admin.token, account('late'))).status, 201);
  });
});

describe('open registration', () => {
  it('requires no code, and limits the registrations of a network', async () => {
    await using server = await TestServer.start({ TRUST_PROXY: 'true', PEOPLE_PER_ADDRESS: '2' });
    const register = registerAt(server);
    assert.deepEqual((await server.get('/api/auth/registration')).body, { mode: 'open' });
    const names = ['one', 'ONE', 'two', 'three', 'four', 'five'];
    const statuses: number[] = [];
    for (const [index, name] of names.entries()) {
      const answer = await register(account(name, { code: 'whatever' }), `203.0.113.${index}`);
      statuses.push(answer.status);
      if (answer.status !== 429) continue;
      assert.deepEqual(told(answer), {
        detail: 'Too many registrations from your network; try again in 360 minutes',
        code: 'too_many_registrations',
      });
      const seconds = Number(answer.headers.get('retry-after'));
      assert.ok(seconds > 21_500 && seconds <= 21_600, `Retry-After: ${seconds}`);
    }
    assert.deepEqual(statuses, [200, 400, 200, 200, 429, 429]);
    assert.equal((await register(account('five'), '203.0.112.1')).status, 200, 'another network');
    const { db } = server.application;
    await db
      .updateTable('login_throttles')
      .set({ blocked_until: new Date(Date.now() - 1000) })
      .execute();
    assert.equal((await register(account('later'), '203.0.113.1')).status, 200);
    const kept = JSON.stringify(await db.selectFrom('login_throttles').selectAll().execute());
    assert.ok(!kept.includes('203.0'), kept);
  });

  it('stores the network of an account as a keyed hash, up to a limit', async () => {
    await using server = await TestServer.start({ TRUST_PROXY: 'true', knownDevicesPerAccount: 3 });
    const ada = account('ada');
    assert.equal((await registerAt(server)(ada, '192.0.2.1')).status, 200);
    const { db } = server.application;
    const devices = async () => await db.selectFrom('known_devices').selectAll().execute();
    const [first] = await devices();
    assert.match(first?.device ?? '', /^[\w-]{43}$/);
    for (let index = 0; index < 5; index += 1) {
      const headers = { 'x-forwarded-for': `198.18.${index}.1` };
      assert.equal((await server.request('POST', '/api/auth/login', { json: ada, headers })).status, 200);
    }
    const kept = await devices();
    assert.equal(kept.length, 3);
    assert.ok(!kept.some(({ device }) => device === first?.device), 'the oldest goes first');
  });
});

/** Inserted into the database, because registration is closed here. */
async function makeAdmin(server: TestServer): Promise<TestUser> {
  const { username, email, password } = account('the-admin');
  const user = await server.application.auth.createAdministrator(username, email, password);
  const login = await server.post('/api/auth/login', undefined, { username, password });
  return { id: user.id, username, email, password, token: login.body.access_token };
}
