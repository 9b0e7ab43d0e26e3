import assert from 'node:assert/strict';
import { type Answer, TestServer, type TestUser } from '../server.ts';
import type { ForgingProvider } from './forging-provider.ts';

/** A login that a browser has begun. */
export type Begun = { state: string; nonce: string; cookie: string; location: URL };

export const secret = 'a secret of the client that is long enough';
export const withProviders = { PRIVATE_PROVIDERS: 'true', SECRET_KEY: 'a secret key of the tests of providers' };
export const startWithProviders = (): Promise<TestServer> => TestServer.start(withProviders);

/** Adds an active provider. @returns its answer */
export async function addProvider(
  server: TestServer,
  admin: TestUser,
  issuer: string,
  slug: string,
  more: object = {},
) {
  const fields = {
    name: `School ${slug}`,
    slug,
    issuer,
    client_id: 'platform',
    client_secret: secret,
    is_active: true,
  };
  const answer = await server.post('/api/admin/identity-providers', admin.token, { ...fields, ...more });
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
}

export async function begin(server: TestServer, slug: string, next?: string): Promise<Begun> {
  const query = next === undefined ? '' : `?${new URLSearchParams({ next })}`;
  return begunBy(await server.get(`/api/auth/providers/${slug}/login${query}`), 'location');
}

/** What an answer has told the browser: to keep the cookie, and to go to the provider. */
export function begunBy(answer: Answer, place: 'location' | 'body'): Begun {
  assert.equal(answer.status, place === 'body' ? 200 : 303, answer.text);
  const location = new URL(place === 'body' ? answer.body.url : (answer.headers.get('location') ?? ''));
  const [cookie = ''] = (answer.headers.get('set-cookie') ?? '').split(';');
  const of = (name: string): string => location.searchParams.get(name) ?? assert.fail(`${name} is not in ${location}`);
  return { state: of('state'), nonce: of('nonce'), cookie, location };
}

/** What an honest provider would say. */
export const honest = (provider: ForgingProvider, { nonce }: Begun, more: object = {}) => ({
  ...{ iss: provider.issuer, aud: provider.clientId, sub: 'student-1', nonce },
  ...{ iat: Math.floor(Date.now() / 1000), exp: Math.floor(Date.now() / 1000) + 300 },
  ...{ email: 'student.one@school.example.com', email_verified: true, name: 'Student One', ...more },
});

/** The browser comes back from the provider. */
export async function comeBack(
  server: TestServer,
  slug: string,
  query: Record<string, string>,
  cookie: string | undefined,
): Promise<Answer> {
  const path = `/api/auth/providers/${slug}/callback?${new URLSearchParams(query)}`;
  return await server.request('GET', path, { headers: cookie === undefined ? {} : { cookie } });
}

/** The cookie of the pages that an answer sets. */
export const pagesCookie = ({ headers }: Answer): string | undefined =>
  headers
    .getSetCookie()
    .map((line) => /^login=([^;]+)/.exec(line)?.[1])
    .find((value) => value !== undefined);

/** Why an answer leads back to the login page. Undefined: it does not. */
export function refusalOf({ status, headers }: Answer): string | undefined {
  const location = headers.get('location');
  return status === 303 && location !== null
    ? (new URL(location, 'http://own').searchParams.get('refused') ?? undefined)
    : undefined;
}

/** A whole login of an honest provider. */
export async function logIn(
  server: TestServer,
  provider: ForgingProvider,
  slug: string,
  more: object = {},
  next?: string,
) {
  const begun = await begin(server, slug, next);
  provider.claims = honest(provider, begun, more);
  provider.info = { ...provider.info, sub: provider.claims['sub'] };
  return await comeBack(server, slug, { code: 'code', state: begun.state }, begun.cookie);
}
