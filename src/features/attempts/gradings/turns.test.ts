import assert from 'node:assert/strict';
import { it } from 'node:test';
import { UnavailableError } from '../../../errors.ts';
import { GradingTurns } from './turns.ts';

it('gives each user one turn at a time, whichever users are queued', async () => {
  const turns = new GradingTurns({ concurrency: 2, maxWaiting: 1 });
  const ends: (() => void)[] = [];
  const begun: number[] = [];
  const grade = (user: number) =>
    turns.run(user, async () => {
      begun.push(user);
      await new Promise<void>((resolve) => ends.push(resolve));
    });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const all = [grade(1), grade(1), grade(1)];
  await turn();
  all.push(grade(2));
  await turn();
  assert.deepEqual(begun, [1, 2], 'the first user holds one turn, not both');
  all.push(grade(3));
  await turn();
  await assert.rejects(grade(4), UnavailableError, 'no more may wait');
  for (let index = 0; index < all.length; index += 1) {
    ends.shift()?.();
    await turn();
    await turn();
  }
  await Promise.all(all);
  assert.deepEqual(begun.slice().sort(), [1, 1, 1, 2, 3]);
});
