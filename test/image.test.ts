import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeDebianBase } from '../images/debian-base.ts';
import { itInFull } from './rounds.ts';
import { engineSkip } from './server.ts';
import { until } from './until.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..');
const socket = '/var/run/docker.sock';
const certificates = '/etc/ssl/certs/ca-certificates.crt';
const docker = async (...args: string[]): Promise<string> =>
  (await run('docker', args, { cwd: root, maxBuffer: 2 ** 26 })).stdout.trim();

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

/** What stands for the base image where there need be no registry: Debian from this machine's sources, with this Node and npm. */
async function buildBase(folder: string, tag: string): Promise<void> {
  await using base = await makeDebianBase({
    packages: ['ca-certificates'],
    extras: new Map(),
    dpkgOptions: '/dev/null',
    sourceDateEpoch: 1_767_225_600,
    install: true,
    progress: () => {},
  });
  await cp(base.rootArchive, join(folder, 'root.tar'));
  await cp(process.execPath, join(folder, 'node'));
  const { stdout } = await run('npm', ['root', '--global']);
  await cp(join(stdout.trim(), 'npm'), join(folder, 'npm'), { recursive: true, dereference: true });
  await cp(certificates, join(folder, 'certificates'));
  const lines = [
    'FROM scratch',
    'ADD root.tar /',
    'COPY node /usr/local/bin/node',
    'COPY npm /usr/local/lib/node_modules/npm',
    `COPY certificates ${certificates}`,
    `ENV NODE_EXTRA_CA_CERTS=${certificates}`,
    'RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm && useradd --uid 1000 --create-home node',
  ];
  await writeFile(join(folder, 'Dockerfile'), lines.join('\n'));
  await docker('build', '--quiet', '--tag', tag, folder);
}

// It takes two minutes, and needs the registry of the packages.
// Long: an image takes minutes to build, so it is built once.
itInFull("the service's image builds, and runs the service as a normal user", { skip: engineSkip }, async () => {
  const name = `platform-test-image-${randomBytes(4).toString('hex')}`;
  const folder = await mkdtemp(join(tmpdir(), 'platform-image-'));
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(() => rm(folder, { recursive: true, force: true }));
  for (const image of [`${name}-base`, `${name}-pages`, name])
    cleanup.defer(async () => void (await docker('rmi', image).catch(() => undefined)));
  await buildBase(folder, `${name}-base`);
  const build = ['build', '--network=host', `--build-arg=BASE=${name}-base`];
  // The first stage by a name, so that it does not stay behind.
  await docker(...build, '--target=pages', '--tag', `${name}-pages`, '.');
  await docker(...build, '--tag', name, '.');

  cleanup.defer(async () => void (await docker('rm', '--force', '--volumes', name).catch(() => undefined)));
  const engine = [`--volume=${socket}:${socket}`, `--group-add=${(await stat(socket)).gid}`];
  const settings = {
    HOST: '127.0.0.1',
    PORT: `${await freePort()}`,
    SECRET_KEY: randomBytes(32).toString('base64'),
    WARM_CONTAINERS: '0',
  };
  const environment = Object.entries(settings).map(([key, value]) => `--env=${key}=${value}`);
  await docker('run', '--detach', '--init', '--network=host', `--name=${name}`, ...engine, ...environment, name);
  let output = '';
  await until(
    async () => {
      output = await docker('logs', name);
      return output.includes('ready  ');
    },
    () => `the service to start: ${output}`,
    60_000,
  );
  const url = /^ready .*(http:\/\/\S+)$/m.exec(output)?.[1];
  const password = /^password +(\S+)/m.exec(output)?.[1];
  assert.match(output, /^engine +Docker Engine/m);
  assert.equal((await fetch(`${url}/healthz`)).status, 200);
  assert.match(await (await fetch(`${url}/`)).text(), /<script/);

  const login = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password }),
  });
  const { access_token } = (await login.json()) as { access_token: string };
  const call = async (method: string, path: string): Promise<unknown> =>
    await (await fetch(url + path, { method, headers: { authorization: `Bearer ${access_token}` } })).json();
  const [exam] = (await call('GET', '/api/exams')) as { id: number }[];
  const started = (await call('POST', `/api/exams/${exam?.id}/start`)) as { status: string };
  assert.equal(started.status, 'in_progress');
  const graded = (await call('POST', `/api/exams/${exam?.id}/submit`)) as { status: string };
  assert.equal(graded.status, 'finished');

  const within = async (script: string): Promise<string> => await docker('exec', name, 'sh', '-c', script);
  assert.equal(await within('id -un'), 'node');
  assert.equal(await within("awk '/^Uid/ { print $2 }' /proc/1/status"), '1000');
  assert.equal(await within('find /app -user node; find /app -perm -o+w ! -type l'), '', 'it cannot change itself');
  assert.equal(await within('stat -c %a /data'), '700');
  assert.doesNotMatch(await docker('history', '--no-trunc', name), /SECRET_KEY|POSTGRES_PASSWORD/);
  const ended = await within('node src/main.ts backup /data/today.tar.gz');
  assert.match(ended, /^done +\/data\/today\.tar\.gz/m);

  const health = () => docker('inspect', '--format={{.State.Health.Status}}', name);
  await until(async () => (await health()) === 'healthy', 'the engine to find it well', 60_000);
  await docker('stop', '--time=30', name);
  assert.equal(await docker('inspect', '--format={{.State.ExitCode}}', name), '0');
});
