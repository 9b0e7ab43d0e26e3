import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, describe, it } from 'node:test';
import { decodeJwt } from 'jose';
import { exchange, logInWithCookie } from '../login-cookie.ts';
import { ForgingProvider } from '../oidc/forging-provider.ts';
import {
  addProvider,
  begin,
  begunBy,
  comeBack,
  honest,
  logIn,
  pagesCookie,
  refusalOf,
  startWithProviders,
} from '../oidc/logins.ts';
import { SchoolProvider, schoolClient } from '../oidc/school-provider.ts';
import { itInRounds, rounds } from '../rounds.ts';
import { type Answer, TestServer, type TestUser, told } from '../server.ts';

const path = '/api/admin/identity-providers';

describe('identity providers', { timeout: 600_000 }, () => {
  let server: TestServer;
  let admin: TestUser;
  let provider: ForgingProvider;
  let school: { id: number };
  let names = 0;
  before(async () => {
    server = await startWithProviders();
    admin = await server.user('admin');
    provider = await new ForgingProvider().start();
    school = await addProvider(server, admin, provider.issuer, 'school');
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
    await provider?.[Symbol.asyncDispose]();
  });
  beforeEach(() => Object.assign(provider, { info: {}, isDown: false, metadata: {} }));

  const change = async (json: object, id = school.id) => {
    const answer = await server.put(`${path}/${id}`, admin.token, json);
    assert.equal(answer.status, 200, answer.text);
    return answer.body;
  };
  /** Claims of somebody whom nobody knows. */
  const somebody = (more: object = {}) => {
    names += 1;
    return { sub: `sub-${names}`, email: `somebody.${names}@school.example.com`, ...more };
  };
  const arrive = async (more: object) => await logIn(server, provider, 'school', more);
  /** The session that a login has given to the pages. */
  async function sessionOf(answer: Answer) {
    assert.equal(answer.status, 200, `${answer.text} ${answer.headers.get('location')}`);
    const { status, body } = await exchange(server, pagesCookie(answer) ?? '');
    assert.equal(status, 200);
    return body as { access_token: string; user: { id: number; username: string; role: string; email: string } };
  }
  const passwordLogin = ({ username, password }: TestUser) =>
    server.post('/api/auth/login', undefined, { username, password });

  /** Logins that are all at the provider before the first comes back. */
  const arriveTogether = async (people: object[]) => {
    const begun = await Promise.all(people.map(() => begin(server, 'school')));
    for (const [index, one] of begun.entries())
      provider.claimsOf.set(one.state, honest(provider, one, people[index] ?? {}));
    const answers = await Promise.all(
      begun.map(({ state, cookie }) => comeBack(server, 'school', { code: state, state }, cookie)),
    );
    return await Promise.all(answers.map(sessionOf));
  };

  itInRounds('give a new user one account in concurrent logins, and users of the same name one each', async () => {
    for (let round = 0; round < rounds(2, 20); round += 1) {
      const one = somebody();
      const sessions = await arriveTogether(Array.from({ length: 10 }, () => one));
      assert.equal(new Set(sessions.map(({ user }) => user.id)).size, 1);
      const others = Array.from({ length: 10 }, (_, index) =>
        somebody({ email: `anna.smith@${round}.${index}.example.com` }),
      );
      const users = (await arriveTogether(others)).map(({ user }) => user);
      assert.equal(new Set(users.map(({ id }) => id)).size, 10);
      assert.ok(
        users.every(({ username }) => username.startsWith('anna.smith')),
        users.map(({ username }) => username).join(),
      );
    }
  });

  // Long: one provider, from its creation to its restoration.
  it('are administered, and their secrets are never shown', async () => {
    const fields = { name: 'Keycloak', slug: 'keycloak', issuer: 'https://id.example.com/realms/a', client_id: 'lp' };
    const created = await server.post(path, admin.token, { ...fields, client_secret: 'very secret', rules: [] });
    assert.equal(created.status, 201, created.text);
    const { id } = created.body;
    assert.deepEqual(
      [created.body.has_client_secret, created.body.is_active, created.body.scopes, created.body.redirect_uri],
      [true, false, 'openid email profile', `${server.url}/api/auth/providers/keycloak/callback`],
    );
    const { body: listed } = await server.get('/api/auth/providers');
    assert.deepEqual(listed, [
      { id: school.id, name: 'School school', kind: 'oidc', login_url: '/api/auth/providers/school/login' },
    ]);
    const twice = await server.post(path, admin.token, fields);
    assert.deepEqual([twice.status, twice.code], [409, 'identity_provider_exists']);
    for (const wrong of [{ slug: 'Ä' }, { issuer: 'ftp://a' }, { scopes: 'email' }, { client_id: '' }])
      assert.equal((await server.post(path, admin.token, { ...fields, slug: 'b', ...wrong })).status, 422);
    const changed = await change(
      { name: 'New', client_secret: null, local_login_off_domains: ['School.Example.com'] },
      id,
    );
    assert.deepEqual(
      [changed.name, changed.has_client_secret, changed.local_login_off_domains],
      ['New', false, ['school.example.com']],
    );
    assert.equal((await server.put(`${path}/${id}`, admin.token, { slug: 'school' })).code, 'identity_provider_exists');
    assert.equal((await server.delete(`${path}/${id}`, admin.token)).status, 200);
    for (const gone of [
      await server.get(`${path}/${id}`, admin.token),
      await server.delete(`${path}/${id}`, admin.token),
    ])
      assert.equal(gone.status, 404);
    assert.equal((await server.put(`${path}/${id}`, admin.token, {})).status, 404);
    const undo = { kind: 'identity_provider', entity_id: id };
    assert.equal((await server.post('/api/deletions/undo', admin.token, undo)).status, 200);
    assert.equal((await server.get(`${path}/${id}`, admin.token)).body.name, 'New');
    await server.delete(`${path}/${id}`, admin.token);
    const { text } = await server.get('/api/admin/activity?page_size=100', admin.token);
    for (const verb of ['create', 'update', 'delete'])
      assert.match(text, new RegExp(`admin_identity_provider_${verb}`));
    assert.doesNotMatch(text + created.text, /very secret/);
  });

  it('are tested by a button that says what is wrong', async () => {
    const test = async (): Promise<unknown> => (await server.post(`${path}/${school.id}/test`, admin.token)).body;
    assert.deepEqual(await test(), { problems: [], has_logout: false });
    provider.metadata = { end_session_endpoint: `${provider.issuer}/end`, code_challenge_methods_supported: ['plain'] };
    assert.deepEqual(await test(), { problems: ['no_pkce'], has_logout: true });
    provider.metadata = { response_types_supported: ['token'], id_token_signing_alg_values_supported: ['HS256'] };
    assert.deepEqual(await test(), { problems: ['no_code_flow', 'no_signature'], has_logout: false });
    provider.metadata = { issuer: 'https://other.example.com' };
    assert.deepEqual(await test(), { problems: ['issuer_differs'], has_logout: false });
    provider.metadata = { jwks_uri: undefined };
    assert.deepEqual(await test(), { problems: ['endpoint_missing'], has_logout: false });
    provider.isDown = true;
    assert.deepEqual(await test(), { problems: ['unreachable'], has_logout: false });
    const elsewhere = await addProvider(server, admin, `${server.url}/none`, 'elsewhere', { is_active: false });
    const answer = await server.post(`${path}/${elsewhere.id}/test`, admin.token);
    assert.deepEqual(answer.body.problems, ['no_discovery']);
  });

  it('give an account to who has none, with a free username', async () => {
    const taken = await server.user();
    const claims = somebody({ preferred_username: 'müller', name: 'Eva\nMüller' });
    const { user } = await sessionOf(await arrive(claims));
    assert.deepEqual([user.username, user.email, user.role], ['müller', claims.email, 'student']);
    // By its subject, whatever else has changed.
    const again = await sessionOf(await arrive({ ...claims, email: undefined, preferred_username: 'other' }));
    assert.equal(again.user.id, user.id);
    const second = await sessionOf(await arrive(somebody({ preferred_username: taken.username })));
    assert.match(second.user.username, /^somebody\.\d+$/);
    // Nobody else invites an account without a password, which would be a way in.
    const local = await server.post('/api/auth/login', undefined, { username: 'müller', password: '.'.repeat(31) });
    assert.equal(local.code, 'wrong_credentials');
  });

  it('link an account by its verified address only where that is allowed, and end its other logins', async () => {
    const user = await server.user();
    const { token, cookie } = await logInWithCookie(server, user);
    const made = await server.post('/api/auth/tokens', token, { name: 'Program', scopes: ['read'] });
    assert.equal(made.status, 201, made.text);
    const claims = somebody({ email: user.email.toUpperCase() });
    assert.equal(refusalOf(await arrive(claims)), 'account_exists');
    await change({ is_linking_by_email: true });
    assert.equal(refusalOf(await arrive({ ...claims, email_verified: false })), 'unverified_email');
    assert.equal((await server.get('/api/auth/me', token)).status, 200);
    const linked = await sessionOf(await arrive(claims));
    assert.equal(linked.user.id, user.id);
    // Whoever has made the account may not have been the owner of the address.
    for (const old of [token, made.body.token]) assert.equal((await server.get('/api/auth/me', old)).status, 401);
    assert.equal((await exchange(server, cookie)).status, 401);
    assert.equal((await passwordLogin(user)).code, 'wrong_credentials');
    // The address has got another owner there.
    assert.equal(refusalOf(await arrive({ ...claims, sub: 'next-owner' })), 'account_exists');
    const administrator = await server.user('admin');
    assert.equal(refusalOf(await arrive(somebody({ email: administrator.email }))), 'account_exists');
    assert.equal((await passwordLogin(administrator)).status, 200);
    await change({ is_linking_by_email: false });
  });

  it('count all addresses as verified where an administrator says so', async () => {
    const claims = somebody({ email_verified: undefined });
    assert.equal(refusalOf(await arrive(claims)), 'unverified_email');
    await change({ has_verified_emails: true });
    assert.equal(refusalOf(await arrive({ ...claims, email_verified: false })), 'unverified_email');
    await sessionOf(await arrive(claims));
    await change({ has_verified_emails: false });
  });

  it('refuse who is deactivated, and who takes an exam in another login', async () => {
    const claims = somebody();
    const { user } = await sessionOf(await arrive(claims));
    const { db } = server.application;
    await db.updateTable('users').set({ locked_login: 'another' }).where('id', '=', user.id).execute();
    assert.equal(refusalOf(await arrive(claims)), 'locked');
    await db.updateTable('users').set({ locked_login: null }).where('id', '=', user.id).execute();
    await server.put(`/api/admin/users/${user.id}`, admin.token, { is_active: false });
    assert.equal(refusalOf(await arrive(claims)), 'inactive');
  });

  it('give an account without an address the one that they have verified, never another one or that of somebody else', async () => {
    const claims = somebody();
    const { user } = await sessionOf(await arrive(claims));
    const email = `${user.id}@no-address.invalid`;
    await server.application.db.updateTable('users').set({ email }).where('id', '=', user.id).execute();
    const emailWith = async (more: object): Promise<string> =>
      (await sessionOf(await arrive({ ...claims, ...more }))).user.email;
    const taken = await server.user();
    assert.equal(await emailWith({ email_verified: false }), email);
    assert.equal(await emailWith({ email: taken.email }), email);
    assert.equal(await emailWith({ email: undefined }), email);
    assert.equal(await emailWith({}), claims.email);
    assert.equal(await emailWith({ email: 'another@school.example.com' }), claims.email);
    const { text } = await server.get('/api/admin/activity?page_size=100', admin.token);
    assert.equal(text.split('"provider_address"').length, 2);
    assert.equal((await passwordLogin(taken)).status, 200);
  });

  // Long: one user, whose claims come, change and end.
  it('end a membership with the claim that has brought it, and no other', async () => {
    const make = async (name: string) => (await server.post('/api/classes', admin.token, { name })).body.id as number;
    const [linux, nets, byHand, archived] = [
      await make('linux'),
      await make('nets'),
      await make('hand'),
      await make('old'),
    ];
    const rule = (value: string, class_id: number, role: string | null = null) => ({
      claim: 'groups',
      value,
      role,
      class_id,
    });
    const rules = [rule('linux', linux), rule('nets', nets), rule('hand', byHand), rule('old', archived)];
    await change({ rules: [...rules, { claim: 'groups', value: 'staff', role: 'instructor', class_id: null }] });
    const claims = somebody();
    const { user, access_token: token } = await sessionOf(
      await arrive({ ...claims, groups: ['linux', 'nets', 'old'] }),
    );
    await server.post(`/api/classes/${byHand}/members`, admin.token, { user_id: user.id });
    const { db } = server.application;
    const classes = async (): Promise<string[]> => {
      const own = db.selectFrom('class_members').innerJoin('classes', 'classes.id', 'class_id').select('name');
      return (await own.where('user_id', '=', user.id).orderBy('name').execute()).map(({ name }) => name);
    };
    assert.deepEqual(await classes(), ['hand', 'linux', 'nets', 'old']);
    assert.equal((await server.put(`/api/classes/${archived}`, admin.token, { is_archived: true })).status, 200);
    await arrive({ ...claims, groups: ['nets', 'hand'] });
    assert.deepEqual(await classes(), ['hand', 'nets', 'old']);
    // Who has left and was added by hand stays.
    await server.delete(`/api/classes/${nets}/members/${user.id}`, token);
    await server.post(`/api/classes/${nets}/members`, admin.token, { user_id: user.id });
    await arrive({ ...claims, groups: [] });
    assert.deepEqual(await classes(), ['hand', 'nets', 'old']);
    // The only instructor of a class stays until there is another one.
    await arrive({ ...claims, groups: ['linux', 'staff'] });
    const others = db.deleteFrom('class_members').where('class_id', '=', linux).where('user_id', '<>', user.id);
    await others.execute();
    await arrive({ ...claims, groups: ['staff'] });
    assert.ok((await classes()).includes('linux'));
    const added = { user_id: admin.id, role: 'instructor' };
    const another = await server.post(`/api/classes/${linux}/members`, admin.token, added);
    assert.equal(another.status, 201, another.text);
    await arrive({ ...claims, groups: ['staff'] });
    assert.equal((await classes()).includes('linux'), false);
    const acts = db.selectFrom('activity_log').select('type').where('user_id', '=', user.id).orderBy('id');
    const types = (await acts.execute()).map(({ type }) => type);
    assert.equal(types.filter((type) => type === 'class_leave').length, 3);
    await change({ rules: [] });
  });

  // Long: one user, whose claims and role change.
  it('give roles and classes by claims, and keep what an administrator gave', async () => {
    const course = (await server.post('/api/classes', admin.token, { name: '10b' })).body;
    const rule = (more: object) => ({ claim: 'groups', value: 'x', role: null, class_id: null, ...more });
    await change({
      rules: [
        rule({ value: 'teachers', role: 'instructor' }),
        rule({ claim: 'realm_access.roles', value: 'root', role: 'admin' }),
        rule({ claim: 'https://school/class', value: '10b', class_id: course.id }),
        rule({ value: 'students', class_id: 2_000_000_000 }),
      ],
    });
    const claims = somebody();
    const roleWith = async (more: object): Promise<string> =>
      (await sessionOf(await arrive({ ...claims, ...more }))).user.role;
    const first = await sessionOf(
      await arrive({ ...claims, groups: ['students', 'x'], 'https://school/class': '10b' }),
    );
    assert.equal(first.user.role, 'student');
    const members = (await server.get(`/api/classes/${course.id}/members`, admin.token)).body as {
      user_id: number;
      role: string;
    }[];
    assert.deepEqual(members.find(({ user_id }) => user_id === first.user.id)?.role, 'student');
    assert.equal(await roleWith({ groups: ['teachers'] }), 'instructor');
    assert.equal(await roleWith({ realm_access: { roles: ['root'] } }), 'admin');
    assert.equal(await roleWith({ groups: 'teachers' }), 'instructor');
    assert.equal(await roleWith({}), 'student');
    await server.put(`/api/admin/users/${first.user.id}/role`, admin.token, { role: 'admin' });
    assert.equal(await roleWith({}), 'admin', 'by hand');
    await server.put(`/api/admin/users/${first.user.id}/role`, admin.token, { role: 'student' });
    // The last administrator stays one.
    assert.equal(await roleWith({ realm_access: { roles: ['root'] } }), 'admin');
    const { db } = server.application;
    const others = await db
      .updateTable('users')
      .set({ role: 'instructor' })
      .where('role', '=', 'admin')
      .where('id', '<>', first.user.id)
      .returning('id')
      .execute();
    assert.equal(await roleWith({}), 'admin', 'the last one');
    for (const { id } of others) await db.updateTable('users').set({ role: 'admin' }).where('id', '=', id).execute();
    assert.equal(await roleWith({}), 'student');
    await change({ rules: [] });
  });

  it('delay only their own users while they do not answer', async () => {
    const silent = createServer();
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    const { port } = silent.address() as AddressInfo;
    await addProvider(server, admin, `http://127.0.0.1:${port}`, 'silent');
    const asked = once(silent, 'request');
    const enter = (slug: string) => server.get(`/api/auth/providers/${slug}/login`).then(() => slug);
    const waiting = Array.from({ length: 40 }, () => enter('silent'));
    await asked;
    assert.equal(await Promise.race([enter('school'), ...waiting]), 'school');
    silent.closeAllConnections();
    silent.close();
    await Promise.all(waiting);
  });

  it('switch passwords off by domain, never those of the last administrator', async () => {
    const user = await server.user();
    const linked = await sessionOf(await arrive(somebody({ email: 'a@other.example.com' })));
    await change({ local_login_off_domains: ['example.com'] });
    assert.equal((await passwordLogin(user)).code, 'local_login_off');
    assert.equal((await passwordLogin({ ...user, password: 'wrong' })).code, 'wrong_credentials');
    const account = { username: 'newcomer', email: 'newcomer@EXAMPLE.com', password: 'a long password' };
    assert.equal((await server.post('/api/auth/register', undefined, account)).code, 'local_login_off');
    // All of them have such an address.
    assert.equal((await passwordLogin(admin)).status, 200);
    const made = {
      username: 'outside',
      email: 'outside@other.example.com',
      password: 'a long password',
      role: 'admin',
    };
    const other = (await server.post('/api/admin/users', admin.token, made)).body;
    assert.equal((await passwordLogin(admin)).code, 'local_login_off');
    assert.equal((await passwordLogin({ ...admin, ...made })).status, 200);
    // One whose other address is proven there has no such login, either.
    const proven = { user_id: other.id, subject: 'outside', proven_email: 'outside@example.com' };
    const identities = server.application.db.insertInto('user_identities');
    await identities.values({ ...proven, provider_id: school.id }).execute();
    assert.equal((await passwordLogin(admin)).status, 200);
    await server.delete(`/api/admin/users/${other.id}`, admin.token);
    // Another address in the profile is no way around it.
    await change({ local_login_off_domains: ['other.example.com'] });
    await server.put(`/api/admin/users/${linked.user.id}`, admin.token, {
      email: 'b@example.com',
      password: 'a long password',
    });
    const again = { ...user, username: linked.user.username, password: 'a long password' };
    assert.equal((await passwordLogin(again)).code, 'local_login_off');
    await change({ local_login_off_domains: [] });
    assert.equal((await passwordLogin(again)).status, 200);
  });

  // Long: one user links, is refused, and unlinks.
  it("are linked to the user's own login, an administrator's too, and unlinked where another login remains", async () => {
    const user = await server.user('admin');
    const link = async (by: TestUser, claims: object, fromOther?: string) => {
      const begun = begunBy(await server.post('/api/auth/identities', by.token, { provider_id: school.id }), 'body');
      provider.claims = honest(provider, begun, claims);
      provider.info = { sub: provider.claims['sub'] };
      return await comeBack(server, 'school', { code: 'c', state: begun.state }, fromOther ?? begun.cookie);
    };
    const claims = somebody();
    const back = await link(user, claims);
    assert.deepEqual([back.status, back.headers.get('location'), pagesCookie(back)], [303, '/profile', undefined]);
    const [identity] = (await server.get('/api/auth/identities', user.token)).body;
    assert.deepEqual([identity.provider_id, identity.name, identity.last_login_at], [school.id, 'School school', null]);
    const entered = await sessionOf(await arrive(claims));
    assert.equal(entered.user.id, user.id);
    const other = await server.user();
    const taken = await link(other, claims);
    assert.equal(taken.headers.get('location'), '/profile?refused=taken');
    assert.equal(refusalOf(await link(other, somebody(), (await begin(server, 'school')).cookie)), 'expired');
    // Who has logged out meanwhile links nothing.
    const begun = begunBy(await server.post('/api/auth/identities', other.token, { provider_id: school.id }), 'body');
    await server.post('/api/auth/logout', other.token);
    Object.assign(provider, { claims: honest(provider, begun, somebody()), info: {} });
    provider.info = { sub: provider.claims?.['sub'] };
    assert.equal(
      refusalOf(await comeBack(server, 'school', { code: 'c', state: begun.state }, begun.cookie)),
      'expired',
    );
    const stranger = await sessionOf(await arrive(somebody()));
    const [only] = (await server.get('/api/auth/identities', stranger.access_token)).body;
    const unlink = (id: number, token: string) => server.delete(`/api/auth/identities/${id}`, token);
    assert.deepEqual(told(await unlink(only.id, stranger.access_token)).code, 'last_login');
    assert.equal((await unlink(identity.id, stranger.access_token)).status, 404);
    assert.equal((await unlink(identity.id, user.token)).status, 200);
    assert.equal(refusalOf(await arrive(somebody({ email: user.email }))), 'account_exists');
    provider.isDown = true;
    const elsewhere = await addProvider(server, admin, `${provider.issuer}/down`, 'down');
    const down = await server.post('/api/auth/identities', user.token, { provider_id: elsewhere.id });
    assert.deepEqual([down.status, down.code], [503, 'unavailable']);
    await server.delete(`${path}/${elsewhere.id}`, admin.token);
  });

  it('that do not answer lead back to the login page, where passwords work', async () => {
    const down = await addProvider(server, admin, `${provider.issuer}/other`, 'down');
    provider.isDown = true;
    const refused = await server.get('/api/auth/providers/down/login?next=/courses');
    assert.equal(refused.headers.get('location'), '/login?refused=unavailable&next=%2Fcourses');
    provider.isDown = false;
    const begun = await begin(server, 'school', '/courses');
    provider.isDown = true;
    const back = await comeBack(server, 'school', { code: 'c', state: begun.state }, begun.cookie);
    assert.equal(back.headers.get('location'), '/login?refused=unavailable&next=%2Fcourses');
    assert.equal((await passwordLogin(await server.user())).status, 200);
    assert.equal((await server.get('/api/auth/providers')).status, 200);
    await server.delete(`${path}/${down.id}`, admin.token);
    for (const act of ['login', 'callback'])
      assert.equal((await server.get(`/api/auth/providers/down/${act}`)).status, 404);
    const gone = await server.get('/api/auth/providers/down/logout');
    assert.equal(gone.headers.get('location'), `${server.url}/login`);
  });

  it('have no private address and use TLS, unless the operator allows it', async () => {
    await using strict = await TestServer.start();
    const owner = await strict.user('admin');
    const insecure = await addProvider(strict, owner, provider.issuer, 'insecure');
    const hidden = await addProvider(strict, owner, 'https://127.0.0.1:1', 'hidden');
    const before = provider.requests.length;
    const problems = async ({ id }: { id: number }) =>
      (await strict.post(`${path}/${id}/test`, owner.token)).body.problems;
    assert.deepEqual([await problems(insecure), await problems(hidden)], [['address_insecure'], ['address_private']]);
    for (const slug of ['insecure', 'hidden'])
      assert.match(
        (await strict.get(`/api/auth/providers/${slug}/login`)).headers.get('location') ?? '',
        /^\/login\?refused=/,
      );
    assert.equal(provider.requests.length, before);
  });

  describe('of a real school', () => {
    let real: SchoolProvider;
    before(async () => {
      real = await new SchoolProvider(server.url, ['real']).start();
      await addProvider(server, admin, real.issuer, 'real', { ...schoolClient, scopes: 'openid email profile groups' });
    });
    after(() => real?.[Symbol.asyncDispose]());

    const visit = async (login: string): Promise<Answer> => {
      const { location, cookie } = await begin(server, 'real', '/courses');
      const { searchParams } = await real.visit(location, login);
      return await comeBack(server, 'real', Object.fromEntries(searchParams), cookie);
    };

    it('let their users in, with PKCE and signed claims, also after their keys have changed', async () => {
      const answer = await visit('anna');
      assert.match(answer.text, /data-next="\/courses"/);
      const { user } = await sessionOf(answer);
      assert.deepEqual([user.username, user.email], ['anna', 'anna@school.example.com']);
      real.rotateKeys();
      assert.equal((await sessionOf(await visit('anna'))).user.id, user.id);
    });

    it('pass the test, unless the secret is wrong, and end their own logins', async () => {
      const { body } = await server.get(path, admin.token);
      const { id } = (body as { id: number; slug: string }[]).find(({ slug }) => slug === 'real') ?? assert.fail();
      const test = async (): Promise<unknown> => (await server.post(`${path}/${id}/test`, admin.token)).body;
      assert.deepEqual(await test(), { problems: [], has_logout: true });
      await change({ client_secret: 'another secret of that length' }, id);
      assert.deepEqual(await test(), { problems: ['client_refused'], has_logout: true });
      assert.equal(refusalOf(await visit('anna')), 'invalid');
      await change(schoolClient, id);
      const kept = (await visit('anna')).headers.getSetCookie().find((line) => line.startsWith('logout-real=')) ?? '';
      assert.match(
        kept,
        /^logout-real=[\w-]{100,}; Path=\/api\/auth\/providers\/real\/logout; HttpOnly; SameSite=Strict$/,
      );
      const [cookie = ''] = kept.split(';');
      const gone = await server.request('GET', '/api/auth/providers/real/logout', { headers: { cookie } });
      assert.match(gone.headers.get('set-cookie') ?? '', /^logout-real=; Max-Age=0;/);
      const hint = new URL(gone.headers.get('location') ?? '').searchParams.get('id_token_hint') ?? '';
      assert.deepEqual([decodeJwt(hint).sub, decodeJwt(hint).iss], ['anna', real.issuer]);
      assert.equal((await fetch(gone.headers.get('location') ?? '')).status, 200);
      const forged = await server.request('GET', '/api/auth/providers/real/logout', {
        headers: { cookie: 'logout-real=AAAA' },
      });
      assert.equal(forged.headers.get('location')?.includes('id_token_hint'), false);
      const end = new URL((await server.get('/api/auth/providers/real/logout')).headers.get('location') ?? '');
      assert.equal(end.searchParams.get('id_token_hint'), null);
      assert.deepEqual(
        [end.origin, end.searchParams.get('post_logout_redirect_uri')],
        [real.issuer, `${server.url}/login`],
      );
      assert.equal((await fetch(end)).status, 200);
      assert.equal(
        (await server.get('/api/auth/providers/school/logout')).headers.get('location'),
        `${server.url}/login`,
      );
    });
  });
});
