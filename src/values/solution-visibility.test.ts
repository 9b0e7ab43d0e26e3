import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isSolutionShown, type SolutionVisibility, solutionVisibilities } from './solution-visibility.ts';

const shownWhen: Record<SolutionVisibility, readonly string[]> = {
  never: [],
  after_passing: ['passed', 'passed over'],
  after_due: ['over', 'passed over'],
  after_close: ['over', 'passed over'],
};

describe('who sees a solution', () => {
  for (const visible of solutionVisibilities)
    for (const isRunning of [false, true])
      for (const hasPassed of [false, true])
        for (const isOver of [false, true]) {
          const facts = [isRunning && 'running', hasPassed && 'passed', isOver && 'over'].filter(Boolean).join(' ');
          it(`${visible}: ${facts || 'nothing is known'}`, () => {
            const isExpected = shownWhen[visible].includes(facts);
            assert.equal(isSolutionShown(visible, { isRunning, hasPassed, isOver }), isExpected);
          });
        }
});
