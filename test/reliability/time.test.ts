import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe } from 'node:test';
import { pathToFileURL } from 'node:url';
import Docker from 'dockerode';
import { sql } from 'kysely';
import type { Database } from '../../src/database/connection/connect.ts';
import { itLong, rounds } from '../rounds.ts';
import { runInContainer } from '../run-in-container.ts';
import { engineSkip, TestServer, testEngine } from '../server.ts';
import { TerminalClient } from '../terminal-client.ts';
import { until } from '../until.ts';
import { CrashWorld, image } from './crash-world.ts';
import type { ServiceUnderTest } from './service-under-test.ts';

type Started = { attempt_id: number; container_id: number; started_at: string; expires_at: string };

const wrongClock = pathToFileURL(join(import.meta.dirname, 'wrong-clock.ts')).href;

async function attemptOf(db: Database, id: number) {
  return await db
    .selectFrom('attempts')
    .select(['status', 'score', 'submitted_at', 'expires_at', sql<Date>`now()`.as('now')])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}

/** Moves the deadline of an attempt and its job. */
async function setDeadline(db: Database, id: number, seconds: number): Promise<Date> {
  const expires_at = sql<Date>`now() + make_interval(secs => ${seconds})`;
  const moved = await db
    .updateTable('attempts')
    .set({ expires_at })
    .where('id', '=', id)
    .returning('expires_at')
    .executeTakeFirstOrThrow();
  await db.updateTable('containers').set({ expires_at: moved.expires_at }).where('attempt_id', '=', id).execute();
  await sql`update jobs.job set start_after = ${moved.expires_at}
    where name = 'attempt-expiry' and data->>'attempt_id' = ${`${id}`}`.execute(db);
  return moved.expires_at ?? new Date(0);
}

/** Whatever the clocks show, a logout and a new login in one process are effective in the other. */
async function checkLogouts(service: ServiceUnderTest, other: ServiceUnderTest): Promise<void> {
  await using _other = other;
  const json = { username: 'traveller', email: 'traveller@example.com', password: 'across the meridian' };
  assert.equal((await service.request('POST', '/api/auth/register', { json })).status, 200);
  const logIn = async (where: ServiceUnderTest): Promise<string> =>
    ((await where.request('POST', '/api/auth/login', { json })).body as { access_token: string }).access_token;
  const seen = async (token: string): Promise<number[]> =>
    await Promise.all(
      [service, other].map(async (one) => (await one.request('GET', '/api/auth/me', { token })).status),
    );
  for (const [here, there] of [
    [service, other],
    [other, service],
  ] as const) {
    const token = await logIn(here);
    assert.deepEqual(await seen(token), [200, 200]);
    assert.equal((await there.request('POST', '/api/auth/logout', { token })).status, 200);
    assert.deepEqual(await seen(token), [401, 401]);
    assert.deepEqual(await seen(await logIn(there)), [200, 200]);
    assert.deepEqual(await seen(await logIn(here)), [200, 200]);
  }
}

