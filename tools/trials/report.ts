import type { TaskTrial, TrialReport } from '../../src/features/trials/trial.ts';
import type { Verdict } from '../../src/values/grading-remark.ts';
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

/**
 * The outcomes as JUnit XML: a suite for each exam and laboratory, a case for each task. A task without a solution is skipped, a check or
 * solution that is wrong is a failure, and a container that could not be prepared is an error.
 */
export function junitOf(outcomes: readonly Outcome[]): string {
  const { ok, withoutSolution, withoutTasks, wrong } = countsOf(outcomes);
  const errors = outcomes.filter(isError).length;
  const seconds = outcomes.reduce((sum, outcome) => sum + outcome.seconds, 0);
  const skipped = withoutSolution + withoutTasks;
  const counts = { tests: ok + skipped + wrong, failures: wrong - errors, errors, skipped };
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites${attributes({ name: 'trials', ...counts, time: seconds.toFixed(3) })}>
${outcomes.map(suiteOf).join('')}</testsuites>
`;
}

const isError = ({ report }: Outcome): boolean => !report || report.setup !== null;

function suiteOf(outcome: Outcome): string {
  const { assessment, report, failure, seconds } = outcome;
  const { ok, withoutSolution, withoutTasks, wrong } = countsOf([outcome]);
  const errors = isError(outcome) ? 1 : 0;
  const skipped = withoutSolution + withoutTasks;
  const counts = { tests: ok + skipped + wrong, failures: wrong - errors, errors, skipped };
  const classname = `${assessment.kind}.${assessment.name}`;
  const stopped = report ? report.setup : { problem: failure, output: '' };
  const error = stopped
    ? element(
        'testcase',
        { classname, name: 'set-up' },
        element('error', { message: stopped.problem }, escaped(stopped.output)),
      )
    : '';
  const empty = report?.problem
    ? element('testcase', { classname, name: 'tasks' }, element('skipped', { message: report.problem }, ''))
    : '';
  const cases = (report?.tasks ?? []).map((task) =>
    element('testcase', { classname, name: task.title }, resultOf(task)),
  );
  const head = { name: `${assessment.kind} ${assessment.name}`, ...counts, time: seconds.toFixed(3) };
  return element('testsuite', head, `\n${error}${empty}${cases.join('')}`);
}

function resultOf(task: TaskTrial): string {
  const message = task.problem ?? '';
  const outputs = outputsOf(task)
    .map(([name, text]) => `${name}:\n${text.trimEnd()}\n`)
    .join('\n');
  const state = stateOf(task);
  if (state === 'ok') return '';
  if (state === 'no solution') return `\n${element('skipped', { message }, '')}`;
  return `\n${element('failure', { type: task.problem_code ?? '', message }, escaped(outputs))}`;
}

const element = (name: string, values: Record<string, string | number>, content: string): string =>
  content === '' ? `<${name}${attributes(values)}/>\n` : `<${name}${attributes(values)}>${content}</${name}>\n`;

const attributes = (values: Record<string, string | number>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${escaped(String(value)).replaceAll('\n', '&#10;')}"`)
    .join('');

/** XML 1.0 has no way to write most control characters. */
const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replace(/(?![\t\n])\p{Cc}|[\ufffe\uffff]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
