import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { describeLong } from '../rounds.ts';
import { engineSkip } from '../server.ts';
import { until } from '../until.ts';
import { type Account, CrashWorld } from './crash-world.ts';
import type { ServiceUnderTest } from './service-under-test.ts';

const patience = 60_000;
/** Every write to the database and every call of the engine, with the status of the attempt after the crash. */
const places = [
  ['after ReopenStore.reserve', 'finished'],
  ['after ContainerEngine.create', 'finished'],
  ['before ContainerEngine.restart', 'finished'],
  ['after ContainerStore.setMade', 'finished'],
  ['after ReopenStore.begin', 'in_progress'],
] as const;

describeLong('a process that is killed while it reopens an attempt', { skip: engineSkip, timeout: 600_000 }, () => {
  let world: CrashWorld;
  let folder: string;
  before(async () => {
    // What an attempt left is in the data folder, which the processes share.
    folder = await mkdtemp(join(tmpdir(), 'platform-test-'));
    world = await CrashWorld.create({ DATA_DIR: folder, CONTAINERS_MAX: '100' });
    await world.makeAssessments();
  });
  after(async () => {
    await world?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  const rightAgain = async (): Promise<void> => {
    let problems: string[] = [];
    await until(
      async () => {
        problems = await world.problems(0);
        return problems.length === 0;
      },
      () => `all to be right: ${problems.join('; ')}`,
      patience,
    );
  };
  async function submitted(service: ServiceUnderTest): Promise<{ account: Account; id: number }> {
    const account = await world.account(service);
    await world.act(service, account, ['POST', `/api/exams/${world.exam}/start`]);
    const { id } = await world.act<{ id: number }>(service, account, ['POST', `/api/exams/${world.exam}/submit`]);
    return { account, id };
  }

  // Long: one attempt for each place, all interrupted by the same kill.
  it('loses and doubles nothing, and it can be reopened afterwards', async () => {
    const attempts: { account: Account; id: number }[] = [];
    let admin: Account;
    {
      const methods = places.map(([place]) => place.split(' ')[1] ?? '');
      await using first = await world.start({ reconcileSeconds: 3600 }, methods);
      admin = await world.account(first);
      await world.db.updateTable('users').set({ role: 'admin' }).where('id', '=', admin.id).execute();
      for (const _place of places) attempts.push(await submitted(first));
      await rightAgain();
      const { token } = admin;
      for (const [index, [place]] of places.entries()) {
        const path = `/api/instructor/attempts/${attempts[index]?.id}/reopen`;
        first.request('POST', path, { token, stop: { operation: place, place } }).catch(() => undefined);
      }
      await until(
        () => places.every(([place]) => first.stopped.has(place)),
        () => `all to stop, not only ${[...first.stopped].join('; ')}`,
        patience,
      );
      await first.kill();
    }
    await using second = await world.start();
    // A reopened attempt has no results until its next end.
    await rightAgain();
    for (const [index, [place, status]] of places.entries()) {
      const { id = 0, account } = attempts[index] ?? {};
      const [row] = await world.db.selectFrom('attempts').selectAll().where('id', '=', id).execute();
      assert.equal(row?.status, status, place);
      const endings = await world.db.selectFrom('attempt_endings').selectAll().where('attempt_id', '=', id).execute();
      assert.equal(endings.length, status === 'finished' ? 0 : 1, place);
      assert.ok(account);
      if (status === 'finished') await world.act(second, admin, ['POST', `/api/instructor/attempts/${id}/reopen`]);
      const graded = await world.act<{ score: number }>(second, account, ['POST', `/api/exams/${world.exam}/submit`]);
      assert.equal(graded.score, 1, place);
    }
    await world.db.deleteFrom('activity_log').execute();
    await rightAgain();
  });
});
