import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Lanes } from './lanes.ts';

class RefusedError extends Error {}
const refused = () => new RefusedError();

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('lanes', () => {
  it('run the work of each key in its order, beside that of other keys', async () => {
    const lanes = new Lanes({ concurrency: 1, maxWaiting: 2, maxWaitMs: 1000 }, refused);
    const first = Promise.withResolvers<void>();
    const begun: string[] = [];
    const work = (key: string, name: string) => lanes.run(key, async () => void begun.push(name));
    const all = [lanes.run('a', () => first.promise), work('a', 'a2'), work('a', 'a3'), work('b', 'b1')];
    await assert.rejects(work('a', 'a4'), RefusedError);
    await settle();
    assert.deepEqual(begun, ['b1']);
    first.resolve();
    await Promise.all(all);
    assert.deepEqual(begun, ['b1', 'a2', 'a3']);
    await work('a', 'a5');
  });

  it('refuse what has waited too long, and pass the place of failed work on', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const lanes = new Lanes({ concurrency: 1, maxWaiting: 9, maxWaitMs: 1000 }, refused);
    const first = Promise.withResolvers<void>();
    const running = lanes.run('a', () => first.promise);
    const late = assert.rejects(
      lanes.run('a', async () => 'late'),
      RefusedError,
    );
    t.mock.timers.tick(1000);
    await late;
    const inTime = lanes.run('a', async () => 'in time');
    first.reject(new Error('it failed'));
    await assert.rejects(running, /it failed/);
    assert.equal(await inTime, 'in time');
  });

  it('let occupied places delay those that wait', async () => {
    const lanes = new Lanes({ concurrency: 1, maxWaiting: 9, maxWaitMs: 1000 }, refused);
    const leave = [lanes.occupy('a'), lanes.occupy('a')];
    let isRunning = false;
    const waiting = lanes.run('a', async () => {
      isRunning = true;
    });
    leave[0]?.();
    leave[0]?.();
    await settle();
    assert.equal(isRunning, false);
    leave[1]?.();
    await waiting;
  });
});
