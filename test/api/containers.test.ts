import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import Docker from 'dockerode';
import { sql } from 'kysely';
import { isOnCluster } from '../cluster.ts';
import { asRoot, loseContainer, onEngine } from '../engine-access.ts';
import { engineSkip, TestServer, type TestUser, testEngine } from '../server.ts';
import { until } from '../until.ts';

async function dockerOf(): Promise<Docker> {
  const engine = await testEngine();
  assert.ok('options' in engine);
  return new Docker(engine.options);
}

describe('containers', { skip: engineSkip }, () => {
  let server: TestServer;

  before(async () => {
    server = await TestServer.start({ SANDBOXES_PER_USER: '2' });
    await server.application.db
      .insertInto('sandbox_templates')
      .values([
        { name: 'Shell', slug: 'shell', image: 'platform-sandbox', memory_mb: 256, cpus: 0.5 },
        {
          name: 'Services',
          slug: 'services',
          image: 'platform-exam-linux-services',
          memory_mb: 256,
          cpus: 0.5,
          order_index: 1,
        },
        { name: 'Broken', slug: 'broken', image: 'no-such-image', memory_mb: 256, cpus: 0.5, order_index: 2 },
        {
          name: 'Retired',
          slug: 'retired',
          image: 'platform-sandbox',
          memory_mb: 256,
          cpus: 0.5,
          order_index: 3,
          is_active: false,
        },
      ])
      .execute();
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
  });

  const create = (user: TestUser, json?: object) => server.post('/api/containers/create', user.token, json);

  it('lists active templates in their order', async () => {
    const user = await server.user();
    const { status, body } = await server.get('/api/sandbox-templates', user.token);
    assert.equal(status, 200);
    assert.deepEqual(
      body.map((template: { slug: string }) => template.slug),
      ['shell', 'services', 'broken'],
    );
    assert.deepEqual(Object.keys(body[0]).sort(), [
      'cpus',
      'description',
      'has_internet',
      'id',
      'image',
      'is_active',
      'memory_mb',
      'minimum_role',
      'name',
      'order_index',
      'slug',
    ]);
    assert.equal((await server.get('/api/sandbox-templates')).status, 401);

    const second = await server.get('/api/sandbox-templates?page=2&page_size=2', user.token);
    assert.deepEqual(second.body, body.slice(2));
    assert.equal(second.headers.get('x-total-count'), '3');
    assert.match(second.headers.get('link') ?? '', /<[^>]*page=1&page_size=2>; rel="prev"/);
  });

  it('creates, shows, stops, starts and deletes a sandbox', async () => {
    const user = await server.user();
    const made = await create(user);
    assert.equal(made.status, 201, made.text);
    const { id, name } = made.body;
    assert.deepEqual(
      [name, made.body.kind, made.body.status, made.body.image],
      [`user-${user.id}-sandbox`, 'sandbox', 'running', 'platform-sandbox'],
    );
    assert.equal(Math.round((Date.parse(made.body.expires_at) - Date.parse(made.body.created_at)) / 3_600_000), 24);
    assert.deepEqual((await server.get('/api/containers/sandbox', user.token)).body, [made.body]);
    assert.deepEqual((await server.get(`/api/containers/${id}`, user.token)).body, made.body);

    assert.equal(
      (await server.post(`/api/containers/${id}/start`, user.token)).body.status,
      'running',
      'it is so already',
    );
    for (let round = 0; round < 2; round += 1) {
      const stopped = await server.post(`/api/containers/${id}/stop`, user.token);
      assert.deepEqual([stopped.status, stopped.body.status], [200, 'stopped']);
    }
    assert.equal((await onEngine(server, name))?.isRunning, false);
    const started = await server.post(`/api/containers/${id}/start`, user.token);
    assert.deepEqual([started.body.status, started.body.stopped_at], ['running', null]);
    assert.equal((await onEngine(server, name))?.isRunning, true);
    assert.equal(started.body.kept_when_stopped, isOnCluster ? 'home' : 'all');

    assert.equal((await server.delete(`/api/containers/${id}`, user.token)).status, 200);
    assert.equal((await server.get(`/api/containers/${id}`, user.token)).status, 404);
    assert.equal((await server.delete(`/api/containers/${id}`, user.token)).status, 404);
    await until(async () => (await onEngine(server, name)) === undefined, 'the container to go');
  });

  it('resets a sandbox, which keeps its id and name, and loses its files', async () => {
    const user = await server.user();
    const { id, name } = (await create(user)).body;
    const file = `/api/containers/${id}/files?path=kept`;
    const headers = { 'content-type': 'application/octet-stream' };
    assert.equal((await server.request('PUT', file, { token: user.token, body: 'x', headers })).status, 200);
    const before = await onEngine(server, name);
    const reset = await server.post(`/api/containers/${id}/reset`, user.token);
    assert.equal(reset.status, 200, reset.text);
    assert.deepEqual([reset.body.id, reset.body.name, reset.body.status], [id, name, 'running']);
    assert.notEqual((await onEngine(server, name))?.ref, before?.ref);
    assert.equal((await server.get(file, user.token)).code, 'file_not_found');
    assert.deepEqual((await server.get('/api/containers/sandbox', user.token)).body, [reset.body]);

    // A stopped one runs afterwards.
    await server.post(`/api/containers/${id}/stop`, user.token);
    assert.equal((await server.get(file, user.token)).code, 'container_not_running');
    assert.equal((await server.post(`/api/containers/${id}/reset`, user.token)).body.status, 'running');
    const { db } = server.application;
    await db.updateTable('containers').set({ template_id: null }).where('id', '=', id).execute();
    assert.equal((await server.post(`/api/containers/${id}/reset`, user.token)).code, 'template_gone');
    assert.equal((await server.get(`/api/containers/${id}`, user.token)).body.status, 'running');
    const records = await db.selectFrom('containers').select('id').where('user_id', '=', user.id).execute();
    assert.deepEqual(records, [{ id }]);
  });

  it('says so where a reset has deleted a sandbox and creates no new one, and changes nothing without the image', async () => {
    const user = await server.user();
    const { id } = (await create(user)).body;
    const broken = server.application.db.selectFrom('sandbox_templates').select('id').where('slug', '=', 'broken');
    await server.application.db.updateTable('containers').set({ template_id: broken }).where('id', '=', id).execute();
    const reset = await server.post(`/api/containers/${id}/reset`, user.token);
    const after = await server.get(`/api/containers/${id}`, user.token);
    // A cluster knows only when a Pod is created whether it has the image.
    if (isOnCluster) assert.deepEqual([reset.code, after.status], ['reset_failed', 404]);
    else assert.deepEqual([reset.code, after.body.status], ['image_missing', 'running']);
  });

  // Those of a Pod are in test/adapters/kubernetes.test.ts, and what they do in the contract of the engines.
  it('limits what a container can do and reach', { skip: isOnCluster }, async () => {
    const user = await server.user();
    const { body } = await create(user, { template_id: null });
    const { HostConfig, Config, Mounts } = await (await dockerOf())
      .getContainer(server.config.engine.namePrefix + body.name)
      .inspect();
    assert.equal(HostConfig.NetworkMode, 'none');
    assert.deepEqual([HostConfig.Memory, HostConfig.MemorySwap], [256 * 2 ** 20, 256 * 2 ** 20]);
    assert.deepEqual([HostConfig.NanoCpus, HostConfig.PidsLimit], [5e8, 256]);
    assert.deepEqual(HostConfig.CapDrop, ['ALL']);
    assert.ok(
      !(HostConfig.CapAdd ?? []).some((capability: string) =>
        /SYS_ADMIN|NET_ADMIN|SYS_PTRACE|NET_RAW|MKNOD/.test(capability),
      ),
    );
    assert.deepEqual([HostConfig.Privileged, HostConfig.PidMode, HostConfig.IpcMode], [false, '', 'private']);
    assert.deepEqual(
      Mounts.map(({ Destination, RW }) => [Destination, RW]),
      [['/.grader', false]],
    );
    assert.ok(Config.Labels['platform.container']);
    await server.delete(`/api/containers/${body.id}`, user.token);
  });

  it('keeps the quota under concurrent requests for the last place', async () => {
    const user = await server.user();
    assert.equal((await create(user)).status, 201);
    const answers = await Promise.all(Array.from({ length: 6 }, () => create(user)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409, 409, 409]);
    const { body } = await server.get('/api/containers/sandbox', user.token);
    assert.deepEqual(
      body.map(({ name }: { name: string }) => name),
      [`user-${user.id}-sandbox`, `user-${user.id}-sandbox-2`],
    );
    assert.deepEqual((await server.get('/api/containers/limits', user.token)).body, { sandboxes: 2 });
    // A place that is free again is taken first.
    await server.delete(`/api/containers/${body[0].id}`, user.token);
    const again = await create(user);
    assert.deepEqual([again.status, again.body.name], [201, `user-${user.id}-sandbox`], again.text);
  });

  it('leaves nothing when a container cannot be created', async () => {
    const user = await server.user();
    const templates = (await server.get('/api/sandbox-templates', user.token)).body;
    const failed = await create(user, { template_id: templates[2].id });
    assert.equal(failed.status, 503, failed.text);
    assert.ok(Number(failed.headers.get('retry-after')) > 0);
    assert.deepEqual((await server.get('/api/containers/sandbox', user.token)).body, []);
    assert.equal((await create(user, { template_id: 999_999 })).status, 404);
    assert.equal((await create(user, { template_id: 'x' })).status, 422);
    const retired = await server.application.db
      .selectFrom('sandbox_templates')
      .select('id')
      .where('slug', '=', 'retired')
      .executeTakeFirstOrThrow();
    assert.equal((await create(user, { template_id: retired.id })).status, 404);
  });

  it("returns 404 for another user's container, and 401 without a token", async () => {
    const [owner, other, admin] = [await server.user(), await server.user(), await server.user('admin')];
    const { body } = await create(owner);
    const routes: [string, string][] = [
      ['GET', ''],
      ['POST', '/start'],
      ['POST', '/stop'],
      ['DELETE', ''],
    ];
    for (const [method, action] of routes) {
      const path = `/api/containers/${body.id}${action}`;
      for (const { token } of [other, admin]) {
        const answer = await server.request(method, path, { token });
        assert.deepEqual(
          [answer.status, answer.code, answer.body],
          [404, 'not_found', { detail: 'Container not found' }],
        );
      }
      assert.equal((await server.request(method, path)).status, 401);
      assert.equal(
        (await server.request(method, path.replace(String(body.id), 'abc'), { token: owner.token })).status,
        422,
      );
    }
    assert.equal((await server.post('/api/containers/create')).status, 401);
    assert.equal((await server.get('/api/containers/sandbox')).status, 401);
  });

  it('reconciles: removes orphans and old sandboxes, forgets vanished ones, stops idle ones', async () => {
    const user = await server.user();
    const { db } = server.application;
    const first = (await create(user)).body;
    const { engine } = server.application;
    const orphan = await engine.create({
      ...{ name: `${server.config.engine.namePrefix}orphan`, uid: crypto.randomUUID(), image: 'platform-sandbox' },
      ...{ memoryMb: 128, cpus: 1, processes: 64, diskMb: 64, hasInternet: false },
    });
    await db
      .updateTable('containers')
      .set({ last_used_at: sql<Date>`now() - interval '2 hours'` })
      .where('id', '=', first.id)
      .execute();
    await server.reconcile();
    assert.equal(await engine.inspect(orphan), undefined);
    assert.equal((await server.get(`/api/containers/${first.id}`, user.token)).body.status, 'stopped', 'idle');

    await db.updateTable('containers').set({ expires_at: sql<Date>`now()` }).where('id', '=', first.id).execute();
    await server.reconcile();
    assert.equal((await server.get(`/api/containers/${first.id}`, user.token)).status, 404, 'old');

    const second = (await create(user)).body;
    await loseContainer(server, second.name);
    await server.reconcile();
    if (isOnCluster) {
      await until(async () => {
        const { body } = await server.get(`/api/containers/${second.id}`, user.token);
        return body.replaced_at !== null && body.status === 'running';
      }, 'a container in place of the one that vanished');
      return;
    }
    assert.equal((await server.get(`/api/containers/${second.id}`, user.token)).status, 404, 'vanished');
  });
});

