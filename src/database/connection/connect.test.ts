import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts';
import { until } from '../../../test/until.ts';
import { runAlone } from '../processes/alone.ts';
import { connectDatabase, databaseUnavailable } from './connect.ts';

describe('connections to the database', () => {
  let database: TestDatabase;
  before(async () => {
    database = await createTestDatabase();
  });
  after(() => database[Symbol.asyncDispose]());

  const connect = (options: { connectionString?: string; statementTimeout?: number } = {}) =>
    connectDatabase({
      address: { connectionString: options.connectionString ?? database.address.connectionString },
      maxConnections: 3,
      statementTimeout: options.statementTimeout ?? 15_000,
      acquireTimeout: 2000,
      onError: () => {},
    });

  it('survive the end of an idle session while it is checked out', async () => {
    const { db, pool } = connect();
    try {
      const client = await pool.connect();
      const { rows } = await client.query('select pg_backend_pid() as pid');
      await pool.query('select pg_terminate_backend($1)', [rows[0].pid]);
      const failure = await (async () => {
        for (;;) await client.query('select 1');
      })().catch((error: unknown) => error);
      client.release(failure as Error);
      assert.equal(databaseUnavailable(failure)?.status, 503, String(failure));
      assert.equal((await pool.query('select 1 as one')).rows[0].one, 1);
    } finally {
      await db.destroy();
    }
  });

  it('survive a connection lost within a transaction', async () => {
    const { db, pool } = connect();
    const sockets: { destroy(error: Error): void }[] = [];
    pool.on('connect', (client) => {
      const { connection } = client as unknown as { connection: { stream: { destroy(error: Error): void } } };
      sockets.push(connection.stream);
    });
    try {
      const failing = db.transaction().execute(async (trx) => {
        const sleeping = sql`select pg_sleep(60)`.execute(trx);
        const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
        for (const socket of sockets) socket.destroy(reset);
        await sleeping;
      });
      const error = await failing.catch((reason: unknown) => reason);
      assert.equal(databaseUnavailable(error)?.status, 503, String(error));
      await until(
        () =>
          sql`select 1`.execute(db).then(
            () => true,
            () => false,
          ),
        'a new connection',
      );
    } finally {
      await db.destroy();
    }
  });

  it('return 503 if nothing listens, no answer comes in time, or a statement takes too long', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as { port: number };
    const held = new Set<{ destroy(): void }>();
    silent.on('connection', (socket) => held.add(socket));
    const addresses = [
      'postgres://x@127.0.0.1:1/x',
      'postgres://x@localhost:1/x',
      'postgres://x@%2Fnowhere/x',
      `postgres://x@127.0.0.1:${port}/x`,
    ];
    try {
      for (const connectionString of addresses) {
        const { db } = connect({ connectionString });
        const error = await sql`select 1`.execute(db).catch((reason: unknown) => reason);
        assert.equal(databaseUnavailable(error)?.status, 503, `${connectionString}: ${error}`);
        assert.ok((databaseUnavailable(error)?.retryAfter ?? 0) > 0);
        await db.destroy();
      }
      const single = new pg.Client({ connectionString: addresses.at(-1), connectionTimeoutMillis: 50 });
      const late = await single.connect().catch((reason: unknown) => reason);
      assert.equal(databaseUnavailable(late)?.status, 503, String(late));
      const { db } = connect({ statementTimeout: 50 });
      const error = await sql`select pg_sleep(60)`.execute(db).catch((reason: unknown) => reason);
      assert.equal(databaseUnavailable(error)?.status, 503, String(error));
      await db.destroy();
    } finally {
      for (const socket of held) socket.destroy();
      silent.close();
    }
  });

  it('do not hide errors of the service', async () => {
    const { db } = connect();
    const mistake = await sql`select nothing from nowhere`.execute(db).catch((error: unknown) => error);
    assert.ok(mistake instanceof Error);
    assert.equal(databaseUnavailable(mistake), undefined);
    const file = await readFile('/no/such/file').catch((error: unknown) => error);
    assert.equal(databaseUnavailable(file), undefined);
    assert.equal(databaseUnavailable(new TypeError('x is not a function')), undefined);
    assert.equal(databaseUnavailable('text'), undefined);
    await db.destroy();
  });

  describe('work for one process at a time', () => {
    it('is done by one process and skipped by the others', async () => {
      const [one, two] = [connect(), connect()];
      const done: string[] = [];
      await runAlone(one.pool, 'avatars', async () => {
        await runAlone(two.pool, 'avatars', async () => void done.push('two'));
        await runAlone(two.pool, 'recordings', async () => void done.push('other work'));
        done.push('one');
      });
      assert.deepEqual(done, ['other work', 'one']);
      await runAlone(two.pool, 'avatars', async () => void done.push('two'));
      assert.equal(done.at(-1), 'two');
      await Promise.all([one.db.destroy(), two.db.destroy()]);
    });

    it('leaves connections for the work, however many pieces there are', async () => {
      const { db, pool } = connect();
      const names = ['avatars', 'recordings', 'home folders', 'search index', 'notifications', 'images'] as const;
      let done = 0;
      const all = Promise.withResolvers<void>();
      const work = async () => {
        done += 1;
        if (done === names.length) all.resolve();
        // All of them hold their locks.
        await all.promise;
        await pool.query('select 1');
      };
      await Promise.all(names.map((name) => runAlone(pool, name, work)));
      assert.equal(
        await runAlone(pool, 'avatars', async () => void assert.equal(await runAlone(pool, 'avatars', work), false)),
        true,
      );
      await db.destroy();
    });

    it('can be done again after it failed', async () => {
      const { db, pool } = connect();
      await assert.rejects(
        runAlone(pool, 'avatars', async () => {
          throw new Error('not today');
        }),
        /not today/,
      );
      let isDone = false;
      await runAlone(pool, 'avatars', async () => {
        isDone = true;
      });
      assert.ok(isDone);
      await db.destroy();
    });

    it('can be done again after its connection was lost, in the same process', async () => {
      const [one, two] = [connect(), connect()];
      const held = `select pid from pg_locks where locktype = 'advisory' and granted and database = (select oid from pg_database where datname = current_database())`;
      await assert.rejects(
        runAlone(one.pool, 'avatars', async () => {
          await two.pool.query(`select pg_terminate_backend(pid) from (${held}) as holder`);
          await until(async () => (await two.pool.query(held)).rowCount === 0, 'the lock to go');
        }),
      );
      let isDone = false;
      await runAlone(one.pool, 'avatars', async () => {
        isDone = true;
      });
      assert.ok(isDone);
      await Promise.all([one.db.destroy(), two.db.destroy()]);
    });
  });
});
