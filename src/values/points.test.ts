import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { partOfPoints, sumOfPoints } from './points.ts';

describe('points', () => {
  it('are given in part with two decimal places, a half rounded up', () => {
    for (const [points, earned, of, given] of [
      [1, 2, 3, 0.67],
      [1, 1, 3, 0.33],
      [1, 1, 8, 0.13],
      [10, 0, 7, 0],
      [10, 7, 7, 10],
      [1.15, 1, 2, 0.58],
      [0.01, 1, 2, 0.01],
      [0.29, 1, 1, 0.29],
      [10_000, 999_998, 999_999, 9999.99],
    ] as const)
      assert.equal(partOfPoints(points, { earned, of }), given, `${earned}/${of} of ${points}`);
  });

  it('are summed without the errors of binary fractions', () => {
    assert.equal(sumOfPoints([0.1, 0.2, 0.7]), 1);
    assert.equal(sumOfPoints(Array.from({ length: 1000 }, () => 0.01)), 10);
    assert.equal(sumOfPoints([]), 0);
  });
});