// Each has its own service, database and containers, and waits most of the time.
describe('the time of deadlines', { skip: engineSkip, concurrency: true }, () => {
  for (const [shift, hours] of [
    ['behind', -3],
    ['ahead', 3],
  ] as const) {
    itLong(`is the database's where a process is three hours ${shift}`, async () => {
      await using world = await CrashWorld.create({ reconcileSeconds: 1, terminalPingSeconds: 1 });
      await world.makeAssessments();
      await using service = await world.start({ CLOCK_SHIFT_SECONDS: `${hours * 3600}` }, [], wrongClock);
      const account = await world.account(service);
      assert.ok(Math.abs((await service.time()) - Date.now() - hours * 3_600_000) < 60_000, 'its clock is wrong');
      await checkLogouts(service, await world.start());
      const started = await world.act<Started>(service, account, ['POST', `/api/exams/${world.exam}/start`]);
      const { now } = await attemptOf(world.db, started.attempt_id);
      assert.ok(now.getTime() - Date.parse(started.started_at) < 60_000, started.started_at);
      assert.equal(Date.parse(started.expires_at) - Date.parse(started.started_at), 30 * 60_000);

      const address = `${service.url}/ws/terminal/${started.container_id}?token=${account.token}`;
      const client = await new TerminalClient(address, { protocol: 'terminal.v1' }).ready();
      client.type('echo he""re\n');
      await client.shows('here\r\n');
      const left = (): number[] =>
        client.messages.flatMap(({ reason, seconds_left }) => (reason === 'time' ? [Number(seconds_left)] : []));
      await setDeadline(world.db, started.attempt_id, 500);
      await until(() => left().length > 0, 'the countdown');
      assert.ok((left()[0] ?? 0) > 470 && (left()[0] ?? 0) <= 501, `${left()} seconds left`);
      const looks = await service.calls('Reconciler.run');
      await until(async () => (await service.calls('Reconciler.run')) > looks + 1, 'a look for overdue attempts');
      assert.equal((await attemptOf(world.db, started.attempt_id)).status, 'in_progress');

      const deadline = await setDeadline(world.db, started.attempt_id, 4);
      assert.deepEqual(await client.closed, { code: 4410, reason: 'Time is over' });
      const closed = await attemptOf(world.db, started.attempt_id);
      const late = (closed.now.getTime() - deadline.getTime()) / 1000;
      assert.ok(late > -1.5 && late < 60, `closed ${late} s after the deadline`);
      await until(
        async () => (await attemptOf(world.db, started.attempt_id)).status === 'expired',
        'the attempt to be graded',
        60_000,
      );
      const { score, submitted_at, expires_at } = await attemptOf(world.db, started.attempt_id);
      assert.deepEqual([score, submitted_at, expires_at], [1, deadline, deadline]);
    });
  }

  // Long: most of it prepares the attempts that hang. They are graded at the end.
  itLong('of others is not used up by attempts whose SSH servers hang', async () => {
    const others = rounds(8, 50, 2);
    const turns = rounds(2, 8, 1);
    await using server = await TestServer.start({
      gradingConcurrency: turns,
      reconcileSeconds: 2,
      sshTimeoutSeconds: 8,
      maxStartWaitSeconds: 120,
    });
    const { db } = server.application;
    const engine = await testEngine();
    assert.ok('options' in engine);
    const docker = new Docker(engine.options);
    const exam = await db
      .insertInto('assessments')
      .values({ kind: 'exam', title: 'E', container_image: image, time_limit_minutes: 30, passing_score: 1 })
      .returning('id')
      .executeTakeFirstOrThrow();
    const task = { assessment_id: exam.id, title: 'T', points: 1, verification_script: 'echo PASS' };
    await db
      .insertInto('assessment_tasks')
      .values({ assessment_kind: 'exam', ...task })
      .execute();
    const attempts = await Promise.all(
      Array.from({ length: turns + 1 + others }, async () => {
        const user = await server.user();
        const { status, body, text } = await server.post(`/api/exams/${exam.id}/start`, user.token);
        assert.equal(status, 201, text);
        return { id: body.attempt_id as number, ref: server.config.engine.namePrefix + body.container_name };
      }),
    );
    const hung = attempts.slice(0, turns + 1);
    // A server that accepts connections and never answers.
    const hang = `mv /usr/sbin/sshd /usr/sbin/sshd.kept && printf '#!/bin/sh\\nexec sleep 1000\\n' >/usr/sbin/sshd &&
    chmod 755 /usr/sbin/sshd && pkill -KILL sshd; test -x /usr/sbin/sshd.kept`;
    for (const { ref } of hung) assert.equal((await runInContainer(docker, ref, hang, 'root')).code, 0);
    // The reconciler processes them first.
    await Promise.all(hung.map(({ id }) => setDeadline(db, id, -60)));
    // On a busy machine, the first may have ended before the last begins.
    const hasBegun = async ({ id }: { id: number }) => (await attemptOf(db, id)).status !== 'in_progress';
    await until(async () => (await Promise.all(hung.map(hasBegun))).every(Boolean), 'their gradings to begin', 90_000);
    const ids = attempts.slice(turns + 1).map(({ id }) => id);
    const due = await db
      .updateTable('attempts')
      .set({ expires_at: sql<Date>`now()` })
      .where('id', 'in', ids)
      .returning(['id', 'expires_at'])
      .execute();
    const begin = performance.now();
    const ended = db
      .selectFrom('attempts')
      .select(['id', 'score', 'submitted_at', 'expires_at'])
      .where('status', '=', 'expired')
      .where('id', 'in', ids);
    await until(async () => (await ended.execute()).length === others, 'the others to be graded', 60_000);
    const seconds = (performance.now() - begin) / 1000;
    process.stderr.write(
      `deadlines     ${others} attempts were graded ${seconds.toFixed(1)} s after their deadline, beside ${hung.length}\n`,
    );
    for (const { id, expires_at } of due) {
      const graded = (await ended.execute()).find((row) => row.id === id);
      assert.deepEqual([graded?.score, graded?.submitted_at, graded?.expires_at], [1, expires_at, expires_at]);
    }
    // Their SSH servers never answer, so the engine runs their checks after the time limit of a connection.
    for (const { id } of hung) {
      await until(async () => (await attemptOf(db, id)).status === 'expired', 'it to be graded', 90_000);
      const { score, submitted_at, expires_at } = await attemptOf(db, id);
      assert.deepEqual([score, submitted_at], [1, expires_at]);
    }
  });
});
