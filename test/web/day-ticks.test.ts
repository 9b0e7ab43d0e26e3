import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dayTicks } from '../../web/src/dashboard/day-ticks.ts';

const at = (month: number, day: number, hour = 0) => new Date(2026, month - 1, day, hour).getTime();

describe('the days of an axis', () => {
  it('are the midnights around several times of one day', () => {
    assert.deepEqual(dayTicks([at(5, 4, 9), at(5, 4, 10), at(5, 4, 23)]), [at(5, 4), at(5, 5)]);
  });

  it('have equal distances, and contain all times', () => {
    assert.deepEqual(dayTicks([at(3, 20, 12), at(4, 10, 12)]), [
      at(3, 20),
      at(3, 23),
      at(3, 26),
      at(3, 29),
      at(4, 1),
      at(4, 4),
      at(4, 7),
      at(4, 10),
      at(4, 13),
    ]);
  });

  it('are none without a time', () => {
    assert.deepEqual(dayTicks([]), []);
  });
});
