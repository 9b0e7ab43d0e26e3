import { ServiceError } from '../../errors.ts';
import type { TrialService } from '../../features/trials/service.ts';
import { toOutput as tell } from '../steps.ts';
import type { Assessment, Kind } from './assessments.ts';
import { type Outcome, stateOf } from './outcome.ts';
import { tellOutcome } from './terminal-report.ts';
import type { TriedTasks } from './tried-tasks.ts';

const nouns: Record<Kind, string> = { exam: 'exam', laboratory: 'laboratory' };

/** The tasks that have changed since a trial found nothing wrong with them. */
export const changedTasks = ({ tasks, digests }: Assessment, tried: TriedTasks): Assessment['tasks'] =>
  tasks.filter((_task, index) => !tried.has(digests?.[index] ?? ''));

/** Assessments with changed tasks come first. */
export const changedFirst = (assessments: readonly Assessment[], tried: TriedTasks): Assessment[] =>
  assessments.toSorted((a, b) => Number(changedTasks(b, tried).length > 0) - Number(changedTasks(a, tried).length > 0));

export type RoundParts = {
  trials: Pick<TrialService, 'run'>;
  tried: TriedTasks;
  /** Whether a problem of a changed task ends the trial of its assessment: its author is about to change it again. */
  stopsEarly: boolean;
};

/**
 * Tries an assessment and reports on the terminal. Where only some tasks have changed, those are tried first, after the solutions of the tasks
 * before them. Then all tasks are.
 * @throws the signal's reason
 */
export async function tryAssessment(parts: RoundParts, assessment: Assessment, signal: AbortSignal): Promise<Outcome> {
  const { tasks } = assessment;
  tell('trying', `${nouns[assessment.kind]} ${assessment.title}: ${tasks.length} tasks`);
  const changed = changedTasks(assessment, parts.tried);
  if (changed.length > 0 && changed.length < tasks.length) {
    tell('changed', `${changed.length} of ${tasks.length} tasks, which are tried first`);
    const first = await tryTasks(parts, assessment, signal, changed);
    tellOutcome(first);
    if (parts.stopsEarly && !isRight(first)) return first;
    tell('trying', `all ${tasks.length} tasks`);
  }
  const outcome = await tryTasks(parts, assessment, signal);
  tellOutcome(outcome);
  return outcome;
}

const isRight = ({ report }: Outcome): boolean =>
  report !== undefined && !report.setup && report.tasks.every((task) => stateOf(task) !== 'wrong');

async function tryTasks(
  { trials, tried }: RoundParts,
  assessment: Assessment,
  signal: AbortSignal,
  some?: Assessment['tasks'],
): Promise<Outcome> {
  signal.throwIfAborted();
  const begin = performance.now();
  const outcome = await trials
    .run(assessment, signal, some ? { tasks: some, isAfterEarlier: true } : undefined)
    .then((report) => ({ report }))
    .catch((error: unknown) => {
      signal.throwIfAborted();
      if (!(error instanceof ServiceError)) throw error;
      return { failure: error.message };
    });
  // Only a trial of all tasks shows that they are right together.
  if ('report' in outcome && !some) await tried.record(outcomesOf(assessment, outcome.report.tasks));
  return { assessment, seconds: (performance.now() - begin) / 1000, ...outcome };
}

const outcomesOf = ({ tasks, digests }: Assessment, trials: readonly { task_id: number; problem: string | null }[]) =>
  tasks.flatMap(({ id }, index) => {
    const digest = digests?.[index];
    const trial = trials.find(({ task_id }) => task_id === id);
    return digest === undefined || !trial ? [] : [{ digest, isOk: trial.problem === null }];
  });
