import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import sharp from 'sharp';
import { TestServer, type TestUser } from '../server.ts';

describe('headers', () => {
  let server: TestServer;
  let admin: TestUser;
  let avatar: string;

  before(async () => {
    // A large body still being sent when the answer arrives can prevent reading the answer, so this one is sent at once.
    const env = { TRUST_PROXY: 'true', CORS_ORIGINS: 'https://school.example.com', maxBodyBytes: 8192 };
    server = await TestServer.start(env);
    admin = await server.user('admin');
    const picture = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    const body = new FormData();
    body.set('file', new Blob([new Uint8Array(picture)]), 'me.png');
    const uploaded = await server.request('POST', '/api/profile/avatar', { token: admin.token, body });
    avatar = new URL(uploaded.body.avatar_url, server.url).pathname;
  });
  after(() => server?.[Symbol.asyncDispose]());

  /** Security headers, and no revealing headers, on every answer. */
  function check(what: string, headers: Headers): void {
    assert.equal(headers.get('x-content-type-options'), 'nosniff', what);
    assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/, what);
    assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/, what);
    assert.equal(headers.get('referrer-policy'), 'no-referrer', what);
    assert.match(headers.get('strict-transport-security') ?? '', /max-age=\d{7}/, what);
    assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin', what);
    for (const name of ['set-cookie', 'x-powered-by', 'server'])
      assert.equal(headers.get(name), null, `${what}: ${name}`);
  }

  const answers: [
    string,
    number,
    string,
    string,
    { json?: unknown; body?: string; headers?: Record<string, string> }?,
  ][] = [
    ['JSON', 200, 'GET', '/api/auth/me'],
    ['a list', 200, 'GET', '/api/lessons/courses'],
    ['what is made', 201, 'POST', '/api/admin/lessons/courses', { json: { name: 'Course' } }],
    ['a login', 200, 'POST', '/api/auth/login', { json: { username: 'admin1', password: 'password of admin1' } }],
    ['a login that fails', 401, 'POST', '/api/auth/login', { json: { username: 'nobody', password: 'password' } }],
    ['an unknown path', 404, 'GET', '/nothing'],
    ['an unknown thing', 404, 'GET', '/api/exams/99'],
    ['another method', 405, 'PATCH', '/api/exams'],
    ['what is not valid', 422, 'GET', '/api/exams/text'],
    ['what is no JSON', 422, 'POST', '/api/auth/login', { body: '{', headers: { 'content-type': 'application/json' } }],
    ['another type', 415, 'POST', '/api/auth/login', { body: 'x', headers: { 'content-type': 'text/xml' } }],
    ['a body that is too large', 413, 'POST', '/api/auth/login', { json: { username: 'x'.repeat(20_000) } }],
    ['users as CSV', 200, 'GET', '/api/admin/users/export'],
    ['attempts as CSV', 200, 'GET', '/api/instructor/attempts/export'],
    ['the API document', 200, 'GET', '/api/openapi.json'],
    ['the metrics', 200, 'GET', '/metrics'],
    ['a sign of life', 200, 'GET', '/healthz'],
    ['readiness', 200, 'GET', '/readyz'],
  ];
  for (const [what, status, method, path, options] of answers) {
    it(`are on ${what}`, async () => {
      const headers = new Headers(options?.headers);
      headers.set('authorization', `Bearer ${admin.token}`);
      if (options?.json !== undefined) headers.set('content-type', 'application/json');
      const body = options?.json === undefined ? options?.body : JSON.stringify(options.json);
      const answer = await fetch(server.url + path, {
        method,
        headers,
        redirect: 'manual',
        ...(body === undefined ? {} : { body }),
      });
      assert.equal(answer.status, status, await answer.text());
      check(what, answer.headers);
    });
  }

  it('are on a picture, which any origin may show', async () => {
    const answer = await fetch(server.url + avatar);
    assert.equal(answer.status, 200);
    check('avatar', answer.headers);
    assert.equal(answer.headers.get('cross-origin-resource-policy'), 'cross-origin');
    await answer.arrayBuffer();
  });

  it("allow only the API page's own scripts", async () => {
    const answer = await fetch(`${server.url}/api/docs/`);
    assert.equal(answer.status, 200);
    const policy = answer.headers.get('content-security-policy') ?? '';
    assert.doesNotMatch(policy, /script-src[^;]*('unsafe-eval'|'unsafe-inline'|\*)/);
    assert.match(policy, /frame-ancestors 'none'/);
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
    assert.equal(answer.headers.get('set-cookie'), null);
    await answer.text();
  });

  it('are on a preflight request; invalid HTTP is not kept', async () => {
    const preflight = await fetch(`${server.url}/api/exams`, {
      method: 'OPTIONS',
      headers: { origin: 'https://school.example.com', 'access-control-request-method': 'GET' },
    });
    assert.equal(preflight.headers.get('access-control-allow-origin'), 'https://school.example.com');
    check('preflight', preflight.headers);
    const { port, hostname } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    socket.end('NONSENSE\r\n\r\n');
    let answer = '';
    socket.on('data', (chunk: Buffer) => {
      answer += chunk;
    });
    await once(socket, 'close');
    assert.match(answer, /^HTTP\/1\.1 400 /);
    assert.doesNotMatch(answer, /set-cookie|server:|node/i);
  });
});
