import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { allErrorCodes, errorCodes } from '../../src/errors.ts';
import { TestServer, type TestUser } from '../server.ts';

describe('every error', () => {
  let server: TestServer;
  let user: TestUser;
  before(async () => {
    server = await TestServer.start({ BODY_LIMIT_BYTES: '16384' });
    user = await server.user();
  });
  after(() => server[Symbol.asyncDispose]());

  /** A body is a detail and a code of its status, and nothing else. */
  function hasCode(status: number, body: { code: string; detail: unknown }, code: string, what = code): void {
    assert.deepEqual(Object.keys(body).sort(), ['code', 'detail'], what);
    assert.equal(body.code, code, what);
    assert.ok(
      code in (errorCodes[status as keyof typeof errorCodes] ?? {}),
      `${what}: ${status} does not have ${code}`,
    );
    assert.equal(Array.isArray(body.detail), status === 422, what);
  }

  type Case = [status: number, code: string, method: string, path: string, options?: object];
  const form = (body: string) => ({ body, headers: { 'content-type': 'application/x-www-form-urlencoded' } });
  const json = (body: string) => ({ body, headers: { 'content-type': 'application/json' } });
  const login = '/api/auth/login';
  const cases: Case[] = [
    [404, 'not_found', 'GET', '/api/nothing'],
    [404, 'not_found', 'GET', `/api/containers/${'9'.repeat(1200)}`],
    [405, 'method_not_allowed', 'DELETE', login],
    [400, 'bad_request', 'GET', '/api/containers/%zz'],
    [401, 'unauthorized', 'GET', '/api/auth/me'],
    [401, 'wrong_credentials', 'POST', login, form('username=nobody&password=wrong-password')],
    [401, 'wrong_credentials', 'POST', login, { json: { username: 'nobody', password: 'wrong-password' } }],
    [413, 'body_too_large', 'POST', login, form(`username=x&password=${'x'.repeat(20_000)}`)],
    [413, 'body_too_large', 'POST', login, { json: { username: 'x', password: 'x'.repeat(20_000) } }],
    [415, 'unsupported_media_type', 'POST', login, { body: 'x', headers: { 'content-type': 'text/plain' } }],
    [422, 'validation', 'POST', login, form('username=nobody')],
    [422, 'validation', 'POST', login, { json: {} }],
    [422, 'validation', 'POST', login, json('{')],
    [422, 'validation', 'POST', login, json('')],
    [426, 'upgrade_required', 'GET', '/ws/terminal/1'],
  ];
  for (const [index, [status, code, method, path, options]] of cases.entries()) {
    it(`has its code: ${status} ${code}, ${method} ${path.slice(0, 40)} (${index + 1})`, async () => {
      const answer = await server.request(method, path, options);
      assert.equal(answer.status, status, answer.text);
      hasCode(status, answer.body, code);
    });
  }

  it('of roles has its code', async () => {
    const admin = await server.get('/api/admin/users', user.token);
    hasCode(admin.status, admin.body, 'admin_required');
    const instructor = await server.get('/api/instructor/attempts', user.token);
    hasCode(instructor.status, instructor.body, 'instructor_required');
  });

  /** What a socket is answered that sends exactly these bytes. */
  async function answerTo(bytes: string): Promise<{ status: number; headers: string; body: never }> {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write(bytes);
    const [headers = '', body = ''] = (await text(socket)).split('\r\n\r\n');
    return { status: Number(headers.split(' ')[1]), headers, body: JSON.parse(body) as never };
  }
  const lines = (...all: string[]) => `${all.join('\r\n')}\r\n\r\n`;

  it('of an invalid request has its code', async () => {
    const wrong = await answerTo(lines('GET / NOT-HTTP'));
    hasCode(wrong.status, wrong.body, 'bad_request');
    const large = await answerTo(lines('GET / HTTP/1.1', 'Host: x', `X: ${'x'.repeat(20_000)}`));
    hasCode(large.status, large.body, 'headers_too_large');
    const hosts = await answerTo(lines('GET /healthz HTTP/1.1', 'Host: x', 'Host: y'));
    hasCode(hosts.status, hosts.body, 'bad_request');
  });

  it('before a connection becomes a WebSocket has its code', async () => {
    const upgrade = ['Host: x', 'Connection: Upgrade', 'Upgrade: websocket'];
    const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';
    const keyless = await answerTo(lines('GET /ws/terminal/1 HTTP/1.1', ...upgrade, 'Sec-WebSocket-Version: 13'));
    assert.equal(keyless.status, 400);
    hasCode(400, keyless.body, 'bad_request');
    const version = await answerTo(lines('GET /ws/terminal/1 HTTP/1.1', ...upgrade, key, 'Sec-WebSocket-Version: 1'));
    assert.match(version.headers, /^sec-websocket-version: 13, 8$/im);
    hasCode(version.status, version.body, 'bad_request');
    const unknown = await answerTo(lines('GET /ws/nothing HTTP/1.1', ...upgrade, key, 'Sec-WebSocket-Version: 13'));
    hasCode(unknown.status, unknown.body, 'not_found');
  });

  it('of too many requests has its code', async () => {
    await using strict = await TestServer.start({ REQUESTS_PER_MINUTE: '5' }, {}, 1);
    for (let request = 0; request < 5; request += 1) await strict.get('/api/auth/registration');
    const { status, body } = await strict.get('/api/auth/registration');
    hasCode(status, body, 'too_many_requests');
  });

  it('has its code and its sentence in the API document', async () => {
    const { body } = await server.get('/api/openapi.json');
    const { code } = body.components.schemas.Error.properties;
    assert.deepEqual(code.enum, allErrorCodes);
    for (const codes of Object.values(errorCodes))
      for (const [name, meaning] of Object.entries(codes)) {
        assert.ok(code.description.includes(`\`${name}\``) && code.description.includes(meaning), name);
      }
    const required = ['Error', 'ValidationError'].map((name) => body.components.schemas[name].required);
    for (const fields of required) assert.deepEqual([...fields].sort(), ['code', 'detail']);
  });
});
