import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { type SmallServer, smallServer } from '../../../test/small-server.ts';
import { connectDatabase } from '../../database/connection/connect.ts';
import { ConflictError, InvalidError, UnavailableError, type ValidationItem } from '../../errors.ts';
import { invalidAnswer } from './errors.ts';
import { errors, IdParams } from './schemas.ts';

const secret = 'canary-77aa';
const origin = 'https://school.example.com';

const routes: FastifyPluginAsyncTypebox = async (app) => {
  const config = { access: 'public' as const };
  const failing = (url: string, fail: () => unknown) => app.get(url, { config, handler: async () => fail() });
  failing('/mistake', () => {
    throw new TypeError(`${secret} is not a function`);
  });
  failing('/text', () => {
    throw secret;
  });
  failing('/late', async () => {
    await new Promise((resolve) => setImmediate(resolve));
    throw Object.assign(new Error(secret), { statusCode: 502 });
  });
  failing('/conflict', () => {
    throw new ConflictError('conflict', 'There is one already');
  });
  failing('/unavailable', () => {
    throw new UnavailableError('no_capacity', 'No container to be had', { retryAfter: 2.3, cause: new Error(secret) });
  });
  failing('/database', async () => {
    const address = { connectionString: `postgres://user:${secret}@127.0.0.1:1/none` };
    const { db } = connectDatabase({
      address,
      maxConnections: 1,
      statementTimeout: 1000,
      acquireTimeout: 1000,
      onError: () => {},
    });
    try {
      return await db.selectFrom('users').selectAll().execute();
    } finally {
      await db.destroy();
    }
  });
  app.get('/shape', {
    config,
    schema: { response: { 200: Type.Object({ count: Type.Integer() }), ...errors() } },
    handler: async () => ({ count: secret }) as never,
  });
  app.get('/things/:id', { config, schema: { params: IdParams }, handler: async (request) => request.params.id });
};

describe('errors', () => {
  let server: SmallServer;
  before(async () => {
    server = await smallServer(routes, { CORS_ORIGINS: origin });
  });
  after(() => server[Symbol.asyncDispose]());
  const get = (url: string) => server.app.inject({ url, headers: { origin } });

  for (const path of ['/mistake', '/text', '/late', '/shape']) {
    it(`of the service are a generic 500, which our pages can read (${path})`, async () => {
      const answer = await get(`${path}?password=${secret}`);
      assert.deepEqual(
        [answer.statusCode, answer.headers['error-code'], answer.json()],
        [500, 'internal', { detail: 'Internal Server Error' }],
      );
      assert.equal(answer.headers['access-control-allow-origin'], origin);
      assert.ok(answer.headers['content-security-policy']);
      assert.ok(
        server.lines().some((line) => line.includes('unexpected error')),
        'it is not in the log',
      );
    });
  }

  it('thrown by a service have its status and sentence', async () => {
    const conflict = await get('/conflict');
    assert.deepEqual(
      [conflict.statusCode, conflict.headers['error-code'], conflict.json()],
      [409, 'conflict', { detail: 'There is one already' }],
    );
    const unavailable = await get('/unavailable');
    assert.deepEqual(
      [unavailable.statusCode, unavailable.headers['error-code'], unavailable.json()],
      [503, 'no_capacity', { detail: 'No container to be had' }],
    );
    assert.equal(unavailable.headers['retry-after'], '3');
  });

  it('of an unavailable database are 503', async () => {
    const answer = await get('/database');
    assert.deepEqual(
      [answer.statusCode, answer.headers['error-code'], answer.json()],
      [503, 'database_unavailable', { detail: 'The database is not available' }],
    );
    assert.equal(answer.headers['retry-after'], '5');
    assert.ok(!server.lines().join('').includes(`user:${secret}`));
  });

  it('of invalid paths do not repeat the path', async () => {
    for (const path of [`/things/%zz${secret}`, `/${secret}%`]) {
      const answer = await get(path);
      assert.equal(answer.statusCode, 400, path);
      assert.equal(answer.headers['error-code'], 'bad_request');
      assert.deepEqual(answer.json(), { detail: 'The path is not valid' });
    }
    const long = await get(`/things/${secret}${'9'.repeat(2000)}`);
    assert.deepEqual(
      [long.statusCode, long.headers['error-code'], long.json()],
      [404, 'not_found', { detail: 'Not Found' }],
    );
  });

  it('of bytes that are not HTTP are JSON as well, and are not logged', async () => {
    await server.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = server.app.server.address() as { port: number };
    const send = async (bytes: string) => {
      const socket = connect(port, '127.0.0.1');
      await once(socket, 'connect');
      socket.write(bytes);
      const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
      return [head.split('\r\n')[0], JSON.parse(body)];
    };
    const invalid = { detail: 'The request is not valid' };
    assert.deepEqual(await send(`GET /${secret} NOT-HTTP\r\n\r\n`), ['HTTP/1.1 400 Bad Request', invalid]);
    assert.deepEqual(await send(`GET / HTTP/1.1\r\nHost: x\r\nX: ${secret}${'x'.repeat(20_000)}\r\n\r\n`), [
      'HTTP/1.1 431 Request Header Fields Too Large',
      { detail: 'The request headers are too large' },
    ]);
    assert.ok(!server.lines().join('').includes(`GET /${secret}`));
  });

  it('write no query string to the log at any level', async () => {
    const marker = 'canary-in-a-query';
    for (const path of ['/mistake', '/conflict', '/unavailable', '/things/x', '/nothing', '/things/%zz']) {
      await server.app.inject({
        url: `${path}?token=${marker}`,
        headers: { authorization: `Bearer ${marker}`, cookie: marker },
      });
    }
    const lines = server.lines().join('');
    assert.ok(lines.includes('"path":"/conflict"'), 'nothing is logged at all');
    assert.ok(!lines.includes(marker), lines);
  });
});

const plain = { loc: ['body', 'name'], msg: 'Field required', type: 'missing' };
const coded = (line: number): ValidationItem => ({
  ...{ loc: ['body', line, 'name'], msg: 'Value error, too many: Größe 😀', type: 'value_error' },
  ...{ code: 'too_many', params: { name: 'Größe 😀\u007f\n"', max: 3 } },
});

describe('the answer to an invalid request', () => {
  it('has the codes of items in a header in ASCII, and the items without them', () => {
    const { detail, headers } = invalidAnswer(new InvalidError([plain, coded(2), plain]));
    const [, { code, params, ...rest }] = [plain, coded(2)] as const;
    assert.deepEqual(detail, [plain, rest, plain]);
    assert.equal(headers['Error-Code'], 'validation');
    assert.match(headers['Error-Items'] ?? '', /^[ -~]+$/);
    assert.deepEqual(JSON.parse(headers['Error-Items'] ?? ''), [{ index: 1, code, params }]);
    new Headers(headers);
  });

  it('has as many of them as a header has room for', () => {
    const items = Array.from({ length: 500 }, (_, index) => coded(index));
    const { detail, headers } = invalidAnswer(new InvalidError(items, 12_000));
    assert.equal(detail.length, 500);
    const header = headers['Error-Items'] ?? '';
    const shown = JSON.parse(header) as { index: number }[];
    assert.ok(header.length <= 1500 && header.length > 1300, `${header.length}`);
    assert.deepEqual(
      shown.map(({ index }) => index),
      shown.map((_, index) => index),
    );
    assert.equal(headers['Error-Total'], '12000');
  });

  it('has no further headers without such items', () => {
    assert.deepEqual(Object.keys(invalidAnswer(new InvalidError([plain])).headers), ['Error-Code']);
  });
});
