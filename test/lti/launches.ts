import assert from 'node:assert/strict';
import type { Answer, TestServer, TestUser } from '../server.ts';
import type { ForgingPlatform } from './forging-platform.ts';

/** A launch that a browser has begun. */
export type Begun = { state: string; nonce: string; cookie: string; location: URL };
/** What the document of a launch says. */
export type Opened = { launch?: string; path?: string; refused?: string; user?: string };

const form = 'application/x-www-form-urlencoded';

/** Adds an active platform. */
export async function addPlatform(server: TestServer, admin: TestUser, platform: ForgingPlatform, more: object = {}) {
  const answer = await server.post('/api/admin/lti-platforms', admin.token, { ...platform.fields, ...more });
  assert.equal(answer.status, 201, answer.text);
  return answer.body as { id: number };
}

export async function begin(server: TestServer, platform: ForgingPlatform): Promise<Begun> {
  const hints = { iss: platform.origin, client_id: platform.clientId, login_hint: '5', lti_message_hint: 'hint' };
  const target_link_uri = `${server.url}/api/lti/launch`;
  const answer = await server.get(`/api/lti/login?${new URLSearchParams({ ...hints, target_link_uri })}`);
  assert.equal(answer.status, 303, answer.text);
  const location = new URL(answer.headers.get('location') ?? '');
  const [cookie = ''] = (answer.headers.get('set-cookie') ?? '').split(';');
  const of = (name: string): string => location.searchParams.get(name) ?? assert.fail(`${name} is not in ${location}`);
  return { state: of('state'), nonce: of('nonce'), cookie, location };
}

/** The browser brings a message. @param place what the browser says of it; undefined: nothing */
export async function bring(
  server: TestServer,
  fields: Record<string, string>,
  { cookie, place = 'iframe' }: { cookie?: string | undefined; place?: string | undefined } = {},
): Promise<Answer & { opened: Opened }> {
  const answer = await server.request('POST', '/api/lti/launch', {
    body: new URLSearchParams(fields).toString(),
    headers: {
      'content-type': form,
      'sec-fetch-dest': place,
      ...(cookie === undefined ? {} : { cookie }),
    },
  });
  const of = (name: string) => new RegExp(` data-launch${name}="([^"]*)"`).exec(answer.text.replace('<html', ' '))?.[1];
  const names = { launch: '', path: '-next', refused: '-refused', user: '-user' };
  const opened = Object.fromEntries(
    Object.entries(names).flatMap(([name, suffix]) => {
      const value = of(suffix);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  return Object.assign(answer, { opened });
}

/** A whole launch of an honest platform. */
export async function launch(server: TestServer, platform: ForgingPlatform, more: object = {}, place = 'iframe') {
  const { state, nonce, cookie } = await begin(server, platform);
  const id_token = await platform.sign(platform.honest(nonce, server.url, more));
  return await bring(server, { id_token, state }, { cookie, place });
}

export type Session = { access_token: string; user: { id: number; username: string; role: string; email: string } };

/** The session of a launch. */
export async function enter(server: TestServer, { opened }: { opened: Opened }): Promise<Session> {
  assert.ok(opened.launch, JSON.stringify(opened));
  const answer = await server.post('/api/lti/session', undefined, { launch: opened.launch });
  assert.equal(answer.status, 200, answer.text);
  return answer.body as Session;
}
