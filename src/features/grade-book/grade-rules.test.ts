import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type GradeRules, totalOf } from './grade-rules.ts';

const rules = (more: Partial<GradeRules> = {}): GradeRules => ({
  ...{ missing: 'zero', drop_lowest: 0, passing_percent: null },
  ...more,
});
const grade = (key: string, part: number | undefined, weight = 1) => ({ key, part, weight });

describe('the total of a grade book', () => {
  it('is a percentage by weights, with two decimal places', () => {
    const grades = [grade('a', 1, 2), grade('b', 0.5), grade('unweighted', 0, 0)];
    assert.deepEqual(totalOf(rules(), grades), { percent: 83.33, is_passed: null, dropped: [] });
    const weights = [grade('a', 1, 0.1), grade('b', 0, 0.2)];
    assert.equal(totalOf(rules(), weights).percent, 33.33);
  });

  it('counts a missing grade as zero, or not at all', () => {
    const grades = [grade('a', 1), grade('b', undefined)];
    assert.equal(totalOf(rules(), grades).percent, 50);
    assert.equal(totalOf(rules({ missing: 'ignored' }), grades).percent, 100);
    assert.equal(totalOf(rules({ missing: 'ignored' }), [grade('b', undefined)]).percent, null);
    assert.equal(totalOf(rules(), []).percent, null);
  });

  it('drops the lowest grades, of equal ones the heavier, and keeps one', () => {
    const grades = [grade('a', 0.5), grade('heavy', 0, 3), grade('light', 0), grade('d', 1)];
    assert.deepEqual(totalOf(rules({ drop_lowest: 1 }), grades), { percent: 50, is_passed: null, dropped: ['heavy'] });
    assert.deepEqual(totalOf(rules({ drop_lowest: 9 }), grades).dropped, ['heavy', 'light', 'a']);
    assert.equal(totalOf(rules({ drop_lowest: 9 }), grades).percent, 100);
    // A missing grade that counts as zero is among the lowest.
    assert.deepEqual(totalOf(rules({ drop_lowest: 1 }), [grade('a', 0.5), grade('b', undefined)]).dropped, ['b']);
  });

  it('passes from a percentage on', () => {
    const passes = (part: number) => totalOf(rules({ passing_percent: 66.67 }), [grade('a', part)]).is_passed;
    assert.deepEqual([passes(0.6666), passes(2 / 3), passes(1)], [false, true, true]);
    assert.equal(totalOf(rules({ passing_percent: 50 }), []).is_passed, null);
  });
});
