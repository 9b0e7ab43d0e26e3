import assert from 'node:assert/strict';
import { it } from 'node:test';
import { completed } from '../../entities/task-kinds/kinds.ts';
import { tryAnswers } from './answer-trial.ts';
import type { TriedTask } from './store.ts';

/** The problem that a trial finds. What the rules of a kind refuse can be in a task that is older than they are. */
const problemOf = (fields: object) =>
  tryAnswers(completed({ id: 1, title: 'T', verification_script: '', ...fields } as never) as unknown as TriedTask)
    .problem;

it('tries right and wrong answers of a task that no machine grades', () => {
  const choices = [{ text: 'a', is_correct: true }, { text: 'b' }];
  assert.equal(problemOf({ kind: 'choice', choices }), null);
  assert.equal(problemOf({ kind: 'answer', accepted: ['ssh'] }), null);
  const noneRight = choices.map(({ text }) => ({ text }));
  assert.equal(problemOf({ kind: 'choice', choices: noneRight }), 'An answer that is wrong gives points');
  const blank = { kind: 'answer', accepted: [' '] };
  assert.equal(problemOf(blank), 'An answer that is right does not give all points');
  assert.equal(problemOf({ kind: 'essay' }), null);
});
