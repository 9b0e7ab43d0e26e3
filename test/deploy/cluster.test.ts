import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { it } from 'node:test';
import { promisify } from 'node:util';
import { blankPng } from '../blank-png.ts';
import { S3Server, s3Skip } from '../s3/s3-server.ts';
import { TerminalClient } from '../terminal-client.ts';
import { until } from '../until.ts';
import { Installation } from './installation.ts';
import { deploySkip, forwardToPod, kubectl } from './kubectl.ts';
import { buildQuickImages } from './quick-image.ts';

const run = promisify(execFile);
const adminPassword = 'a secret of the admin';

type Call = (url: string, method: string, path: string, init?: RequestInit) => Promise<Response>;

/** Logs in, and returns a function for requests to any replica. */
async function logIn(url: string): Promise<{ token: string; call: Call }> {
  const body = new URLSearchParams({ username: 'admin', password: adminPassword });
  const login = await fetch(`${url}/api/auth/login`, { method: 'POST', body });
  assert.equal(login.status, 200, await login.clone().text());
  const { access_token: token } = (await login.json()) as { access_token: string };
  const call: Call = async (at, method, path, init = {}) => {
    const answer = await fetch(at + path, { ...init, method, headers: { authorization: `Bearer ${token}` } });
    assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${await answer.clone().text()}`);
    return answer;
  };
  return { token, call };
}

/** An exam: started at one replica, with a terminal at another, submitted at a third. */
async function takeExam(urls: readonly string[], { token, call }: { token: string; call: Call }): Promise<void> {
  const [first = '', second = first, third = first] = urls;
  const [exam] = (await (await call(first, 'GET', '/api/exams')).json()) as { id: number }[];
  const started = (await (await call(first, 'POST', `/api/exams/${exam?.id}/start`)).json()) as {
    status: string;
    container_id: number;
  };
  assert.equal(started.status, 'in_progress');
  const terminal = new TerminalClient(
    `${second.replace('http', 'ws')}/ws/terminal/${started.container_id}?token=${token}`,
    { protocol: 'terminal.v1' },
  );
  await terminal.ready();
  terminal.type('echo in"side"; id -un\n');
  await terminal.shows('inside\r\nstudent');
  const graded = (await (await call(third, 'POST', `/api/exams/${exam?.id}/submit`)).json()) as {
    status: string;
    results: { output: string }[];
  };
  assert.equal(graded.status, 'finished');
  // Tasks of other kinds than checks have none.
  assert.ok(graded.results.some(({ output }) => output.length > 0));
  await terminal.closed;
}

// Long: the images are built and loaded once, and the second overlay replaces the first, as in an installation that grows.
it('the overlays run on a cluster, and students take exams there', { skip: deploySkip, timeout: 600_000 }, async () => {
  const image = `platform-test-deploy-${randomBytes(4).toString('hex')}`;
  await using cleanup = new AsyncDisposableStack();
  cleanup.use(await buildQuickImages(image));
  await run(process.env['TEST_IMAGE_LOADER'] ?? '', [image, `${image}-postgres`]);
  const installation = cleanup.use(await Installation.create(image));
  const noContainers = async () =>
    (await kubectl(`--namespace=${installation.containers}`, 'get', 'pods', '--output=name')) === '';

  const password = randomBytes(12).toString('hex');
  await installation.putSecret('database', { POSTGRES_PASSWORD: password });
  await installation.apply('database', 'statefulset/database');
  const [database] = await installation.pods('database');
  const secrets = {
    DATABASE_URL: `postgresql://platform:${password}@${database?.address}/platform`,
    ...{ SECRET_KEY: randomBytes(32).toString('base64'), METRICS_TOKEN: randomBytes(32).toString('base64') },
    ADMIN_PASSWORD: adminPassword,
  };
  await installation.putSecret('learning-platform', secrets);

  await installation.apply('overlays/single', 'deployment/learning-platform');
  const [single] = await installation.pods('service');
  const inside = (command: string) =>
    installation.kubectl('exec', single?.name ?? '', '--', 'sh', '-c', `${command} 2>&1; echo "status $?"`);
  assert.match(await inside('id -u'), /^1000\n/);
  assert.match(await inside('touch /app/x'), /Read-only file system\nstatus 1/);
  {
    using forward = await forwardToPod(installation.name, single?.name ?? '', 8000);
    const { url } = forward;
    const hasContainers = async () =>
      ((await (await fetch(`${url}/readyz`)).json()) as { has_containers: boolean }).has_containers;
    await until(hasContainers, 'the API server to answer the service');
    assert.equal((await fetch(`${url}/metrics`)).status, 403);
    const headers = { authorization: `Bearer ${secrets.METRICS_TOKEN}` };
    assert.match(await (await fetch(`${url}/metrics`, { headers })).text(), /^container_engine_available 1$/m);
    await takeExam([url], await logIn(url));
    await until(noContainers, 'the container to be deleted');
  }
  if (s3Skip) return;
  await using bucket = await S3Server.start();
  const { S3_ENDPOINT = '', ...rest } = bucket.environment('');
  const { SECRET_KEY: _other, ...keys } = rest;
  const endpoint = `http://${await installation.reach(Number(new URL(S3_ENDPOINT).port))}`;
  await installation.putSecret('learning-platform', { ...secrets, ...keys, S3_ENDPOINT: endpoint });
  await installation.apply('overlays/three-replicas', 'deployment/learning-platform', ['kubernetes-1.20']);
  await until(async () => (await installation.pods('service')).length === 3, 'the replica before to end', 60_000);
  await using forwards = new AsyncDisposableStack();
  const urls: string[] = [];
  for (const { name } of await installation.pods('service'))
    urls.push(forwards.use(await forwardToPod(installation.name, name, 8000)).url);
  const [first = ''] = urls;
  const session = await logIn(first);
  const { call } = session;
  await until(async () => {
    const state = (await (await call(first, 'GET', '/api/admin/system')).json()) as { service: { processes: number } };
    return state.service.processes === 3;
  }, 'three replicas');
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(blankPng(10))]), 'me.png');
  const avatar = (await (await call(first, 'POST', '/api/profile/avatar', { body: form })).json()) as {
    avatar_url: string;
  };
  for (const url of urls) await call(url, 'GET', new URL(avatar.avatar_url, url).pathname);
  await takeExam(urls, session);
  await until(noContainers, 'the container to be deleted');
  const budget = ['get', 'poddisruptionbudget', 'learning-platform', '--output=jsonpath={.status.disruptionsAllowed}'];
  await until(
    async () => (await installation.kubectl(...budget)) === '1',
    'the disruption budget to count the replicas',
  );
  // No node has gVisor, and no controller serves the Ingress. The server checks their manifests.
  const tried = await installation.tryOut('overlays/gvisor', ['ingress', 'autoscaling', 'kubernetes-1.20']);
  for (const name of [
    'runtimeclass.node.k8s.io/gvisor',
    'ingress.networking.k8s.io/',
    'horizontalpodautoscaler.autoscaling/',
  ])
    assert.ok(tried.includes(name), `${name} is not among\n${tried}`);
});
