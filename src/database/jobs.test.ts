import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { until } from '../../test/until.ts';
import { connectDatabase } from './connection/connect.ts';
import { Jobs } from './jobs.ts';

const options = { concurrency: 2, expireSeconds: 60, retries: 3 };

describe('jobs', () => {
  let database: TestDatabase;
  let connection: ReturnType<typeof connectDatabase>;
  const errors: unknown[] = [];
  before(async () => {
    database = await createTestDatabase();
    connection = connectDatabase({
      address: database.address,
      maxConnections: 6,
      statementTimeout: 15_000,
      acquireTimeout: 5000,
      onError: () => {},
    });
  });
  after(async () => {
    await connection.db.destroy();
    await database[Symbol.asyncDispose]();
  });
  const newJobs = async (pool: Pick<pg.Pool, 'query'> = connection.pool) => {
    const jobs = new Jobs({ pool, onError: (error) => errors.push(error), pollSeconds: 0.5, stopTimeout: 200 });
    await jobs.start();
    return jobs;
  };
  const stateOf = async (queue: string) => {
    const query = 'select state, count(*)::int as count from jobs.job where name = $1 group by 1 order by 1';
    return Object.fromEntries((await connection.pool.query(query, [queue])).rows.map((row) => [row.state, row.count]));
  };

  it('create nothing in a test database, which includes their schema', async () => {
    const relations = async () => {
      const schema = "select count(*)::int as count from pg_class where relnamespace = 'jobs'::regnamespace";
      return (await connection.pool.query<{ count: number }>(schema)).rows[0]?.count ?? 0;
    };
    const before = await relations();
    {
      await using jobs = await newJobs();
      await jobs.work('anything', options, async () => {});
    }
    assert.ok(before > 0);
    assert.equal(await relations(), before);
  });

  it('run once when due, however often they were sent, in any process, even after a restart', async () => {
    const done: string[] = [];
    const take = (who: string) => async (data: { name: string }) => void done.push(`${data.name} by ${who}`);
    {
      // The first process sends the job and exits before it is due.
      await using first = await newJobs();
      await first.work('names', options, take('first'));
      const due = new Date(Date.now() + 3_600_000);
      for (const name of ['ada', 'ada', 'bob']) await first.send('names', { name }, due, name);
      assert.equal(done.length, 0);
    }
    await using second = await newJobs();
    await using third = await newJobs();
    await second.work('names', options, take('another'));
    await third.work('names', options, take('another'));
    await second.send('names', { name: 'first' }, new Date(), 'first');
    await until(() => done.includes('first by another'), 'a job that is due');
    assert.equal(done.length, 1);
    await connection.pool.query("update jobs.job set start_after = now() where name = 'names'");
    await until(() => done.length > 2, 'both that have become due');
    await second.send('names', { name: 'last' }, new Date(), 'last');
    await until(() => done.includes('last by another'), 'the last job');
    assert.deepEqual(done.sort(), ['ada by another', 'bob by another', 'first by another', 'last by another']);
    assert.deepEqual(errors, []);
  });

  it('are taken with one statement for all that have room, and more once there is room again', async () => {
    let polls = 0;
    const query = (text: string, values: unknown[]) => {
      if (text.includes('SKIP LOCKED') && text.includes("'many'")) polls += 1;
      return connection.pool.query(text, values);
    };
    {
      await using creator = await newJobs();
      await creator.work('many', options, async () => {});
    }
    await using jobs = await newJobs({ query } as Pick<pg.Pool, 'query'>);
    for (let number = 0; number < 7; number += 1) await jobs.send('many', { number }, new Date(), `${number}`);
    const waiting: (() => void)[] = [];
    let [most, ended] = [0, 0];
    await jobs.work('many', { ...options, concurrency: 3 }, async () => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      ended += 1;
    });
    await until(() => waiting.length === 3, 'the first three');
    assert.equal(polls, 1);
    for (; ended < 7; await until(() => waiting.length > 0 || ended === 7, 'the next ones')) {
      most = Math.max(most, waiting.length);
      waiting.shift()?.();
    }
    assert.equal(most, 3);
    await until(async () => (await stateOf('many'))['completed'] === 7, 'their ends to be recorded');
  });

  it('are retried after a failure, and given back by a process that ends before they do', async () => {
    const tries: string[] = [];
    const queue = { concurrency: 2, expireSeconds: 60, retries: 3 };
    const stuck = Promise.withResolvers<void>();
    {
      await using first = await newJobs();
      await first.work<{ name: string }>('hard', queue, async ({ name }) => {
        tries.push(name);
        if (name === 'failing') throw new Error('It fails');
        await stuck.promise;
      });
      for (const name of ['failing', 'stuck']) await first.send('hard', { name }, new Date(), name);
      await until(() => tries.length === 2, 'the first tries');
      await until(async () => (await stateOf('hard'))['retry'] === 1, 'the failure to be recorded');
    }
    assert.deepEqual(await stateOf('hard'), { retry: 2 });
    stuck.resolve();
    assert.deepEqual(errors, []);
  });
});
