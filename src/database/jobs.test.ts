import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
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
  const newJobs = async () => {
    const jobs = new Jobs({ pool: connection.pool, onError: (error) => errors.push(error), pollSeconds: 0.5 });
    await jobs.start();
    return jobs;
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
      const due = new Date(Date.now() + 1500);
      for (const name of ['ada', 'ada', 'bob']) await first.send('names', { name }, due, name);
      assert.equal(done.length, 0);
    }
    await using second = await newJobs();
    await using third = await newJobs();
    await second.work('names', options, take('another'));
    await third.work('names', options, take('another'));
    await second.send('names', { name: 'last' }, new Date(Date.now() + 2500), 'last');
    await until(() => done.includes('last by another'), 'the last job');
    assert.deepEqual(done.sort(), ['ada by another', 'bob by another', 'last by another']);
    assert.deepEqual(errors, []);
  });
});
