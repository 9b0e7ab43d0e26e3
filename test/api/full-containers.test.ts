import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import Docker from 'dockerode';
import { image, makeAssessment } from '../made-assessment.ts';
import { itLong } from '../rounds.ts';
import { runInContainer } from '../run-in-container.ts';
import { engineSkip, TestServer, type TestUser, testEngine } from '../server.ts';
import { TerminalClient } from '../terminal-client.ts';
import { until } from '../until.ts';

const limitMb = 64;
/** The image's own are a third of it. */
const limitFiles = 40_000;

describe('a container that fills its disk on storage without quotas', {
  skip: engineSkip,
  concurrency: 3,
}, () => {
  let server: TestServer;
  let docker: Docker;
  let exam: number;
  before(async () => {
    server = await TestServer.start({
      CONTAINER_DISK_MB: `${limitMb}`,
      maxContainerFiles: limitFiles,
      diskCheckSeconds: 1,
    });
    const engine = await testEngine();
    assert.ok('options' in engine);
    docker = new Docker(engine.options);
    const admin = await server.user('admin');
    exam = await makeAssessment(server, admin, 'exam', ['[[ -f /home/student/answer ]] && echo PASS']);
    const template = { name: 'Shell', image, memory_mb: 128, cpus: 1 };
    assert.equal((await server.post('/api/admin/sandbox-templates', admin.token, template)).status, 201);
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
  });

  const open = (user: TestUser, id: number) =>
    new TerminalClient(`${server.url}/ws/terminal/${id}?token=${user.token}`, { protocol: 'terminal.v1' });
  const sandbox = async (user: TestUser) => {
    const made = await server.post('/api/containers/create', user.token);
    assert.equal(made.status, 201, made.text);
    return made.body as { id: number; name: string };
  };
  const start = async (user: TestUser) => {
    const started = await server.post(`/api/exams/${exam}/start`, user.token);
    assert.equal(started.status, 201, started.text);
    return started.body as { attempt_id: number; container_id: number; container_name: string };
  };
  const onEngine = (name: string) => server.config.engine.namePrefix + name;
  const isRunning = async (name: string) => (await docker.getContainer(onEngine(name)).inspect()).State.Running;
  const write = async (name: string, file: string, mb: number) => {
    // One that is stopped meanwhile has written enough.
    await runInContainer(docker, onEngine(name), `head -c ${mb}M /dev/zero >~/${file}`);
  };
  /** Two files, as one has the limit of its own. */
  const fill = async (name: string) => {
    await write(name, 'answer', 40);
    await write(name, 'more', 30);
  };
  const stopped = (name: string) => until(async () => !(await isRunning(name)), 'the container to be stopped');

  it('is warned, then stopped for good; its neighbour keeps running', async () => {
    const [user, other] = [await server.user(), await server.user()];
    const [full, small] = [await sandbox(user), await sandbox(other)];
    const [client, neighbour] = [await open(user, full.id).ready(), await open(other, small.id).ready()];
    const noticed = () => client.messages.some(({ reason }) => reason === 'disk');
    await write(small.name, 'file', 30);
    await write(full.name, 'one', 55);
    await until(noticed, 'a warning');
    // More than one check: it is not over its limit.
    const count = () => client.messages.filter(({ reason }) => reason === 'disk').length;
    const before = count();
    await until(() => count() >= before + 2, 'further warnings');
    assert.equal(await isRunning(full.name), true);

    await write(full.name, 'two', 20);
    const { code, reason } = await client.closed;
    assert.deepEqual([code, reason], [4410, 'The disk was full, so the container stays stopped; delete it']);
    await stopped(full.name);
    const shown = await server.get(`/api/containers/${full.id}`, user.token);
    assert.equal(shown.body.status, 'stopped');
    const started = await server.post(`/api/containers/${full.id}/start`, user.token);
    assert.deepEqual(
      [started.status, started.body.detail],
      [409, 'The disk of this sandbox was full, so it stays stopped; delete it'],
    );
    assert.equal((await open(user, full.id).closed).code, 4410);
    await server.reconcile();
    assert.equal(await isRunning(full.name), false);
    const { body: feed } = await server.get('/api/dashboard/activity', user.token);
    assert.equal(feed.filter(({ type }: { type: string }) => type === 'container_full').length, 1);
    assert.equal((await server.delete(`/api/containers/${full.id}`, user.token)).status, 200);
    assert.equal((await server.post('/api/containers/create', user.token)).status, 201, 'a new one');

    assert.equal(await isRunning(small.name), true);
    assert.ok(!neighbour.messages.some(({ reason: why }) => why === 'disk'));
    neighbour.type('echo al""ive; exit\n');
    await neighbour.closed;
    assert.match(neighbour.output.toString(), /\ralive\r\n/);
  });

  itLong('can be full of empty files, which use file entries and no bytes', async () => {
    const user = await server.user();
    const { id, name } = await sandbox(user);
    const client = await open(user, id).ready();
    // A container stopped meanwhile has created enough.
    await runInContainer(docker, onEngine(name), `mkdir ~/many; cd ~/many; seq ${1.5 * limitFiles} | xargs touch`);
    await until(() => client.messages.some(({ reason }) => reason === 'disk'), 'a warning');
    assert.equal((await client.closed).code, 4410);
    await stopped(name);
    assert.equal((await server.post(`/api/containers/${id}/start`, user.token)).status, 409);
  });

  itLong('of an attempt is submitted and graded as it is, and not started before', async () => {
    const user = await server.user();
    const { container_id: id, container_name: name } = await start(user);
    const client = await open(user, id).ready();
    await fill(name);
    const { code, reason } = await client.closed;
    assert.equal(code, 4410);
    assert.match(reason, /what is in it can be submitted$/);
    await stopped(name);
    await server.reconcile();
    assert.equal((await open(user, id).closed).code, 4410);
    assert.equal(await isRunning(name), false);
    const submitted = await server.post(`/api/exams/${exam}/submit`, user.token);
    assert.equal(submitted.status, 200, submitted.text);
    assert.deepEqual([submitted.body.status, submitted.body.score], ['finished', 1]);
    await until(
      async () => (await docker.listContainers({ all: true, filters: { name: [onEngine(name)] } })).length === 0,
      'the container to go',
    );
  });

  itLong('of an overdue attempt is graded as at the deadline', async () => {
    const user = await server.user();
    const { attempt_id: id, container_name: name } = await start(user);
    await fill(name);
    await stopped(name);
    const deadline = new Date(Date.now() - 1000);
    const { db } = server.application;
    await db.updateTable('attempts').set({ expires_at: deadline }).where('id', '=', id).execute();
    await server.reconcile();
    const attempt = () => db.selectFrom('attempts').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    await until(async () => (await attempt()).status === 'expired', 'the grading');
    const { score, submitted_at } = await attempt();
    assert.deepEqual([score, submitted_at?.getTime()], [1, deadline.getTime()]);
  });
});
