import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { sql } from 'kysely';
import { cookieOf, exchange, logInWithCookie } from '../login-cookie.ts';
import { describeLong } from '../rounds.ts';
import { TestServer, type TestUser } from '../server.ts';
import { until } from '../until.ts';

describeLong('the cookie of the pages', () => {
  let server: TestServer;
  let user: TestUser;
  before(async () => {
    const outside = { engine: { reason: 'this test has none' } };
    server = await TestServer.start({ CORS_ORIGINS: 'https://good.example.com', TRUST_PROXY: 'true' }, outside);
    user = await server.user();
  });
  after(() => server?.[Symbol.asyncDispose]());

  const status = async (token: string) => (await server.get('/api/auth/me', token)).status;
  /** As though the time had passed since the last use of the user's cookies. */
  const wait = (seconds: number) =>
    sql`update login_cookies set expires_at = expires_at - make_interval(secs => ${seconds}),
      replacements = (select coalesce(array_agg(r - make_interval(secs => ${seconds}) order by r desc), '{}') from unnest(replacements) as r)
      where user_id = ${user.id}`.execute(server.application.db);
  /** Exchanges a value and returns the next one. */
  const next = async (cookie: string): Promise<string> => {
    const answer = await exchange(server, cookie);
    assert.equal(answer.status, 200, answer.text);
    return cookieOf(answer) ?? assert.fail('no cookie');
  };
  const rows = async (of = user) =>
    await server.application.db.selectFrom('login_cookies').selectAll().where('user_id', '=', of.id).execute();

  it('is set only for clients that request it, for one route and no script', async () => {
    const { username, password } = user;
    const plain = await server.request('POST', '/api/auth/login', {
      json: { username, password },
      headers: { origin: server.url },
    });
    assert.deepEqual([plain.status, plain.headers.get('set-cookie')], [200, null]);
    const json = { username, password, has_cookie: true };
    const set = (await server.request('POST', '/api/auth/login', { json, headers: { origin: server.url } })).headers;
    assert.match(
      set.get('set-cookie') ?? '',
      /^login=[\w-]{32}\.[\w-]{32}; Path=\/api\/auth\/refresh; HttpOnly; SameSite=Strict$/,
    );
    const headers = {
      origin: 'https://school.example.com',
      host: 'school.example.com',
      'x-forwarded-host': 'school.example.com',
      'x-forwarded-proto': 'https',
      'sec-fetch-site': 'same-origin',
    };
    const secure = await server.request('POST', '/api/auth/login', { json, headers });
    assert.match(secure.headers.get('set-cookie') ?? '', /; SameSite=Strict; Secure$/);
  });

  it('is exchanged for a token of the same login, and replaced at each use', async () => {
    const { token, cookie } = await logInWithCookie(server, user);
    const answer = await exchange(server, cookie);
    assert.deepEqual(Object.keys(answer.body).sort(), ['access_token', 'expires_in', 'token_type', 'user']);
    assert.equal(await status(answer.body.access_token), 200);
    const idOf = (text: string) => server.application.auth.claimsOf(text).login;
    assert.equal(idOf(answer.body.access_token), idOf(token));
    const second = cookieOf(answer) ?? '';
    assert.notEqual(second, cookie);
    assert.notEqual(await next(second), second);
    // Nothing that is stored is a cookie or a part of one.
    const stored = JSON.stringify(await rows());
    for (const part of [...cookie.split('.'), ...second.split('.')]) assert.ok(!stored.includes(part));
  });

  it('is no bearer, and is ignored by all other routes and beside a token', async () => {
    const { token, cookie } = await logInWithCookie(server, user);
    const headers = { origin: server.url, cookie: `login=${cookie}` };
    for (const [method, path] of [
      ['GET', '/api/auth/me'],
      ['POST', '/api/auth/logout'],
      ['GET', '/api/dashboard/stats'],
      ['GET', '/api/auth/refresh'],
    ] as const)
      assert.ok([401, 405].includes((await server.request(method, path, { headers })).status), path);
    assert.equal(await status(cookie), 401);
    const bearer = { ...headers, authorization: 'Bearer forged' };
    assert.equal((await server.request('POST', '/api/auth/refresh', { headers: bearer })).status, 401);
    const both = await server.request('POST', '/api/auth/refresh', { headers, token });
    assert.deepEqual([both.status, both.headers.get('set-cookie')], [200, null]);
    await next(cookie);
  });

  // Long: one cookie, which every refusal leaves valid.
  it('is refused where another origin or no origin sends it, and stays valid', async () => {
    const { cookie } = await logInWithCookie(server, user);
    const own = server.url;
    const { port } = new URL(own);
    const foreign: Record<string, string>[] = [
      {},
      { 'sec-fetch-site': 'same-origin' },
      { origin: 'null' },
      { origin: 'https://evil.example.com' },
      { origin: 'https://good.example.com' },
      { origin: `http://sub.127.0.0.1:${port}` },
      { origin: `http://localhost:${port}` },
      { origin: 'http://127.0.0.1:1' },
      { origin: `${own}/` },
      { origin: own.toUpperCase() },
      { origin: own, 'sec-fetch-site': 'same-site' },
      { origin: own, 'sec-fetch-site': 'cross-site' },
      { origin: own, 'sec-fetch-site': 'none' },
      // A page that the network has changed, where the service knows that its own has TLS.
      { origin: own, 'x-forwarded-proto': 'https' },
      { referer: `${own}/` },
    ];
    for (const headers of foreign) {
      const answer = await exchange(server, cookie, headers);
      assert.deepEqual(
        [answer.status, answer.code, cookieOf(answer)],
        [403, 'forbidden', undefined],
        JSON.stringify(headers),
      );
      const { username, password } = user;
      const json = { username, password, has_cookie: true };
      assert.equal((await server.request('POST', '/api/auth/login', { json, headers })).status, 403);
    }
    // A form of another site, which needs no preflight, cannot request it at all.
    const body = new URLSearchParams({ ...user, id: '', token: '', has_cookie: 'true' });
    const form = await server.request('POST', '/api/auth/login', {
      body,
      headers: { origin: 'https://evil.example.com' },
    });
    assert.deepEqual([form.status, cookieOf(form)], [422, undefined]);
    await next(cookie);
    assert.equal((await exchange(server, cookie, { origin: own, 'sec-fetch-site': 'same-origin' })).status, 200);
  });

  it('ends its login when a value comes back that has been replaced, and no other login', async () => {
    const other = await logInWithCookie(server, user);
    const { token, cookie: stolen } = await logInWithCookie(server, user);
    const second = await next(stolen);
    const third = await next(second);
    await wait(31);
    const answer = await exchange(server, stolen);
    assert.deepEqual([answer.status, answer.code], [401, 'unauthorized']);
    for (const cookie of [third, second, stolen]) assert.equal((await exchange(server, cookie)).status, 401);
    await until(async () => (await status(token)) === 401, 'the end of the login');
    assert.equal((await server.post('/api/auth/refresh', token)).status, 401);
    assert.deepEqual([await status(other.token), (await exchange(server, other.cookie)).status], [200, 200]);
  });

  it('is replaced by one value for all tabs that use it at the same moment', async () => {
    const { cookie } = await logInWithCookie(server, user);
    const answers = await Promise.all(Array.from({ length: 8 }, () => exchange(server, cookie)));
    assert.deepEqual([...new Set(answers.map((answer) => answer.status))], [200]);
    const [value, ...more] = new Set(answers.map(cookieOf));
    assert.deepEqual(more, []);
    // Requests that overtake others have older values.
    let latest = value ?? '';
    for (let tab = 0; tab < 5; tab += 1) latest = await next(latest);
    assert.equal(await next(cookie), latest);
    await wait(31);
    assert.equal((await exchange(server, value ?? '')).status, 401);
  });

  it('continues after an answer that was lost, however long ago', async () => {
    const { cookie } = await logInWithCookie(server, user);
    const lost = await next(cookie);
    await wait(4 * 3600);
    assert.equal(await next(cookie), lost);
    await next(lost);
  });

  it('is valid for eight hours after its last use', async () => {
    const { cookie } = await logInWithCookie(server, user);
    await wait(28_000);
    const second = await next(cookie);
    await wait(28_000);
    const third = await next(second);
    await wait(28_801);
    assert.equal((await exchange(server, third)).status, 401);
    await server.application.loginCookies.clean();
    assert.deepEqual(await rows(), []);
  });

  it('cannot be guessed, and several of them are none', async () => {
    const { cookie } = await logInWithCookie(server, user);
    const [family = '', secret = ''] = cookie.split('.');
    for (const value of [
      '',
      '.',
      family,
      `${family}.`,
      `.${secret}`,
      `${secret}.${secret}`,
      `${cookie}x`.repeat(3),
      "' or 1=1",
    ])
      assert.equal((await exchange(server, value)).status, 401, value);
    assert.equal((await exchange(server, `${cookie}; login=${cookie}`)).status, 401, 'one of a subdomain');
    assert.equal((await exchange(server, `${cookie}; login=`)).status, 401);
    await next(cookie);
  });

  it('ends with a log-out, a new password, a deactivation and a deletion', async () => {
    const admin = await server.user('admin');
    const ends: [string, (of: TestUser, token: string) => Promise<{ status: number }>][] = [
      ['log-out', (_, token) => server.post('/api/auth/logout', token)],
      [
        'password by an administrator',
        ({ id }) => server.put(`/api/admin/users/${id}`, admin.token, { password: 'quite another' }),
      ],
      ['deactivation', ({ id }) => server.put(`/api/admin/users/${id}`, admin.token, { is_active: false })],
      ['deletion', ({ id }) => server.delete(`/api/admin/users/${id}`, admin.token)],
    ];
    for (const [what, end] of ends) {
      const one = await server.user();
      const { token, cookie } = await logInWithCookie(server, one);
      assert.equal((await end(one, token)).status, 200, what);
      assert.deepEqual([(await exchange(server, cookie)).status, (await rows(one)).length], [401, 0], what);
    }
    const { token } = await logInWithCookie(server, user);
    const out = await server.request('POST', '/api/auth/logout', { token, headers: { origin: server.url } });
    assert.match(out.headers.get('set-cookie') ?? '', /^login=; Max-Age=0; Path=\/api\/auth\/refresh; /);
  });

  it('of the login that changes the password stays, those of others end', async () => {
    const one = await server.user();
    const [mine, other] = [await logInWithCookie(server, one), await logInWithCookie(server, one)];
    const json = { old_password: one.password, new_password: 'quite another' };
    assert.equal((await server.put('/api/auth/password', mine.token, json)).status, 200);
    assert.equal((await exchange(server, other.cookie)).status, 401);
    const renewed = await exchange(server, mine.cookie);
    assert.equal(renewed.status, 200);
    assert.equal((await server.post('/api/auth/logout', renewed.body.access_token)).status, 200);
    assert.deepEqual(await rows(one), []);
  });

  it('is lost for a login that an exam locks out, and continues the login with the exam', async () => {
    const one = await server.user();
    const [mine, other] = [await logInWithCookie(server, one), await logInWithCookie(server, one)];
    const locked_login = server.application.auth.claimsOf(mine.token).login;
    await server.application.db.updateTable('users').set({ locked_login }).where('id', '=', one.id).execute();
    assert.equal((await exchange(server, other.cookie)).status, 401);
    const { body } = await exchange(server, mine.cookie);
    assert.equal(await status(body.access_token), 200);
  });

  it('has at most twenty rows for a user', async () => {
    const one = await server.user();
    const first = await logInWithCookie(server, one);
    for (let login = 0; login < 20; login += 1) await logInWithCookie(server, one);
    assert.equal((await rows(one)).length, 20);
    assert.equal((await exchange(server, first.cookie)).status, 401);
  });
});
