import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Answer, TestServer, type TestUser, told } from '../server.ts';

const refusal = { detail: 'The join code is not valid', code: 'unknown_code' };

describe('joining a class with a code', () => {
  let server: TestServer;
  let admin: TestUser;
  let teacher: TestUser;
  before(async () => {
    const env = { TRUST_PROXY: 'true', loginFailuresPerAccount: 3, PEOPLE_PER_ADDRESS: '3' };
    server = await TestServer.start({ ...env, maxJoinCodesPerClass: 6 });
    admin = await server.user('admin');
    teacher = await server.user('instructor');
  });
  after(() => server[Symbol.asyncDispose]());

  let networks = 0;
  const join = (user: TestUser, code: string, address?: string) => {
    networks += 1;
    const headers = { 'x-forwarded-for': address ?? `198.18.${networks}.1` };
    return server.request('POST', '/api/classes/join', { token: user.token, json: { code }, headers });
  };
  const schoolClass = async (): Promise<number> =>
    (await server.post('/api/classes', teacher.token, { name: 'Joined' })).body.id;
  const create = async (id: number, fields: object = {}) => {
    const { status, body, text } = await server.post(`/api/classes/${id}/join-codes`, teacher.token, fields);
    assert.equal(status, 201, text);
    return body;
  };
  const count = async (id: number) => (await server.get(`/api/classes/${id}`, admin.token)).body.member_count;
  const is = (answer: Answer, status: number, body: unknown) =>
    assert.deepEqual([answer.status, told(answer)], [status, body]);

  it('accepts a code in any spelling once for each user', async () => {
    const id = await schoolClass();
    const code = await create(id, { max_uses: 2, expires_at: '2099-01-01T00:00:00+01:00' });
    const keys = ['code', 'created_at', 'email_domain', 'expires_at', 'id', 'max_uses', 'uses'];
    assert.deepEqual(Object.keys(code).sort(), keys);
    assert.match(code.code, /^[A-HJKMNP-Z2-9]{12}$/);
    assert.deepEqual([code.expires_at, code.uses, code.email_domain], ['2098-12-31T23:00:00.000Z', 0, null]);
    const [one, two, three] = [await server.user(), await server.user(), await server.user()];
    const joined = await join(
      one,
      `${code.code.slice(0, 4)}-${code.code.slice(4, 8)} ${code.code.slice(8)}`.toLowerCase(),
    );
    assert.deepEqual([joined.status, joined.body.id, joined.body.my_role], [200, id, 'student']);
    is(await join(one, code.code), 200, joined.body);
    assert.equal((await join(two, code.code)).body.member_count, 3);
    assert.equal((await join(one, code.code)).status, 200, 'of a member, also when it is used up');
    is(await join(three, code.code), 404, refusal);
    assert.equal((await join(teacher, code.code)).body.my_role, 'instructor');
    const [listed] = (await server.get(`/api/classes/${id}/join-codes`, teacher.token)).body;
    assert.deepEqual(listed, { ...code, uses: 2 });
  });

  it('refuses expired, withdrawn, foreign and wrong codes, and those of archived classes, in the same way', async () => {
    const id = await schoolClass();
    const expired = await create(id, { expires_at: '2020-01-01T00:00:00Z' });
    const withdrawn = await create(id);
    const path = `/api/classes/${id}/join-codes`;
    is(await server.delete(`${path}/${withdrawn.id}`, teacher.token), 200, { detail: 'Join code withdrawn' });
    is(await server.delete(`${path}/${withdrawn.id}`, teacher.token), 404, {
      detail: 'Join code not found',
      code: 'not_found',
    });
    const foreign = await create(id, { email_domain: 'example.org' });
    const other = await schoolClass();
    const archived = await create(other);
    is(await server.delete(`${path}/${archived.id}`, teacher.token), 404, {
      detail: 'Join code not found',
      code: 'not_found',
    });
    await server.put(`/api/classes/${other}`, teacher.token, { is_archived: true });
    for (const { code } of [expired, withdrawn, foreign, archived, { code: 'ABCDEFGH2345' }, { code: ' - ' }])
      is(await join(await server.user(), code), 404, refusal);
    assert.deepEqual([await count(id), await count(other)], [1, 1]);
    assert.equal((await join(await server.user(), '')).status, 422);
  });

  it('limits a code to a domain, however it is written', async () => {
    const id = await schoolClass();
    const code = await create(id, { email_domain: '@MÜNCHEN.de' });
    assert.equal(code.email_domain, 'xn--mnchen-3ya.de');
    const user = await server.user();
    is(await join(user, code.code), 404, refusal);
    for (const email of ['x@sub.münchen.de', 'x@notmünchen.de', 'münchen.de@example.com']) {
      assert.equal((await server.put('/api/profile/me', user.token, { email })).status, 200, email);
      if (email.startsWith('x@sub')) is(await join(user, code.code), 404, refusal);
    }
    await server.put('/api/profile/me', user.token, { email: 'x@münchen.de' });
    assert.equal((await join(user, code.code)).status, 200);
    const wrong = await server.post(`/api/classes/${id}/join-codes`, teacher.token, {
      ...{ email_domain: 'no domain', max_uses: 1 },
    });
    assert.deepEqual([wrong.status, wrong.body.detail[0].loc], [422, ['body', 'email_domain']]);
    const several = await server.post(`/api/classes/${id}/join-codes`, teacher.token, { max_uses: 0, expires_at: 'x' });
    assert.equal(several.body.detail.length, 2);
  });

  it('never exceeds the uses of a code, even under concurrent requests', async () => {
    const id = await schoolClass();
    const { code } = await create(id, { max_uses: 3 });
    const users = await Promise.all(Array.from({ length: 10 }, () => server.user()));
    const answers = await Promise.all(users.map((user) => join(user, code)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [...Array(3).fill(200), ...Array(7).fill(404)]);
    assert.equal(await count(id), 4);
    const again = await create(id, { max_uses: 2 });
    const eager = await server.user();
    const same = await Promise.all(Array.from({ length: 6 }, () => join(eager, again.code)));
    assert.deepEqual(
      same.map(({ status }) => status),
      Array(6).fill(200),
    );
    const [listed] = (await server.get(`/api/classes/${id}/join-codes`, teacher.token)).body;
    assert.equal(listed.uses, 1);
  });

  it('slows down guessing, by user and by network', async () => {
    const id = await schoolClass();
    const { code } = await create(id);
    const guesser = await server.user();
    const sentence = (minutes: string) => `Too many wrong join codes; try again in ${minutes}`;
    const wait = { detail: sentence('1 minute'), code: 'too_many_wrong_join_codes' };
    for (let index = 0; index < 3; index += 1) is(await join(guesser, `WRONG${index}`), 404, refusal);
    const blocked = await join(guesser, code);
    is(blocked, 429, wait);
    assert.ok(Number(blocked.headers.get('retry-after')) > 0);
    const address = (index: number) => `203.0.113.${index}`;
    for (let index = 0; index < 6; index += 1)
      is(await join(await server.user(), `WRONG${index}`, address(index)), 404, refusal);
    is(await join(await server.user(), code, address(99)), 429, { ...wait, detail: sentence('2 minutes') });
    assert.equal((await join(await server.user(), code)).status, 200, 'another user in another network');
    const session = { username: guesser.username, password: guesser.password };
    assert.equal((await server.post('/api/auth/login', undefined, session)).status, 200, 'logins are not affected');
    await server.delete(`/api/admin/users/${guesser.id}`, admin.token);
  });

  it('has a limited number of codes, which are in no log', async () => {
    const id = await schoolClass();
    const path = `/api/classes/${id}/join-codes`;
    const answers = await Promise.all(Array.from({ length: 9 }, () => server.post(path, teacher.token)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [...Array(6).fill(201), ...Array(3).fill(409)]);
    is(answers.find(({ status }) => status === 409) as Answer, 409, {
      detail: 'The class has 6 join codes already',
      code: 'too_many_join_codes',
    });
    const page = await server.get(`${path}?page_size=2`, teacher.token);
    assert.deepEqual([page.body.length, page.headers.get('x-total-count')], [2, '6']);
    const log = (await server.get(`/api/admin/activity?entity_type=class&entity_id=${id}`, admin.token)).text;
    assert.match(log, /class_join_code_create/);
    for (const { code } of page.body) assert.ok(!log.includes(code));
    for (const [role, status] of [
      ['student', 403],
      ['assistant', 403],
      ['instructor', 200],
    ] as const) {
      const user = await server.user(role === 'instructor' ? 'instructor' : 'student');
      await server.post(`/api/classes/${id}/members`, teacher.token, { user_id: user.id, role });
      assert.equal((await server.get(path, user.token)).status, status, role);
    }
  });
});
