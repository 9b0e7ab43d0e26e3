import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { tokenScopes } from '../../src/values/token-scopes.ts';
import { finishAttempt } from '../finished-attempt.ts';
import { makeAssessment } from '../made-assessment.ts';
import { itLong } from '../rounds.ts';
import { TestServer, type TestUser } from '../server.ts';

describe('personal tokens', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start({}, { engine: { reason: 'this test has none' } });
  });
  after(() => server?.[Symbol.asyncDispose]());

  const create = (user: TestUser, fields: object = {}) =>
    server.post('/api/auth/tokens', user.token, { name: 'CI', scopes: ['read'], ...fields });
  async function made(user: TestUser, fields: object = {}): Promise<{ id: number; token: string }> {
    const { status, body, text } = await create(user, fields);
    assert.equal(status, 201, text);
    return body;
  }
  const me = (token: string) => server.get('/api/auth/me', token);
  const listed = async (user: TestUser) => (await server.get('/api/auth/tokens', user.token)).body;

  it('are shown once, work as a bearer token, and are refused once deleted', async () => {
    const user = await server.user();
    const { body } = await create(user, { name: 'Backup of my notes', scopes: ['read', 'write'] });
    assert.match(body.token, /^lps_[\w-]{43}$/);
    const days = (Date.parse(body.expires_at) - Date.parse(body.created_at)) / 86_400_000;
    assert.equal(Math.round(days), 90);
    const { token, ...row } = body;
    assert.deepEqual(await listed(user), [{ ...row, last_used_at: null }]);
    assert.equal((await me(token)).body.id, user.id);
    assert.notEqual((await listed(user))[0].last_used_at, null);
    const stored = await server.application.db.selectFrom('personal_tokens').selectAll().execute();
    assert.ok(!JSON.stringify(stored).includes(token.slice(4)));
    assert.equal((await server.delete(`/api/auth/tokens/${body.id}`, user.token)).status, 200);
    assert.deepEqual([(await me(token)).status, await listed(user)], [401, []]);
  });

  it('are valid to their end, also after a logout, and while their user may log in', async () => {
    const [user, admin] = [await server.user(), await server.user('admin')];
    const { id, token } = await made(user);
    await server.post('/api/auth/logout', user.token);
    assert.equal((await me(token)).status, 200);
    const activate = (is_active: boolean) => server.put(`/api/admin/users/${user.id}`, admin.token, { is_active });
    assert.equal((await activate(false)).status, 200);
    assert.equal((await me(token)).status, 401);
    await activate(true);
    assert.equal((await me(token)).status, 200);
    const row = server.application.db.updateTable('personal_tokens').where('id', '=', id);
    await row.set({ expires_at: new Date() }).execute();
    assert.equal((await me(token)).status, 401);
    for (const wrong of ['lps_', `lps_${'A'.repeat(43)}`, `${token}x`]) assert.equal((await me(wrong)).status, 401);
  });

  it('permit what each scope says', async () => {
    const admin = await server.user('admin');
    const requests = {
      read: ['GET', '/api/notes'],
      write: ['DELETE', '/api/profile/avatar'],
      content: ['GET', '/api/teaching/courses'],
      grades: ['GET', '/api/instructor/overview'],
      admin: ['GET', '/api/admin/users'],
    } as const;
    for (const scope of tokenScopes) {
      const { token } = await made(admin, { scopes: [scope] });
      for (const other of tokenScopes) {
        const [method, path] = requests[other];
        const { status, code } = await server.request(method, path, { token });
        assert.deepEqual([status, code], scope === other ? [200, null] : [403, 'scope'], `${scope}: ${other}`);
      }
    }
    const student = await server.user();
    const { token } = await made(student, { scopes: tokenScopes });
    assert.equal((await server.get('/api/admin/users', token)).code, 'admin_required');
  });

  it('show the work of students with the scope of grades only', async () => {
    const [teacher, student, admin] = [
      await server.user('instructor'),
      await server.user(),
      await server.user('admin'),
    ];
    const exam = await makeAssessment(server, admin, 'exam', ['echo PASS']);
    const attempt = await finishAttempt(server, student, 'exam', exam, [true]);
    const { body } = await server.post('/api/classes', teacher.token, { name: 'Linux' });
    const paths = ['results', 'answers', 'feedback'].map((part) => `/api/exams/attempts/${attempt}/${part}`);
    const statusesOf = async (scopes: readonly string[], asked: readonly string[]) => {
      const { token } = await made(teacher, { scopes });
      return await Promise.all(asked.map(async (path) => (await server.get(path, token)).status));
    };
    assert.deepEqual(await statusesOf(['read', 'content'], paths), [404, 404, 404]);
    assert.deepEqual(await statusesOf(['read', 'grades'], paths), [200, 200, 200]);
    const staffs = [
      `/api/classes/${body.id}/progress`,
      '/api/exam-sessions/1/room',
      '/api/exam-sessions/1/room/events',
    ];
    assert.deepEqual(await statusesOf(['read', 'write'], staffs), [403, 403, 403]);
    assert.deepEqual(await statusesOf(['grades'], staffs), [200, 404, 404]);
  });

  it('cannot choose the address, with which one sets a new password', async () => {
    const user = await server.user();
    const { token } = await made(user, { scopes: tokenScopes });
    const changed = await server.put('/api/profile/me', token, { email: 'thief@example.com' });
    assert.deepEqual([changed.status, changed.code], [403, 'scope']);
    assert.equal((await server.put('/api/profile/me', token, { email: user.email, bio: 'New' })).status, 200);
    const admin = await server.user('admin');
    const ofAdmin = (await made(admin, { scopes: tokenScopes })).token;
    const own = await server.put(`/api/admin/users/${admin.id}`, ofAdmin, { email: 'thief@example.com' });
    assert.deepEqual([own.status, own.code], [403, 'scope']);
  });

  it('are made, as all that outlives a token, only soon after a login', async () => {
    const user = await server.user();
    const age = sql`update logins set created_at = now() - interval '16 minutes' where user_id = ${user.id}`;
    await age.execute(server.application.db);
    const refused = [
      await create(user),
      await server.post('/api/auth/totp', user.token),
      await server.post('/api/auth/identities', user.token, { provider_id: 1 }),
    ];
    for (const { status, code } of refused) assert.deepEqual([status, code], [403, 'login_not_recent']);
  });

  itLong('never change anything with the scope read, nor with all scopes a login, a password or a token', async () => {
    const admin = await server.user('admin');
    const reads = await made(admin);
    const all = await made(admin, { scopes: tokenScopes });
    const { body } = await server.get('/api/openapi.json');
    let count = 0;
    for (const [path, operations] of Object.entries<Record<string, { tags?: string[]; security?: object[] }>>(
      body.paths,
    ))
      for (const [method, { tags, security }] of Object.entries(operations)) {
        if (!security?.length) continue;
        const givesToken = method === 'post' && path.endsWith('/view');
        const hasLogins = path === '/api/profile/data' || tags?.includes('auth') === true;
        const isOfLogins = givesToken || (hasLogins && path !== '/api/auth/me');
        if (method === 'get' && !isOfLogins) continue;
        const { token } = isOfLogins ? all : reads;
        const address = path.replaceAll(/\{[^}]*\}/g, '1');
        const { status, code } = await server.request(method.toUpperCase(), address, { token });
        assert.deepEqual([status, code], [403, 'scope'], `${method} ${path}`);
        count += 1;
      }
    assert.ok(count > 100, `${count} operations`);
  });

  it('show the checks of exams with the scope of content only', async () => {
    const admin = await server.user('admin');
    const exam = await makeAssessment(server, admin, 'exam', ['echo a check']);
    const paths = ['/api/exams', `/api/exams/${exam}`];
    const revision = `/api/exams/${exam}/revisions/1`;
    const plain = await made(admin);
    const { token } = await made(admin, { scopes: ['read', 'content'] });
    for (const path of paths) {
      const [without, withContent] = [await server.get(path, plain.token), await server.get(path, token)];
      assert.deepEqual([without.status, withContent.status], [200, 200]);
      assert.deepEqual(
        [without, withContent].map(({ text }) => text.includes('echo a check')),
        [false, true],
        path,
      );
    }
    assert.deepEqual(
      [(await server.get(revision, plain.token)).code, (await server.get(revision, token)).code],
      ['scope', 'not_found'],
    );
  });

  it('show the solutions of own attempts with the scope of content only', async () => {
    const teacher = await server.user('instructor');
    const admin = await server.user('admin');
    const exam = await makeAssessment(server, admin, 'exam', ['echo PASS']);
    const { tasks } = (await server.get(`/api/admin/exams/${exam}`, admin.token)).body;
    const solution = { solution: 'Read the manual', solution_visible: 'never' };
    assert.equal(
      (await server.put(`/api/admin/exams/${exam}/tasks/${tasks[0].id}`, admin.token, solution)).status,
      200,
    );
    const attempt = await finishAttempt(server, teacher, 'exam', exam, [false]);
    const path = `/api/exams/attempts/${attempt}/results`;
    for (const [scopes, isShown] of [
      [['read'], false],
      [['read', 'content'], true],
    ] as const) {
      const { status, text } = await server.get(path, (await made(teacher, { scopes })).token);
      assert.deepEqual([status, text.includes('Read the manual')], [200, isShown]);
    }
  });

  it('change no password of their user', async () => {
    const admin = await server.user('admin');
    const { token } = await made(admin, { scopes: ['admin'] });
    const own = `/api/admin/users/${admin.id}`;
    const password = 'Another-good-1-password';
    const refused = await server.put(own, token, { password });
    assert.deepEqual([refused.status, refused.code], [403, 'scope']);
    assert.equal((await server.put(own, token, { full_name: 'Ada' })).status, 200);
    const other = await server.user();
    assert.equal((await server.put(`/api/admin/users/${other.id}`, token, { password })).status, 200);
  });

  it('end within a year, belong to their user alone, and are at most fifty', async () => {
    const [user, other] = [await server.user(), await server.user('admin')];
    const now = Date.now();
    for (const expires_at of [new Date(now - 1000), new Date(now + 367 * 86_400_000)]) {
      const { status, text } = await create(user, { expires_at: expires_at.toISOString() });
      assert.equal(status, 422, text);
    }
    for (const scopes of [[], ['read', 'read'], ['all']]) assert.equal((await create(user, { scopes })).status, 422);
    const { id, token } = await made(user);
    assert.equal((await server.delete(`/api/auth/tokens/${id}`, other.token)).status, 404);
    assert.equal((await me(token)).status, 200);
    for (let count = 1; count < 49; count += 1) await made(user);
    const last = await Promise.all([create(user), create(user)]);
    assert.deepEqual(last.map(({ status }) => status).sort(), [201, 409]);
    assert.equal(last.find(({ status }) => status === 409)?.code, 'too_many_tokens');
  });

  it('open terminals with the scope write only, those of students with that of grades as well', async () => {
    const user = await server.user();
    const codeOf = async (token: string, container = 1): Promise<number> => {
      const socket = new WebSocket(`${server.url.replace('http', 'ws')}/ws/terminal/${container}?token=${token}`);
      return await new Promise((resolve) => socket.addEventListener('close', ({ code }) => resolve(code)));
    };
    const codes = [
      await codeOf((await made(user)).token),
      await codeOf((await made(user, { scopes: ['write'] })).token),
    ];
    assert.deepEqual(codes, [4403, 4404]);
    const [teacher, { db }] = [await server.user('instructor'), server.application];
    const box = { name: 'box', user_id: user.id, kind: 'sandbox', image: 'none', status: 'failed' } as const;
    const { id } = await db.insertInto('containers').values(box).returning('id').executeTakeFirstOrThrow();
    const watches = [
      await codeOf((await made(teacher, { scopes: ['read', 'write'] })).token, id),
      await codeOf((await made(teacher, { scopes: ['write', 'grades'] })).token, id),
    ];
    assert.deepEqual(watches, [4403, 4409]);
  });
});
