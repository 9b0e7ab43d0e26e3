import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { ensureFirstAdministrator } from '../../src/features/auth/first-administrator.ts';
import { Passwords } from '../../src/features/auth/passwords/passwords.ts';
import { UserStore } from '../../src/features/auth/store.ts';
import { type Answer, TestServer, told } from '../server.ts';

const times = { created: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/ };
const account = (name: string, more: Record<string, unknown> = {}) => ({
  username: name,
  email: `${name}@example.com`,
  password: `password of ${name}`,
  ...more,
});

describe('registration', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
  });
  after(() => server[Symbol.asyncDispose]());
  const register = (json: unknown) => server.post('/api/auth/register', undefined, json);
  /** The items of a 422, without their messages. */
  const items = (answer: Answer) => {
    assert.equal(answer.status, 422, answer.text);
    return answer.body.detail
      .map((item: { loc: string[]; type: string }) => `${item.loc.join('.')} ${item.type}`)
      .sort();
  };

  it('returns only the user', async () => {
    const { status, body } = await register(account('Ada.L-1_x', { full_name: 'Ada Lovelace' }));
    assert.equal(status, 200);
    const { id, created_at, ...rest } = body;
    assert.ok(Number.isInteger(id) && id > 0);
    assert.match(created_at, times.created);
    assert.deepEqual(rest, {
      username: 'Ada.L-1_x',
      email: 'Ada.L-1_x@example.com',
      role: 'student',
      full_name: 'Ada Lovelace',
      avatar_url: null,
      is_active: true,
      last_login_at: null,
    });
  });

  it('stores the password as a bcrypt hash, and logs the activity', async () => {
    const { body } = await register(account('hashed'));
    const { db } = server.application;
    const user = await db.selectFrom('users').selectAll().where('id', '=', body.id).executeTakeFirstOrThrow();
    assert.match(user.password_hash, /^\$2[aby]\$04\$.{53}$/);
    assert.equal(user.full_name, null);
    const activity = await db.selectFrom('activity_log').selectAll().where('user_id', '=', body.id).execute();
    assert.deepEqual(
      activity.map(({ type, actor_id }) => [type, actor_id]),
      [['register', body.id]],
    );
  });

  it('ignores fields that clients cannot set', async () => {
    const more = {
      role: 'admin',
      id: 7_000_000,
      password_hash: 'x',
      is_active: false,
      tokens_valid_from: '2000-01-01',
      avatar_key: 'x',
    };
    const { status, body } = await register(account('modest', more));
    assert.equal(status, 200);
    assert.deepEqual([body.role, body.is_active, body.avatar_url], ['student', true, null]);
    assert.notEqual(body.id, 7_000_000);
    assert.equal((await server.post('/api/auth/login', undefined, account('modest'))).status, 200);
  });

  it('reports every missing field', async () => {
    assert.deepEqual(items(await register({})), [
      'body.email missing',
      'body.password missing',
      'body.username missing',
    ]);
    const { body } = await register({ username: 'nobody', password: 'long enough' });
    assert.deepEqual(body, {
      detail: [{ loc: ['body', 'email'], msg: 'Field required', type: 'missing' }],
    });
  });

  it('accepts usernames as schools have them, each once, whatever its case and form', async () => {
    const names = ['Анна', "o'neil", 'max.müller+2', '李明', 'हिन्दी', 'Ångström', 'x_1', 'ab', 'Я'.repeat(64)];
    for (const [index, username] of names.entries()) {
      const made = account(`school${index}`, { username });
      const { status, body, text } = await register(made);
      assert.deepEqual([status, body.username], [200, username.normalize('NFKC')], text);
      const again = await register(account(`again${index}`, { username: username.toUpperCase() }));
      assert.deepEqual([again.status, again.code], [400, 'username_taken'], username);
      for (const typed of [username, username.toUpperCase(), username.normalize('NFD')])
        assert.equal(
          (await server.post('/api/auth/login', undefined, { username: typed, password: made.password })).status,
          200,
          typed,
        );
    }
    const wide = await register(account('wide', { username: 'Ｗｉｄｅ１' }));
    assert.deepEqual([wide.status, wide.body.username], [200, 'Wide1']);
  });

  it('accepts an address as a username of its own account only, and follows a new address', async () => {
    const own = account('own', { username: 'Own@example.com' });
    assert.equal((await register(own)).status, 200);
    const login = (username: string) => server.post('/api/auth/login', undefined, { username, password: own.password });
    const { access_token } = (await login('own@example.com')).body;
    const moved = await server.put('/api/profile/me', access_token, { email: 'moved@example.com' });
    assert.deepEqual([moved.status, moved.body.username], [200, 'moved@example.com']);
    assert.equal((await login('own@example.com')).status, 401);
    assert.equal((await register(account('new', { email: 'own@example.com' }))).status, 200, 'the address is free');
    assert.equal((await login('moved@example.com')).status, 200);
  });

  it('takes names and addresses as keyboards write them', async () => {
    const logIn = async (username: string, password: string) =>
      (await server.post('/api/auth/login', undefined, { username, password })).body.user?.id;
    const made = account('typed', {
      username: ' O’Brien ',
      email: ' typed@example.com ',
      full_name: '  Ann\u00a0\n O’Brien ',
    });
    const { body } = await register(made);
    assert.deepEqual([body.username, body.email, body.full_name], ["O'Brien", 'typed@example.com', 'Ann O’Brien']);
    for (const typed of ["o'brien ", ' o’brien', ' Typed@example.com\n'])
      assert.equal(await logIn(typed, made.password), body.id, typed);
    const token = (await server.post('/api/auth/login', undefined, { username: "o'brien", password: made.password }))
      .body;
    const blank = await server.put('/api/profile/me', token.access_token, { full_name: ' \u200b ' });
    assert.equal(blank.body.full_name, null, blank.text);
    const short = await register(account('short', { username: ' b ' }));
    assert.equal(items(short).join(), 'body.username string_too_short');
  });

  it('takes both ways to write an international domain for one address', async () => {
    const made = account('idn', { username: 'Ada@XN--Mnchen-3YA.de', email: 'ada@xn--mnchen-3ya.de' });
    const { status, body, text } = await register(made);
    assert.deepEqual([status, body.email, body.username], [200, 'ada@münchen.de', 'Ada@münchen.de'], text);
    for (const email of ['ada@münchen.de', 'Ada@xn--mnchen-3ya.de', 'ada@MÜNCHEN.de'])
      assert.equal((await register(account('other', { email }))).code, 'email_taken', email);
    const logIn = async (username: string) =>
      (await server.post('/api/auth/login', undefined, { username, password: made.password })).status;
    assert.deepEqual([await logIn('ada@münchen.de'), await logIn('ada@xn--mnchen-3ya.de')], [200, 200]);
    // An account of before, which has the other form.
    const { db } = server.application;
    await db
      .updateTable('users')
      .set({ email: made.email, username: 'ada-of-before' })
      .where('id', '=', body.id)
      .execute();
    assert.deepEqual([await logIn('ada@münchen.de'), await logIn('ada@xn--mnchen-3ya.de')], [200, 200]);
    assert.equal((await register(account('other', { email: 'ada@münchen.de' }))).code, 'email_taken');
  });

  it('reports a short username in the words known to clients', async () => {
    const { status, body } = await register(account('x', { username: 'b' }));
    assert.equal(status, 422);
    const msg = 'String should have at least 2 characters';
    assert.deepEqual(body, {
      detail: [{ loc: ['body', 'username'], msg, type: 'string_too_short' }],
    });
  });

  const refused: [string, Record<string, unknown>, string][] = [
    ['a username of 65 characters', { username: 'x'.repeat(65) }, 'body.username string_too_long'],
    ['a space in the username', { username: 'ada l' }, 'body.username string_pattern_mismatch'],
    ['a line end in the username', { username: 'ad\na' }, 'body.username string_pattern_mismatch'],
    ['an @ in the username', { username: 'ada@x' }, 'body.username value_error'],
    ['the address of somebody else as the username', { username: 'somebody@example.com' }, 'body.username value_error'],
    [
      'the same from an own address in wide letters',
      { username: 'somebody@example.com', email: 'somebody@\uff45xample.com' },
      'body.email value_error,body.username value_error',
    ],
    ['an emoji in the username', { username: 'ada😀' }, 'body.username string_pattern_mismatch'],
    ['a mark without its letter', { username: '\u0301ada' }, 'body.username string_pattern_mismatch'],
    ['an invisible character', { username: 'ada\u200b' }, 'body.username string_pattern_mismatch'],
    ['a username that is a number', { username: 12345 }, 'body.username string_type'],
    ['a username that is null', { username: null }, 'body.username string_type'],
    ['a username that is a list', { username: ['ada'] }, 'body.username string_type'],
    ['a password of 7 characters', { password: '1234567' }, 'body.password string_too_short'],
    ['a password of 73 bytes', { password: 'x'.repeat(73) }, 'body.password string_too_long,body.password value_error'],
    ['a password of 37 characters in 74 bytes', { password: 'é'.repeat(37) }, 'body.password value_error'],
    ['an address without a domain', { email: 'ada' }, 'body.email value_error'],
    ['a reserved domain', { email: 'ada@school.test' }, 'body.email value_error'],
    ['a NUL in the username', { username: 'ada\0x' }, 'body.username value_error'],
    ['a NUL in the password', { password: 'long\0enough' }, 'body.password value_error'],
    ['a NUL in an unknown field', { nickname: '\0' }, 'body.nickname value_error'],
    ['a full name of 201 characters', { full_name: 'x'.repeat(201) }, 'body.full_name string_too_long'],
    ['a full name that is a number', { full_name: 5 }, 'body.full_name string_type'],
  ]; // biome-ignore format: a table
  for (const [what, fields, expected] of refused) {
    it(`refuses ${what}`, async () => {
      const answer = await register(account('refused', fields));
      assert.equal([...new Set(items(answer))].join(), expected);
    });
  }

  it('refuses reserved domains in the words known to clients, and accepts example.com', async () => {
    const { body } = await register(account('x', { username: 'reserved', email: 'a@b.example' }));
    const msg =
      'value is not a valid email address: The part after the @-sign is a special-use or reserved name that cannot be used with email.';
    assert.deepEqual(body.detail, [{ loc: ['body', 'email'], msg, type: 'value_error' }]);
    assert.equal((await register(account('reserved'))).status, 200);
  });

  it('accepts a password of exactly 72 bytes, completely', async () => {
    const password = `${'é'.repeat(35)}xy`;
    assert.equal((await register(account('longest', { password }))).status, 200);
    const login = (text: string) => server.post('/api/auth/login', undefined, { username: 'longest', password: text });
    assert.equal((await login(password)).status, 200);
    assert.equal((await login(`${password.slice(0, -1)}z`)).status, 401);
    assert.equal((await login(`${password}z`)).status, 401);
  });

  it('keeps spaces of a password', async () => {
    await register(account('spaces', { password: '  spaced  ' }));
    assert.equal(
      (await server.post('/api/auth/login', undefined, { username: 'spaces', password: 'spaced' })).status,
      401,
    );
    assert.equal(
      (await server.post('/api/auth/login', undefined, { username: 'spaces', password: '  spaced  ' })).status,
      200,
    );
  });

  it('refuses a taken name or address in any case', async () => {
    await register(account('taken'));
    const name = await register(account('TAKEN', { email: 'other@example.com' }));
    assert.deepEqual(
      [name.status, name.code, name.body],
      [400, 'username_taken', { detail: 'Username already registered' }],
    );
    const address = await register(account('other', { email: 'Taken@Example.COM' }));
    assert.deepEqual(
      [address.status, address.code, address.body],
      [400, 'email_taken', { detail: 'Email already registered' }],
    );
  });

  it('creates one user from twenty concurrent registrations', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => register(account('crowd'))));
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    assert.equal(answers.filter(({ status }) => status === 400).length, 19);
  });

  it('never repeats the input in a refusal', async () => {
    const canary = 'canary-5f1c';
    for (const field of ['username', 'email', 'password', 'full_name']) {
      const { status, text } = await register({
        [field]: `${canary}\0`,
        ...(field === 'email' ? {} : { email: canary }),
      });
      assert.equal(status, 422);
      assert.ok(!text.includes(canary), text);
    }
  });
});