it('has the resolvers and the blocked networks of the configuration with internet', { skip: engineSkip }, async () => {
  await using server = await TestServer.start({ INTERNET_DNS: '10.99.0.53', INTERNET_BLOCKED: '203.0.113.0/24' });
  const user = await server.user();
  await server.application.db
    .insertInto('sandbox_templates')
    .values({ name: 'Net', slug: 'net', image: 'platform-sandbox', memory_mb: 128, cpus: 1, has_internet: true })
    .execute();
  const made = await server.post('/api/containers/create', user.token);
  assert.equal(made.status, 201, made.text);
  const { name } = made.body;
  if (isOnCluster) assert.match(await asRoot(server, name, 'cat /etc/resolv.conf'), /^nameserver 10\.99\.0\.53$/m);
  else {
    const { HostConfig } = await (await dockerOf()).getContainer(server.config.engine.namePrefix + name).inspect();
    assert.deepEqual(HostConfig.Dns, ['10.99.0.53']);
  }
  // 203.0.113.0 as the kernel writes it.
  assert.match(await asRoot(server, name, 'cat /proc/net/route'), /^\S+\s+007100CB\s/m);
});

// A cluster that does not answer is that of the configuration: there is no search for another one.
describe('containers without an engine', { skip: isOnCluster }, () => {
  it('are refused with a reason, and the rest is served', async () => {
    await using server = await TestServer.start({}, { engine: { reason: 'none was found' } });
    const user = await server.user();
    await server.application.db
      .insertInto('sandbox_templates')
      .values({ name: 'Shell', slug: 'shell', image: 'x', memory_mb: 64, cpus: 1 })
      .execute();
    const refused = await server.post('/api/containers/create', user.token);
    assert.deepEqual(
      [refused.status, refused.code, refused.body],
      [503, 'engine_unavailable', { detail: 'There are no containers: none was found' }],
    );
    assert.ok(refused.headers.get('retry-after'));
    assert.equal((await server.get('/api/exams', user.token)).status, 200);
    assert.equal((await server.get('/readyz')).body.has_containers, false);
  });
});
