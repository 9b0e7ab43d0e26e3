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
    server = await TestServer.start({ maxBodyBytes: 16_384 });
    user = await server.user();
  });
  after(() => server[Symbol.asyncDispose]());

  type Refusal = { status: number; code: string | null | undefined; body: { detail: unknown } };

  /** The body is a detail and nothing else. The code in the header is one of the status. */
  function hasCode({ status, code: given, body }: Refusal, code: string, what = code): void {
    assert.deepEqual(Object.keys(body), ['detail'], what);
    assert.equal(given, code, what);
    assert.ok(
      code in (errorCodes[status as keyof typeof errorCodes] ?? {}),
      `${what}: ${status} does not have ${code}`,
    );
    if (status === 422)
      for (const item of body.detail as object[]) assert.deepEqual(Object.keys(item), ['loc', 'msg', 'type'], what);
    else assert.equal(typeof body.detail, 'string', what);
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
      hasCode(answer, code);
    });
  }

  it('of roles has its code', async () => {
    const admin = await server.get('/api/admin/users', user.token);
    hasCode(admin, 'admin_required');
    const instructor = await server.get('/api/instructor/attempts', user.token);
    hasCode(instructor, 'instructor_required');
  });

  /** What a socket is answered that sends exactly these bytes. */
  async function answerTo(bytes: string): Promise<Refusal & { headers: string }> {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write(bytes);
    const [headers = '', body = ''] = (await text(socket)).split('\r\n\r\n');
    const code = /^error-code: (\w+)$/im.exec(headers)?.[1];
    return { status: Number(headers.split(' ')[1]), code, headers, body: JSON.parse(body) };
  }
  const lines = (...all: string[]) => `${all.join('\r\n')}\r\n\r\n`;

  it('of an invalid request has its code', async () => {
    const wrong = await answerTo(lines('GET / NOT-HTTP'));
    hasCode(wrong, 'bad_request');
    const large = await answerTo(lines('GET / HTTP/1.1', 'Host: x', `X: ${'x'.repeat(20_000)}`));
    hasCode(large, 'headers_too_large');
    const hosts = await answerTo(lines('GET /healthz HTTP/1.1', 'Host: x', 'Host: y'));
    hasCode(hosts, 'bad_request');
  });

  it('before a connection becomes a WebSocket has its code', async () => {
    const upgrade = ['Host: x', 'Connection: Upgrade', 'Upgrade: websocket'];
    const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';
    const keyless = await answerTo(lines('GET /ws/terminal/1 HTTP/1.1', ...upgrade, 'Sec-WebSocket-Version: 13'));
    assert.equal(keyless.status, 400);
    hasCode(keyless, 'bad_request');
    const version = await answerTo(lines('GET /ws/terminal/1 HTTP/1.1', ...upgrade, key, 'Sec-WebSocket-Version: 1'));
    assert.match(version.headers, /^sec-websocket-version: 13, 8$/im);
    hasCode(version, 'bad_request');
    const unknown = await answerTo(lines('GET /ws/nothing HTTP/1.1', ...upgrade, key, 'Sec-WebSocket-Version: 13'));
    hasCode(unknown, 'not_found');
  });

  it('of too many requests has its code', async () => {
    await using strict = await TestServer.start({ REQUESTS_PER_MINUTE: '5' }, {}, 1);
    for (let request = 0; request < 5; request += 1) await strict.get('/api/auth/registration');
    hasCode(await strict.get('/api/auth/registration'), 'too_many_requests');
  });

  it('has its code and its sentence in the API document', async () => {
    const { body } = await server.get('/api/openapi.json');
    const { Error: error, ErrorCode: code, ValidationError: validation } = body.components.schemas;
    assert.deepEqual(code.enum, allErrorCodes);
    for (const codes of Object.values(errorCodes))
      for (const [name, meaning] of Object.entries(codes)) {
        assert.ok(code.description.includes(`\`${name}\``) && code.description.includes(meaning), name);
      }
    for (const { properties, required } of [error, validation])
      assert.deepEqual([Object.keys(properties), required], [['detail'], ['detail']]);
    type Answers = { responses: Record<string, { headers?: Record<string, unknown> }> };
    const operations = Object.values(body.paths as Record<string, Record<string, Answers>>).flatMap(Object.values);
    for (const { responses } of operations as Answers[])
      for (const [status, { headers }] of Object.entries(responses))
        assert.equal(Number(status) >= 400, headers?.['Error-Code'] !== undefined, status);
  });

  it('lets pages of other origins read its headers', async () => {
    const origin = 'https://school.example.com';
    await using server = await TestServer.start({ CORS_ORIGINS: origin });
    const { headers } = await server.request('GET', '/api/nothing', { headers: { origin } });
    const exposed = headers.get('access-control-expose-headers')?.split(', ') ?? [];
    for (const name of ['Error-Code', 'Error-Items', 'Error-Reason', 'Error-Total', 'Retry-After'])
      assert.ok(exposed.includes(name), name);
  });
});
