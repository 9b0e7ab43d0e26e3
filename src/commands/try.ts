import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Argument, Command } from '@commander-js/extra-typings';
import { findEngine } from '../adapters/docker/find-engine.ts';
import { bringUpToDate, openDatabase, withDatabase } from './open-database.ts';
import { type CommandContext, runCommand } from './run-command.ts';
import { toOutput as report } from './steps.ts';
import {
  type Assessment,
  assessmentInDatabase,
  assessmentsInDirectory,
  type Choice,
  type Kind,
} from './trials/assessments.ts';
import { FolderChanges } from './trials/folder-changes.ts';
import { junitOf } from './trials/junit.ts';
import { openTrials } from './trials/open-trials.ts';
import { countsOf, type Outcome, statusOf } from './trials/outcome.ts';
import { changedFirst, changedTasks, type RoundParts, tryAssessment } from './trials/rounds.ts';
import { tellCounts } from './trials/terminal-report.ts';
import { TriedTasks } from './trials/tried-tasks.ts';
import { keepTrying } from './trials/watch.ts';

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

async function tryScripts({ config, stop }: CommandContext, choice: Choice, options: Options): Promise<number> {
  const { directory } = options;
  const asked = directory === undefined ? ofDatabase(choice, options) : undefined;
  const inDirectory = directory === undefined ? [] : await assessmentsInDirectory(directory, choice);
  const isOnCluster = config.engine.kind === 'kubernetes';
  const found = isOnCluster ? { reason: 'the containers are on Kubernetes' } : await findEngine(config.engine);
  if ('reason' in found && !isOnCluster) throw new Error(`There is no container engine: ${found.reason}`);
  await using database = await openDatabase(config, { report, isShared: true, stop });
  await bringUpToDate(database.address, report);
  return await withDatabase(database.address, async (db) => {
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
