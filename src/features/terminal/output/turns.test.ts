import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../../../../test/until.ts';
import { OutputScheduler } from './scheduler.ts';

/** Terminals whose programs write at the maximum rate. */
function floods(turns: OutputScheduler, seen: readonly boolean[]) {
  return seen.map((isSeen) => {
    const flood = { isHeld: false, bytes: 0, isOver: false, share: turns.join((isHeld) => void hold(isHeld)) };
    const hold = (isHeld: boolean) => {
      flood.isHeld = isHeld;
    };
    flood.share.setSeen(isSeen);
    void (async () => {
      while (!flood.isOver) {
        for (let count = 0; count < 4 && !flood.isHeld; count += 1) {
          flood.bytes += 65_536;
          flood.share.passed(65_536);
        }
        await delay(1);
      }
    })();
    return flood;
  });
}

describe('OutputScheduler', () => {
  it('never pauses a terminal with little output, nor a single watched flood', async () => {
    const turns = new OutputScheduler({ bytesPerSecond: 16 * 1024 * 1024 });
    const holds: boolean[] = [];
    using little = turns.join((isHeld) => holds.push(isHeld));
    const [flood] = floods(turns, [true]);
    assert.ok(flood);
    for (let count = 0; count < 100; count += 1) {
      little.passed(1000);
      await delay(1);
    }
    await until(() => flood.bytes > 10_000_000, 'ten megabytes');
    flood.isOver = true;
    assert.deepEqual(holds, []);
  });

  it('resumes one flood at a time, in turns', async () => {
    const turns = new OutputScheduler({ bytesPerSecond: 16 * 1024 * 1024 });
    const all = floods(turns, [true, true, true, true]);
    await until(() => all.filter(({ isHeld }) => !isHeld).length <= 1, 'turns');
    for (let count = 0; count < 50; count += 1) {
      assert.ok(all.filter(({ isHeld }) => !isHeld).length <= 1);
      await delay(1);
    }
    await until(() => all.every(({ bytes }) => bytes > 3_000_000), 'a part for each');
    // Ended terminals free their turns.
    for (const one of all.slice(1)) {
      one.isOver = true;
      one.share[Symbol.dispose]();
    }
    const [first] = all;
    assert.ok(first);
    await until(() => first.bytes > 20_000_000, 'all for the last');
    first.isOver = true;
  });

  it('pauses unwatched floods', async () => {
    const turns = new OutputScheduler({ bytesPerSecond: 16 * 1024 * 1024 });
    const [unseen, other, seen] = floods(turns, [false, false, true]);
    assert.ok(unseen && other && seen);
    await until(() => seen.bytes > 20_000_000 && unseen.bytes > 600_000, 'what is seen, and turns of the others');
    for (const flood of [unseen, other, seen]) flood.isOver = true;
    assert.ok(unseen.bytes + other.bytes < seen.bytes / 2, `${unseen.bytes + other.bytes} of ${seen.bytes}`);
  });

  it('gives turns to an unwatched flood beside watched ones, and sooner once it is watched', async () => {
    const turns = new OutputScheduler({ bytesPerSecond: 16 * 1024 * 1024 });
    const [unseen, ...seen] = floods(turns, [false, true, true, true]);
    assert.ok(unseen);
    await until(() => unseen.bytes > 1_000_000, 'turns for what nobody sees');
    unseen.share.setSeen(true);
    const before = [unseen, ...seen].map(({ bytes }) => bytes);
    await until(() => unseen.bytes - (before[0] ?? 0) > 2_000_000, 'turns for what is seen now');
    for (const flood of [unseen, ...seen]) flood.isOver = true;
    const [first = 0, ...others] = [unseen, ...seen].map(({ bytes }, index) => bytes - (before[index] ?? 0));
    for (const other of others) assert.ok(first > other / 2, `${first} beside ${other}`);
  });
});
