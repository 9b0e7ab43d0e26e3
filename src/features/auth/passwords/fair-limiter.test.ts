import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TooManyRequestsError, UnavailableError } from '../../../errors.ts';
import { FairLimiter } from './fair-limiter.ts';

/** Runs the work sequentially, in the order of its turns. */
function line(limits: { maxWaiting?: number; maxWaitingPerNetwork?: number } = {}) {
  const turns = new FairLimiter({ concurrency: 1, maxWaiting: 100, maxWaitingPerNetwork: 50, ...limits });
  const order: string[] = [];
  const run = (name: string, network: string, isKnown = false) =>
    turns.run({ network, isKnown }, async () => {
      order.push(name);
      await new Promise(setImmediate);
    });
  return { turns, order, run };
}

describe('fair turns', () => {
  it('alternate between waiting networks, in order within each', async () => {
    const { order, run } = line();
    await Promise.all([
      ...['a1', 'a2', 'a3', 'a4'].map((name) => run(name, 'a')),
      ...['b1', 'b2'].map((name) => run(name, 'b')),
      run('c1', 'c'),
    ]);
    assert.deepEqual(order, ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  });

  it('go to known devices first, and to others after some of them', async () => {
    const { order, run } = line();
    await Promise.all([
      run('first', 'a'),
      run('a1', 'a'),
      run('b1', 'b'),
      ...[1, 2, 3, 4, 5].map((number) => run(`known${number}`, 'k', true)),
    ]);
    assert.deepEqual(order, ['first', 'known1', 'known2', 'known3', 'a1', 'known4', 'known5', 'b1']);
  });

  it('refuse only a network with too many waiting', async () => {
    const { order, run } = line({ maxWaitingPerNetwork: 2 });
    const results = await Promise.allSettled([
      ...['a1', 'a2', 'a3', 'a4'].map((name) => run(name, 'a')),
      run('b1', 'b'),
    ]);
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    assert.equal(refused.length, 1);
    assert.ok(refused[0] instanceof TooManyRequestsError && refused[0].retryAfter === 5);
    assert.deepEqual(order, ['a1', 'a2', 'b1', 'a3']);
  });

  it('go to a known device in place of the last stranger of its network, where too many of that wait', async () => {
    const { order, run } = line({ maxWaitingPerNetwork: 2 });
    const results = await Promise.allSettled([
      ...['first', 'stranger1', 'stranger2'].map((name) => run(name, 'a')),
      run('known1', 'a', true),
      run('known2', 'a', true),
      run('known3', 'a', true),
    ]);
    const refused = results.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []));
    assert.deepEqual(refused, [1, 2, 5]);
    assert.deepEqual(order, ['first', 'known1', 'known2']);
  });

  it("take a full queue's place from the network with the most, unknown devices first", async () => {
    const { order, run } = line({ maxWaiting: 3 });
    const results = await Promise.allSettled([
      run('a1', 'a'),
      run('a2', 'a', true),
      run('a3', 'a'),
      run('a4', 'a'),
      run('b1', 'b'),
      run('b2', 'b'),
      run('a5', 'a'),
    ]);
    const refused = results.flatMap((result, index) => (result.status === 'rejected' ? [index] : []));
    // b1 replaces a4. Then a has two and b has one, so b2 would only swap the counts. a5 is refused for the same reason.
    assert.deepEqual(refused, [3, 5, 6]);
    for (const index of refused) {
      const { reason } = results[index] as PromiseRejectedResult;
      assert.ok(reason instanceof UnavailableError && reason.retryAfter === 5);
    }
    assert.deepEqual(order, ['a1', 'a2', 'a3', 'b1']);
  });

  it('refuse waiting work at the end, and complete running work', async () => {
    const { turns, order, run } = line();
    const results = Promise.allSettled([run('a1', 'a'), run('a2', 'a'), run('b1', 'b', true)]);
    turns[Symbol.dispose]();
    assert.deepEqual(
      (await results).map(({ status }) => status),
      ['fulfilled', 'rejected', 'rejected'],
    );
    assert.deepEqual(order, ['a1']);
    assert.deepEqual(turns.load(), { running: 0, waiting: 0 });
  });

  it('continue after a failure, and leave no state', async () => {
    const { turns, run } = line();
    const failing = turns.run({ network: 'a', isKnown: false }, () => Promise.reject(new Error('no')));
    await Promise.all([assert.rejects(failing, /no/), run('b1', 'b'), run('b2', 'b')]);
    assert.deepEqual(turns.load(), { running: 0, waiting: 0 });
  });
});
