import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { after, before, it } from 'node:test';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';
import Fastify from 'fastify';
import { systemRoutes } from '../../src/features/system/routes.ts';
import { describeLong } from '../rounds.ts';
import { TestServer } from '../server.ts';

type Raw = { status: number; headers: IncomingHttpHeaders; bytes: Buffer };

/** The bytes on the connection. `fetch` would decompress them. */
async function raw(url: string, headers: Record<string, string> = {}): Promise<Raw> {
  const [response] = (await once(get(url, { headers }), 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return { status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(chunks) };
}

const unpack = {
  br: promisify(brotliDecompress),
  gzip: promisify(gunzip),
};

/** What a client accepts, and which of brotli, gzip and plain bytes it receives. */
const encodings: [string | undefined, 'br' | 'gzip' | undefined][] = [
  [undefined, undefined],
  ['br', 'br'],
  ['gzip', 'gzip'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip;q=1.0, br;q=0.5', 'gzip'],
  ['br;q=0, gzip;q=0.1', 'gzip'],
  ['br;q=0, gzip;q=0', undefined],
  ['identity', undefined],
  ['deflate', undefined],
];

describeLong('the public answers', () => {
  let server: TestServer;
  let script: string;
  before(async () => {
    server = await TestServer.start({}, {}, 1);
    const { text } = await server.request('GET', '/api/docs/');
    script = /<script src="([^"]+)"/.exec(text)?.[1] ?? assert.fail(text);
    if (!script.startsWith('/')) script = `/api/docs/${script}`;
  });
  after(() => server[Symbol.asyncDispose]());

  it("include the script of the API page, which is cached by its content's name", async () => {
    assert.match(script, /^\/assets\/reference-[\w-]{16}\.js$/);
    const { status, headers } = await raw(server.url + script);
    assert.equal(status, 200);
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
  });

  for (const [what, path] of [
    ['the script', () => script],
    ['the API document', () => '/api/openapi.json'],
  ] as const) {
    it(`include ${what}, compressed in advance in an accepted encoding`, async () => {
      const plain = await raw(server.url + path());
      for (const [accepted, encoding] of encodings) {
        const { status, headers, bytes } = await raw(
          server.url + path(),
          accepted === undefined ? {} : { 'accept-encoding': accepted },
        );
        assert.equal(status, 200, accepted);
        assert.equal(headers['content-encoding'], encoding, accepted);
        assert.match(headers.vary ?? '', /accept-encoding/i, accepted);
        assert.equal(headers['content-length'], `${bytes.length}`, accepted);
        assert.equal(headers['content-type'], plain.headers['content-type'], accepted);
        if (encoding === undefined) continue;
        assert.ok(bytes.length < plain.bytes.length / 3, `${accepted}: ${bytes.length} of ${plain.bytes.length}`);
        assert.ok(plain.bytes.equals(await unpack[encoding](bytes)), accepted);
      }
    });

    it(`include ${what}, with 304 for a client that has it`, async () => {
      for (const encoding of ['br', 'gzip', 'identity']) {
        const first = await raw(server.url + path(), { 'accept-encoding': encoding });
        const tag = first.headers.etag ?? assert.fail('no ETag');
        const answers = await Promise.all(
          Array.from({ length: 200 }, () =>
            raw(server.url + path(), { 'accept-encoding': encoding, 'if-none-match': tag }),
          ),
        );
        for (const { status, bytes, headers } of answers)
          assert.deepEqual([status, bytes.length, headers.etag], [304, 0, tag]);
      }
    });
  }

  it('include the API document, which is generated once', async () => {
    const { app } = server.application;
    const { swagger } = app;
    let made = 0;
    app.swagger = ((...parts: []) => {
      made += 1;
      return swagger(...parts);
    }) as typeof swagger;
    await raw(`${server.url}/api/openapi.json`);
    for (let count = 0; count < 20; count += 1)
      await raw(`${server.url}/api/openapi.json`, { 'accept-encoding': 'br' });
    app.swagger = swagger;
    assert.ok(made <= 1, `${made} times`);
  });

  it('include the script within the rate limit', async () => {
    await using limited = await TestServer.start({ REQUESTS_PER_MINUTE: '3' }, {}, 1);
    const statuses: number[] = [];
    for (let count = 0; count < 5; count += 1)
      statuses.push((await raw(limited.url + script, { 'accept-encoding': 'br' })).status);
    assert.deepEqual(statuses, [200, 200, 200, 429, 429]);
  });

  it('include the API page, whose policy blocks inline scripts', async () => {
    const { headers, bytes } = await raw(`${server.url}/api/docs/`);
    assert.ok(bytes.length < 2000);
    const policy = String(headers['content-security-policy']);
    assert.match(policy, /script-src 'self'(;|$)/);
    assert.doesNotMatch(policy, /script-src[^;]*unsafe/);
    assert.doesNotMatch(bytes.toString(), /<script(?![^>]* src=)|\son\w+=/i);
    assert.equal((await raw(`${server.url}/api/docs/`, { 'if-none-match': headers.etag ?? '' })).status, 304);
  });

  it('include the readiness, with one database query for concurrent requests', async () => {
    let asked = 0;
    const answer = Promise.withResolvers<void>();
    const app = Fastify();
    await app.register(
      systemRoutes({
        metrics: { contentType: 'text/plain', read: async () => '' },
        metricsToken: undefined,
        checkDatabase: () => {
          asked += 1;
          return answer.promise;
        },
        engineProblem: () => undefined,
        isStopping: () => false,
      }),
    );
    const answers = Array.from({ length: 100 }, () => app.inject('/readyz'));
    while (asked === 0) await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    answer.resolve();
    assert.deepEqual([...new Set((await Promise.all(answers)).map(({ statusCode }) => statusCode))], [200]);
    assert.equal(asked, 1);
    await app.inject('/readyz');
    assert.equal(asked, 2, 'and asked again afterwards');
    await app.close();
  });
});
