import assert from 'node:assert/strict';
import { createHmac, createPublicKey } from 'node:crypto';
import { after, before, beforeEach, it } from 'node:test';
import { TextSeal } from '../../src/database/sealed-text.ts';
import { ForgingPlatform, instructor, lti, newKey, type SigningKey } from '../lti/forging-platform.ts';
import { addPlatform, type Begun, begin, bring, launch } from '../lti/launches.ts';
import { startWithProviders, withProviders } from '../oidc/logins.ts';
import { describeLong } from '../rounds.ts';
import type { TestServer, TestUser } from '../server.ts';

const second = (offset: number): number => Math.floor(Date.now() / 1000) + offset;
const base64 = (content: object): string => Buffer.from(JSON.stringify(content)).toString('base64url');

describeLong('a forged launch', { timeout: 600_000 }, () => {
  let server: TestServer;
  let school: ForgingPlatform;
  let other: ForgingPlatform;
  let off: ForgingPlatform;
  let stranger: SigningKey;
  let admin: TestUser;
  before(async () => {
    server = await startWithProviders();
    admin = await server.user('admin');
    [school, other, off] = (await Promise.all(
      ['school', 'other', 'off'].map((name) => new ForgingPlatform(name).start()),
    )) as [ForgingPlatform, ForgingPlatform, ForgingPlatform];
    stranger = await newKey('stranger');
    for (const platform of [school, other]) await addPlatform(server, admin, platform, { makes_instructors: true });
    await addPlatform(server, admin, off, { is_active: false });
    // Nobody's course: a launch of an instructor gets in, as long as it is honest.
    assert.ok((await launch(server, school, { [lti('roles')]: [instructor] })).opened.launch);
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
    await Promise.all([school, other, off].map((platform) => platform?.[Symbol.asyncDispose]()));
  });
  beforeEach(() => {
    school.published = undefined;
  });

  /** What somebody who got in would leave behind. */
  async function traces(): Promise<string> {
    const { db } = server.application;
    const [users, identities, courses] = await Promise.all([
      db.selectFrom('users').select(['id', 'role', 'last_login_at']).orderBy('id').execute(),
      db.selectFrom('user_identities').select(['id', 'user_id', 'last_login_at']).orderBy('id').execute(),
      db.selectFrom('lti_contexts').selectAll().orderBy('id').execute(),
    ]);
    return JSON.stringify([users, identities, courses]);
  }

  type Message = { id_token: string; state?: string; cookie?: string | undefined; place?: string };
  const says = (begun: Begun, more: object = {}) =>
    school.honest(begun.nonce, server.url, { sub: 'forged', [lti('roles')]: [instructor], ...more });
  const signed = async (begun: Begun, more: object, header: object = {}, key = school.key): Promise<Message> => ({
    id_token: await school.sign(says(begun, more), key, header),
  });
  const without = async (begun: Begun, name: string): Promise<Message> => {
    const { [name]: _gone, ...claims } = says(begun);
    return { id_token: await school.sign(claims) };
  };
  const parts = async (begun: Begun, change: (head: string, body: string, signature: string) => string[]) => {
    const [head = '', body = '', signature = ''] = (await school.sign(says(begun))).split('.');
    return { id_token: change(head, body, signature).join('.') };
  };
  const settings = (url: string) => ({
    [lti('message_type')]: 'LtiDeepLinkingRequest',
    'https://purl.imsglobal.org/spec/lti-dl/claim/deep_linking_settings': {
      deep_link_return_url: url,
      accept_types: ['ltiResourceLink'],
    },
  });
  const sealedState = (content: object, place = 'the begin of an LTI launch') =>
    new TextSeal(withProviders.SECRET_KEY).seal(JSON.stringify(content), place).toString('base64url');

  const cases: Record<string, (begun: Begun) => Promise<Message>> = {
    'without a signature': (begun) => parts(begun, (_head, body) => [base64({ alg: 'none' }), body, '']),
    'with its signature cut off': (begun) => parts(begun, (head, body) => [head, body, '']),
    'with other claims under the signature': (begun) =>
      parts(begun, (head, _body, signature) => [head, base64({ ...says(begun), sub: 'admin' }), signature]),
    'with a damaged signature': (begun) =>
      parts(begun, (head, body, signature) => [head, body, `${signature.slice(0, -6)}AAAAAA`]),
    'signed with the public key as a shared secret': async (begun) => {
      const pem = createPublicKey({ key: { ...school.key.jwk }, format: 'jwk' }).export({
        format: 'pem',
        type: 'spki',
      });
      const head = base64({ alg: 'HS256', kid: school.key.kid });
      const body = base64(says(begun));
      const signature = createHmac('sha256', pem).update(`${head}.${body}`).digest('base64url');
      return { id_token: [head, body, signature].join('.') };
    },
    'signed with a shared secret that the platform publishes': async (begun) => {
      const k = Buffer.from('a shared secret that is published').toString('base64url');
      school.published = [school.key.jwk, { kty: 'oct', kid: 'shared', alg: 'HS256', k }];
      const head = base64({ alg: 'HS256', kid: 'shared' });
      const body = base64(says(begun));
      const signature = createHmac('sha256', Buffer.from(k, 'base64url')).update(`${head}.${body}`).digest('base64url');
      return { id_token: [head, body, signature].join('.') };
    },
    'signed with the key of a stranger': (begun) => signed(begun, {}, {}, stranger),
    'signed by a stranger in the name of the key': (begun) => signed(begun, {}, { kid: school.key.kid }, stranger),
    'signed with a key in its own head': (begun) => signed(begun, {}, { jwk: stranger.jwk, kid: 'stranger' }, stranger),
    'signed with a key at an address in its head': (begun) =>
      signed(begun, {}, { jku: `${other.origin}/keys` }, stranger),
    'signed with the key of another platform': (begun) => signed(begun, {}, {}, other.key),
    'with an unknown critical head': (begun) =>
      signed(begun, {}, { crit: ['exp'] }).catch(() => signed(begun, {}, {}, stranger)),
    'with the nonce of another launch': async (begun) => signed(begun, { nonce: (await begin(server, school)).nonce }),
    'without a nonce': (begun) => without(begun, 'nonce'),
    'without a subject': (begun) => without(begun, 'sub'),
    'without an end': (begun) => without(begun, 'exp'),
    'without a deployment': (begun) => without(begun, lti('deployment_id')),
    'without a version': (begun) => without(begun, lti('version')),
    'without a type': (begun) => without(begun, lti('message_type')),
    'without roles': (begun) => without(begun, lti('roles')),
    'without a link': (begun) => without(begun, lti('resource_link')),
    'of another issuer': (begun) => signed(begun, { iss: other.origin }),
    'for another audience': (begun) => signed(begun, { aud: 'somebody-else' }),
    'for several without an authorized party': (begun) => signed(begun, { aud: ['school', 'somebody-else'] }),
    'for another authorized party': (begun) => signed(begun, { aud: ['school', 'x'], azp: 'x' }),
    'that has expired': (begun) => signed(begun, { iat: second(-900), exp: second(-300) }),
    'from the future': (begun) => signed(begun, { iat: second(900), exp: second(1200) }),
    'not valid yet': (begun) => signed(begun, { nbf: second(900) }),
    'of an unknown deployment': (begun) => signed(begun, { [lti('deployment_id')]: '2' }),
    'of another version': (begun) => signed(begun, { [lti('version')]: '1.1.0' }),
    'of an unknown type': (begun) => signed(begun, { [lti('message_type')]: 'LtiSubmissionReviewRequest' }),
    'for another service': (begun) => signed(begun, { [lti('target_link_uri')]: 'https://evil.example.com/launch' }),
    'that asks to answer elsewhere': (begun) => signed(begun, settings('https://evil.example.com/return')),
    'that asks to answer with a script': (begun) => signed(begun, settings('javascript:alert(1)')),
    'of another platform with its own key': async ({ nonce }) => ({
      id_token: await other.sign(other.honest(nonce, server.url, { [lti('roles')]: [instructor] })),
    }),
    'of a platform that is off': async ({ nonce }) => ({ id_token: await off.sign(off.honest(nonce, server.url)) }),
    'with the state of another launch': async (begun) => ({
      ...(await signed(begun, {})),
      state: (await begin(server, other)).state,
    }),
    'with a state of its own': async (begun) => ({ ...(await signed(begun, {})), state: base64({ platform: 1 }) }),
    'with a state that was sealed for something else': async (begun) => ({
      ...(await signed(begun, {})),
      state: sealedState({ platform: 1, nonce: begun.nonce, cookie: '', expiresAt: Date.now() + 60_000 }, 'elsewhere'),
    }),
    'with a state that is over': async (begun) => ({
      ...(await signed(begun, {})),
      state: sealedState({ platform: 1, nonce: begun.nonce, cookie: '', expiresAt: Date.now() - 1 }),
    }),
    'with the cookie of another launch': async (begun) => {
      const { cookie } = await begin(server, school);
      return { ...(await signed(begun, {})), cookie: `${begun.cookie.split('=')[0]}=${cookie.split('=')[1]}` };
    },
    'with two cookies': async (begun) => ({
      ...(await signed(begun, {})),
      cookie: `${begun.cookie}; ${begun.cookie}x`,
    }),
    'in a window without the cookie': async (begun) => ({
      ...(await signed(begun, {})),
      cookie: undefined,
      place: 'document',
    }),
  };
  for (const [name, forge] of Object.entries(cases)) {
    it(`${name} lets nobody in`, async () => {
      const begun = await begin(server, school);
      const left = await traces();
      const { cookie, place, ...message } = { state: begun.state, cookie: begun.cookie, ...(await forge(begun)) };
      const { status, opened, text } = await bring(server, message, { cookie, ...(place && { place }) });
      assert.equal(status, 200, text);
      assert.ok(opened.refused, JSON.stringify(opened));
      assert.equal(opened.launch, undefined);
      assert.equal(await traces(), left);
    });
  }

  it('is no honest one that is sent twice, nor its session', async () => {
    const begun = await begin(server, school);
    const { id_token } = await signed(begun, { sub: 'twice', email: 'twice@school.example.com' });
    const message = { state: begun.state, id_token };
    const first = await bring(server, message, begun);
    assert.ok(first.opened.launch);
    assert.equal((await bring(server, message, begun)).opened.refused, 'expired');
    const body = { launch: first.opened.launch };
    const answers = await Promise.all([1, 2, 3].map(() => server.post('/api/lti/session', undefined, body)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401, 401]);
    // Neither a state nor a changed launch is a launch.
    for (const text of [begun.state, `${first.opened.launch}A`, first.opened.launch.replace(/^..../, 'AAAA')])
      assert.equal((await server.post('/api/lti/session', undefined, { launch: text })).status, 401);
  });

  it('costs few requests for the keys of the platform', async () => {
    const before = school.keyRequests;
    for (let count = 0; count < 10; count += 1) {
      const begun = await begin(server, school);
      const { id_token } = await signed(begun, {}, { kid: `unknown-${count}` }, stranger);
      assert.ok((await bring(server, { state: begun.state, id_token }, begun)).opened.refused);
    }
    assert.ok(school.keyRequests - before <= 1, `${school.keyRequests - before}`);
  });
});
