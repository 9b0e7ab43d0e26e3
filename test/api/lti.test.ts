import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createLocalJWKSet, decodeJwt, type JSONWebKeySet, jwtVerify } from 'jose';
import { ForgingPlatform, instructor, learner, lti } from '../lti/forging-platform.ts';
import { addPlatform, begin, bring, enter, launch } from '../lti/launches.ts';
import { startWithProviders } from '../oidc/logins.ts';
import { itInRounds, rounds } from '../rounds.ts';
import type { Answer, TestServer, TestUser } from '../server.ts';

const told = ({ status, code }: Answer): string => `${status} ${code}`;
const path = '/api/admin/lti-platforms';
const teacher = {
  sub: 'teacher-1',
  email: 'teacher.one@school.example.com',
  name: 'Teacher One',
  [lti('roles')]: [instructor],
};

describe('platforms of LTI', { timeout: 600_000 }, () => {
  let server: TestServer;
  let admin: TestUser;
  let platform: ForgingPlatform;
  let id: number;
  let names = 0;
  before(async () => {
    server = await startWithProviders();
    admin = await server.user('admin');
    platform = await new ForgingPlatform().start();
    ({ id } = await addPlatform(server, admin, platform, { makes_instructors: true }));
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
    await platform?.[Symbol.asyncDispose]();
  });
  beforeEach(() => Object.assign(platform, { published: undefined }));

  const somebody = (more: object = {}) => {
    names += 1;
    return { sub: `sub-${names}`, email: `somebody.${names}@school.example.com`, name: `Somebody ${names}`, ...more };
  };
  const course = (name: string, link = `link of ${name}`) => ({
    [lti('context')]: { id: name, title: `Course ${name}` },
    [lti('resource_link')]: { id: link },
  });
  /** A class that follows the course, with a course of its own. */
  async function connected(name: string) {
    const opened = await launch(server, platform, { ...teacher, ...course(name) });
    const { access_token: token, user } = await enter(server, opened);
    const { launch: reference = '' } = opened.opened;
    const chosen = await server.put('/api/lti/class', token, { launch: reference, class_id: null });
    assert.equal(chosen.status, 200, chosen.text);
    const fresh = async (where: string, fields: object) =>
      (await server.post(where, admin.token, fields)).body.id as number;
    const courseId = await fresh('/api/admin/lessons/courses', { name: `Course of ${name}` });
    const sectionId = await fresh('/api/admin/lessons/sections', { name: 'Section', course_id: courseId });
    const themeFields = { title: 'Files', markdown_file_path: 'a.md', section_id: sectionId };
    const themeId = await fresh('/api/admin/lessons/themes', themeFields);
    const classId = chosen.body.class_id as number;
    await server.put(`/api/classes/${classId}`, admin.token, { course_ids: [courseId] });
    return { token, user, reference, classId, themeId, opened };
  }
  const roleIn = async (classId: number, userId: number): Promise<string | undefined> => {
    const members = server.application.db.selectFrom('class_members').select('role').where('class_id', '=', classId);
    return (await members.where('user_id', '=', userId).executeTakeFirst())?.role;
  };

  itInRounds('give a new user one account in concurrent launches, and users of the same name one each', async () => {
    const { classId } = await connected('crowd');
    const arrive = async (people: object[]) => {
      const opened = await Promise.all(people.map((one) => launch(server, platform, { ...one, ...course('crowd') })));
      return (await Promise.all(opened.map((one) => enter(server, one)))).map(({ user }) => user.id);
    };
    for (let round = 0; round < rounds(2, 20); round += 1) {
      for (const more of [{}, { email: undefined }]) {
        const one = somebody(more);
        const [id = 0, ...others] = await arrive(Array.from({ length: 10 }, () => one));
        assert.deepEqual(new Set(others), new Set([id]));
        assert.equal(await roleIn(classId, id), 'student');
      }
      const namesakes = Array.from({ length: 10 }, () => somebody({ name: `Anna Smith ${round}`, email: undefined }));
      assert.equal(new Set(await arrive(namesakes)).size, 10);
    }
  });

  // Long: one platform, from its creation to its restoration.
  it('are added, changed, tested, deleted and restored by administrators', async () => {
    const fields = { ...platform.fields, client_id: 'tool-2', origins: [`${platform.origin}/`] };
    const created = await server.post(path, admin.token, fields);
    assert.equal(created.status, 201);
    assert.deepEqual(created.body.origins, [platform.origin]);
    assert.equal(told(await server.post(path, admin.token, fields)), '409 lti_platform_exists');
    const one = `${path}/${created.body.id}`;
    assert.deepEqual((await server.post(`${one}/test`, admin.token)).body, { problems: [] });
    // The assertion is signed with the published key.
    const { keys } = (await server.get('/api/lti/keys')).body as JSONWebKeySet;
    const asked = new URLSearchParams(platform.posted.findLast(({ path: to }) => to === '/token')?.body);
    const { payload } = await jwtVerify(asked.get('client_assertion') ?? '', createLocalJWKSet({ keys }), {
      ...{ issuer: 'tool-2', subject: 'tool-2', audience: platform.fields.token_url },
    });
    assert.ok(payload.jti && (payload.exp ?? 0) <= Date.now() / 1000 + 301);
    assert.equal(JSON.stringify(keys).includes('"d"'), false);
    const changed = await server.put(one, admin.token, { jwks_url: `${platform.origin}/nothing`, deployment_ids: [] });
    assert.equal(changed.status, 200, changed.text);
    const { problems } = (await server.post(`${one}/test`, admin.token)).body;
    assert.deepEqual(problems, ['no_deployment', 'no_keys']);
    assert.equal((await server.delete(one, admin.token)).status, 200);
    const undone = await server.post('/api/deletions/undo', admin.token, {
      kind: 'lti_platform',
      entity_id: created.body.id,
    });
    assert.equal(undone.status, 200, undone.text);
    const list = (await server.get(path, admin.token)).body as { id: number }[];
    assert.deepEqual(list.map((row) => row.id).sort(), [id, created.body.id].sort());
    assert.equal((await server.delete(one, admin.token)).status, 200);
  });

  it('register themselves with a link that works once, and are off', async () => {
    const other = await new ForgingPlatform('registered').start();
    try {
      const { url } = (await server.post(`${path}/registration-link`, admin.token)).body;
      const { pathname, search } = new URL(url);
      const query = new URLSearchParams({ openid_configuration: `${other.origin}/openid-configuration` });
      const address = `${pathname}${search}&${query}&registration_token=secret-token`;
      const answer = await server.get(address);
      assert.equal(answer.status, 200, answer.text);
      assert.match(answer.text, /org\.imsglobal\.lti\.close/);
      assert.match(answer.headers.get('content-security-policy') ?? '', new RegExp(`frame-ancestors ${other.origin}$`));
      const { body, authorization } = other.posted.at(-1) ?? assert.fail();
      assert.equal(authorization, 'Bearer secret-token');
      const tool = JSON.parse(body);
      assert.equal(tool.jwks_uri, `${server.url}/api/lti/keys`);
      assert.deepEqual(tool.redirect_uris, [`${server.url}/api/lti/launch`]);
      const list = (await server.get(path, admin.token)).body as { client_id: string; id: number }[];
      const { id: newId, ...row } = list.find((one) => one.client_id === 'registered') ?? assert.fail();
      assert.partialDeepStrictEqual(row, { issuer: other.origin, is_active: false, deployment_ids: ['7'] });
      assert.equal((await server.get(address)).status, 400);
      assert.equal((await server.get(`/api/lti/register?key=x&${query}`)).status, 400);
      // What it sends is refused until an administrator has switched it on.
      const hints = new URLSearchParams({ iss: other.origin, login_hint: '1' });
      assert.equal((await server.get(`/api/lti/login?${hints}`)).status, 404);
      await server.delete(`${path}/${newId}`, admin.token);
    } finally {
      await other[Symbol.asyncDispose]();
    }
  });

  it('replace the key at most once an hour, and show it before it signs', async () => {
    const kids = async () => ((await server.get('/api/lti/keys')).body.keys as { kid: string }[]).map(({ kid }) => kid);
    await server.post(`${path}/${id}/test`, admin.token);
    const [first] = await kids();
    assert.equal(told(await server.post(`${path}/key`, admin.token)), '409 lti_key_is_new');
    const earlier = new Date(Date.now() - 2 * 3_600_000);
    await server.application.db.updateTable('lti_keys').set({ created_at: earlier }).execute();
    assert.equal((await server.post(`${path}/key`, admin.token)).status, 200);
    const both = await kids();
    assert.equal(both.length, 2);
    assert.equal(both[1], first);
    await server.post(`${path}/${id}/test`, admin.token);
    const asked = new URLSearchParams(platform.posted.findLast(({ path: to }) => to === '/token')?.body);
    assert.equal(ForgingPlatform.kidOf(asked.get('client_assertion') ?? ''), first);
  });

  // Long: a course, from the first launch of its teacher to that of a student.
  it('have a class for each course, which its teacher makes or chooses', async () => {
    const early = await launch(server, platform, { ...somebody(), ...course('a') });
    assert.deepEqual(early.opened, { path: '/lti', refused: 'no_class' });
    const { token, user, classId, themeId, reference, opened } = await connected('a');
    assert.equal(opened.opened.path, '/lti');
    assert.deepEqual([user.role, await roleIn(classId, user.id)], ['instructor', 'instructor']);
    assert.equal((await server.get(`/api/classes/${classId}`, token)).body.name, 'Course a');
    // Once.
    assert.equal((await server.post('/api/lti/session', undefined, { launch: reference })).status, 401);
    const choices = (await server.post('/api/lti/choices', token, { launch: reference })).body;
    assert.deepEqual(
      choices.items.map((item: { kind: string; id: number }) => [item.kind, item.id]),
      [['lesson', themeId]],
    );
    const shown = await server.put('/api/lti/item', token, { launch: reference, kind: 'lesson', id: themeId });
    assert.deepEqual(shown.body, { path: `/lessons/${themeId}`, return_url: null, message: null });
    const claims = { ...somebody(), ...course('a') };
    const student = await launch(server, platform, claims);
    assert.equal(student.opened.path, `/lessons/${themeId}`);
    const entered = await enter(server, student);
    assert.deepEqual([entered.user.role, await roleIn(classId, entered.user.id)], ['student', 'student']);
    assert.equal((await server.get(`/api/lessons/themes/${themeId}`, entered.access_token)).status, 200);
    assert.equal(
      (await server.post('/api/lti/choices', entered.access_token, { launch: student.opened.launch })).status,
      403,
    );
    assert.equal((await server.post('/api/lti/choices', entered.access_token, { launch: reference })).status, 403);
    // The same user has the same account, and another course of the teacher can follow a class of theirs.
    assert.equal((await enter(server, await launch(server, platform, claims))).user.id, entered.user.id);
    const second = await launch(server, platform, { ...teacher, ...course('b') });
    await enter(server, second);
    const body = { launch: second.opened.launch, class_id: classId };
    assert.equal((await server.put('/api/lti/class', token, body)).body.class_id, classId);
    assert.equal((await server.put('/api/lti/class', token, { ...body, class_id: 999_999 })).status, 404);
    assert.equal(
      (await server.put('/api/lti/item', token, { launch: reference, kind: 'laboratory', id: 999_999 })).status,
      404,
    );
  });

  it('get a link from a teacher, which then shows what was chosen', async () => {
    const { themeId } = await connected('deep');
    const settings = {
      ...{ deep_link_return_url: `${platform.origin}/return`, accept_types: ['ltiResourceLink'], data: 'csrf:1' },
      accept_presentation_document_targets: ['iframe'],
    };
    const opened = await launch(server, platform, {
      ...{ ...teacher, ...course('deep'), [lti('resource_link')]: undefined },
      [lti('message_type')]: 'LtiDeepLinkingRequest',
      'https://purl.imsglobal.org/spec/lti-dl/claim/deep_linking_settings': settings,
    });
    assert.equal(opened.opened.path, '/lti');
    const { access_token: token } = await enter(server, opened);
    const body = { launch: opened.opened.launch, kind: 'lesson', id: themeId };
    const { return_url, message } = (await server.put('/api/lti/item', token, body)).body;
    assert.equal(return_url, settings.deep_link_return_url);
    const keys = createLocalJWKSet((await server.get('/api/lti/keys')).body);
    const { payload } = await jwtVerify(message, keys, { issuer: platform.clientId, audience: platform.origin });
    const { [lti('message_type')]: type, [lti('deployment_id')]: deployment } = payload;
    assert.deepEqual([type, deployment], ['LtiDeepLinkingResponse', '1']);
    assert.equal(payload['https://purl.imsglobal.org/spec/lti-dl/claim/data'], 'csrf:1');
    const [item] = payload['https://purl.imsglobal.org/spec/lti-dl/claim/content_items'] as {
      custom: object;
      url: string;
    }[];
    assert.deepEqual(item, {
      type: 'ltiResourceLink',
      title: 'Files',
      url: `${server.url}/api/lti/launch`,
      custom: { shows: `lesson:${themeId}` },
    });
    const made = await launch(server, platform, {
      ...somebody(),
      ...course('deep', 'new'),
      [lti('custom')]: item?.custom,
    });
    assert.equal(made.opened.path, `/lessons/${themeId}`);
  });

  it('make nobody an administrator, and link accounts only where an administrator trusts their addresses', async () => {
    const { classId } = await connected('roles');
    const known = await server.user();
    const boss = await server.user('admin');
    const of = ({ email }: TestUser) => ({ ...somebody({ email }), ...course('roles') });
    assert.equal((await launch(server, platform, of(known))).opened.refused, 'account_exists');
    await server.put(`${path}/${id}`, admin.token, { is_linking_by_email: true });
    const claims = of(known);
    assert.equal((await enter(server, await launch(server, platform, claims))).user.id, known.id);
    assert.equal((await launch(server, platform, of(boss))).opened.refused, 'account_exists');
    await server.put(`${path}/${id}`, admin.token, { is_linking_by_email: false });
    const everything = ['institution/person#Administrator', 'system/person#SysAdmin', 'membership#Administrator'];
    const roles = everything.map((role) => `http://purl.imsglobal.org/vocab/lis/v2/${role}`);
    const system = await enter(
      server,
      await launch(server, platform, { ...somebody(), ...course('roles'), [lti('roles')]: roles }),
    );
    assert.deepEqual([system.user.role, await roleIn(classId, system.user.id)], ['student', undefined]);
    // A student becomes staff with the role in the course; staff stay staff.
    await launch(server, platform, { ...claims, [lti('roles')]: [instructor] });
    assert.equal(await roleIn(classId, known.id), 'instructor');
    await launch(server, platform, { ...claims, [lti('roles')]: [learner] });
    assert.equal(await roleIn(classId, known.id), 'instructor');
  });

  // Long: what is hidden, what comes later, and what an address may not do.
  it('make accounts without an address and a name, and find the same person by the platform and the subject alone', async () => {
    const { classId } = await connected('hidden');
    const taken = await server.user();
    const tell = async (claims: object) => {
      const begun = await begin(server, platform);
      const { email, name, ...honest } = platform.honest(begun.nonce, server.url, { ...course('hidden'), ...claims });
      const told = Object.entries({ email, name }).filter(([key]) => key in claims);
      const id_token = await platform.sign({ ...honest, ...Object.fromEntries(told) });
      return await bring(server, { id_token, state: begun.state }, begun);
    };
    const come = async (claims: object) => (await enter(server, await tell(claims))).user;
    const nobody = await come({ sub: 'hidden-1' });
    assert.match(nobody.email, /^[0-9a-f]{16}@no-address\.invalid$/);
    const again = await come({ sub: 'hidden-1', email: 'later@school.example.com', name: 'Later' });
    assert.deepEqual([again.id, again.email, again.username], [nobody.id, 'later@school.example.com', 'student']);
    // A told address takes the place of none, and of nothing else.
    const other = await come({ sub: 'hidden-1', email: 'other@school.example.com' });
    assert.deepEqual([other.id, other.email], [nobody.id, 'later@school.example.com']);
    const second = await come({ sub: 'hidden-2', email: '', name: null });
    assert.match(second.username, /^student\d+$/);
    assert.notEqual(second.id, nobody.id);
    const onlyName = await come({ sub: 'hidden-3', name: 'Zoë @ Bern' });
    assert.equal(onlyName.username, 'zoë---bern');
    for (const { id: userId } of [nobody, second, onlyName]) assert.equal(await roleIn(classId, userId), 'student');
    for (const email of [taken.email.toUpperCase(), 'no address', `a@no-address.invalid`, onlyName.email, 5])
      assert.equal((await come({ sub: 'hidden-2', email })).email, second.email, `${email}`);
    // The address of an account without one is nobody's, whatever a platform has verified.
    await server.put(`${path}/${id}`, admin.token, { is_linking_by_email: true });
    const thief = await come({ sub: 'hidden-4', email: second.email });
    assert.notEqual(thief.id, second.id);
    const last = await come({ sub: 'hidden-2', email: taken.email });
    assert.deepEqual([last.id, last.email], [second.id, second.email], 'nor is it linked');
    await server.put(`${path}/${id}`, admin.token, { is_linking_by_email: false });
    assert.equal((await tell({ sub: 'hidden-5', email: taken.email })).opened.refused, 'account_exists');
  });

  it('show launches in their own frames only, and are confirmed where the browser keeps no cookie', async () => {
    await connected('frames');
    const claims = { ...somebody(), ...course('frames') };
    const framed = await launch(server, platform, claims);
    const policy = framed.headers.get('content-security-policy') ?? '';
    assert.match(policy, new RegExp(`frame-ancestors ${platform.origin}$`));
    assert.match(policy, new RegExp(`form-action 'self' ${platform.origin};`));
    assert.equal(framed.headers.get('x-frame-options'), null);
    assert.equal(framed.headers.get('cache-control'), 'no-store');
    const cookie = (
      await server.get(`/api/lti/login?${new URLSearchParams({ iss: platform.origin, login_hint: '1' })}`)
    ).headers.get('set-cookie');
    assert.match(cookie ?? '', /^lti-\S+; Max-Age=900; Path=\/; HttpOnly; Secure; SameSite=None; Partitioned$/);
    for (const page of ['/', '/lti', '/lessons/1']) {
      const plain = await server.request('GET', page, { headers: { accept: 'text/html' } });
      assert.match(plain.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'$/);
    }
    const { state, nonce } = await begin(server, platform);
    const id_token = await platform.sign(platform.honest(nonce, server.url, claims));
    const { opened } = await bring(server, { id_token, state });
    assert.equal(opened.user, claims.name);
    // A login of the browser begins where the launch has the window to itself.
    const top = await launch(server, platform, claims, 'document');
    const entered = await server.post('/api/lti/session', undefined, { launch: top.opened.launch });
    assert.match(entered.headers.get('set-cookie') ?? '', /^login=.*SameSite=Strict/);
    const inFrame = await server.post('/api/lti/session', undefined, { launch: framed.opened.launch });
    assert.equal(inFrame.headers.get('set-cookie'), null);
    assert.equal(decodeJwt(inFrame.body.access_token)['sub'] !== undefined, true);
  });
});
