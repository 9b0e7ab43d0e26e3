import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { describeLong } from '../rounds.ts';
import { engineSkip } from '../server.ts';
import { until } from '../until.ts';
import { type Account, CrashWorld, type Request } from './crash-world.ts';
import type { ServiceUnderTest } from './service-under-test.ts';

type Active = { id: number; status: string; position?: number };

describeLong('attempts that are queued when the service is killed', { skip: engineSkip }, () => {
  let world: CrashWorld;
  before(async () => {
    world = await CrashWorld.create({ CONTAINERS_MAX: '1', WARM_CONTAINERS: '0' });
    await world.makeAssessments();
  });
  after(async () => {
    await world?.[Symbol.asyncDispose]();
  });

  it('keep their places, and start in the next process', async () => {
    const path = `/api/exams/${world.exam}`;
    const queue: Request = ['POST', `${path}/start`, { prefer: 'respond-async' }];
    const active = (service: ServiceUnderTest, account: Account) =>
      world.act<Active>(service, account, ['GET', '/api/exams/attempts/active']);
    const accounts: Account[] = [];
    const attempts: number[] = [];
    {
      await using killed = await world.start({ reconcileSeconds: 3600 });
      for (let count = 0; count < 3; count += 1) accounts.push(await world.account(killed));
      for (const account of accounts)
        attempts.push((await world.act<{ attempt_id: number }>(killed, account, queue)).attempt_id);
      // On a busy machine the first one is queued until its container runs.
      const [begun] = accounts as [Account];
      await until(async () => (await active(killed, begun)).status === 'in_progress', 'the first attempt to begin');
      await killed.kill();
    }
    await using service = await world.start();
    const [first, second, third] = accounts as [Account, Account, Account];
    const places = await Promise.all(accounts.map((account) => active(service, account)));
    assert.deepEqual(
      places.map(({ id, position }) => [id, position]),
      [
        [attempts[0], undefined],
        [attempts[1], 1],
        [attempts[2], 2],
      ],
    );
    for (const [account, next] of [
      [first, second],
      [second, third],
    ] as const) {
      await world.act(service, account, ['POST', `${path}/submit`]);
      await until(async () => (await active(service, next)).status === 'in_progress', 'the next attempt to begin');
    }
  });
});
