import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import Docker from 'dockerode';
import { createTestDatabase } from '../database.ts';
import { describeLong, rounds } from '../rounds.ts';
import { engineSkip, TestServer, testEngine } from '../server.ts';
import { databasePatience } from '../settings.ts';
import { TerminalClient } from '../terminal-client.ts';
import { until } from '../until.ts';
import { Crowd } from './crowd.ts';
import { Cut } from './cut.ts';

describeLong('a database that fails under load', () => {
  it('is reported within 5 s, recovers within 5 s, and loses nothing acknowledged', async () => {
    const database = await createTestDatabase();
    await using _database = database;
    const url = new URL(database.address.connectionString);
    const host = decodeURIComponent(url.hostname);
    const port = Number(url.port || '5432');
    await using cut = new Cut(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port });
    const through = new URL(url);
    through.hostname = '127.0.0.1';
    through.port = `${await cut.start()}`;
    await using server = await TestServer.start(
      { REQUESTS_PER_MINUTE: '1000000', ...databasePatience },
      { database: { connectionString: through.href } },
    );

    await using crowd = new Crowd(server);
    await crowd.goesOn(30_000);
    cut.cut();
    const from = performance.now();
    await crowd.sees(503, 15);
    await delay(rounds(2000, 30_000, 0));
    const to = performance.now();
    cut.restore();
    await crowd.goesOn(5000);
    await crowd.end({ from, to });
  });
});

describeLong('an engine', () => {
  it('that starts after the service is used without a restart', { skip: engineSkip }, async () => {
    const engine = await testEngine();
    assert.ok('options' in engine);
    let isUp = false;
    const absent = { reason: 'it is not running' };
    const find = async () => (isUp ? engine : absent);
    await using server = await TestServer.start({ reconcileSeconds: 1 }, { engine: { ...absent, find } });
    const user = await server.user();
    const { id } = await template(server);
    const create = () => server.post('/api/containers/create', user.token, { template_id: id });
    const refused = await create();
    assert.deepEqual([refused.status, refused.body.detail], [503, 'There are no containers: it is not running']);
    isUp = true;
    await until(async () => (await create()).status === 201, 'a container', 60_000);
    const { body } = await server.get('/api/containers/sandbox', user.token);
    assert.equal((await server.delete(`/api/containers/${body[0].id}`, user.token)).status, 200);
  });

  // Long: an attempt from its start to its grading, around the death of its container.
  it("that kills an exam's container loses nothing: it is restarted with its files", {
    skip: engineSkip,
  }, async () => {
    await using server = await TestServer.start();
    const engine = await testEngine();
    assert.ok('options' in engine);
    const docker = new Docker(engine.options);
    const user = await server.user();
    const exam = await server.application.db
      .insertInto('assessments')
      .values({
        kind: 'exam',
        title: 'E',
        container_image: 'platform-exam-linux-basics',
        time_limit_minutes: 30,
        passing_score: 1,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await server.application.db
      .insertInto('assessment_tasks')
      .values({
        assessment_kind: 'exam',
        ...{ assessment_id: exam.id, title: 'T', points: 1 },
        verification_script: '[ "$(cat /home/student/work)" = done ] && echo PASS || echo FAIL',
      })
      .execute();
    const started = await server.post(`/api/exams/${exam.id}/start`, user.token);
    assert.equal(started.status, 201, started.text);
    const address = `${server.url}/ws/terminal/${started.body.container_id}?token=${user.token}`;
    const first = await new TerminalClient(address, { protocol: 'terminal.v1' }).ready();
    first.type('echo done > ~/work; echo sa""ved\n');
    await first.shows('saved\r\n');
    const name = server.config.engine.namePrefix + started.body.container_name;
    await docker.getContainer(name).kill();
    assert.deepEqual(await first.closed, { code: 4409, reason: 'The container is not running' });
    const again = await new TerminalClient(address, { protocol: 'terminal.v1' }).ready();
    again.type('cat ~/work\n');
    await again.shows(/\rdone\r\n/);
    again.socket.terminate();
    await docker.getContainer(name).kill();
    const submitted = await server.post(`/api/exams/${exam.id}/submit`, user.token);
    assert.deepEqual([submitted.status, submitted.body.score], [200, 1], submitted.text);
  });
});

async function template(server: TestServer): Promise<{ id: number }> {
  return await server.application.db
    .insertInto('sandbox_templates')
    .values({ name: 's', slug: 's', image: 'platform-sandbox', memory_mb: 128, cpus: 1 })
    .returning('id')
    .executeTakeFirstOrThrow();
}
