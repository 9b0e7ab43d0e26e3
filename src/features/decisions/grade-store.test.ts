import assert from 'node:assert/strict';
import { test } from 'node:test';
import { meanOf } from './grade-store.ts';

const grade = (points_earned: number, ids?: number[], reason = '') => ({
  ...{ points_earned, reason, is_by_rubric: ids !== undefined && reason === '' },
  rubric_items: ids ? ids.map((id) => ({ id, text: `${id}`, points: 1 })) : null,
});
const points = (one: number, two: number, most: number, percent: number) =>
  meanOf(grade(one), grade(two), most, percent)?.points_earned;

test('grades agree to the hundredth, and a half of one is rounded up', () => {
  assert.equal(points(3, 4, 5, 20), 3.5);
  assert.equal(points(4, 2.99, 5, 20), undefined);
  assert.equal(points(1.005, 1.01, 3, 1), 1.01);
  assert.equal(points(2.5, 2.51, 5, 100), 2.51);
  assert.equal(points(0.1, 0.4, 3, 10), 0.25);
  assert.equal(points(0.1, 0.41, 3, 10), undefined);
  assert.equal(points(4, 4, 5, 0), 4);
  assert.equal(points(4, 4.01, 5, 0), undefined);
  assert.equal(points(9999.99, 10_000, 10_000, 1), 10_000);
});

test('a mean is never above the points of the task, which can have become fewer', () => {
  assert.equal(points(8, 4, 5, 100), 5);
});

test('a mean has the items that both chose, and both reasons', () => {
  const same = meanOf(grade(2, [1, 2]), grade(2, [1, 2]), 5, 0);
  assert.deepEqual([same?.is_by_rubric, same?.rubric_items?.length, same?.reason], [true, 2, '']);
  const other = meanOf(grade(2, [1, 2]), grade(3, [2, 3], 'Late'), 5, 20);
  assert.deepEqual(
    [other?.is_by_rubric, other?.rubric_items?.map(({ id }) => id), other?.reason],
    [false, [2], 'Late'],
  );
  const own = meanOf(grade(2, [1], 'One'), grade(2, undefined, 'Two'), 5, 0);
  assert.deepEqual([own?.is_by_rubric, own?.rubric_items, own?.reason], [false, null, 'One\n\nTwo']);
});
