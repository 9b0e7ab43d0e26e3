import { Argument, Command } from '@commander-js/extra-typings';
import type { FoundOrNot } from '../adapters/docker/connect-engine.ts';
import { findEngine } from '../adapters/docker/find-engine.ts';
import { SshShell } from '../adapters/ssh/ssh-shell.ts';
import { openEngine } from '../compose/engine.ts';
import { createObjectStore } from '../compose/storage.ts';
import { createLog } from '../compose.ts';
import type { Config } from '../config.ts';
import type { Database } from '../database/connection/connect.ts';
import { ContainerSetup } from '../features/containers/container-setup.ts';
import { InstallationStore } from '../features/containers/installation-store.ts';
import { Provisioner } from '../features/containers/provisioner.ts';
import { ContainerRemovals } from '../features/containers/removals.ts';
import { ReservationStore } from '../features/containers/reservation-store.ts';
import { SetupStore } from '../features/containers/setup-store.ts';
import { ShellPool } from '../features/containers/shell-pool.ts';
import { ContainerStore } from '../features/containers/store.ts';
import { WarmStore } from '../features/containers/warm-store.ts';
import { readContent } from '../features/content/layout.ts';
import { Grader } from '../features/grading/grader.ts';
import { opponents } from '../features/trials/opponent-program.ts';
import { TrialService, type TriedSubject } from '../features/trials/service.ts';
import { TrialStore } from '../features/trials/store.ts';
import type { TrialReport } from '../features/trials/trial.ts';
import { bringUpToDate, openDatabase, withDatabase } from './open-database.ts';
import { type CommandContext, runCommand } from './run-command.ts';
import { toOutput as report } from './steps.ts';

type Kind = 'exam' | 'laboratory';
type Subject = TriedSubject & { title: string };

export const command = new Command('try')
  .summary('Run checks and solutions in a container')
  .description('Run the checks and solutions of an exam or a laboratory in a container. The service may be running.')
  .addArgument(new Argument('<kind>').choices(['exam', 'laboratory'] as const))
  .argument('<name>', 'its slug or id')
  .option('--directory <directory>', 'try the files of this directory instead of the database')
  .action((kind, key, { directory }) => runCommand((context) => tryScripts(context, kind, key, directory)));

async function tryScripts(
  { config, stop }: CommandContext,
  kind: Kind,
  key: string,
  directory: string | undefined,
): Promise<number> {
  const fromFiles = directory === undefined ? undefined : await inDirectory(directory, kind, key);
  const isOnCluster = config.engine.kind === 'kubernetes';
  const found = isOnCluster ? { reason: 'the containers are on Kubernetes' } : await findEngine(config.engine);
  if ('reason' in found && !isOnCluster) throw new Error(`There is no container engine: ${found.reason}`);
  await using database = await openDatabase(config, { report, isShared: true, stop });
  await bringUpToDate(database.address, report);
  return await withDatabase(database.address, async (db) => {
    const subject = fromFiles ?? (await inDatabase(db, kind, key));
    report('trying', `${kind} ${subject.title}: ${subject.tasks.length} tasks`);
    const { is_ok, setup, tasks } = await run({ db, config, found, stop }, subject);
    if (setup) {
      report('WRONG', `set-up: ${setup.problem}`);
      tellOutput('output', setup.output);
      report('done', 'the set-up failed, so nothing was tried');
      return 1;
    }
    for (const task of tasks) tell(task);
    const failed = tasks.filter(({ problem }) => problem !== null).length;
    report('done', is_ok ? 'nothing is wrong' : `something is wrong with ${failed} of ${tasks.length} tasks`);
    return is_ok ? 0 : 1;
  });
}

async function inDirectory(directory: string, kind: Kind, slug: string): Promise<Subject> {
  const { exams, laboratories } = await readContent(directory);
  const found = (kind === 'exam' ? exams : laboratories).find((subject) => subject.slug === slug);
  if (!found) throw new Error(`There is no ${kind} ${slug} in ${directory}`);
  const files = [...found.files, ...found.tasks.flatMap((task) => task.files)];
  return { ...found, files, tasks: found.tasks.map((task, index) => ({ ...task, id: index + 1 })) };
}

async function inDatabase(db: Database, kind: Kind, key: string): Promise<Subject> {
  const store = new TrialStore(db, async () => {});
  const byId = /^[1-9]\d{0,8}$/.test(key) ? await store.subject(kind, { id: Number(key) }) : undefined;
  const found = (await store.subject(kind, { slug: key })) ?? byId;
  if (!found) throw new Error(`There is no ${kind} ${key}`);
  return found;
}

type TrialParts = { db: Database; config: Config; found: FoundOrNot; stop: AbortSignal };

async function run({ db, config, found, stop }: TrialParts, subject: Subject): Promise<TrialReport> {
  await using held = new AsyncDisposableStack();
  const log = createLog(config);
  const reservations = new ReservationStore(db, null, config.containers);
  const warm = new WarmStore(db, null, config.containers);
  const installation = await new InstallationStore(db).id();
  const engine = held.use(await openEngine(config, found, installation, createObjectStore(config, log)));
  const shell = new SshShell({ engine, timeout: config.engine.sshTimeout });
  const shells = held.use(new ShellPool(shell));
  const store = new ContainerStore(db);
  const removals = held.use(new ContainerRemovals({ engine, store, shells, config, log }));
  const setup = new ContainerSetup({ shells, seconds: config.containers.setupSeconds, log });
  const provisioner = new Provisioner({
    ...{ engine, store, reservations, warm, removals, shells, config, log },
    ...{ setups: new SetupStore(db), setup },
  });
  const grader = new Grader({ shells, ...config.grading });
  const parts = {
    store: new TrialStore(db, async () => {}),
    reservations,
    provisioner,
    removals,
    shell,
    grader,
    config: config.trials,
    log,
    opponents,
  };
  const trials = held.use(new TrialService({ ...parts, onPublish: () => {} }));
  return await trials.run(subject, stop);
}

function tell({ title, problem, first, solution, after, opponents }: TrialReport['tasks'][number]): void {
  report(problem === null ? 'ok' : 'WRONG', problem === null ? title : `${title}: ${problem}`);
  for (const [what, text] of [
    ['at first', first.output],
    // Only where it helps: it contains what the terminal echoed.
    ['solution', problem === null ? undefined : solution?.output],
    ['afterwards', after?.output],
    ...opponents
      .filter(({ passed }) => passed)
      .map(({ opponent, output }) => [`against one who ${opponent}`, output] as const),
  ] as const) {
    if (text !== undefined) tellOutput(what, text);
  }
}

function tellOutput(what: string, text: string): void {
  for (const [index, line] of text.replaceAll('\r', '').split('\n').entries())
    report(index === 0 ? `  ${what}` : '', line);
}
