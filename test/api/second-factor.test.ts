import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { generateSync } from 'otplib';
import type { Role } from '../../src/database/tables.ts';
import { type Answer, TestServer, type TestUser } from '../server.ts';
import { until } from '../until.ts';

/** The code of a period, from now on: 0 is the present one. */
const codeOf = (secret: string, period = 0): string =>
  generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + 30 * period });

describe('the second factor', () => {
  let server: TestServer;
  let admin: TestUser;
  before(async () => {
    server = await TestServer.start();
    admin = await server.user('admin');
  });
  after(() => server[Symbol.asyncDispose]());

  const login = ({ username, password }: TestUser, code?: string) =>
    server.post('/api/auth/login', undefined, { username, password, ...(code === undefined ? {} : { code }) });
  const is = ({ status, code, text }: Answer, expected: [number, string?]) =>
    assert.deepEqual([status, code], [expected[0], expected[1] ?? null], text);
  const confirm = (user: TestUser, code: string) => server.post('/api/auth/totp/confirm', user.token, { code });
  /** A user with a second factor. The code of the period before the present one has confirmed it. */
  const secured = async (role: Role = 'student') => {
    const user = await server.user(role);
    const { secret } = (await server.post('/api/auth/totp', user.token)).body;
    const { body, text } = await confirm(user, codeOf(secret, -1));
    assert.equal(body.recovery_codes?.length, 10, text);
    return { user, secret, recovery: body.recovery_codes as string[] };
  };
  const state = async (user: TestUser) => (await server.get('/api/auth/totp', user.token)).body;

  it('is listed by apps under the name that the installation has now', async () => {
    const [admin, user] = [await server.user('admin'), await server.user()];
    const uri = async () => (await server.post('/api/auth/totp', user.token)).body.uri as string;
    // A colon would end the name.
    await server.request('PUT', '/api/admin/site', { token: admin.token, json: { name: 'Haus der Technik: Linux' } });
    assert.match(await uri(), new RegExp(`^otpauth://totp/Haus%20der%20Technik%20Linux:${user.username}\\?`));
    assert.equal(new URL(await uri()).searchParams.get('issuer'), 'Haus der Technik Linux');
    await server.request('PUT', '/api/admin/site', { token: admin.token, json: { name: null } });
    assert.match(await uri(), /^otpauth:\/\/totp\/Learning%20platform:/);
  });

  it('is asked for at a login once its first code has confirmed it', async () => {
    const user = await server.user();
    is(await confirm(user, '123456'), [409, 'second_factor_not_begun']);
    const { body } = await server.post('/api/auth/totp', user.token);
    assert.match(body.uri, new RegExp(`^otpauth://totp/Learning%20platform:${user.username}\\?secret=${body.secret}&`));
    assert.equal((await login(user)).status, 200, 'what is not confirmed is not asked for');
    const wrong = codeOf(body.secret) === '000000' ? '000001' : '000000';
    is(await confirm(user, wrong), [400, 'wrong_code']);
    is(await confirm(user, 'letters'), [400, 'wrong_code']);
    is(await confirm(user, '1'), [422, 'validation']);
    assert.equal((await confirm(user, codeOf(body.secret, -1))).status, 200);
    is(await server.post('/api/auth/totp', user.token), [409, 'second_factor_active']);
    is(await confirm(user, codeOf(body.secret)), [409, 'second_factor_not_begun']);
    assert.deepEqual(await state(user), { is_active: true, is_required: false, recovery_codes_left: 10 });
    const refused = await login(user);
    is(refused, [401, 'second_factor_required']);
    assert.equal(refused.headers.get('error-reason'), null);
    is(await login(user, ''), [401, 'second_factor_required']);
    is(await login({ ...user, password: 'another password' }, codeOf(body.secret)), [401, 'wrong_credentials']);
    const entered = await login(user, codeOf(body.secret).replace(/(...)/, '$1 '));
    is(entered, [200]);
    const form = new URLSearchParams({
      username: user.username,
      password: user.password,
      code: codeOf(body.secret, 1),
    });
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    is(await server.request('POST', '/api/auth/login', { body: `${form}`, headers }), [200]);
  });

  it('takes each code once, also of concurrent logins, and none from before', async () => {
    const { user, secret } = await secured();
    const code = codeOf(secret);
    const answers = await Promise.all(Array.from({ length: 3 }, () => login(user, code)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401, 401]);
    is(await login(user, codeOf(secret, -1)), [401, 'wrong_second_factor']);
    is(await login(user, codeOf(secret, 3)), [401, 'wrong_second_factor']);
  });

  it('takes each recovery code once, in any spelling, and stores neither codes nor the secret', async () => {
    const { user, secret, recovery } = await secured();
    const [first = '', second = ''] = recovery;
    is(await login(user, first.toUpperCase().replaceAll('-', ' ')), [200]);
    is(await login(user, first), [401, 'wrong_second_factor']);
    assert.equal((await state(user)).recovery_codes_left, 9);
    const other = await secured();
    is(await login(other.user, second), [401, 'wrong_second_factor']);
    const { db } = server.application;
    const stored = [
      ...(await db.selectFrom('recovery_codes').selectAll().execute()),
      ...(await db.selectFrom('second_factors').select(['user_id', 'sealed_secret']).execute()).map(
        ({ sealed_secret }) => sealed_secret.toString('latin1'),
      ),
    ];
    const text = JSON.stringify(stored);
    for (const one of [secret, ...recovery, ...recovery.map((code) => code.replaceAll('-', ''))])
      assert.ok(!text.includes(one));
    const log = await db.selectFrom('activity_log').select('type').where('user_id', '=', user.id).execute();
    const types = log.map(({ type }) => type).filter((type) => type.startsWith('second_factor'));
    assert.deepEqual(types.sort(), ['second_factor_recovery', 'second_factor_set_up']);
  });

  it('limits wrong codes as wrong passwords, and a right password does not clear them', async () => {
    const { user, secret } = await secured();
    const statuses = new Set<number>();
    for (let guess = 0; guess < 30 && !statuses.has(429); guess += 1) {
      is(await login(user), [401, 'second_factor_required']);
      const { code, status } = await login(user, 'wrong-recovery-code');
      if (status === 401) assert.equal(code, 'wrong_second_factor');
      statuses.add(status);
      // The failure that fills the counter is told; from then on logins wait, also those without a code.
      if (status === 401 && (await login(user)).status === 429) statuses.add(429);
    }
    assert.ok(statuses.has(429));
    is(await login(user, codeOf(secret)), [429, 'too_many_logins']);
  });

  it('is removed by its user, and reset by an administrator, which is logged', async () => {
    const { user } = await secured();
    is(await server.delete('/api/auth/totp', user.token), [200]);
    is(await server.delete('/api/auth/totp', user.token), [200]);
    is(await login(user), [200]);
    const other = (await secured()).user;
    const path = `/api/admin/users/${other.id}/totp`;
    is(await server.delete(path, user.token), [403, 'admin_required']);
    is(await server.delete('/api/admin/users/999999/totp', admin.token), [404, 'not_found']);
    is(await server.delete(path, admin.token), [200]);
    is(await login(other), [200]);
    const log = server.application.db.selectFrom('activity_log').selectAll();
    const entries = await log.where('type', '=', 'admin_second_factor_reset').execute();
    assert.deepEqual(
      entries.map(({ actor_id, user_id }) => [actor_id, user_id]),
      [[admin.id, other.id]],
    );
  });

  it('can be required of a role, whose users do nothing else before', async () => {
    await using strict = await TestServer.start();
    const [head, teacher, student] = [await strict.user('admin'), await strict.user('instructor'), await strict.user()];
    const expires_at = new Date(Date.now() + 86_400_000).toISOString();
    const program = await strict.post('/api/auth/tokens', teacher.token, { name: 'P', scopes: ['read'], expires_at });
    is(await strict.get('/api/classes', program.body.token), [200]);
    const set = (second_factor_roles: string[]) => strict.put('/api/admin/site', head.token, { second_factor_roles });
    is(await set(['teacher']), [422, 'validation']);
    assert.deepEqual((await set(['instructor', 'instructor'])).body.second_factor_roles, ['instructor']);
    for (const path of ['/api/profile/me', '/api/classes', '/api/auth/sessions', '/api/lessons/courses']) {
      is(await strict.get(path, teacher.token), [403, 'second_factor_missing']);
      is(await strict.get(path, student.token), [200]);
    }
    is(await strict.post('/api/classes', teacher.token, { name: 'New' }), [403, 'second_factor_missing']);
    is(await strict.get('/api/classes', program.body.token), [403, 'second_factor_missing']);
    is(await strict.get('/api/auth/me', teacher.token), [200]);
    assert.deepEqual((await strict.get('/api/auth/totp', teacher.token)).body.is_required, true);
    const { secret } = (await strict.post('/api/auth/totp', teacher.token)).body;
    const done = await strict.post('/api/auth/totp/confirm', teacher.token, { code: codeOf(secret) });
    is(done, [200]);
    is(await strict.get('/api/classes', teacher.token), [200]);
    await strict.put(`/api/admin/users/${student.id}/role`, head.token, { role: 'instructor' });
    is(await strict.get('/api/profile/me', student.token), [403, 'second_factor_missing']);
    // Through an identity provider, which asks for its own.
    const withoutPassword = strict.application.db.updateTable('users').set({ password_hash: `$2b$${'.'.repeat(56)}` });
    await withoutPassword.where('id', '=', student.id).execute();
    await until(
      async () => (await strict.get('/api/profile/me', student.token)).status === 200,
      'the user without a password',
    );
    assert.deepEqual((await set([])).body.second_factor_roles, []);
    is(await strict.get('/api/profile/me', student.token), [200]);
  });
});
