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

const patience = 90_000;
/** Every write to the database and every call of the engine. */
const places = [
  'after RegradeStore.begin',
  'after ReservationStore.reserveTrial',
  'after ContainerEngine.create',
  'after ContainerStore.setMade',
  'before RegradeStore.finish',
  'after RegradeStore.finish',
];
const decisions = ['before RegradeStore.apply', 'after RegradeStore.apply'];

describeLong('a process that is killed while it grades attempts again', { skip: engineSkip, timeout: 900_000 }, () => {
  let world: CrashWorld;
  let folder: string;
  before(async () => {
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
  /** Each has its own, because a person has few regrades at a time. */
  async function administrator(service: ServiceUnderTest): Promise<Account> {
    const account = await world.account(service);
    await world.db.updateTable('users').set({ role: 'admin' }).where('id', '=', account.id).execute();
    return account;
  }
  /** Kills a process that has stopped at a place: the request, or the work that it begins or goes on with. */
  async function killAt(place: string, path: string, json: object): Promise<void> {
    await using service = await world.start({ reconcileSeconds: 3600 }, [place.split(' ')[1] ?? '']);
    const { token } = await administrator(service);
    await service.order({ do: 'stop anybody', operation: place, place });
    service.request('POST', path, { token, json }).catch(() => undefined);
    await until(() => service.stopped.has(place), `a stop ${place}`, patience);
    await service.kill();
  }

  // Long: a regrade for each place, and the decision about the last one.
  it('loses and doubles nothing, and the next process goes on', async () => {
    let attempt: number;
    {
      await using first = await world.start();
      const student = await world.account(first);
      await world.act(first, student, ['POST', `/api/exams/${world.exam}/start`]);
      ({ id: attempt } = await world.act<{ id: number }>(first, student, ['POST', `/api/exams/${world.exam}/submit`]));
      await rightAgain();
      const [task] = await world.db
        .selectFrom('assessment_tasks')
        .select('id')
        .where('assessment_kind', '=', 'exam')
        .orderBy('order_index')
        .execute();
      const { token } = await administrator(first);
      const path = `/api/admin/exams/${world.exam}/tasks/${task?.id}`;
      const corrected = await first.request('PUT', path, { token, json: { verification_script: 'echo FAIL' } });
      assert.equal(corrected.status, 200, corrected.text);
    }
    const { revision } = await world.db
      .selectFrom('assessments')
      .select('revision')
      .where('kind', '=', 'exam')
      .executeTakeFirstOrThrow();
    for (const place of places) await killAt(place, `/api/instructor/attempts/${attempt}/regrade`, { revision });

    const regrades = async () => await world.db.selectFrom('regrades').selectAll().orderBy('id').execute();
    {
      await using _next = await world.start();
      await until(async () => (await regrades()).every(({ status }) => status === 'ready'), 'all regrades', patience);
      // Another regrade can reach a place before that of the request has begun.
      const logged = await world.db.deleteFrom('activity_log').where('type', '=', 'admin_regrade').execute();
      assert.equal(Number(logged[0]?.numDeletedRows), (await regrades()).length);
      await rightAgain();
    }
    const begun = await regrades();
    const differences = await world.db.selectFrom('regrade_differences').selectAll().orderBy('regrade_id').execute();
    assert.deepEqual(
      differences.map(({ regrade_id, before: was, after: is }) => [regrade_id, was.points_earned, is.points_earned]),
      begun.map(({ id }) => [id, 1, 0]),
    );

    const [one] = begun;
    const scoreOf = async () =>
      (await world.db.selectFrom('attempts').select('score').where('id', '=', attempt).executeTakeFirst())?.score;
    for (const [index, place] of decisions.entries()) {
      await killAt(place, `/api/instructor/regrades/${one?.id}/apply`, {});
      assert.equal(await scoreOf(), index === 0 ? 1 : 0, place);
    }
    const notices = await world.db.selectFrom('notifications').select('user_id').where('kind', '=', 'grade').execute();
    assert.equal(notices.length, 1);
    const applied = await world.db
      .selectFrom('activity_log')
      .select('id')
      .where('type', '=', 'admin_attempt_regrade')
      .execute();
    assert.equal(applied.length, 1);
  });
});
