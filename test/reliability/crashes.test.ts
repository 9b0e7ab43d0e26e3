import assert from 'node:assert/strict';
import { after, before, describe } from 'node:test';
import { sql } from 'kysely';
import { inNamespace, isOnCluster } from '../cluster.ts';
import { describeLong, isFull, isLong, itInRounds, rounds } from '../rounds.ts';
import { engineSkip } from '../server.ts';
import { until } from '../until.ts';
import {
  type CrashCase,
  clusterCases,
  coldCases,
  methodsOf,
  refillCases,
  warmCases,
  warmQueueCases,
} from './crash-cases.ts';
import { type Account, CrashWorld, type Request } from './crash-world.ts';
import type { ServiceUnderTest } from './service-under-test.ts';

type Operation = { name: string; account: Account; attemptId: number; containerId: number };

type Graded = { status: string; score: number };

/** The time limit of the recovery after a start, in milliseconds. */
const patience = 60_000;
const atOnce = 6;

/** In `npm test` on a cluster: some of the places. `npm run test:long` has them all. */
const isSample = isOnCluster && !isLong;
const sample = [
  coldCases.filter((_case, index) => index % 5 === 0),
  ...clusterCases.filter((_group, index) => index % 2 === 0),
];

(isSample ? describe : describeLong)('after a crash', { skip: engineSkip }, () => {
  let slowest = 0;
  after(() => {
    process.stderr.write(`crashes       all was right again at most ${(slowest / 1000).toFixed(1)} s after a start\n`);
  });

  const whole = [
    { title: 'without warm containers', cases: [coldCases], warm: 0 },
    { title: 'with three warm containers', cases: [warmCases, warmQueueCases], warm: 3 },
    // Each is alone with its container, and two services.
    {
      title: 'with one warm container',
      cases: refillCases.filter((_group, index) => isFull || index % 2 === 0),
      warm: 1,
    },
    ...(isOnCluster ? [{ title: 'on a cluster', cases: clusterCases, warm: 0 }] : []),
  ];
  for (const { title, cases, warm } of isSample ? [{ title: 'a sample', cases: sample, warm: 0 }] : whole) {
    describe(title, () => {
      let world: CrashWorld;
      before(async () => {
        world = await CrashWorld.create({
          WARM_CONTAINERS: `${warm}`,
          gradingConcurrency: 50,
          CONTAINERS_MAX: '500',
        });
        await world.makeAssessments();
      });
      after(async () => {
        await world?.[Symbol.asyncDispose]();
      });

      for (const [index, group] of cases.entries()) {
        itInRounds(
          `everything has an outcome, group ${index + 1}: ${group.map(({ name }) => name).join('; ')}`,
          async () => {
            for (let left = rounds(1, 20); left > 0; left -= 1)
              await crash(world, group, { warm, isLast: left === 1 && group === cases.at(-1) });
          },
        );
      }
    });
  }

  async function crash(
    world: CrashWorld,
    cases: readonly CrashCase[],
    { warm, isLast }: { warm: number; isLast: boolean },
  ): Promise<void> {
    const operations: Operation[] = [];
    {
      // The reconciler does not run while operations are stopped.
      await using first = await world.start({ reconcileSeconds: 3600 }, methodsOf(cases));
      await until(async () => (await world.problems(warm)).length === 0, 'the warm containers', patience);
      await inTurns(cases, async (crashCase) => {
        operations.push(await prepare(world, first, crashCase));
      });
      const missing = (): Operation[] => operations.filter(({ name }) => !first.stopped.has(name));
      let states: string[] = [];
      await until(
        async () => {
          states = await world.statesOf(missing().map(({ account }) => account.id));
          return missing().length === 0;
        },
        () => {
          const names = missing().map(({ name }) => name);
          return `${names.join('; ')} to reach their places (${[...first.failures, ...states].join('; ')})`;
        },
        patience,
      );
      await first.kill();
    }
    await using second = await world.start();
    const begin = performance.now();
    let problems: string[] = [];
    await until(
      async () => {
        problems = await world.problems(warm);
        return problems.length === 0;
      },
      () => `all to be right again: ${problems.join('; ')}`,
      patience,
    );
    slowest = Math.max(slowest, performance.now() - begin);
    await inTurns(cases, async (crashCase) => {
      const operation = operations.find(({ name }) => name === crashCase.name);
      if (operation) await verify(world, second, crashCase, operation);
    });
    if (!isLast) await clear(world, second, operations);
  }

  /** Runs an operation until it stops at its place. */
  async function prepare(world: CrashWorld, service: ServiceUnderTest, { name, flow, place, isBehind }: CrashCase) {
    const account = await world.account(service);
    const operation: Operation = { name, account, attemptId: 0, containerId: 0 };
    const assessment = flow === 'check' ? `/api/laboratories/${world.laboratory}` : `/api/exams/${world.exam}`;
    if (['submit', 'expire', 'abandon', 'check', 'lose'].includes(flow)) {
      const started = await world.act<{ attempt_id: number }>(service, account, ['POST', `${assessment}/start`]);
      operation.attemptId = started.attempt_id;
    }
    if (['delete', 'stop', 'resume'].includes(flow)) {
      operation.containerId = (
        await world.act<{ id: number }>(service, account, ['POST', '/api/containers/create'])
      ).id;
      if (flow === 'resume')
        await world.act(service, account, ['POST', `/api/containers/${operation.containerId}/stop`]);
    }
    const stop = { operation: name, place };
    const { attemptId, containerId } = operation;
    if (flow === 'expire') {
      await service.order({ do: 'stop expiry', attemptId, ...stop });
      await expireNow(world, attemptId);
      return operation;
    }
    if (flow === 'lose') {
      await service.order({ do: 'stop anybody', ...stop });
      await lose(world, attemptId);
      return operation;
    }
    const requests: Record<Exclude<CrashCase['flow'], 'expire' | 'lose'>, Request> = {
      start: ['POST', `${assessment}/start`],
      queue: ['POST', `${assessment}/start`, { prefer: 'respond-async' }],
      submit: ['POST', `${assessment}/submit`],
      check: ['POST', `${assessment}/check`],
      abandon: ['POST', `/api/exams/attempts/${attemptId}/abandon`],
      create: ['POST', '/api/containers/create'],
      delete: ['DELETE', `/api/containers/${containerId}`],
      stop: ['POST', `/api/containers/${containerId}/stop`],
      resume: ['POST', `/api/containers/${containerId}/start`],
    };
    // Some are answered before they stop, because they continue in the background. The others are never answered.
    if (isBehind) await service.order({ do: 'stop anybody', ...stop });
    const answered = world
      .act(service, account, requests[flow], isBehind ? undefined : stop)
      .catch((error: unknown) => {
        if (!service.stopped.has(name) && service.isAlive) service.failures.push(`${name}: ${String(error)}`);
      });
    // Background work can reach its place before the request that began it is answered.
    if (isBehind) await answered;
    return operation;
  }

  /** As a cluster does that evicts a Pod. */
  async function lose({ db }: CrashWorld, attemptId: number): Promise<void> {
    const container = db.selectFrom('containers').select('engine_ref').where('attempt_id', '=', attemptId);
    const { engine_ref } = await container.executeTakeFirstOrThrow();
    const body = { gracePeriodSeconds: 0 };
    await inNamespace(process.env['TEST_NAMESPACE'], (cluster) =>
      cluster.request('DELETE', cluster.path('pods', engine_ref ?? ''), { body }),
    );
  }

  async function expireNow({ db }: CrashWorld, attemptId: number): Promise<void> {
    await db.updateTable('attempts').set({ expires_at: sql<Date>`now()` }).where('id', '=', attemptId).execute();
    await until(async () => {
      const due = await sql`update jobs.job set start_after = now()
        where name = 'attempt-expiry' and data->>'attempt_id' = ${`${attemptId}`}`.execute(db);
      return due.numAffectedRows === 1n;
    }, 'the job to be queued');
  }

  /** Checks that the outcome is the expected one, and that its user can continue. */
  async function verify(world: CrashWorld, service: ServiceUnderTest, crashCase: CrashCase, operation: Operation) {
    const { name, flow, outcome } = crashCase;
    const { account, attemptId } = operation;
    const attempts = await world.db.selectFrom('attempts').selectAll().where('user_id', '=', account.id).execute();
    const sandboxes = await world.act<{ status: string }[]>(service, account, ['GET', '/api/containers/sandbox']);
    const status = attempts[0]?.status ?? sandboxes[0]?.status ?? 'gone';
    assert.equal(status, outcome, name);
    const kind = flow === 'check' ? 'laboratory' : 'exam';
    const entries: Record<string, string[]> = {
      in_progress: [`${kind}_start`, ...(flow === 'lose' ? ['container_replace'] : [])],
      finished: [`${kind}_start`, `${kind}_submit`],
      expired: [`${kind}_start`, `${kind}_expire`],
      abandoned: [`${kind}_start`, `${kind}_abandon`],
      running: ['container_create'],
      stopped: ['container_create'],
      gone: flow === 'delete' ? ['container_create', 'container_delete'] : [],
    };
    assert.deepEqual(await world.activityOf(account.id), entries[outcome], name);

    if (['create', 'delete', 'stop', 'resume'].includes(flow)) {
      await world.act(service, account, ['POST', '/api/containers/create']);
      return;
    }
    const assessment = flow === 'check' ? `/api/laboratories/${world.laboratory}` : `/api/exams/${world.exam}`;
    if (outcome !== 'in_progress') {
      await world.act(service, account, ['POST', `${assessment}/start`]);
      return;
    }
    if (attemptId !== 0) assert.equal(attempts[0]?.id, attemptId, 'it is the same attempt');
    const results = world.db
      .selectFrom('task_results')
      .select('task_id')
      .where('attempt_id', '=', attempts[0]?.id ?? 0);
    assert.deepEqual(await results.execute(), [], `${name}: the verdicts of a grading without an end are dropped`);
    const submitted = await world.act<Graded>(service, account, ['POST', `${assessment}/submit`]);
    assert.deepEqual([submitted.status, submitted.score], ['finished', 1], `${name}: ${JSON.stringify(submitted)}`);
  }

  /** Removes what a round has created. */
  async function clear({ db }: CrashWorld, service: ServiceUnderTest, operations: readonly Operation[]): Promise<void> {
    const ids = operations.map(({ account }) => account.id);
    const open = await db.selectFrom('attempts').selectAll().where('user_id', 'in', ids).execute();
    const tokens = new Map(operations.map(({ account }) => [account.id, account.token]));
    await inTurns(
      open.filter(({ status }) => status === 'in_progress'),
      async ({ kind, id, user_id }) => {
        const subjects = kind === 'exam' ? 'exams' : 'laboratories';
        const path = `/api/${subjects}/attempts/${id}/abandon`;
        await service.request('POST', path, { token: tokens.get(user_id) });
      },
    );
    const sandboxes = await db.selectFrom('containers').selectAll().where('kind', '=', 'sandbox').execute();
    await inTurns(sandboxes, async ({ id, user_id }) => {
      await service.request('DELETE', `/api/containers/${id}`, { token: tokens.get(user_id ?? 0) });
    });
    await until(
      async () =>
        (await db.selectFrom('containers').select('id').where('status', 'not in', ['warm', 'warming']).execute())
          .length === 0,
      'the containers of the round to go',
      patience,
    );
    await db.deleteFrom('users').where('id', 'in', ids).execute();
  }

  async function inTurns<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
    const queue = [...items];
    const worker = async (): Promise<void> => {
      for (let item = queue.shift(); item; item = queue.shift()) await work(item);
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
  }
});
