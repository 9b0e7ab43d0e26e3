import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import Docker from 'dockerode';
import { sql } from 'kysely';
import { engineSkip, TestServer, testEngine } from '../server.ts';
import { until } from '../until.ts';

describe('a service that is stopped', { skip: engineSkip }, () => {
  let docker: Docker;
  before(async () => {
    const engine = await testEngine();
    if (!('options' in engine)) throw new Error(engine.reason);
    docker = new Docker(engine.options);
  });

  /** A service whose only exam has its warm containers. */
  async function warmServer(warm: number, processes: number): Promise<TestServer> {
    const server = await TestServer.start({ WARM_CONTAINERS: `${warm}`, CONTAINER_MEMORY_MB: '128' }, {}, processes);
    const admin = await server.user('admin');
    const exam = {
      title: 'Warm',
      container_image: 'platform-exam-linux-basics',
      time_limit_minutes: 5,
      passing_score: 1,
    };
    const { body } = await server.post('/api/admin/exams', admin.token, exam);
    const task = { title: 'Task', description: 'Do it', points: 1, verification_script: 'echo PASS' };
    await server.post(`/api/admin/exams/${body.id}/tasks`, admin.token, task);
    await server.reconcile();
    await until(async () => (await waiting(server)).length === warm, 'the warm containers');
    return server;
  }
  const waiting = (server: TestServer) =>
    server.application.db.selectFrom('containers').selectAll().where('status', '=', 'warm').execute();
  const onEngine = async (server: TestServer): Promise<string[]> => {
    const filters = { name: [server.config.engine.namePrefix] };
    return (await docker.listContainers({ all: true, filters })).map(({ Id }) => Id);
  };

  it('leaves no warm container', async () => {
    await using server = await warmServer(2, 1);
    assert.equal((await onEngine(server)).length, 2);
    await server.application[Symbol.asyncDispose]();
    assert.deepEqual(await onEngine(server), []);
  });

  it('keeps the warm containers of another living process', async () => {
    await using server = await warmServer(2, 2);
    const { db } = server.application;
    const { rows } = await sql<{ id: number }>`select distinct objid::int as id from pg_locks
      where locktype = 'advisory' and classid::bigint = 7302
        and database = (select oid from pg_database where datname = current_database()) order by id`.execute(db);
    assert.equal(rows.length, 2);
    const [first, second] = await waiting(server);
    // As if each process had created one. Numbers are assigned in the order of the starts.
    await db
      .updateTable('containers')
      .set({ process_id: rows[0]?.id ?? 0 })
      .where('id', '=', first?.id ?? 0)
      .execute();
    await db
      .updateTable('containers')
      .set({ process_id: rows[1]?.id ?? 0 })
      .where('id', '=', second?.id ?? 0)
      .execute();
    await server.application[Symbol.asyncDispose]();
    assert.ok((await onEngine(server)).includes(second?.engine_ref ?? ''), "the other's is there");
    assert.ok(!(await onEngine(server)).includes(first?.engine_ref ?? ''), 'its own has gone');
  });
});
