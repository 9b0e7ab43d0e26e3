import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { TestServer } from '../server.ts';

const asBrowser = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };

describe('the pages', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
  });
  after(() => server[Symbol.asyncDispose]());

  /** The address of the application's first script, as its page names it. */
  async function script(): Promise<string> {
    const { text } = await server.request('GET', '/', asBrowser);
    return /<script type="module"[^>]* src="(\/assets\/[^"]+)"/.exec(text)?.[1] ?? assert.fail(text);
  }

  it('are one application, with a policy that allows only its own scripts', async () => {
    for (const path of ['/', '/lessons/1', '/administration/users?page=2', '/login']) {
      const { status, headers, text } = await server.request('GET', path, asBrowser);
      assert.equal(status, 200, path);
      assert.match(headers.get('content-type') ?? '', /^text\/html/);
      assert.match(text, /<div id="root">/);
      assert.equal(headers.get('cache-control'), 'public, max-age=0');
      assert.equal(headers.get('set-cookie'), null);
      const policy = headers.get('content-security-policy') ?? '';
      assert.match(policy, /default-src 'none'/);
      assert.match(policy, /script-src 'self' 'sha256-[^']+';/);
      assert.match(policy, /frame-ancestors 'none'/);
      assert.doesNotMatch(policy, /'unsafe-eval'|https?:|script-src[^;]*'unsafe-inline'/);
      // No inline script that the policy would block: it names the only one by its hash.
      const inline = [...text.matchAll(/<script(?![^>]* src=)[^>]*>([\s\S]*?)<\/script>/gi)].map(
        ([, code = '']) => code,
      );
      assert.equal(inline.length, 1);
      const hash = createHash('sha256')
        .update(inline[0] ?? '')
        .digest('base64');
      assert.ok(policy.includes(`'sha256-${hash}'`), policy);
      assert.doesNotMatch(text, /\son\w+=/i);
    }
  });

  it('do not affect the API: unknown paths return 404 as JSON', async () => {
    for (const path of [
      '/api/nothing',
      '/api',
      '/ws/nothing',
      '/avatars/nothing.webp',
      '/assets/nothing.js',
      '/metrics/x',
    ]) {
      const { status, body, code } = await server.request('GET', path, asBrowser);
      assert.deepEqual([status, code, body], [404, 'not_found', { detail: 'Not Found' }], path);
    }
    const { status, body, code } = await server.request('GET', '/lessons/1', { headers: { accept: '*/*' } });
    assert.deepEqual([status, code, body], [404, 'not_found', { detail: 'Not Found' }]);
    assert.equal((await server.request('POST', '/lessons/1', asBrowser)).status, 404);
    assert.equal((await server.request('POST', '/', asBrowser)).status, 405);
  });

  it('serve immutable files, compressed in advance', async () => {
    const path = await script();
    const plain = await server.request('GET', path, { headers: { 'accept-encoding': 'identity' } });
    assert.match(plain.headers.get('content-type') ?? '', /javascript/);
    assert.equal(plain.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    const packed = await fetch(`${server.url}${path}`, { headers: { 'accept-encoding': 'br' } });
    assert.equal(packed.headers.get('content-encoding'), 'br');
    // fetch has decompressed it. Content-Length is the size of the compressed body.
    assert.deepEqual(Buffer.from(await packed.arrayBuffer()), plain.bytes);
    assert.ok(Number(packed.headers.get('content-length')) < plain.bytes.length / 2);
    const icon = await server.request('GET', '/favicon.svg');
    assert.equal(icon.status, 200);
    assert.equal(icon.headers.get('cache-control'), 'public, max-age=0');
  });

  it('serve no other files', async () => {
    for (const path of [
      '/assets/../index.html',
      '/assets/..%2f..%2fpackage.json',
      '/assets/%2e%2e/.stamp',
      '/.stamp',
      '/assets/',
    ]) {
      const { status, text } = await server.request('GET', path);
      assert.ok(status === 404 || status === 400 || status === 403, `${path}: ${status}`);
      assert.doesNotMatch(text, /dependencies|[0-9a-f]{64}/);
    }
  });
});
