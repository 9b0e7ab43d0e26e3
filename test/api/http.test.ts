import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { Writable } from 'node:stream';
import { after, before, describe, it } from 'node:test';
import { pino } from 'pino';
import { itLong } from '../rounds.ts';
import { type Answer, TestServer, type TestUser, told } from '../server.ts';

const origin = 'https://school.example.com';

describe('HTTP', () => {
  let server: TestServer;
  let user: TestUser;
  let admin: TestUser;
  const lines: string[] = [];
  before(async () => {
    const stream = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        lines.push(chunk.toString());
        done();
      },
    });
    const log = pino({ level: 'trace', base: null }, stream);
    server = await TestServer.start(
      { CORS_ORIGINS: `${origin}, http://localhost:3000`, maxBodyBytes: 20_000 },
      { log },
    );
    user = await server.user();
    admin = await server.user('admin');
  });
  after(() => server[Symbol.asyncDispose]());

  const login = (body: string, type = 'application/json') =>
    server.request('POST', '/api/auth/login', { body, headers: { 'content-type': type } });
  const detail = ({ status, body }: Answer) => [status, body.detail];

  it('returns 404 at other paths', async () => {
    for (const path of ['/nothing', '/api', '/api/auth', '/api/auth/me/x', '/api/auth/ME', '//api/auth/me']) {
      assert.deepEqual(detail(await server.get(path, user.token)), [404, 'Not Found'], path);
    }
    assert.deepEqual(detail(await server.request('OPTIONS', '/nothing')), [404, 'Not Found']);
  });

  it('lists the methods of a path', async () => {
    const cases: [string, string, string][] = [
      ['DELETE', '/api/auth/login', 'POST'],
      ['GET', '/api/auth/login/', 'POST'],
      ['POST', '/api/auth/me', 'GET, HEAD'],
      ['PATCH', '/api/auth/password', 'PUT'],
      ['PUT', '/api/lessons/themes/1/complete', 'DELETE, POST'],
      ['PROPFIND', '/api/auth/me', 'GET, HEAD'],
      ['OPTIONS', '/api/auth/me', 'GET, HEAD'],
    ];
    for (const [method, path, allow] of cases) {
      const answer = await server.request(method, path);
      assert.deepEqual(detail(answer), [405, 'Method Not Allowed'], `${method} ${path}`);
      assert.equal(answer.headers.get('allow'), allow);
    }
  });

  it('ignores a trailing slash', async () => {
    assert.equal((await server.get('/api/auth/me/', user.token)).status, 200);
    assert.equal((await server.post('/api/auth/login/', undefined, user)).status, 200);
    assert.equal((await server.get('/api/auth/me/?x=1', user.token)).status, 200);
  });

  it('answers HEAD like GET, without the body', async () => {
    const head = (headers: Record<string, string>) => fetch(`${server.url}/api/auth/me`, { method: 'HEAD', headers });
    const answer = await head({ authorization: `Bearer ${user.token}` });
    assert.deepEqual([answer.status, await answer.text()], [200, '']);
    assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
    assert.ok(Number(answer.headers.get('content-length')) > 100);
    assert.equal((await head({})).status, 401);
  });

  it('reads only bodies of JSON and forms', async () => {
    assert.equal((await login(JSON.stringify(user), 'application/json; charset=utf-8')).status, 200);
    for (const type of [
      'text/plain',
      'application/xml',
      'application/octet-stream',
      'multipart/form-data; boundary=x',
      'nonsense',
    ]) {
      const words = 'Unsupported Media Type: send application/json or application/x-www-form-urlencoded';
      assert.deepEqual(detail(await login(JSON.stringify(user), type)), [415, words], type);
    }
  });

  it('reads a body without a content type as JSON, also one in chunks', async () => {
    const send = async (path: string, text: string, token?: string) =>
      await server.request(token === undefined ? 'POST' : 'PUT', path, {
        ...(token === undefined ? {} : { token }),
        body: new TextEncoder().encode(text),
      });
    const untyped = await send('/api/auth/login', JSON.stringify(user));
    assert.equal(untyped.status, 200, untyped.text);
    assert.deepEqual(detail(await send('/api/auth/login', '{')), [
      422,
      [{ loc: ['body'], msg: 'JSON decode error', type: 'json_invalid' }],
    ]);
    const { access_token } = untyped.body;
    assert.equal((await send('/api/profile/me', '{"bio":"Untyped"}', access_token)).body.bio, 'Untyped');
    const body = new ReadableStream({
      start: (stream) => {
        stream.enqueue(new TextEncoder().encode('{"bio":"In '));
        stream.enqueue(new TextEncoder().encode('chunks"}'));
        stream.close();
      },
    });
    const headers = { authorization: `Bearer ${access_token}` };
    const chunks = { method: 'PUT', headers, body, duplex: 'half' } as RequestInit;
    const chunked = await fetch(`${server.url}/api/profile/me`, chunks);
    assert.equal(((await chunked.json()) as { bio: string }).bio, 'In chunks');
  });

  it('refuses a body over the limit, even without a length', async () => {
    const large = JSON.stringify({ username: 'x', password: 'x'.repeat(20_000) });
    assert.deepEqual(detail(await login(large)), [413, 'The request body is too large']);
    assert.equal(
      (await login(`username=x&password=${'x'.repeat(20_000)}`, 'application/x-www-form-urlencoded')).status,
      413,
    );
    const status = await new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json' };
      const request = httpRequest(`${server.url}/api/auth/login`, { method: 'POST', headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      request.on('error', reject);
      request.write(large.slice(0, 100));
      request.end(large.slice(100));
    });
    assert.equal(status, 413);
  });

  it('refuses invalid JSON, and treats an empty body as none', async () => {
    const decode = [{ loc: ['body'], msg: 'JSON decode error', type: 'json_invalid' }];
    for (const body of ['{', '{"a":}', 'x', "{'a': 1}", '{"a":1}{', '\0', 'NaN', '[1,]']) {
      assert.deepEqual(detail(await login(body)), [422, decode], body);
    }
    assert.deepEqual(detail(await login('')), [422, [{ loc: ['body'], msg: 'Field required', type: 'missing' }]]);
    const headers = { 'content-type': 'application/json' };
    assert.equal((await server.request('POST', '/api/auth/refresh', { token: user.token, headers })).status, 200);
  });

  it('requires an object where one is declared', async () => {
    for (const body of ['[]', '"text"', '5', 'true']) {
      const { status, body: answer } = await login(body);
      assert.deepEqual(
        [status, answer.detail[0].loc, answer.detail[0].type],
        [422, ['body'], 'model_attributes_type'],
        body,
      );
    }
    assert.deepEqual(detail(await login('null')), [422, [{ loc: ['body'], msg: 'Field required', type: 'missing' }]]);
  });

  it('handles deep JSON and JSON with prototype keys', async () => {
    const deep = 9000;
    for (const body of [
      `${'['.repeat(deep)}${']'.repeat(deep)}`,
      `{"username":${'['.repeat(deep)}${']'.repeat(deep)}}`,
      `${'{"a":'.repeat(3000)}1${'}'.repeat(3000)}`,
    ]) {
      assert.equal((await login(body)).status, 422);
    }
    const { username, password } = user;
    for (const key of ['__proto__', 'constructor']) {
      const body = `{"username":"${username}","password":"${password}","${key}":{"prototype":{"role":"admin"}}}`;
      assert.deepEqual((await login(body)).status, 422, key);
    }
    assert.equal(({} as Record<string, unknown>)['role'], undefined);
  });

  it('ignores unknown fields and parameters', async () => {
    assert.equal((await login(JSON.stringify({ ...user, more: { and: ['more'] } }))).status, 200);
    assert.equal((await server.get('/api/auth/me?unknown=1&unknown=2', user.token)).status, 200);
  });

  const parsing = 'Input should be a valid integer, unable to parse string as an integer';
  it('validates ids', async () => {
    for (const id of ['x', '1e3', '5.5', '0x10', '1,5', 'null', '%20', '١', '--1', '1;drop']) {
      const answer = await server.get(`/api/exams/${id}`, user.token);
      assert.equal(answer.status, 422, `${id}: ${answer.text}`);
      const [item] = answer.body.detail;
      assert.deepEqual([item.loc[0], item.msg, item.type], ['path', parsing, 'int_parsing'], id);
    }
    for (const id of ['0', '-1', '2147483648', '9'.repeat(30), '9'.repeat(900), '2147483647']) {
      assert.equal((await server.get(`/api/exams/${id}`, user.token)).status, 404, id);
    }
  });

  it('refuses NUL everywhere', async () => {
    const statuses = [
      await server.get('/api/exams/%00', user.token),
      await server.get('/api/exams/1%00', user.token),
      await server.get('/api/lessons/themes/1/files/a%00b', user.token),
      await server.request('POST', '/api/admin/exams?title=%00', { token: admin.token }),
      await server.post('/api/admin/exams', admin.token, { title: 'a\0b' }),
      await login('username=%00&password=x', 'application/x-www-form-urlencoded'),
      await login('{"username":"a\\u0000","password":"x"}'),
    ].map(({ status }) => status);
    assert.deepEqual(
      statuses,
      statuses.map(() => 422),
    );
  });

  it('refuses lone surrogates', async () => {
    for (const json of [
      { name: 'a\ud800b' },
      { name: '\udc00' },
      { name: 'x', ['\ud83d']: 1 },
      { name: 'x', more: ['\ud83d'] },
    ]) {
      const { status, body } = await server.post('/api/admin/lessons/courses', admin.token, json);
      assert.deepEqual([status, body.detail[0].type], [422, 'string_unicode']);
    }
    assert.equal((await server.post('/api/admin/lessons/courses', admin.token, { name: '👍' })).status, 201);
  });

  it('refuses a repeated parameter', async () => {
    const query = 'title=a&title=b&container_image=x&time_limit_minutes=5&passing_score=1';
    const { status, body } = await server.request('POST', `/api/admin/exams?${query}`, { token: admin.token });
    assert.deepEqual([status, body.detail.map(({ loc }: { loc: string[] }) => loc)], [422, [['query', 'title']]]);
  });

  it('never repeats the input or reveals internals', async () => {
    const canary = 'canary-9b2e';
    const answers = [
      await server.get(`/api/exams/${canary}`, user.token),
      await server.get(`/${canary}?${canary}=${canary}`),
      await login(`{"username": "${canary}`),
      await login(JSON.stringify({ username: [canary], password: { canary } })),
      await login(JSON.stringify({ username: canary, password: canary })),
      await server.get('/api/auth/me', canary),
      await server.post(`/api/admin/exams?points=${canary}&time_limit_minutes=${canary}`, admin.token, {
        title: [canary],
      }),
      await server.request('POST', '/api/auth/login', { body: canary, headers: { 'content-type': `text/${canary}` } }),
    ];
    for (const { status, text } of answers) {
      assert.ok(status >= 400 && status < 500, `${status}`);
      assert.ok(!text.includes(canary), text);
      assert.doesNotMatch(text, /node_modules|\.ts|FST_|Error:/);
    }
  });

  it('allows the configured origins, including errors', async () => {
    for (const [path, status] of [
      ['/api/auth/me', 200],
      ['/nothing', 404],
      ['/api/exams/x', 422],
      ['/api/exams/1', 404],
    ] as const) {
      const answer = await server.request('GET', path, { token: user.token, headers: { origin } });
      assert.equal(answer.status, status);
      assert.equal(answer.headers.get('access-control-allow-origin'), origin);
      assert.equal(answer.headers.get('access-control-allow-credentials'), 'true');
      assert.match(answer.headers.get('access-control-expose-headers') ?? '', /X-Total-Count/);
      assert.match(answer.headers.get('vary') ?? '', /Origin/);
    }
    const preflight = {
      origin,
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'authorization, content-type',
    };
    const answer = await server.request('OPTIONS', '/api/auth/password', { headers: preflight });
    assert.equal(answer.status, 204);
    assert.equal(answer.headers.get('access-control-allow-origin'), origin);
    assert.match(answer.headers.get('access-control-allow-methods') ?? '', /PUT/);
    assert.match(answer.headers.get('access-control-allow-headers') ?? '', /authorization/i);
  });

  it('allows no other origin', async () => {
    const foreign = [
      'https://evil.example.com',
      'null',
      `${origin}.evil.com`,
      'https://evil.school.example.com',
      'http://school.example.com',
      `${origin}:444`,
    ];
    for (const other of foreign) {
      for (const method of ['GET', 'OPTIONS']) {
        const headers = { origin: other, 'access-control-request-method': 'GET' };
        const answer = await server.request(method, '/api/auth/me', { token: user.token, headers });
        assert.equal(answer.headers.get('access-control-allow-origin'), null, `${method} from ${other}`);
      }
    }
    assert.equal((await server.get('/api/auth/me', user.token)).headers.get('access-control-allow-origin'), null);
  });

  it('sends security headers', async () => {
    for (const path of ['/api/auth/me', '/nothing', '/healthz']) {
      const { headers } = await server.get(path);
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
      assert.match(headers.get('content-security-policy') ?? '', /default-src 'none';frame-ancestors 'none'/);
      assert.ok(headers.get('referrer-policy'));
      assert.equal(headers.get('x-powered-by'), null);
      assert.equal(headers.get('server'), null);
    }
  });

  it('limits requests per minute and user, except those of operators', async () => {
    await using limited = await TestServer.start({ REQUESTS_PER_MINUTE: '5' }, {}, 1);
    const [one, two] = [await limited.user(), await limited.user()];
    const statuses: number[] = [];
    for (let index = 0; index < 6; index += 1) statuses.push((await limited.get('/api/auth/me', one.token)).status);
    assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429]);
    const refused = await limited.get('/api/auth/me', one.token);
    assert.deepEqual(told(refused), { detail: 'Too many requests', code: 'too_many_requests' });
    const seconds = Number(refused.headers.get('retry-after'));
    assert.ok(Number.isInteger(seconds) && seconds > 0 && seconds <= 60, `Retry-After: ${seconds}`);
    assert.equal((await limited.get('/api/auth/me', two.token)).status, 200);
    for (let index = 0; index < 10; index += 1) assert.equal((await limited.get('/healthz')).status, 200);
  });

  itLong('limits requests without a user by network over IPv6', async () => {
    await using limited = await TestServer.start({ REQUESTS_PER_MINUTE: '5', TRUST_PROXY: 'true' }, {}, 1);
    const ask = async (address: string) =>
      (await limited.request('GET', '/api/openapi.json', { headers: { 'x-forwarded-for': address } })).status;
    const statuses: number[] = [];
    for (let index = 1; index <= 6; index += 1) statuses.push(await ask(`2001:db8::${index}`));
    assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429]);
    assert.equal(await ask('2001:db8:0:1::1'), 200);
  });

  it('writes no password, token or query string to the log', async () => {
    const canary = 'canary-4d07';
    await server.post('/api/auth/login', undefined, { username: user.username, password: canary });
    await server.post(`/api/auth/login?password=${canary}`, undefined, user);
    await server.request('POST', `/api/admin/exams?title=${canary}`, { token: admin.token });
    await server.get(`/ws/terminal/1?token=${canary}`);
    await server.request('GET', `/ws/terminal/1?token=${canary}`, { headers: { 'sec-websocket-key': canary } });
    await server.get('/api/auth/me', canary);
    await server.get(`/%zz?token=${canary}`);
    await new Promise<void>((resolve) => {
      const socket = new WebSocket(`${server.url.replace('http', 'ws')}/ws/terminal/1?token=${canary}`);
      socket.onclose = () => resolve();
    });
    const log = lines.join('');
    assert.match(log, /"path":"\/api\/auth\/login"/);
    for (const word of [canary, user.password, user.token, admin.token])
      assert.ok(!log.includes(word), 'it is in the log');
  });
});