describe('signing in', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start({
      TRUST_PROXY: 'true',
      loginFailuresPerAccount: 3,
      PEOPLE_PER_ADDRESS: '6',
      loginBlockSeconds: 600,
      BCRYPT_COST: '7',
    });
  });
  after(() => server[Symbol.asyncDispose]());
  let addresses = 0;
  const newAddress = () => {
    addresses += 1;
    // Each of a network of its own.
    return `198.18.${addresses}.1`;
  };
  const login = (json: unknown, address = newAddress()) =>
    server.request('POST', '/api/auth/login', { json, headers: { 'x-forwarded-for': address } });
  const wrong = { detail: 'Incorrect username or password', code: 'wrong_credentials' };

  it('returns a token valid for eight hours, and the user', async () => {
    const user = await server.user();
    const { status, body } = await login(user);
    assert.equal(status, 200);
    const { access_token, user: shown, ...rest } = body;
    assert.deepEqual(rest, { token_type: 'bearer', expires_in: 28_800 });
    assert.deepEqual(Object.keys(shown).sort(), [
      'avatar_url',
      'created_at',
      'email',
      'full_name',
      'id',
      'is_active',
      'last_login_at',
      'role',
      'username',
    ]);
    assert.match(shown.last_login_at, times.created);
    const [header = '', payload = ''] = access_token.split('.');
    assert.equal(JSON.parse(Buffer.from(header, 'base64url').toString()).alg, 'HS256');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    assert.deepEqual(Object.keys(claims).sort(), ['exp', 'iat', 'ms', 'sid', 'sub']);
    assert.equal(claims.sub, String(user.id));
    assert.deepEqual([claims.iat, claims.exp].map(Number.isInteger), [true, true]);
    assert.ok(Math.abs(claims.exp - Date.now() / 1000 - 28_800) < 60);
    assert.deepEqual((await server.get('/api/auth/me', access_token)).body, shown);
  });

  it('accepts a form, the address instead of the name, and any case', async () => {
    const user = await server.user();
    const forms: Record<string, string>[] = [
      { username: user.username, password: user.password },
      { username: user.email, password: user.password, grant_type: 'password', scope: '' },
    ];
    for (const form of forms) {
      const answer = await server.request('POST', '/api/auth/login', { body: new URLSearchParams(form) });
      assert.equal(answer.status, 200, answer.text);
      assert.equal(answer.body.user.id, user.id);
    }
    for (const username of [user.email, user.username.toUpperCase(), user.email.toUpperCase()]) {
      assert.equal((await login({ username, password: user.password })).status, 200);
    }
  });

  it('refuses a wrong password and an unknown name alike', async () => {
    const user = await server.user();
    const answers = [
      await login({ username: user.username, password: 'wrong' }),
      await login({ username: 'nobody-at-all', password: 'wrong' }),
      await login({ username: user.username, password: user.password.toUpperCase() }),
      await login({ username: `${user.username} x`, password: user.password }),
      await login({ username: `${user.username.slice(0, -1)}%`, password: user.password }),
      await login({ username: `' or 1=1 --`, password: user.password }),
    ];
    for (const answer of answers) {
      const challenge = answer.headers.get('www-authenticate');
      assert.deepEqual([answer.status, told(answer), challenge], [401, wrong, 'Bearer']);
    }
  });

  it('needs both fields, as text, once', async () => {
    const missing = await login({});
    assert.equal(missing.status, 422);
    assert.deepEqual(
      missing.body.detail.map(({ loc }: { loc: string[] }) => loc.join('.')),
      ['body.username', 'body.password'],
    );
    assert.equal((await login({ username: 'x', password: { $ne: 1 } })).status, 422);
    assert.equal((await login({ username: 'x', password: 12345678 })).status, 422);
    assert.equal((await login({ username: 'x\0', password: 'x' })).status, 422);
    const twice = await server.request('POST', '/api/auth/login', {
      body: new URLSearchParams('username=a&username=b&password=c'),
    });
    assert.equal(twice.status, 422);
    const empty = await server.post('/api/auth/login');
    assert.deepEqual(
      [empty.status, empty.body.detail],
      [422, [{ loc: ['body'], msg: 'Field required', type: 'missing' }]],
    );
  });

  it('limits guesses, but not the user on a known network', async () => {
    const user = await server.user();
    const home = newAddress();
    assert.equal((await login(user, home)).status, 200);
    const guesser = newAddress();
    const guess = { username: user.username, password: 'wrong' };
    for (let index = 0; index < 3; index += 1) assert.equal((await login(guess, guesser)).status, 401);
    for (const attempt of [guess, { ...guess, username: user.username.toUpperCase() }, user]) {
      const refused = await login(attempt, guesser);
      const { status, headers } = refused;
      assert.equal(status, 429);
      assert.deepEqual(told(refused), {
        detail: 'Too many failed logins; try again in 10 minutes',
        code: 'too_many_logins',
      });
      const seconds = Number(headers.get('retry-after'));
      assert.ok(Number.isInteger(seconds) && seconds > 500 && seconds <= 600, `Retry-After: ${seconds}`);
    }
    assert.equal((await login(user, home)).status, 200);
    assert.equal((await login(user, home.replace(/1$/, '200'))).status, 200, 'the same network');
    assert.equal((await login(await server.user(), guesser)).status, 200);
  });

  it('allows no further guesses from other networks or with other spellings', async () => {
    const user = await server.user();
    assert.equal((await server.post('/api/auth/login', undefined, user)).status, 200);
    const names = [user.username, user.email, ` ${user.email.toUpperCase()} `];
    const wrongly = (username: string) => login({ username, password: 'wrong' });
    for (const username of names) assert.equal((await wrongly(username)).status, 401);
    for (const username of names) assert.equal((await wrongly(username)).status, 429);
    assert.equal((await login(user)).status, 429, 'from a network that the account is not known from');
    // The login before the guesses came from here.
    assert.equal((await server.post('/api/auth/login', undefined, user)).status, 200);
  });

  it('increases the wait with each failure', async () => {
    const user = await server.user();
    const address = newAddress();
    const wait = async () => Number((await login(user, address)).headers.get('retry-after'));
    const guess = { username: user.username, password: 'wrong' };
    for (let index = 0; index < 3; index += 1) assert.equal((await login(guess, address)).status, 401);
    assert.ok((await wait()) <= 600);
    const { db } = server.application;
    await db.updateTable('login_throttles').set({ blocked_until: sql<Date>`now() - interval '1 second'` }).execute();
    assert.equal((await login(guess, address)).status, 401);
    const longer = await wait();
    assert.ok(longer > 600 && longer <= 900, `Retry-After: ${longer}`);
  });

  it('limits attempts with many names', async () => {
    const guesser = newAddress();
    for (let index = 0; index < 12; index += 1) {
      assert.equal((await login({ username: `unknown${index}`, password: 'x' }, guesser)).status, 401);
    }
    assert.equal((await login({ username: 'unknown12', password: 'x' }, guesser)).status, 429);
  });

  it('treats an IPv6 network as one address, because a client has all of it', async () => {
    const user = await server.user();
    const guess = { username: user.username, password: 'wrong' };
    const statuses: number[] = [];
    for (let index = 1; index <= 4; index += 1) statuses.push((await login(guess, `2001:db8:0:7${index}::1`)).status);
    assert.deepEqual(statuses, [401, 401, 401, 429]);
    const other = await server.user();
    assert.equal((await login({ ...other, password: 'wrong' }, '2001:db8:0:ff::1')).status, 401);
    assert.equal((await login(other, '2001:db8:0:100::1')).status, 200);
  });

  it('ignores an address claimed by the client', async () => {
    const user = await server.user();
    const proxied = newAddress();
    const statuses: number[] = [];
    for (let index = 0; index < 5; index += 1) {
      statuses.push(
        (await login({ username: user.username, password: 'wrong' }, `203.0.113.${index}, ${proxied}`)).status,
      );
    }
    assert.deepEqual(statuses, [401, 401, 401, 429, 429]);
  });

  it('hides whether a password is right when guesses come concurrently', async () => {
    const user = await server.user();
    const guesser = newAddress();
    const guesses = Array.from({ length: 30 }, () => login({ username: user.username, password: 'wrong' }, guesser));
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    assert.ok(statuses.filter((status) => status === 401).length <= 15, String(statuses));
    assert.equal((await login(user, guesser)).status, 429);
  });

  it('resets the failures after the right password', async () => {
    const user = await server.user();
    const address = newAddress();
    const wrongOne = { username: user.username, password: 'wrong' };
    for (let round = 0; round < 3; round += 1) {
      for (let index = 0; index < 2; index += 1) assert.equal((await login(wrongOne, address)).status, 401);
      assert.equal((await login(user, address)).status, 200);
    }
  });

  it('refuses a deactivated user in the same words', async () => {
    const user = await server.user();
    await server.application.db.updateTable('users').set({ is_active: false }).where('id', '=', user.id).execute();
    const refused = await login(user);
    assert.deepEqual([refused.status, told(refused)], [401, wrong]);
  });
});

