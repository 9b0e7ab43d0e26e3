import { plainText } from '../../features/trials/plain-text.ts';
import { toOutput as report } from '../steps.ts';
import { type Counts, type Outcome, outputsOf, stateOf } from './outcome.ts';

const words = { ok: 'ok', 'no solution': 'no solution', wrong: 'WRONG' } as const;

export function tellOutcome({ report: trial, failure }: Outcome): void {
  if (!trial) {
    report(words.wrong, `not tried: ${failure}`);
    return;
  }
  if (trial.setup) {
    report(words.wrong, `set-up: ${trial.setup.problem}. Nothing was tried`);
    tellOutput('output', trial.setup.output);
  }
  if (trial.problem) report('no tasks', trial.problem);
  for (const task of trial.tasks) {
    report(words[stateOf(task)], task.problem === null ? task.title : `${task.title}: ${task.problem}`);
    for (const [name, text] of outputsOf(task)) tellOutput(name, text);
  }
}

export function tellCounts({ ok, withoutSolution, withoutTasks, wrong }: Counts): void {
  const parts = [
    `${ok} ok`,
    ...(wrong > 0 ? [`${wrong} wrong`] : []),
    ...(withoutSolution > 0 ? [`${withoutSolution} without a solution`] : []),
    ...(withoutTasks > 0 ? [`${withoutTasks} without tasks`] : []),
  ];
  report('done', parts.join(', '));
}

/** A program of a student can print codes that change the terminal of the author. */
function tellOutput(name: string, text: string): void {
  if (text.trim() === '') return;
  for (const [index, line] of plainText(text.trimEnd()).split('\n').entries())
    report(index === 0 ? `  ${name}` : '', line);
}
