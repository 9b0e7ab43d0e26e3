import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { before, it } from 'node:test';
import Docker from 'dockerode';
import { sql } from 'kysely';
import { makeAssessment, warmContainers, warmedUp } from '../made-assessment.ts';
import { describeLong } from '../rounds.ts';
import { engineSkip, TestServer, testEngine } from '../server.ts';
import { until } from '../until.ts';
import { within } from '../within.ts';

describeLong('clients of a service that is stopped', () => {
  const halfBody =
    'POST /api/auth/login HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{';

  /** A connection of which the service has read `sent`, with its end in the service. */
  async function connectionThatSent(server: TestServer, sent: string) {
    const accepted = once(server.application.app.server, 'connection');
    const socket = connect(Number(new URL(server.url).port), new URL(server.url).hostname);
    const [connection] = (await accepted) as [Socket];
    socket.write(sent);
    await until(() => connection.bytesRead === sent.length, 'the bytes of the client');
    return { socket, connection };
  }
  const end = (server: TestServer) =>
    within(30_000, 'the end of the service', server.application[Symbol.asyncDispose]());

  // What a browser does that expects to ask more, and what a hostile client does.
  for (const [client, sent] of [
    ['has sent nothing', ''],
    ['has sent half a head', 'GET /api/system/info HTTP/1.1\r\nHost: '],
    ['has sent half a body', halfBody],
  ] as const) {
    it(`cannot keep it from ending with a connection that ${client}`, async () => {
      await using server = await TestServer.start({ requestTimeoutSeconds: 2 }, {}, 1);
      const { socket } = await connectionThatSent(server, sent);
      await end(server);
      socket.destroy();
    });
  }

  it('cannot keep it from ending with an answer that they do not read', async () => {
    await using server = await TestServer.start({ requestTimeoutSeconds: 2 }, {}, 1);
    const requests = 'GET /api/openapi.json HTTP/1.1\r\nHost: here\r\n\r\n'.repeat(100);
    const { socket, connection } = await connectionThatSent(server, requests);
    await until(() => connection.writableLength > 0, 'an answer that waits');
    await end(server);
    socket.destroy();
  });

  it('get the answer to a request that was under way, and their connection does not delay the end', async () => {
    await using server = await TestServer.start({}, {}, 1);
    const { socket } = await connectionThatSent(server, halfBody);
    const ended = end(server);
    await until(() => !server.application.app.server.listening, 'the end of listening');
    socket.write('}'.padStart(99));
    const answer = await text(socket);
    assert.match(answer, /^HTTP\/1\.1 422 /);
    await ended;
  });
});

describeLong('a service that is stopped', { skip: engineSkip }, () => {
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
    await makeAssessment(server, admin, 'exam', ['echo PASS']);
    await server.reconcile();
    await warmedUp(server, warm);
    return server;
  }
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
    const [first, second] = await warmContainers(server);
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