describe('a session', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
  });
  after(() => server[Symbol.asyncDispose]());
  const login = (user: { username: string; password: string }) => server.post('/api/auth/login', undefined, user);
  const me = async (token: string) => (await server.get('/api/auth/me', token)).status;

  it('is refreshed with a new valid token', async () => {
    const user = await server.user();
    const { status, body } = await server.post('/api/auth/refresh', user.token);
    assert.equal(status, 200);
    assert.deepEqual([body.token_type, body.expires_in, body.user.id], ['bearer', 28_800, user.id]);
    assert.equal(await me(body.access_token), 200);
    assert.equal(await me(user.token), 200);
  });

  it('ends for every older token of the user at a logout, and for no other user', async () => {
    const [user, other] = [await server.user(), await server.user()];
    const second = (await login(user)).body.access_token;
    const { status, body } = await server.post('/api/auth/logout', user.token);
    assert.deepEqual([status, body], [200, { detail: 'Logged out' }]);
    assert.deepEqual([await me(user.token), await me(second), await me(other.token)], [401, 401, 200]);
    assert.equal((await server.post('/api/auth/refresh', user.token)).status, 401);
  });

  it('can begin again in the same moment', async () => {
    const user = await server.user();
    for (let round = 0; round < 10; round += 1) {
      const { access_token } = (await login(user)).body;
      assert.equal((await server.post('/api/auth/logout', access_token)).status, 200);
      const fresh = (await login(user)).body.access_token;
      assert.deepEqual([await me(access_token), await me(fresh)], [401, 200]);
    }
  });

  it('continues after a password change, whose answer has the only valid token', async () => {
    const user = await server.user();
    const change = (old_password: string, new_password: unknown, token = user.token) =>
      server.put('/api/auth/password', token, { old_password, new_password });
    const mistaken = await change('wrong', 'a new password');
    assert.deepEqual(
      [mistaken.status, mistaken.code, mistaken.body],
      [400, 'wrong_password', { detail: 'The old password is incorrect' }],
    );
    assert.equal((await change(user.password, 'short')).status, 422);
    assert.equal((await change(user.password, 'é'.repeat(37))).status, 422);
    assert.equal((await server.put('/api/auth/password', user.token, {})).body.detail.length, 2);
    assert.equal(await me(user.token), 200);

    const { status, body } = await change(user.password, 'a new password');
    assert.equal(status, 200);
    assert.deepEqual([await me(user.token), await me(body.access_token)], [401, 200]);
    assert.equal((await login(user)).status, 401);
    assert.equal((await login({ ...user, password: 'a new password' })).status, 200);
  });
});

describe('the first administrator', () => {
  it('is created once by processes that start together', async () => {
    await using server = await TestServer.start();
    const first = { username: 'first', email: 'first@example.com', password: undefined };
    const users = new UserStore(server.application.db);
    const hash = (password: string) => new Passwords(server.config.passwords).hash(password);
    const ensure = () => ensureFirstAdministrator(users, hash, first);
    const made = await Promise.all(Array.from({ length: 5 }, ensure));
    const passwords = made.flatMap((one) => one?.generatedPassword ?? []);
    assert.equal(passwords.length, 1);
    const json = { username: 'first', password: passwords[0] };
    const login = await server.post('/api/auth/login', undefined, json);
    assert.deepEqual([login.status, login.body.user.role], [200, 'admin']);
    assert.equal(await ensure(), undefined);
  });
});
