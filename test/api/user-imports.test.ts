import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { lock } from '../../src/database/locks.ts';
import { type Answer, TestServer, type TestUser } from '../server.ts';
import { until } from '../until.ts';

const base = '/api/admin/user-imports';
const key = { SECRET_KEY: 'the same key in all processes of the test' };
type Problem = { line: number; column: string | null; code: string; params: object };

describe('imports of users in the background', () => {
  let server: TestServer;
  let admin: TestUser;
  before(async () => {
    server = await TestServer.start({ maxImportLines: 1000, ...key });
    admin = await server.user('admin');
  });
  after(() => server[Symbol.asyncDispose]());

  const send = (path: string, body: string | Uint8Array<ArrayBuffer>, on = server): Promise<Answer> =>
    on.request('POST', path, { token: admin.token, body, headers: { 'content-type': 'text/csv' } });
  const check = (body: string | Uint8Array<ArrayBuffer>, query = '') => send(`${base}/check${query}`, body);
  const problems = ({ body }: Answer) =>
    body.problems.map(({ line, column, code, params }: Problem) => [line, column, code, params]);
  const ended = async (id: number): Promise<Answer['body']> => {
    const read = async () => (await server.get(`${base}/${id}`, admin.token)).body;
    await until(async () => (await read()).status !== 'running', 'the end of the import');
    return await read();
  };
  const found = async (q: string) => (await server.get(`/api/admin/users?q=${q}`, admin.token)).body.length;
  const login = (username: string, password: string) =>
    server.post('/api/auth/login', undefined, { username, password });
  const open = (code: string, password?: string) => server.post('/api/auth/invitation', undefined, { code, password });

  it('are checked first: what each column is, and the problems of all lines', async () => {
    const lines = [
      'Иванов;Иван;ivan;ivan@example.com;Студент',
      ';;x;nowhere;король',
      `;;${admin.username};a@b.example.com;`,
    ];
    const answer = await check(`Фамилия;Имя;Логин;E-mail;Роль\r\n${lines.join('\r\n')}\r\na;b\r\n`);
    assert.equal(answer.status, 200, answer.text);
    const { encoding, separator, has_header, columns, lines: count } = answer.body;
    assert.deepEqual([encoding, separator, has_header, count], ['utf-8', 'semicolon', true, 4]);
    assert.deepEqual(
      columns.map(({ field }: { field: string }) => field),
      ['name_part', 'name_part', 'username', 'email', 'role'],
    );
    assert.deepEqual(problems(answer), [
      [3, 'username', 'too_short', {}],
      [3, 'email', 'email_invalid', {}],
      [3, 'role', 'role_unknown', {}],
      [4, 'username', 'taken', {}],
      [5, null, 'cell_count', { cells: 2, columns: 5 }],
    ]);
    const bytes = Buffer.from('\uFEFFlogin\tmail\tpass\nanna\tanna@example.com\tsecret words\n', 'utf16le');
    const other = await check(bytes);
    assert.deepEqual([other.body.encoding, other.body.separator, other.body.problem_count], ['utf-16le', 'tab', 0]);
    assert.deepEqual([other.body.outcomes, other.body.columns[2].example], [{ created: 1, invited: 0 }, null]);
  });

  it('take the columns for what the caller says', async () => {
    const file = 'Anna Petrova,anna-p,anna-p@example.com,x\n';
    const guessed = await check(file);
    assert.deepEqual([guessed.body.has_header, guessed.body.columns[2].field], [false, 'email']);
    assert.deepEqual(problems(guessed), [[1, null, 'column_missing', { column: 'username' }]]);
    const query = '?header=false&columns=full_name,username,email,';
    assert.equal((await check(file, query)).body.problem_count, 0);
    const { id } = (await send(`${base}${query}`, file)).body;
    assert.equal((await ended(id)).status, 'done');
    const [user] = (await server.get('/api/admin/users?q=anna-p', admin.token)).body;
    assert.deepEqual([user.full_name, user.email, user.role], ['Anna Petrova', 'anna-p@example.com', 'student']);
    for (const columns of ['username', 'a,b,c,d']) assert.equal((await check(file, `?columns=${columns}`)).status, 422);
    const twice = await check(file, '?header=false&columns=username,username,email,');
    assert.deepEqual(problems(twice), [[1, null, 'column_twice', { column: 'username' }]]);
  });

  it('list the first 500 problems, and count the others', async () => {
    const file = `username,email\n${'x,y\n'.repeat(600)}`;
    const { body } = await check(file);
    assert.deepEqual([body.problems.length, body.problem_count > 1100], [500, true]);
    const refused = await send(base, file);
    assert.deepEqual([refused.status, refused.body.detail.length], [422, 500]);
    assert.equal(refused.headers.get('error-total'), String(body.problem_count));
    const most = `username,email\n${'a,b\n'.repeat(1001)}`;
    assert.deepEqual(problems(await check(most)), [[1, null, 'too_many_lines', { max: 1000 }]]);
  });

  // Long: the life of an invitation.
  it('create users with their passwords, and invite the others', async () => {
    const file =
      'username,email,password\nwith-own,with-own@example.com,her own password\n,,\ninvited,invited@example.com,\n';
    const started = await send(base, file);
    assert.equal(started.status, 202, started.text);
    const { id } = started.body;
    assert.deepEqual(
      { ...(await ended(id)), created_at: 0, finished_at: 0 },
      {
        ...{ id, status: 'done', total: 2, done: 2, invited: 1, has_codes: false, problems: null },
        ...{ created_at: 0, finished_at: 0 },
      },
    );
    assert.equal((await login('with-own', 'her own password')).status, 200);
    assert.equal((await login('invited', '')).status, 422);
    const first = await server.post(`${base}/${id}/invitations`, admin.token);
    const second = await server.post(`${base}/${id}/invitations`, admin.token);
    const [code, newer] = [first.body[0].code, second.body[0].code];
    assert.deepEqual([first.body.length, first.body[0].username], [1, 'invited']);
    const refused = await open(code, 'a new password');
    assert.deepEqual([refused.status, refused.code], [403, 'wrong_invitation'], 'the newer code replaces the first');
    const invited = { username: 'invited', email: 'invited@example.com', full_name: null };
    assert.deepEqual((await open(newer)).body, invited);
    assert.equal((await login('invited', 'a new password')).status, 401, 'reading an invitation changes nothing');
    assert.deepEqual((await open(newer.toLowerCase(), 'a new password')).body, invited);
    assert.equal((await login('invited', 'a new password')).status, 200);
    assert.equal((await open(newer, 'another password')).status, 403, 'it is used');
    assert.deepEqual((await server.post(`${base}/${id}/invitations`, admin.token)).body, []);
    const [user] = (await server.get('/api/admin/users?q=invited', admin.token)).body;
    const again = await server.post(`/api/admin/users/${user.id}/invitation`, admin.token);
    assert.equal(
      (await login('invited', 'a new password')).status,
      200,
      'a password stays until the invitation is used',
    );
    await server.put(`/api/admin/users/${user.id}`, admin.token, { password: 'set otherwise' });
    assert.equal((await open(again.body.code, 'another password')).status, 403, 'there is a password now');
    assert.equal((await server.post('/api/admin/users/2000000/invitation', admin.token)).status, 404);
    const { db } = server.application;
    const texts = JSON.stringify(await db.selectFrom('invitations').selectAll().execute());
    assert.ok(!texts.includes(again.body.code));
  });

  it('give a user who has forgotten the password another one, which ends their sessions', async () => {
    const user = await server.user();
    const { body, status } = await server.post(`/api/admin/users/${user.id}/invitation`, admin.token);
    assert.equal(status, 201);
    assert.equal((await server.get('/api/auth/me', user.token)).status, 200, 'the link alone changes nothing');
    assert.equal((await open(body.code, 'a new password')).status, 200);
    assert.equal((await server.get('/api/auth/me', user.token)).status, 401);
    assert.equal((await login(user.username, user.password)).status, 401);
    assert.equal((await login(user.username, 'a new password')).status, 200);
    const entries = (await server.get(`/api/admin/activity?user_id=${user.id}`, admin.token)).body;
    const types = entries.map(({ type }: { type: string }) => type);
    assert.ok(types.includes('admin_user_invite') && types.includes('invitation_accept'), types.join());
  });

  it('create nobody where a username is taken before the end, or where they are cancelled', async () => {
    const { db } = server.application;
    const lines = (name: string) =>
      `username,email,password\n${name}-1,${name}-1@example.com,a long password\n${name}-2,${name}-2@example.com,\n`;
    // Holds the import before its end: nobody is inserted while this transaction has the lock.
    const [taken, cancelled] = await db.transaction().execute(async (trx) => {
      await lock(trx, 'imported users');
      const { id } = (await send(base, lines('late'))).body;
      const other = await send(base, lines('other'));
      assert.deepEqual([other.status, other.code], [409, 'import_running']);
      const json = { username: 'LATE-2', email: 'late@example.com', password: 'a long password' };
      assert.equal((await server.post('/api/admin/users', admin.token, json)).status, 201);
      return [id, undefined];
    });
    const failed = await ended(taken);
    assert.deepEqual([failed.status, failed.problems[0].code, failed.problems[0].line], ['failed', 'taken', 3]);
    assert.deepEqual([await found('late-1'), cancelled], [0, undefined]);
    const id = await db.transaction().execute(async (trx) => {
      await lock(trx, 'imported users');
      const begun = (await send(base, lines('gone'))).body.id;
      assert.equal((await server.post(`${base}/${begun}/cancel`, admin.token)).body.status, 'cancelled');
      return begun;
    });
    const late = await server.post(`${base}/${id}/cancel`, admin.token);
    assert.deepEqual([late.status, late.code], [409, 'import_not_running']);
    assert.equal((await send(base, lines('next'))).status, 202);
    await until(async () => (await found('next-1')) === 1, 'the next import');
    assert.equal(await found('gone-'), 0);
    assert.equal((await db.selectFrom('user_import_lines').selectAll().execute()).length, 0);
    assert.equal((await server.get(`${base}/2000000`, admin.token)).status, 404);
    assert.equal((await server.get(base, admin.token)).body[0].status, 'done');
  });

  it('continue in another process where one has ended', async () => {
    await using slow = await TestServer.start({ BCRYPT_COST: '11', ...key }, { database: server.database });
    const lines = Array.from(
      { length: 8 },
      (_, index) => `resumed-${index},resumed-${index}@example.com,a long password\n`,
    );
    const { id } = (await send(base, `username,email,password\n${lines.join('')}`, slow)).body;
    await until(async () => (await server.get(`${base}/${id}`, admin.token)).body.done > 0, 'the first hash');
    await slow[Symbol.asyncDispose]();
    const left = (await server.get(`${base}/${id}`, admin.token)).body;
    assert.deepEqual([left.status, left.done < 8, await found('resumed-')], ['running', true, 0]);
    await using next = await TestServer.start(key, { database: server.database });
    assert.equal((await ended(id)).status, 'done');
    assert.equal((await next.get(`${base}/${id}`, admin.token)).body.done, 8);
    assert.equal(await found('resumed-'), 8);
    assert.equal((await login('resumed-7', 'a long password')).status, 200);
  });

  it('end without a deadlock where two create the same users in different orders', async () => {
    const lines = Array.from(
      { length: 100 },
      (_, index) => `order-${index},order-${index}@example.com,,student,a password\n`,
    );
    const head = 'username,email,full_name,role,password\n';
    const swapped = lines.map((_, index) => `order-${99 - index},order-${index}@example.com,,student,a password\n`);
    const registered = (index: number) => {
      const [username, email] = [`order-${index}`, `order-${99 - index}@example.com`];
      return server.post('/api/auth/register', undefined, { username, email, password: 'a long password' });
    };
    const answers = await Promise.all([
      ...[lines, lines.toReversed(), swapped].map((file) => send('/api/admin/users/import', head + file.join(''))),
      ...[10, 50, 90].map(registered),
    ]);
    for (const { status, text } of answers) assert.ok([200, 201, 400, 422].includes(status), text);
  });
});
