import assert from 'node:assert/strict';
import { after, before, beforeEach, it } from 'node:test';
import { TextSeal } from '../../src/database/sealed-text.ts';
import { exchange } from '../login-cookie.ts';
import { ForgingProvider, newKey, type Signing } from '../oidc/forging-provider.ts';
import {
  addProvider,
  type Begun,
  begin,
  comeBack,
  honest,
  logIn,
  pagesCookie,
  refusalOf,
  secret,
  startWithProviders,
  withProviders,
} from '../oidc/logins.ts';
import { describeLong } from '../rounds.ts';
import type { Answer, TestServer, TestUser } from '../server.ts';

const second = (offset: number): number => Math.floor(Date.now() / 1000) + offset;

describeLong('a forged answer of an identity provider', { timeout: 600_000 }, () => {
  let server: TestServer;
  let school: ForgingProvider;
  let other: ForgingProvider;
  let admin: TestUser;
  let deactivated: TestUser;
  before(async () => {
    server = await startWithProviders();
    [school, other] = [await new ForgingProvider().start(), await new ForgingProvider().start()];
    admin = await server.user('admin');
    deactivated = await server.user();
    await server.put(`/api/admin/users/${deactivated.id}`, admin.token, { is_active: false });
    await addProvider(server, admin, school.issuer, 'school', { is_linking_by_email: true });
    await addProvider(server, admin, other.issuer, 'other');
    assert.equal((await logIn(server, school, 'school')).status, 200);
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
    await Promise.all([school, other].map((provider) => provider?.[Symbol.asyncDispose]()));
  });
  beforeEach(() => {
    for (const provider of [school, other]) Object.assign(provider, { signing: {}, info: {}, claims: undefined });
  });

  /** What somebody who got in would leave behind. */
  async function traces(): Promise<string> {
    const { db } = server.application;
    const users = await db
      .selectFrom('users')
      .select(['id', 'role', 'last_login_at', 'password_hash'])
      .orderBy('id')
      .execute();
    const cookies = await db.selectFrom('login_cookies').select('user_id').execute();
    const identities = await db.selectFrom('user_identities').select(['id', 'user_id', 'last_login_at']).execute();
    return JSON.stringify([users, cookies, identities]);
  }

  type Forged = {
    claims?: (begun: Begun) => object;
    signing?: () => Signing;
    info?: object;
    /** Of the address at which the browser comes back. */
    query?: (begun: Begun) => Record<string, string>;
    cookie?: (begun: Begun) => string | undefined | Promise<string | undefined>;
    slug?: string;
  };
  const answer = ({ state }: Begun) => ({ code: 'code', state });
  const without = (name: string) => (begun: Begun) => ({ ...honest(school, begun), [name]: undefined });
  const having = (more: () => object) => (begun: Begun) => honest(school, begun, more());
  const unsigned = (token: string): string => `${token.split('.').slice(0, 2).join('.')}.`;
  /** With the payload of somebody else and the signature of the original. */
  const replaced = (token: string): string => {
    const [head, , signature] = token.split('.');
    const payload = { ...school.claims, sub: 'somebody-else' };
    return [head, Buffer.from(JSON.stringify(payload)).toString('base64url'), signature].join('.');
  };
  const flowOf = (begun: Begun) => {
    const seal = new TextSeal(withProviders.SECRET_KEY);
    const [name = '', value = ''] = begun.cookie.split('=');
    const place = 'login at an identity provider';
    const flow = JSON.parse(seal.open(Buffer.from(value, 'base64url'), place) ?? '{}') as object;
    const sealed = (more: object, at = place) =>
      seal.seal(JSON.stringify({ ...flow, ...more }), at).toString('base64url');
    return { name, value, sealed };
  };
  const stranger = newKey();

  const cases: Record<string, [refusal: string, Forged]> = {
    'another nonce': ['invalid', { claims: having(() => ({ nonce: 'n'.repeat(43) })) }],
    'no nonce': ['invalid', { claims: without('nonce') }],
    'an empty nonce': ['invalid', { claims: having(() => ({ nonce: '' })) }],
    'another state': ['expired', { query: (begun) => ({ ...answer(begun), state: 's'.repeat(43) }) }],
    'no state': ['expired', { query: () => ({ code: 'code' }) }],
    'another audience': ['invalid', { claims: having(() => ({ aud: 'another-client' })) }],
    'no audience': ['invalid', { claims: without('aud') }],
    'several audiences without a party': ['invalid', { claims: having(() => ({ aud: ['platform', 'another'] })) }],
    'several audiences for another party': [
      'invalid',
      { claims: having(() => ({ aud: ['platform', 'another'], azp: 'another' })) },
    ],
    'another authorized party': ['invalid', { claims: having(() => ({ azp: 'another' })) }],
    'another issuer': ['invalid', { claims: having(() => ({ iss: 'https://evil.example.com' })) }],
    'the issuer of another provider': ['invalid', { claims: having(() => ({ iss: other.issuer })) }],
    'an issuer with a slash more': ['invalid', { claims: having(() => ({ iss: `${school.issuer}/` })) }],
    'no algorithm': ['invalid', { signing: () => ({ header: { alg: 'none' }, alter: unsigned }) }],
    'no algorithm, with a signature': ['invalid', { signing: () => ({ header: { alg: 'none' } }) }],
    'the public key as a secret': [
      'invalid',
      { signing: () => ({ header: { alg: 'HS256' }, hmac: school.publicKey }) },
    ],
    "the client's secret as a key": ['invalid', { signing: () => ({ header: { alg: 'HS256' }, hmac: secret }) }],
    'another key of the same name': ['invalid', { signing: () => ({ key: stranger }) }],
    'a key that it brings along': [
      'invalid',
      { signing: () => ({ key: stranger, header: { kid: 'own', jwk: { kty: 'RSA', e: 'AQAB', n: 'AQAB' } } }) },
    ],
    'the key of another provider': ['invalid', { signing: () => ({ key: other.key }) }],
    'an algorithm that the key is not of': ['invalid', { signing: () => ({ header: { alg: 'ES256' } }) }],
    'no signature': ['invalid', { signing: () => ({ alter: unsigned }) }],
    'a signature of something else': ['invalid', { signing: () => ({ alter: replaced }) }],
    'its time over': ['invalid', { claims: having(() => ({ iat: second(-900), exp: second(-300) })) }],
    'no end': ['invalid', { claims: without('exp') }],
    'its time not begun': ['invalid', { claims: having(() => ({ nbf: second(300) })) }],
    'a time of issue to come': ['invalid', { claims: having(() => ({ iat: second(300), exp: second(900) })) }],
    'no subject': ['invalid', { claims: without('sub') }],
    'a subject of great length': ['invalid', { claims: having(() => ({ sub: 's'.repeat(256) })) }],
    'the details of another subject': ['invalid', { info: { sub: 'student-2', email: 'admin@school.example.com' } }],
    'an error and a code': ['denied', { query: (begun) => ({ ...answer(begun), error: 'access_denied' }) }],
    'no code': ['invalid', { query: ({ state }) => ({ state }) }],
    'another issuer in the address': ['invalid', { query: (begun) => ({ ...answer(begun), iss: other.issuer }) }],
    'an answer for another provider': ['expired', { slug: 'other' }],
    'an answer for another provider, with its cookie': [
      'expired',
      { slug: 'other', cookie: ({ cookie }) => cookie.replace('login-school', 'login-other') },
    ],
    "another browser's login": ['expired', { cookie: async () => (await begin(server, 'school')).cookie }],
    'no cookie': ['expired', { cookie: () => undefined }],
    'two cookies': ['expired', { cookie: ({ cookie }) => `${cookie}; ${cookie}` }],
    'a cookie that was changed': ['expired', { cookie: ({ cookie }) => `${cookie.slice(0, -3)}AAA` }],
    'a cookie that is no login': [
      'expired',
      { cookie: (begun) => `${flowOf(begun).name}=${flowOf(begun).sealed({}, 'identity_providers.sealed_secret 1')}` },
    ],
    'a login begun long ago': [
      'expired',
      { cookie: (begun) => `${flowOf(begun).name}=${flowOf(begun).sealed({ expiresAt: Date.now() - 1 })}` },
    ],
    'an address that is not verified': [
      'unverified_email',
      { claims: having(() => ({ sub: 'new', email_verified: false, email: 'new@school.example.com' })) },
    ],
    'an address that is verified by a word': [
      'unverified_email',
      { claims: having(() => ({ sub: 'new', email_verified: 'true', email: 'new@school.example.com' })) },
    ],
    'an address that is verified elsewhere': [
      'unverified_email',
      {
        claims: having(() => ({ sub: 'new', email: 'new@school.example.com', email_verified: undefined })),
        info: { sub: 'new', email: 'other@school.example.com', email_verified: true },
      },
    ],
    'no address': ['unverified_email', { claims: having(() => ({ sub: 'new', email: undefined })) }],
    'the address of an administrator': [
      'account_exists',
      { claims: having(() => ({ sub: 'new', email: admin.email.toUpperCase() })) },
    ],
    'the address of a deactivated account': [
      'inactive',
      { claims: having(() => ({ sub: 'new', email: deactivated.email })) },
    ],
    'the address of an account that another subject has': [
      'account_exists',
      { claims: having(() => ({ sub: 'new' })) },
    ],
  };

  for (const [what, [refusal, { claims, signing, info, query, cookie, slug = 'school' }]] of Object.entries(cases)) {
    it(`lets nobody in: ${what}`, async () => {
      const begun = await begin(server, 'school');
      Object.assign(school, {
        claims: (claims ?? having(() => ({})))(begun),
        signing: signing?.() ?? {},
        info: info ?? {},
      });
      school.info = { sub: school.claims?.['sub'], ...info };
      // The other one would let the user in.
      other.claims = honest(other, begun);
      const before = await traces();
      const kept = cookie ? await cookie(begun) : begun.cookie;
      const back = await comeBack(server, slug, (query ?? answer)(begun), kept);
      assert.deepEqual([back.status, refusalOf(back), pagesCookie(back)], [303, refusal, undefined], back.text);
      assert.equal(await traces(), before);
    });
  }

  it('is an answer that comes again, to the same browser too', async () => {
    const begun = await begin(server, 'school');
    Object.assign(school, { claims: honest(school, begun), info: { sub: 'student-1' } });
    const first = await comeBack(server, 'school', answer(begun), begun.cookie);
    assert.equal(first.status, 200, first.text);
    const before = await traces();
    // The provider takes the code again.
    const again = await Promise.all([1, 2, 3].map(() => comeBack(server, 'school', answer(begun), begun.cookie)));
    assert.deepEqual(
      [...again.map(refusalOf), ...again.map(pagesCookie)],
      [...Array(3).fill('expired'), ...Array(3).fill(undefined)],
    );
    assert.equal(await traces(), before);
  });

  it('leads nowhere else', async () => {
    const evil = [
      'https://evil.example.com/',
      '//evil.example.com',
      '/\\evil.example.com',
      '/\t/evil.example.com',
      'javascript:alert(1)',
    ];
    const landing = (back: Answer): string | undefined => /data-next="([^"]*)"/.exec(back.text)?.[1];
    school.info = { sub: 'student-1' };
    for (const next of [...evil, '/api/auth/logout', 'courses', '/..//evil.example.com'])
      assert.equal(landing(await logIn(server, school, 'school', {}, next)), '/', next);
    const markup = '/courses?a="><script>alert(1)</script>&b=1#c';
    const own = landing(await logIn(server, school, 'school', {}, markup));
    assert.equal(own, '/courses?a=%22%3E%3Cscript%3Ealert(1)%3C/script%3E&amp;b=1#c');
    school.claims = undefined;
    const begun = await begin(server, 'school', '//evil.example.com');
    const refused = await comeBack(server, 'school', answer(begun), begun.cookie);
    assert.equal(refused.headers.get('location'), '/login?refused=invalid');
  });

  it('does not keep the honest ones out', async () => {
    school.info = { sub: 'student-1' };
    const back = await logIn(server, school, 'school');
    const session = await exchange(server, pagesCookie(back) ?? '');
    assert.deepEqual([session.status, session.body.user.username], [200, 'student.one']);
  });
});
