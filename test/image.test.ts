import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { freePort } from './free-port.ts';
import { itInFull } from './rounds.ts';
import { engineSkip } from './server.ts';
import { buildServiceImage, docker } from './service-image.ts';
import { until } from './until.ts';

const socket = '/var/run/docker.sock';

// It takes two minutes, and needs the registry of the packages.
// Long: an image takes minutes to build, so it is built once.
itInFull("the service's image builds, and runs the service as a normal user", { skip: engineSkip }, async () => {
  const name = `platform-test-image-${randomBytes(4).toString('hex')}`;
  await using cleanup = new AsyncDisposableStack();
  cleanup.use(await buildServiceImage(name));

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
