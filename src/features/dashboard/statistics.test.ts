import assert from 'node:assert/strict';
import { it } from 'node:test';
import { streaks } from './statistics.ts';

const today = 20_000;
for (const [name, days, current, longest] of [
  ['without a day', [], 0, 0],
  ['until today', [today - 1, today], 2, 2],
  ['until yesterday', [today - 5, today - 2, today - 1], 2, 2],
  ['that ended', [today - 9, today - 8, today - 7, today - 2], 0, 3],
  ['with a day in the future: the clocks differ', [today, today + 1], 2, 2],
] as const) {
  it(`counts streaks ${name}`, () => {
    assert.deepEqual(streaks(days, today), { current_streak_days: current, longest_streak_days: longest });
  });
}
