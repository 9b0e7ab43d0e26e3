import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { describeLong, rounds } from '../rounds.ts';
import { TestServer } from '../server.ts';
import { databasePatience } from '../settings.ts';
import { until } from '../until.ts';
import { Crowd, newStudent } from './crowd.ts';
import { OwnDatabase } from './own-database.ts';

const settings = { REQUESTS_PER_MINUTE: '1000000', SECRET_KEY: 'the same for all services of this file' };

/** A fault during registrations, reads and completed lessons: refusals within 5 s, success within 5 s after it, nothing acknowledged is lost. */
describeLong('a PostgreSQL', () => {
  let database: OwnDatabase;
  let server: TestServer;
  before(async () => {
    database = await OwnDatabase.start();
    const outside = { database: database.address, engine: { reason: 'none is needed here' } };
    server = await TestServer.start({ ...settings, ...databasePatience }, outside, 1);
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
    await database?.[Symbol.asyncDispose]();
  });

  it('that hangs is reported within 5 s, and the service continues with it', async (context) => {
    await using crowd = new Crowd(server, await newStudent(server));
    await crowd.goesOn(10_000);
    await database.freeze();
    const from = performance.now();
    try {
      await crowd.sees(503, 15);
      await delay(rounds(1500, 30_000, 0));
    } finally {
      database.thaw();
    }
    const to = performance.now();
    await crowd.goesOn(5000);
    const { slowest, refused } = await crowd.end({ from, to });
    context.diagnostic(`${refused} requests refused, the slowest took ${Math.round(slowest)} ms`);
  });

  it('that hangs briefly is waited for', async () => {
    // A busy machine makes the second longer.
    const outside = { database: database.address, engine: { reason: 'none is needed here' } };
    await using patient = await TestServer.start(settings, outside, 1);
    await using crowd = new Crowd(patient, await newStudent(server));
    await crowd.goesOn(10_000);
    await database.freeze();
    await delay(1000);
    database.thaw();
    await crowd.goesOn(5000);
    await crowd.end();
    assert.deepEqual(crowd.statuses, [200]);
  });

  it('that is late on one connection fails no request on the others', async () => {
    await using crowd = new Crowd(server, await newStudent(server));
    await crowd.goesOn(10_000);
    const { db } = server.application;
    const listening = async (): Promise<number | undefined> => {
      const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity
        where application_name = 'learning-platform listening' and state = 'idle' order by backend_start desc limit 1`.execute(
        db,
      );
      return rows[0]?.pid;
    };
    const before = await listening();
    assert.ok(before);
    database.freezeConnection(before);
    try {
      await until(async () => ![undefined, before].includes(await listening()), 'a new connection that listens');
    } finally {
      database.thaw();
    }
    await crowd.goesOn(5000);
    await crowd.end();
    assert.deepEqual(crowd.statuses, [200]);
  });

  it('that is stopped, and started again later', async (context) => {
    await using crowd = new Crowd(server, await newStudent(server));
    await crowd.goesOn(10_000);
    await database.stop();
    const from = performance.now();
    await crowd.sees(503, 15);
    await delay(rounds(1000, 30_000, 0));
    const to = performance.now();
    await database.start();
    await crowd.goesOn(5000);
    const { slowest, refused } = await crowd.end({ from, to });
    context.diagnostic(`${refused} requests refused, the slowest took ${Math.round(slowest)} ms`);
  });

  it('that is killed and recovers', async (context) => {
    for (let round = 0; round < rounds(1, 20); round += 1) {
      await using crowd = new Crowd(server, await newStudent(server));
      await crowd.goesOn(10_000);
      database.kill();
      await crowd.sees(503);
      await crowd.goesOn(5000);
      const { slowest } = await crowd.end();
      assert.ok(crowd.completed > 0);
      context.diagnostic(
        `the slowest request took ${Math.round(slowest)} ms, ${crowd.completed} lessons were completed`,
      );
    }
  });
});
