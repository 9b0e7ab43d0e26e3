import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { CoalescingRunner } from './coalescing-runner.ts';

/** Rounds that end when the test lets them. */
function heldRounds() {
  const held: { end: () => void; fail: (error: Error) => void }[] = [];
  const rounds = new CoalescingRunner(async () => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    held.push({ end: resolve, fail: reject });
    await promise;
  });
  return { rounds, held };
}

describe('rounds', () => {
  it('follow one another: a request during a round gets one that begins after it', async () => {
    const { rounds, held } = heldRounds();
    const first = rounds.run();
    await turn();
    const [second, third] = [rounds.run(), rounds.run()];
    await turn();
    assert.equal(held.length, 1, 'one at a time');
    held[0]?.end();
    await first;
    await turn();
    assert.equal(held.length, 2);
    held[1]?.end();
    await Promise.all([second, third]);
    await turn();
    assert.equal(held.length, 2, 'two requests share a round');
  });

  it('continue after a failure, which only those who asked for that round receive', async () => {
    const { rounds, held } = heldRounds();
    const first = rounds.run();
    const failure = assert.rejects(first, /no database/);
    await turn();
    const second = rounds.run();
    held[0]?.fail(new Error('no database'));
    await failure;
    await turn();
    held[1]?.end();
    await second;
  });

  it('are idle after the last requested one', async () => {
    const { rounds, held } = heldRounds();
    await rounds.idle();
    void rounds.run();
    await turn();
    void rounds.run();
    let isIdle = false;
    const idle = rounds.idle().then(() => {
      isIdle = true;
    });
    held[0]?.end();
    await turn();
    assert.equal(isIdle, false);
    held[1]?.end();
    await idle;
  });
});
