import type { TaskTrial } from '../../features/trials/trial.ts';
import { countsOf, type Outcome, outputsOf, stateOf } from './outcome.ts';

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
