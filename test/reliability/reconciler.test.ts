import assert from 'node:assert/strict';
import { itLong } from '../rounds.ts';
import { engineSkip } from '../server.ts';
import { until } from '../until.ts';
import { CrashWorld } from './crash-world.ts';

// Long: two processes, one after the other, with the work that each one does.
itLong(
  'runs in one process at a time, and another completes the work of a killed one',
  { skip: engineSkip },
  async () => {
    await using world = await CrashWorld.create({ reconcileSeconds: 1 });
    await world.makeAssessments();
    // Only the reconciler lists all containers.
    const reading = 'ContainerStore.all';
    const methods = [reading, 'ContainerEngine.create', 'GradingStore.beginGrading'];
    await using one = await world.start({}, methods);
    await using two = await world.start({}, methods);
    const [starting, submitting] = [await world.account(one), await world.account(one)];
    const path = `/api/exams/${world.exam}`;
    await world.act(one, submitting, ['POST', `${path}/start`]);
    await one.order({ do: 'stop anybody', operation: 'reconciliation', place: `after ${reading}` });
    await until(() => one.stopped.has('reconciliation'), 'one to reconcile');
    const [readings, tries] = [await two.calls(reading), await two.calls('Reconciler.run')];
    await until(async () => (await two.calls('Reconciler.run')) >= tries + 3, 'the other to try');
    assert.equal(await two.calls(reading), readings);

    const stops = [
      { account: starting, action: 'start', operation: 'a start', place: 'after ContainerEngine.create' },
      { account: submitting, action: 'submit', operation: 'a submission', place: 'after GradingStore.beginGrading' },
    ];
    for (const { account, action, ...stop } of stops)
      world.act(one, account, ['POST', `${path}/${action}`], stop).catch(() => undefined);
    await until(() => one.stopped.size === 3, 'both to come to their places');
    await one.kill();
    let problems: string[] = [];
    await until(
      async () => {
        problems = await world.problems(0);
        return problems.length === 0;
      },
      () => `all to be right again: ${problems.join('; ')}`,
      60_000,
    );
    assert.ok((await two.calls(reading)) > readings, 'the other has taken over');
    await world.act(two, starting, ['POST', `${path}/start`]);
    const graded = await world.act<{ score: number }>(two, submitting, ['POST', `${path}/submit`]);
    assert.equal(graded.score, 1);
  },
);
