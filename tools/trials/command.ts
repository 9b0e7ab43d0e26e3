import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Argument, Command } from '@commander-js/extra-typings';
import { findEngine } from '../../src/adapters/docker/find-engine.ts';
import { withCurrentDatabase } from '../../src/commands/open-database.ts';
import { type CommandContext, runCommand } from '../../src/commands/run-command.ts';
import { toOutput as report } from '../../src/commands/steps.ts';
import { ServiceError } from '../../src/errors.ts';
import type { TrialService } from '../../src/features/trials/service.ts';
import { plainText } from '../../src/features/trials/solution-run.ts';
import {
  type Assessment,
  assessmentInDatabase,
  assessmentsInDirectory,
  type Choice,
  type Kind,
} from './assessments.ts';
import { openTrials } from './open-trials.ts';
import { type Counts, countsOf, junitOf, type Outcome, outputsOf, stateOf, statusOf } from './report.ts';
import { TriedTasks } from './tried-tasks.ts';
import { FolderChanges, keepTrying } from './watch.ts';

type Options = {
  directory?: string | undefined;
  changed?: true | undefined;
  watch?: true | undefined;
  junit?: string | undefined;
};

export const command = new Command('try')
  .summary('Run checks and solutions in a container')
  .description(
    'Run the checks and solutions of an exam or a laboratory in a container. The service may be running. ' +
      'The exit status is 1 if something is wrong, and 3 if only solutions or tasks are missing.',
  )
  .addArgument(new Argument('[kind]', 'all of a directory by default').choices(['exam', 'laboratory'] as const))
  .argument('[name]', 'its slug or id')
  .option('--directory <directory>', 'try the files of this directory instead of the database')
  .option('--changed', 'try only what has changed since a trial found nothing wrong with it')
  .option('--watch', 'try again what changes, until it is stopped')
  .option('--junit <file>', 'write the results as JUnit XML')
  .action((kind, name, options) => runCommand((context) => tryScripts(context, { kind, name }, options)));

async function tryScripts(context: CommandContext, choice: Choice, options: Options): Promise<number> {
  const { config, stop } = context;
  const { directory } = options;
  const asked = directory === undefined ? ofDatabase(choice, options) : undefined;
  const inDirectory = directory === undefined ? [] : await assessmentsInDirectory(directory, choice);
  const isOnCluster = config.engine.kind === 'kubernetes';
  const found = isOnCluster ? { reason: 'the containers are on Kubernetes' } : await findEngine(config.engine);
  if ('reason' in found && !isOnCluster) throw new Error(`There is no container engine: ${found.reason}`);
  return await withCurrentDatabase(context, async (db) => {
    const assessments = asked ? [await assessmentInDatabase(db, asked.kind, asked.name)] : inDirectory;
    await using open = await openTrials(db, config, found);
    const tried = await TriedTasks.open(join(config.dataDir, 'tried-tasks'));
    const parts = { trials: open.trials, tried, stopsEarly: options.watch ?? false };
    if (directory !== undefined && options.watch)
      return await watchDirectory(parts, { directory, choice, first: assessments, junit: options.junit, stop });
    const wanted = options.changed ? assessments.filter((each) => changedTasks(each, tried).length > 0) : assessments;
    const outcomes: Outcome[] = [];
    for (const assessment of changedFirst(wanted, tried)) outcomes.push(await tryAssessment(parts, assessment, stop));
    const skipped = assessments.length - wanted.length;
    if (skipped > 0) report('unchanged', `${skipped} of ${assessments.length} were not tried again`);
    return await conclude(outcomes, options.junit);
  });
}

/** The database has no versions of its assessments, and no list of what an author works on. */
function ofDatabase({ kind, name }: Choice, { changed, watch }: Options): { kind: Kind; name: string } {
  if (changed || watch) throw new Error('--changed and --watch need --directory: they are about files');
  if (kind === undefined || name === undefined)
    throw new Error('Name the kind and the slug or id, or a --directory whose exams and laboratories are all tried');
  return { kind, name };
}

async function conclude(outcomes: readonly Outcome[], junit: string | undefined): Promise<number> {
  const counts = countsOf(outcomes);
  tellCounts(counts);
  if (junit !== undefined) await writeFile(junit, junitOf(outcomes));
  return statusOf(counts);
}

type Watching = {
  directory: string;
  choice: Choice;
  first: Assessment[];
  junit: string | undefined;
  stop: AbortSignal;
};

async function watchDirectory(parts: RoundParts, { directory, choice, first, junit, stop }: Watching): Promise<number> {
  const latest = new Map<string, Outcome>();
  return await keepTrying(
    {
      read: () => assessmentsInDirectory(directory, choice),
      attempt: async (assessment, signal) => {
        const outcome = await tryAssessment(parts, assessment, signal);
        latest.set(`${assessment.kind} ${assessment.name}`, outcome);
        await conclude([...latest.values()], junit);
      },
      watch: (onChange) => new FolderChanges(directory, onChange),
      stop,
    },
    changedFirst(first, parts.tried),
  );
}

const nouns: Record<Kind, string> = { exam: 'exam', laboratory: 'laboratory' };

/** The tasks that have changed since a trial found nothing wrong with them. */
const changedTasks = ({ tasks, digests }: Assessment, tried: TriedTasks): Assessment['tasks'] =>
  tasks.filter((_task, index) => !tried.has(digests?.[index] ?? ''));

/** Assessments with changed tasks come first. */
const changedFirst = (assessments: readonly Assessment[], tried: TriedTasks): Assessment[] =>
  assessments.toSorted((a, b) => Number(changedTasks(b, tried).length > 0) - Number(changedTasks(a, tried).length > 0));

type RoundParts = {
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
async function tryAssessment(parts: RoundParts, assessment: Assessment, signal: AbortSignal): Promise<Outcome> {
  const { tasks } = assessment;
  report('trying', `${nouns[assessment.kind]} ${assessment.title}: ${tasks.length} tasks`);
  const changed = changedTasks(assessment, parts.tried);
  if (changed.length > 0 && changed.length < tasks.length) {
    report('changed', `${changed.length} of ${tasks.length} tasks, which are tried first`);
    const first = await tryTasks(parts, assessment, signal, changed);
    tellOutcome(first);
    if (parts.stopsEarly && !isRight(first)) return first;
    report('trying', `all ${tasks.length} tasks`);
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

const wordOf = { ok: 'ok', 'no solution': 'no solution', wrong: 'WRONG' } as const;

function tellOutcome({ report: trial, failure }: Outcome): void {
  if (!trial) {
    report(wordOf.wrong, `not tried: ${failure}`);
    return;
  }
  if (trial.setup) {
    report(wordOf.wrong, `set-up: ${trial.setup.problem}. Nothing was tried`);
    tellOutput('output', trial.setup.output);
  }
  if (trial.problem) report('no tasks', trial.problem);
  for (const task of trial.tasks) {
    report(wordOf[stateOf(task)], task.problem === null ? task.title : `${task.title}: ${task.problem}`);
    for (const [name, text] of outputsOf(task)) tellOutput(name, text);
  }
}

function tellCounts({ ok, withoutSolution, withoutTasks, wrong }: Counts): void {
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
