import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { describeLong } from '../rounds.ts';
import { TestServer } from '../server.ts';

const idle = { running: 0, waiting: 0 };

describeLong('the endpoints for operators', () => {
  let server: TestServer;
  before(async () => {
    // Each process has its own figures.
    server = await TestServer.start({}, {}, 1);
  });
  after(() => server[Symbol.asyncDispose]());

  it('report that the process is alive', async () => {
    const { status, body } = await server.get('/healthz');
    assert.deepEqual([status, body], [200, { status: 'ok' }]);
  });

  it('report that the service is ready, with or without containers', async () => {
    const { status, body } = await server.get('/readyz');
    assert.equal(status, 200);
    assert.deepEqual([body.status, body.has_database, typeof body.has_containers], ['ok', true, 'boolean']);
  });

  it('return metrics by route to the machine itself', async () => {
    await server.get('/api/exams/424242?canary=1');
    const { status, text, headers } = await server.get('/metrics');
    assert.equal(status, 200);
    assert.match(headers.get('content-type') ?? '', /^text\/plain/);
    assert.match(text, /^http_request_duration_seconds_count\{method="GET",route="\/healthz",status="200"\} 1$/m);
    assert.match(text, /^process_cpu_seconds_total /m);
    assert.doesNotMatch(text, /424242|canary/);
  });

  it('require the token if one is configured', async () => {
    await using guarded = await TestServer.start({ METRICS_TOKEN: 'metrics-token-0123456789' });
    assert.equal((await guarded.get('/metrics')).status, 403);
    assert.equal((await guarded.get('/metrics', 'metrics-token-012345678')).status, 403);
    assert.equal((await guarded.get('/metrics', 'metrics-token-0123456789')).status, 200);
  });

  it('report versions and usage to administrators', async () => {
    const admin = await server.user('admin');
    const { status, body, text } = await server.get('/api/admin/system', admin.token);
    assert.equal(status, 200, text);
    assert.equal(body.service.version, '0.2.0');
    assert.equal(body.service.node_version, process.versions.node);
    assert.equal(body.service.processes, 1);
    assert.ok(body.service.memory_bytes > 1e6 && body.service.uptime_seconds >= 0);
    assert.match(body.database.version, /^1\d/);
    assert.ok(body.database.size_bytes > 1e6);
    assert.ok(body.disk.free_bytes > 0 && body.disk.free_bytes < body.disk.total_bytes);
    assert.deepEqual(body.warm_pool, { wanted: 0, ready: 0 });
    assert.deepEqual([body.grading, body.container_starts], [idle, idle]);
    assert.equal(body.open_terminals, 0);
    const { is_reachable, problem, version } = body.engine;
    assert.deepEqual([problem === null, typeof version === 'string'], [is_reachable, is_reachable]);
  });

  it('report the reason for a missing engine to administrators', async () => {
    const reason = 'nobody has started one';
    await using without = await TestServer.start({}, { engine: { reason } }, 1);
    const { body } = await without.get('/api/admin/system', (await without.user('admin')).token);
    assert.deepEqual(body.engine, { is_reachable: false, problem: reason, name: null, version: null });
  });

  it('refuse clients that only claim to be this machine', async () => {
    await using proxied = await TestServer.start({ TRUST_PROXY: 'true' });
    const status = async (forwarded: string) =>
      (await proxied.request('GET', '/metrics', { headers: { 'x-forwarded-for': forwarded } })).status;
    assert.deepEqual([await status('198.51.100.7'), await status('127.0.0.1, 198.51.100.7')], [403, 403]);
  });

  it('report that the service is not ready while the database is unavailable', async () => {
    const path = '/api/auth/login';
    const account = await server.user();
    await using broken = await TestServer.start({}, {}, 1);
    const user = await broken.user();
    // Ended like a crashed database. Recovery requires another server.
    await broken.application.db.destroy();
    const { status, body } = await broken.get('/readyz');
    assert.deepEqual([status, body.status, body.has_database], [503, 'unavailable', false]);
    assert.equal((await broken.get('/healthz')).status, 200);
    assert.ok((await broken.post(path, undefined, user)).status >= 500);
    assert.equal((await server.post(path, undefined, account)).status, 200);
  });
});

describeLong("the API's page", () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
  });
  after(() => server[Symbol.asyncDispose]());

  it('loads everything from the service itself', async () => {
    let page = await server.get('/api/docs');
    if (page.status >= 300 && page.status < 400) {
      page = await server.get(new URL(page.headers.get('location') ?? '', `${server.url}/api/docs`).pathname);
    }
    assert.equal(page.status, 200);
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
    assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/);
    const sources = [...page.text.matchAll(/<(?:script|link|img|iframe)\b[^>]*?\b(?:src|href)="([^"]+)"/g)].map(
      ([, source]) => source ?? '',
    );
    assert.ok(sources.length > 0, page.text.slice(0, 1000));
    for (const source of sources) {
      const { origin, pathname } = new URL(source, `${server.url}/api/docs/`);
      assert.equal(origin, server.url, source);
      const file = await server.get(pathname);
      assert.equal(file.status, 200, source);
      assert.match(file.headers.get('content-type') ?? '', /javascript/);
      assert.ok(file.text.length > 100_000);
      assert.match(file.text, /"\/api\/openapi\.json"/);
    }
    assert.doesNotMatch(page.text.replaceAll(server.url, ''), /https?:\/\//);
  });

  it('reads a public document', async () => {
    const { status, body, headers } = await server.get('/api/openapi.json');
    assert.equal(status, 200);
    assert.match(headers.get('content-type') ?? '', /^application\/json/);
    assert.match(body.openapi, /^3\.1\./);
    assert.equal(body.info.version, '0.2.0');
  });
});
