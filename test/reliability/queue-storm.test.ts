import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { describeLong, isFull, rounds } from '../rounds.ts';
import { engineSkip } from '../server.ts';
import { until } from '../until.ts';
import { type Account, CrashWorld } from './crash-world.ts';
import type { Answer, ServiceUnderTest } from './service-under-test.ts';

/** Students who press at once, and the containers that fit. */
const [students, places] = [rounds(12, 200), rounds(5, 80)];
/** Containers that are created at once: the clocks of so many start in any order. */
const atOnce = 4;
/** Attempts that are submitted at once. */
const submitAtOnce = 4;
const minute = 60_000;

/** Students whose service can be killed and replaced at any time. A request to a dead one is repeated. */
class Storm implements AsyncDisposable {
  readonly world: CrashWorld;
  service: ServiceUnderTest;
  kills = 0;
  #most = 0;

  private constructor(world: CrashWorld, service: ServiceUnderTest) {
    this.world = world;
    this.service = service;
  }

  static async begin(world: CrashWorld): Promise<Storm> {
    return new Storm(world, await world.start());
  }

  /** SIGKILL, then another process on the same database and engine. */
  async replace(): Promise<void> {
    await this.service.kill();
    this.kills += 1;
    this.service = await this.world.start();
  }

  async request({ token }: Account, method: string, path: string): Promise<Answer> {
    for (;;) {
      try {
        return await this.service.request(method, path, { token, headers: { prefer: 'respond-async' } });
      } catch {
        await delay(100);
      }
    }
  }

  /** The attempt of a student who presses. After a lost answer the student presses again. */
  async press(account: Account): Promise<number> {
    for (;;) {
      const { status, text, body } = await this.request(account, 'POST', `/api/exams/${this.world.exam}/start`);
      if (status === 201 || status === 202) return (body as { attempt_id: number }).attempt_id;
      if (this.kills > 0 && status === 409) {
        const active = await this.request(account, 'GET', '/api/exams/attempts/active');
        if (active.status === 200) return (active.body as { id: number }).id;
      }
      assert.equal(status, 503, text);
      await delay(500);
    }
  }

  async #running(): Promise<{ id: number; user_id: number }[]> {
    const attempts = this.world.db.selectFrom('attempts').select(['id', 'user_id']);
    return await attempts.where('status', '=', 'in_progress').orderBy('id').execute();
  }

  async finished(): Promise<number> {
    const rows = this.world.db.selectFrom('attempts').select('id').where('status', '=', 'finished');
    return (await rows.execute()).length;
  }

  /** Submits what runs until all are graded, each student once. @param onFinished is called with how many are finished */
  async drain(accounts: readonly Account[], onFinished: (count: number) => Promise<void>): Promise<void> {
    const byId = new Map(accounts.map((account) => [account.id, account]));
    const count = async () => await this.finished();
    await until(
      async () => {
        const running = await this.#running();
        const { length } = await this.world.db.selectFrom('containers').select('id').execute();
        this.#most = Math.max(this.#most, running.length, length);
        const submit = async ({ user_id }: { user_id: number }) => {
          const account = byId.get(user_id);
          if (account) await this.request(account, 'POST', `/api/exams/${this.world.exam}/submit`);
        };
        await Promise.all(running.slice(0, submitAtOnce).map(submit));
        await onFinished(await count());
        return (await count()) === accounts.length;
      },
      () => `the last of ${accounts.length} attempts`,
      20 * minute,
    );
    assert.ok(this.#most <= places, `${this.#most} containers at once`);
  }

  /** Each student has one attempt, and they began in the order of the queue. @returns seconds from the first to the last start */
  async check(accounts: readonly Account[], slack: number): Promise<number> {
    const { db } = this.world;
    const rows = await db.selectFrom('attempts').select(['id', 'user_id', 'started_at']).orderBy('id').execute();
    assert.deepEqual(
      rows.map(({ user_id }) => user_id).sort((a, b) => a - b),
      accounts.map(({ id }) => id).sort((a, b) => a - b),
      'one attempt each',
    );
    const moments = rows.map(({ started_at }) => Number(started_at));
    const begun = [...rows].sort((a, b) => Number(a.started_at) - Number(b.started_at));
    const early = begun.map(({ id }, place) => rows.findIndex((row) => row.id === id) - place);
    assert.ok(Math.max(...early) <= slack, `${Math.max(...early)} places before their turn: ${early}`);
    let problems: string[] = [];
    const isSettled = async () => {
      problems = await this.world.problems(0);
      return problems.length === 0;
    };
    await until(isSettled, () => `an orderly end: ${problems.join('; ')}`);
    return (Math.max(...moments) - Math.min(...moments)) / 1000;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.service[Symbol.asyncDispose]();
  }
}

describeLong(`${students} students who press at once, where ${places} containers fit`, { skip: engineSkip }, () => {
  let world: CrashWorld;
  before(async () => {
    world = await CrashWorld.create({
      ...{ CONTAINERS_MAX: `${places}`, CONTAINER_STARTS: `${atOnce}`, maxQueuedAttempts: students },
      ...{
        CONTAINER_MEMORY_MB: '64',
        CONTAINER_PROCESSES: '64',
        reconcileSeconds: 1,
        REQUESTS_PER_MINUTE: '1000000',
      },
    });
    await world.makeAssessments();
  });
  after(async () => {
    await world?.[Symbol.asyncDispose]();
  });

  /** Students with sessions, and their attempts when all have pressed. */
  const press = async (storm: Storm, meanwhile: () => Promise<void> = async () => {}) => {
    const accounts: Account[] = [];
    for (let count = 0; count < students; count += 1) accounts.push(await world.account(storm.service));
    await world.db.deleteFrom('attempts').execute();
    await world.db.deleteFrom('activity_log').execute();
    const begin = performance.now();
    const pressed = accounts.map((account) => storm.press(account));
    await meanwhile();
    const ids = await Promise.all(pressed);
    assert.equal(new Set(ids).size, students, 'nobody twice');
    return { accounts, seconds: (performance.now() - begin) / 1000 };
  };
  const tell = (what: string, pressed: number, served: number) =>
    process.stdout.write(
      `${what}: all had a place after ${pressed.toFixed(1)} s, all were served within ${served.toFixed(0)} s\n`,
    );

  // Those who are interrupted go the same way.
  if (isFull)
    it('are all served once and in order, as places come free', { timeout: 25 * minute }, async () => {
      await using storm = await Storm.begin(world);
      const { accounts, seconds } = await press(storm);
      await storm.drain(accounts, async () => {});
      tell('without a crash', seconds, await storm.check(accounts, atOnce));
    });

  it('are so although the service is killed while they press, and while the queue moves', {
    timeout: 25 * minute,
  }, async () => {
    await using storm = await Storm.begin(world);
    const queued = async () => (await world.db.selectFrom('attempts').select('id').execute()).length;
    const { accounts, seconds } = await press(storm, async () => {
      await until(async () => (await queued()) >= students / 3, 'a third of the attempts');
      await storm.replace();
    });
    await storm.drain(accounts, async (finished) => {
      if (finished >= students / 2 && storm.kills === 1) await storm.replace();
    });
    // Starts of a dead process begin again, after others that began meanwhile.
    tell('with two kills', seconds, await storm.check(accounts, 2 * atOnce));
  });
});
