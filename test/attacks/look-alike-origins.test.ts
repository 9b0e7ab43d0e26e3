import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, it } from 'node:test';
import { WebSocket } from 'ws';
import { describeLong } from '../rounds.ts';
import { TestServer, type TestUser } from '../server.ts';

const good = 'https://good.example.com';
const lookAlikes = [
  'null',
  'https://good.example.com.evil.com',
  'https://evil.com/https://good.example.com',
  'https://evil-good.example.com',
  'https://evilgood.example.com',
  'https://x.good.example.com',
  'https://example.com',
  'https://good.example.org',
  'https://good-example.com',
  'https://goodxexample.com',
  'https://good.example.com:444',
  'https://good.example.com:80',
  'http://good.example.com',
  'ftp://good.example.com',
  'wss://good.example.com',
  'file://good.example.com',
  'chrome-extension://good.example.com',
  'https://GOOD.example.com',
  'HTTPS://good.example.com',
  'https://good.example.com.',
  'https://good.example.com/',
  'https://good.example.com/path',
  'https://good.example.com?x',
  'https://good.example.com#x',
  'https://good.example.com@evil.com',
  'https://good.example.com:443@evil.com',
  'https://evil.com@good.example.com',
  'https://user:password@good.example.com',
  'https://good.example.com:443',
  'https://good.example.com\\.evil.com',
  'https://good.example.com%2eevil.com',
  'https://good.example.com%00.evil.com',
  'https://good.ex%D0%B0mple.com',
  'https://xn--good-example.com',
  'https://good.example.com, https://evil.com',
  'https://evil.com, https://good.example.com',
  'https://evil.com https://good.example.com',
  'https://good.example.com\thttps://evil.com',
  'good.example.com',
  '//good.example.com',
  'https:good.example.com',
  'https:///good.example.com',
  'https://[good.example.com]',
  'data:text/html,good.example.com',
  'about:blank',
  'blob:https://good.example.com/1',
  '*',
  'https://*.example.com',
  'undefined',
  'true',
];

/** Pages of other sites whose addresses resemble a permitted one. */
describeLong('an origin that resembles a permitted one', () => {
  let server: TestServer;
  let user: TestUser;
  before(async () => {
    const outside = { engine: { reason: 'this test has none' } };
    server = await TestServer.start({ CORS_ORIGINS: good, TRUST_PROXY: 'true' }, outside);
    user = await server.user();
  });
  after(() => server?.[Symbol.asyncDispose]());

  const allowed = async (method: string, origin: string): Promise<string | null> => {
    const headers = { origin, 'access-control-request-method': 'GET' };
    const answer = await server.request(method, '/api/auth/me', { token: user.token, headers });
    return answer.headers.get('access-control-allow-origin');
  };
  /** 4404 shows that the origin is accepted, because there is no container. */
  const closeCode = async (headers: Record<string, string>): Promise<number> => {
    const url = `${server.url.replace('http', 'ws')}/ws/terminal/1?token=${user.token}`;
    const socket = new WebSocket(url, { headers });
    const [code] = (await once(socket, 'close')) as [number];
    return code;
  };

  it('reads no answer over HTTP', async () => {
    assert.equal(await allowed('GET', good), good);
    assert.equal(await allowed('OPTIONS', good), good);
    for (const origin of lookAlikes) {
      for (const method of ['GET', 'OPTIONS']) assert.equal(await allowed(method, origin), null, `${method} ${origin}`);
    }
  });

  it('opens no terminal', async () => {
    assert.equal(await closeCode({ origin: good }), 4404);
    for (const origin of lookAlikes) assert.equal(await closeCode({ origin }), 4403, origin);
  });

  it('is not the own origin with another port, host or scheme', async () => {
    const { host, hostname, port } = new URL(server.url);
    assert.equal(await closeCode({ origin: `http://${host}` }), 4404);
    const proxied = { 'x-forwarded-proto': 'https' };
    // If a proxy reports TLS, a page without TLS has another origin.
    assert.equal(await closeCode({ origin: `https://${host}`, ...proxied }), 4404);
    assert.equal(await closeCode({ origin: `http://${host}`, ...proxied }), 4403);
    const others = [
      `http://${host}0`,
      `http://${hostname}`,
      `http://${hostname}:${Number(port) + 1}`,
      `http://${hostname}.:${port}`,
      `http://x@${host}`,
      `http://${host}/`,
      `http://${host}.evil.com`,
      `http://localhost:${port}`,
      `ftp://${host}`,
      `HTTP://${host}`,
      `http://0177.0.0.1:${port}`,
      `http://2130706433:${port}`,
      `http://[::ffff:127.0.0.1]:${port}`,
    ];
    for (const origin of others) assert.equal(await closeCode({ origin }), 4403, origin);
  });
});
