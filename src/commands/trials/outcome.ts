import type { TaskTrial, TrialReport } from '../../features/trials/trial.ts';
import type { Verdict } from '../../values/grading-remark.ts';
import type { Assessment } from './assessments.ts';

/** The trial of an assessment. Without a report it could not be tried, for the reason of `failure`. */
export type Outcome = { assessment: Assessment; seconds: number } & (
  | { report: TrialReport; failure?: undefined }
  | { report?: undefined; failure: string }
);

export type TaskState = 'ok' | 'no solution' | 'wrong';

/** A task without a solution is not finished. Nothing is known to be wrong with it. */
export function stateOf({ problem_code }: Pick<TaskTrial, 'problem_code'>): TaskState {
  if (problem_code === null) return 'ok';
  return problem_code === 'no_solution' ? 'no solution' : 'wrong';
}

/** `withoutTasks` counts assessments, the others tasks. */
export type Counts = { ok: number; withoutSolution: number; withoutTasks: number; wrong: number };

/** The tasks of all assessments by their state. An assessment that could not be tried, or whose set-up failed, counts as one wrong task. */
export function countsOf(outcomes: readonly Outcome[]): Counts {
  const counts = { ok: 0, withoutSolution: 0, withoutTasks: 0, wrong: 0 };
  for (const { report } of outcomes) {
    if (!report || report.setup) counts.wrong += 1;
    else if (report.problem_code === 'no_tasks') counts.withoutTasks += 1;
    for (const task of report?.tasks ?? []) {
      const state = stateOf(task);
      if (state === 'ok') counts.ok += 1;
      else if (state === 'wrong') counts.wrong += 1;
      else counts.withoutSolution += 1;
    }
  }
  return counts;
}

/** The exit status: 1 where something is wrong, 3 where only solutions or tasks are missing (2 is a mistake on the command line). */
export function statusOf({ wrong, withoutSolution, withoutTasks }: Counts): number {
  if (wrong > 0) return 1;
  return withoutSolution + withoutTasks > 0 ? 3 : 0;
}

/** The outputs of a trial that explain its result, with their names. */
export function outputsOf({ problem, first, solution, after, opponents }: TaskTrial): [name: string, text: string][] {
  const outputs: [string, string | undefined][] = [
    ['at first', shown(first)],
    ['solution', problem === null ? undefined : solution?.output],
    ['afterwards', after === null ? undefined : shown(after)],
    ...opponents
      .filter(({ passed }) => passed)
      .map((run): [string, string] => [`against one who ${run.opponent}`, shown(run)]),
  ];
  return outputs.flatMap(([name, text]): [string, string][] => (text === undefined ? [] : [[name, text]]));
}

/** The output of a check with the remark on it. */
const shown = ({ output, remark }: Verdict): string =>
  remark === null ? output : `${output}${output === '' || output.endsWith('\n') ? '' : '\n'}[${remark}]`;
