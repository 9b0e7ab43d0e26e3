import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  correlationOf,
  difficultyOf,
  discriminationOf,
  distributionOf,
  medianOf,
  type TaskAnswer,
} from './item-analysis.ts';

/** Students with these totals; those in `solved` have solved the task. */
const answers = (totals: readonly number[], solved: readonly number[]): TaskAnswer[] =>
  totals.map((total, index) => ({ part: solved.includes(index) ? 1 : 0, total, rest: total }));

describe('the distribution of percentages', () => {
  it('has ten bins, the mean, the median and the deviation', () => {
    const { bins, ...rest } = distributionOf([0, 9.99, 10, 50, 100]);
    assert.deepEqual(
      bins.map(({ count }) => count),
      [2, 1, 0, 0, 0, 1, 0, 0, 0, 1],
    );
    assert.deepEqual(bins[9], { from: 90, to: 100, count: 1 });
    assert.deepEqual(rest, { count: 5, mean: 34, median: 10, deviation: 37.2, lowest: 0, highest: 100 });
  });

  it('is empty without percentages', () => {
    const { bins, ...rest } = distributionOf([]);
    assert.equal(bins.length, 10);
    assert.deepEqual(rest, { count: 0, mean: null, median: null, deviation: null, lowest: null, highest: null });
  });

  it('has the mean of the two in the middle as the median', () => {
    assert.deepEqual([medianOf([4, 1, 3, 2]), medianOf([3]), medianOf([])], [2.5, 3, undefined]);
  });
});

describe('the analysis of a task', () => {
  const totals = [1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1];

  it('has the part of students who solved it as the difficulty', () => {
    assert.equal(difficultyOf(answers(totals, [0, 1, 2])), 0.3);
  });

  it('compares the best and the worst 27 %', () => {
    assert.equal(discriminationOf(answers(totals, [0, 1, 2])), 1);
    assert.equal(discriminationOf(answers(totals, [7, 8, 9])), -1);
    assert.equal(discriminationOf(answers(totals, [0, 1, 9])), 0.33);
  });

  it('shares the places at the limit of a group among equal totals', () => {
    // The best group has three places: one for the first, two for the next four, of whom one solved the task.
    const tied = [1, 0.8, 0.8, 0.8, 0.8, 0.5, 0.4, 0.3, 0.2, 0.1];
    assert.equal(discriminationOf(answers(tied, [0, 4])), 0.5);
  });

  it('correlates the task with the other tasks', () => {
    // By hand: the point-biserial correlation of 1, 1, 1, 0, 0, 0 with 6, 5, 4, 3, 2, 1.
    assert.equal(correlationOf(answers([6, 5, 4, 3, 2, 1], [0, 1, 2])), 0.88);
    assert.equal(correlationOf(answers([6, 5, 4, 3, 2, 1], [3, 4, 5])), -0.88);
  });

  it('says nothing of a few students, or where all are equal', () => {
    const few = answers(totals.slice(0, 5), [0, 1]);
    assert.deepEqual([discriminationOf(few), correlationOf(few)], [null, null]);
    const equal = answers(
      totals.map(() => 0.1),
      [0],
    );
    assert.deepEqual([discriminationOf(equal), correlationOf(equal)], [null, null]);
    assert.equal(correlationOf(answers(totals, [])), null);
    const alone = answers(totals, [0]).map((answer) => ({ ...answer, rest: undefined }));
    assert.equal(correlationOf(alone), null);
  });
});
