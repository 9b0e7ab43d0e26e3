import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { blankPng } from './blank-png.ts';
import { freePort } from './free-port.ts';
import { itInFull } from './rounds.ts';
import { engineSkip } from './server.ts';
import { buildServiceImage, docker, startPostgres } from './service-image.ts';
import { TerminalClient } from './terminal-client.ts';
import { until } from './until.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..');

/** `docker-compose`, or the plugin of Docker, or undefined. */
async function findCompose(): Promise<string[] | undefined> {
  for (const words of [['docker-compose'], ['docker', 'compose']]) {
    const [program = '', ...args] = words;
    const isThere = await run(program, [...args, 'version']).then(
      () => true,
      () => false,
    );
    if (isThere) return words;
  }
  return undefined;
}

/** Images that stand for those of the registry, with the same programs of Debian. */
async function buildOthers(name: string, folder: string): Promise<AsyncDisposable> {
  const cleanup = new AsyncDisposableStack();
  await writeFile(join(folder, 'start-postgres'), startPostgres, { mode: 0o755 });
  const lines = {
    postgres: [
      'COPY start-postgres /usr/local/bin/',
      'ENV PATH=/usr/lib/postgresql/15/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      'STOPSIGNAL SIGINT',
      'CMD ["start-postgres"]',
    ],
    proxy: ['CMD ["haproxy", "-W", "-db", "-f", "/usr/local/etc/haproxy/haproxy.cfg"]'],
  };
  for (const [kind, own] of Object.entries(lines)) {
    await writeFile(join(folder, `Dockerfile.${kind}`), [`FROM ${name}-base`, ...own].join('\n'));
    cleanup.defer(async () => void (await docker('rmi', `${name}-${kind}`).catch(() => undefined)));
    await docker('build', '--quiet', '--tag', `${name}-${kind}`, '--file', join(folder, `Dockerfile.${kind}`), folder);
  }
  return cleanup;
}

// Long: the images take minutes to build, so everything is tested with one set of containers.
itInFull('compose.yaml starts three replicas behind a proxy', { skip: engineSkip }, async (context) => {
  const compose = await findCompose();
  if (!compose) return context.skip('there is no docker-compose');
  const name = `platform-test-compose-${randomBytes(4).toString('hex')}`;
  const folder = await mkdtemp(join(tmpdir(), 'platform-compose-'));
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(() => rm(folder, { recursive: true, force: true }));
  cleanup.use(await buildServiceImage(name, ['haproxy', 'postgresql-15']));
  cleanup.use(await buildOthers(name, folder));

  for (const path of ['compose.yaml', 'deploy']) await cp(join(root, path), join(folder, path), { recursive: true });
  const port = await freePort();
  const settings = {
    ...{ SECRET_KEY: randomBytes(32).toString('base64'), POSTGRES_PASSWORD: randomBytes(12).toString('hex') },
    ...{ DOCKER_GID: `${(await stat('/var/run/docker.sock')).gid}`, PORT: `${port}` },
    ...{ SERVICE_IMAGE: name, POSTGRES_IMAGE: `${name}-postgres`, PROXY_IMAGE: `${name}-proxy` },
    ...{ ADMIN_PASSWORD: 'a secret of the admin', WARM_CONTAINERS: '0', CONTAINER_NAME_PREFIX: `${name}-` },
  };
  await writeFile(
    join(folder, '.env'),
    Object.entries(settings)
      .map(([key, value]) => `${key}=${value}\n`)
      .join(''),
  );
  const [program = '', ...words] = compose;
  const call = async (...args: string[]) =>
    (await run(program, [...words, '--project-name', name, ...args], { cwd: folder, maxBuffer: 2 ** 26 })).stdout;
  cleanup.defer(async () => {
    const left = await docker('ps', '--all', '--quiet', `--filter=name=${name}-`);
    await call('down', '--volumes', '--timeout', '5').catch(() => undefined);
    for (const id of left.split('\n').filter(Boolean)) await docker('rm', '--force', id).catch(() => undefined);
  });
  await call('up', '--detach', '--no-build');

  const url = `http://127.0.0.1:${port}`;
  const isUp = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  const logs = () => call('logs', '--no-color').then((text) => text.slice(-3000));
  await until(isUp, 'the service to be ready', 120_000).catch(async (error: Error) =>
    assert.fail(`${error.message}\n${await logs()}`),
  );
  const body = new URLSearchParams({ username: 'admin', password: settings.ADMIN_PASSWORD });
  const login = await fetch(`${url}/api/auth/login`, { method: 'POST', body });
  const { access_token: token } = (await login.json()) as { access_token: string };
  const request = async (path: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    headers.set('authorization', `Bearer ${token}`);
    // Each request on a connection of its own, which the proxy gives to any replica.
    headers.set('connection', 'close');
    return await fetch(url + path, { ...init, headers });
  };
  const processes = async () => {
    const answer = (await (await request('/api/admin/system')).json()) as { service?: { processes: number } };
    return answer.service?.processes ?? 0;
  };
  await until(async () => (await processes()) >= 3, 'three replicas', 120_000);

  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(blankPng(10))]), 'me.png');
  const uploaded = await request('/api/profile/avatar', { method: 'POST', body: form });
  const { avatar_url } = (await uploaded.json()) as { avatar_url: string };
  for (let round = 0; round < 12; round += 1)
    assert.equal((await request(new URL(avatar_url, url).pathname)).status, 200, 'each has it');

  const json = { 'content-type': 'application/json' };
  const made = await request('/api/containers/create', { method: 'POST', headers: json, body: '{}' });
  assert.equal(made.status, 201, await made.clone().text());
  const { id } = (await made.json()) as { id: number };
  const open = (query = '') =>
    new TerminalClient(`${url.replace('http', 'ws')}/ws/terminal/${id}?token=${token}${query}`, {
      protocol: 'terminal.v1',
    });
  let client = open();
  const { session_id } = await client.message('ready');
  await client.ready();
  for (let round = 0; round < 9; round += 1) {
    client.socket.terminate();
    await client.closed;
    client = open(`&session=${session_id}`);
    assert.equal((await client.message('ready'))['is_resumed'], true, 'any replica finds the terminal');
    client.type(`echo ro""und ${round}\n`);
    await client.shows(`round ${round}\r\n`);
  }
  client.socket.terminate();

  let isOver = false;
  let served = 0;
  const failed: string[] = [];
  const crowd = [1, 2].map(async () => {
    while (!isOver) {
      const answer = await request('/api/auth/me');
      const text = await answer.text();
      if (answer.status === 200) served += 1;
      else failed.push(`${answer.status} ${text}`);
    }
  });
  const replicas = (await docker('ps', '--quiet', `--filter=ancestor=${name}`)).split('\n');
  assert.equal(replicas.length, 3);
  try {
    for (const replica of replicas.slice(0, 2)) {
      await docker('stop', '--time=40', replica);
      assert.equal(await docker('inspect', '--format={{.State.ExitCode}}', replica), '0', 'it has ended by itself');
      await docker('start', replica);
      await until(async () => (await processes()) >= 3, 'the replica to be back', 60_000);
    }
  } finally {
    isOver = true;
    await Promise.all(crowd);
  }
  assert.deepEqual(failed, [], `no request fails while replicas stop, of ${served}`);
  assert.ok(served > 50);
  assert.equal((await request(`/api/containers/${id}`, { method: 'DELETE' })).status, 200);
});
