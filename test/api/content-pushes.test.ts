import assert from 'node:assert/strict';
import { createHmac, randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { TestServer, type TestUser } from '../server.ts';
import { until } from '../until.ts';

type Signed = { headers: Record<string, string>; body: string };
const commit = (letter: string) => letter.repeat(40);

describe('pushes that Git hosts report', { timeout: 600_000 }, () => {
  let server: TestServer;
  let admin: TestUser;
  let refreshes = 0;
  let gate: Promise<void> = Promise.resolve();
  before(async () => {
    server = await TestServer.start({}, { engine: { reason: 'this test has none' }, lessonSource: countingSource() });
    admin = await server.user('admin');
  });
  after(() => server?.[Symbol.asyncDispose]());

  /** The lessons of the service, which count how often they are refreshed. */
  function countingSource() {
    const version = {
      commit: commit('a'),
      identify: async () => assert.fail('no file'),
      missing: async (paths: readonly string[]) => [...paths],
      files: async () => [],
      links: async () => [],
    };
    return {
      open: async () => version,
      refresh: async () => {
        refreshes += 1;
        await gate;
        return { commit: version.commit, changed: false };
      },
      [Symbol.asyncDispose]: async () => {},
    } as never;
  }
  async function newSecret(): Promise<{ push_path: string; secret: string }> {
    const { status, body, text } = await server.post(
      '/api/admin/lessons/repositories/default/push-secret',
      admin.token,
    );
    assert.equal(status, 200, text);
    return body;
  }
  const send = (path: string, { headers, body }: Signed) =>
    server.request('POST', path, { headers: { 'content-type': 'application/json', ...headers }, body });
  const hmac = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex');

  // What the hosts send, shortened to its shape.
  const person = { name: 'Ada', email: 'ada@example.com', username: 'ada' };
  const repository = { id: 7, name: 'lessons', full_name: 'school/lessons', default_branch: 'main' };
  const payload = (ref: string, more: object = {}) => ({
    ...{
      ref,
      before: commit('1'),
      after: `${randomUUID().replaceAll('-', '')}00000000`,
      created: false,
      forced: false,
    },
    ...{
      repository,
      pusher: person,
      commits: [{ id: commit('2'), message: 'A lesson', added: ['a.md'], author: person }],
    },
    ...more,
  });
  const github = (secret: string, ref: string, event = 'push'): Signed => {
    const body = JSON.stringify({ ...payload(ref), sender: { login: 'ada', id: 1 }, compare: 'https://github.com/' });
    const headers = { 'x-github-event': event, 'x-github-delivery': randomUUID(), 'user-agent': 'GitHub-Hookshot/abc' };
    return { headers: { ...headers, 'x-hub-signature-256': `sha256=${hmac(secret, body)}` }, body };
  };
  const gitea = (secret: string, ref: string): Signed => {
    const body = JSON.stringify(
      { ...payload(ref), total_commits: 1, compare_url: 'https://git.example.com/' },
      null,
      2,
    );
    const headers = { 'x-gitea-event': 'push', 'x-gitea-delivery': randomUUID(), 'x-gitea-event-type': 'push' };
    return { headers: { ...headers, 'x-gitea-signature': hmac(secret, body) }, body };
  };
  const gitlab = (secret: string, ref: string): Signed => {
    const { repository: _without, ...rest } = payload(ref);
    const project = { id: 15, name: 'lessons', path_with_namespace: 'school/lessons', default_branch: 'main' };
    const body = JSON.stringify({ object_kind: 'push', event_name: 'push', ...rest, project, total_commits_count: 1 });
    const headers = {
      'x-gitlab-event': 'Push Hook',
      'x-gitlab-event-uuid': randomUUID(),
      'x-gitlab-instance': 'https://gitlab.com',
    };
    return { headers: { ...headers, 'x-gitlab-token': secret }, body };
  };
  const standard = (secret: string, ref: string, time = Math.floor(Date.now() / 1000)): Signed => {
    const { headers, body } = gitlab(secret, ref);
    const { 'x-gitlab-token': _token, ...rest } = headers;
    const id = randomUUID();
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
    const signature = createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64');
    const signed = { 'webhook-id': id, 'webhook-timestamp': `${time}`, 'webhook-signature': `v1,${signature}` };
    return { headers: { ...rest, ...signed }, body };
  };
  const hosts = { github, gitea, gitlab, standard };

  it('refresh the lessons once each, on the branch that is followed', async () => {
    const { push_path, secret } = await newSecret();
    for (const [name, sign] of Object.entries(hosts)) {
      const before = refreshes;
      const message = sign(secret, 'refs/heads/main');
      const answer = await send(push_path, message);
      assert.equal(answer.status, 202, `${name}: ${answer.text}`);
      await until(() => refreshes > before, `the refresh by ${name}`);
      const after = refreshes;
      assert.equal((await send(push_path, message)).status, 200, `${name}: a repetition`);
      const other = { ...message, headers: { ...message.headers, 'x-github-delivery': randomUUID() } };
      assert.equal((await send(push_path, other)).status, 200, `${name}: its body under another id`);
      for (const ref of ['refs/heads/draft', 'refs/tags/main', 'main', 'refs/heads/main2'])
        assert.equal((await send(push_path, sign(secret, ref))).status, 200, `${name}: ${ref}`);
      assert.equal(refreshes, after, name);
    }
    assert.equal((await send(push_path, github(secret, 'refs/heads/main', 'ping'))).status, 200);
    const { body } = await server.get('/api/admin/lessons/repositories', admin.token);
    assert.equal(body[0].push_path, push_path);
    assert.ok(Date.now() - Date.parse(body[0].pushed_at) < 600_000);
    assert.ok(!JSON.stringify(body).includes('whsec_'));
  });

  it('are coalesced when many arrive', async () => {
    const { push_path, secret } = await newSecret();
    await server.application.pushes.idle();
    const before = refreshes;
    const { promise, resolve } = Promise.withResolvers<void>();
    gate = promise;
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => send(push_path, github(secret, 'refs/heads/main'))),
    );
    assert.ok(answers.every(({ status }) => status === 202));
    await until(() => refreshes > before, 'a refresh');
    resolve();
    await server.application.pushes.idle();
    assert.ok(refreshes - before <= 2, 'one that runs, and one after it');
  });

  // Long: each way to forge a push is followed by the same look.
  it('are refused with another signature, and after a rotation', async () => {
    const { push_path, secret } = await newSecret();
    const ref = 'refs/heads/main';
    const [hub, git, lab, std] = [github(secret, ref), gitea(secret, ref), gitlab(secret, ref), standard(secret, ref)];
    const withHeaders = (message: Signed, headers: Record<string, string>): Signed => ({
      ...message,
      headers: { ...message.headers, ...headers },
    });
    const old = Math.floor(Date.now() / 1000) - 3600;
    const forged: Record<string, Signed> = {
      'no signature': { body: hub.body, headers: { 'x-github-event': 'push' } },
      'another body': { ...hub, body: hub.body.replace('Ada', 'Eve') },
      'another body of Gitea': { ...git, body: `${git.body} ` },
      'another secret': github('whsec_other', ref),
      'another token': gitlab(`${secret}x`, ref),
      'part of the token': gitlab(secret.slice(0, -1), ref),
      'an empty token': withHeaders(lab, { 'x-gitlab-token': '' }),
      'an empty signature': withHeaders(hub, { 'x-hub-signature-256': '' }),
      'no algorithm': withHeaders(hub, { 'x-hub-signature-256': hmac(secret, hub.body) }),
      'SHA-1': withHeaders(hub, {
        'x-hub-signature-256': `sha1=${createHmac('sha1', secret).update(hub.body).digest('hex')}`,
      }),
      'SHA-1 alone': {
        body: hub.body,
        headers: {
          'x-github-event': 'push',
          'x-hub-signature': `sha1=${createHmac('sha1', secret).update(hub.body).digest('hex')}`,
        },
      },
      'a wrong signature beside a token': withHeaders(lab, { 'x-hub-signature-256': 'sha256=00' }),
      'an empty key': github('', ref),
      'the secret as decoded key': github(Buffer.from(secret.slice(6), 'base64').toString('latin1'), ref),
      'an old time': standard(secret, ref, old),
      'a time in the future': standard(secret, ref, old + 7200),
      'another id': withHeaders(std, { 'webhook-id': 'other' }),
      'another version': withHeaders(std, {
        'webhook-signature': std.headers['webhook-signature']?.replace('v1,', 'v2,') ?? '',
      }),
      'no time': withHeaders(std, { 'webhook-timestamp': '' }),
    };
    await server.application.pushes.idle();
    const before = refreshes;
    for (const [name, message] of Object.entries(forged)) {
      const { status, text } = await send(push_path, message);
      assert.equal(status, 401, `${name}: ${text}`);
      assert.ok(!text.includes(secret));
    }
    assert.equal((await send('/api/hooks/content/2000000000', hub)).status, 401);
    const { push_path: same, secret: next } = await newSecret();
    assert.equal(same, push_path);
    assert.equal((await send(push_path, hub)).status, 401, 'the former secret');
    assert.equal(refreshes, before);
    assert.equal((await send(push_path, github(next, ref))).status, 202);
    const noJson = await send(push_path, {
      headers: { 'x-gitlab-token': next, 'x-gitlab-event': 'Push Hook' },
      body: 'no',
    });
    assert.equal(noJson.status, 200);
    assert.equal((await send(push_path, { headers: { 'content-type': 'text/plain' }, body: 'x' })).status, 415);
    assert.equal((await send(push_path, { headers: {}, body: 'x'.repeat(4 * 1024 * 1024 + 1) })).status, 413);
  });

  it('have a secret for each repository, also of a course, for who may change it', async () => {
    const fields = { name: 'Own', url: 'https://127.0.0.1:1/own.git', branch: 'main' };
    const { body: row } = await server.post('/api/admin/lessons/repositories', admin.token, fields);
    assert.deepEqual([row.push_path, row.pushed_at], [null, null]);
    const path = `/api/admin/lessons/repositories/${row.id}`;
    const { body } = await server.post(`${path}/push-secret`, admin.token);
    assert.equal((await send(body.push_path, github(body.secret, 'refs/heads/main'))).status, 202);
    assert.equal((await server.get(path, admin.token)).body.push_path, body.push_path);
    const teacher = await server.user('instructor');
    assert.equal((await server.post(`${path}/push-secret`, teacher.token)).status, 403);
    assert.equal((await server.delete(path, admin.token)).status, 200);
    assert.equal((await send(body.push_path, github(body.secret, 'refs/heads/main'))).status, 401);
  });
});
