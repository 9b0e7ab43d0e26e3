import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Command } from '@commander-js/extra-typings';
import Docker from 'dockerode';
import { ensureImages } from '../../images/build.ts';
import { makePrivate } from '../adapters/disk/private-folder.ts';
import { type SetUpEngine, setUpEngine } from '../adapters/docker/engine-setup.ts';
import { type FoundEngine, findEngine } from '../adapters/docker/find-engine.ts';
import { setUpPrograms } from '../adapters/docker/programs.ts';
import { parseRepositoryAddress } from '../adapters/git/repository-address.ts';
import { type Application, compose } from '../compose.ts';
import type { Config } from '../config.ts';
import type { DatabaseAddress } from '../database/connection/connect.ts';
import { changesAreKnown } from '../database/processes/announce.ts';
import { ContentService } from '../features/content/service.ts';
import { ContentStore } from '../features/content/store.ts';
import { bringUpToDate, openDatabase, withDatabase } from './open-database.ts';
import { preparePages } from './prepare-pages.ts';
import { type CommandContext, runCommand } from './run-command.ts';
import { buildProgress, orStop, toOutput as report, secondsSince } from './steps.ts';

export const command = new Command('start')
  .description('Prepare what is missing, then serve')
  .option('--no-install', 'do not install a container engine or programs')
  .action(({ install }) => runCommand((context) => start(context, install)));

/** Prepares what is missing, serves until it is stopped, then releases everything in reverse order. */
async function start({ config, stop }: CommandContext, install: boolean): Promise<number> {
  // Measured from the start of the process, so loading is included.
  const begin = 0;
  await using held = new AsyncDisposableStack();
  await checkAddress(config);
  if (config.lessons.url !== undefined) parseRepositoryAddress(config.lessons.url);
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  report('data', config.dataDir);
  for (const line of await makePrivate(config.dataDir)) report('data', line);
  if (process.getuid?.() === 0)
    report(
      'data',
      'the service runs as root: a normal user with access to the engine is enough, see docs/operating.md',
    );
  await orStop(stop, preparePages(report, stop));
  await orStop(stop, prepareGit(install));
  const database = held.use(await openDatabase(config, { report, isShared: false, stop }));
  await orStop(stop, bringUpToDate(database.address, report));
  const engine = await orStop(stop, prepareEngine(config, install));
  if ('options' in engine) await orStop(stop, prepareImages(engine, install));
  await orStop(stop, seedContent(database.address, config.catalogue));

  const application = held.use(
    await orStop(
      stop,
      compose(config, { database: database.address, engine: { ...engine, find: () => findLater(config) } }),
    ),
  );
  await orStop(stop, makeFirstAdministrator(config, application.auth));
  const address = await orStop(stop, application.listen());
  report('ready', `in ${secondsSince(begin)}: ${address}`);
  report('', `the pages: open it in a browser and log in as ${config.firstAdministrator.username}`);
  report('', `the API:   ${address}/api/docs`);
  await stopped(stop);
  report('stopping', 'finishing current work');
  await held.disposeAsync();
  report('stopped', '');
  return 0;
}

const stopped = (stop: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (stop.aborted) resolve();
    else stop.addEventListener('abort', () => resolve(), { once: true });
  });

/** Runs before any preparation, so that an accidental second start fails here. */
async function checkAddress({ host, port }: Config): Promise<void> {
  const server = createServer();
  server.listen({ host, port });
  try {
    await once(server, 'listening');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRINUSE')
      throw new Error(`Another program already listens on ${host}:${port}: stop it, or set PORT to another port`);
    if (code === 'EACCES') throw new Error(`Port ${port} is for root only: set PORT to one above 1023`);
    throw new Error(`The service cannot listen on ${host}:${port} (see HOST and PORT): ${String(code)}`, {
      cause: error,
    });
  }
  server.close();
  await once(server, 'close');
}

/** Lessons are read with git, over SSH where the repository's URL requires it. */
async function prepareGit(install: boolean): Promise<void> {
  const programs = { git: 'git', ssh: 'openssh-client' };
  const problem = await setUpPrograms({ programs, install, progress: (line) => report('programs', line) });
  if (problem) report('programs', `${problem}; lessons may be unavailable without it`);
}

/** Without an engine, the service still serves everything else. */
async function prepareEngine(config: Config, install: boolean): Promise<SetUpEngine | { reason: string }> {
  const progress = (line: string) => report('engine', line);
  const engine = await setUpEngine({ ...config.engine, install, dataDir: config.dataDir, progress });
  if ('options' in engine) report('engine', engine.description);
  else report('engine', `NONE, so containers, exams and laboratories are unavailable: ${engine.reason}`);
  return engine;
}

/** Finds an engine that starts after the service. Images are not built while requests wait. `npm run images` builds them. */
async function findLater(config: Config): Promise<FoundEngine | { reason: string }> {
  const found = await findEngine(config.engine);
  if ('options' in found) report('engine', `${found.description}, from now on`);
  return found;
}

async function prepareImages({ options }: SetUpEngine, install: boolean): Promise<void> {
  const begin = performance.now();
  try {
    const progress = buildProgress((line) => report('images', line));
    const { built, present } = await ensureImages({ docker: new Docker(options), install, progress });
    report(
      'images',
      built.length > 0 ? `built ${built.join(', ')} in ${secondsSince(begin)}` : `${present.length} there`,
    );
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    report('images', `NOT BUILT, so some containers are unavailable (try again: npm run images): ${reason}`);
  }
}

/** Fills an empty database with the content that the project ships. */
async function seedContent(address: DatabaseAddress, limits: Config['catalogue']): Promise<void> {
  const folder = fileURLToPath(new URL('../../content', import.meta.url));
  const made = await withDatabase(address, (db) =>
    new ContentService(new ContentStore(db, limits)).seedContent(folder),
  );
  if (made) await changesAreKnown(address);
  if (!made) report('content', 'there already');
  else
    report(
      'content',
      `${made.courses} course with ${made.themes} themes, ${made.exams} exams and ${made.laboratories} laboratories with ${made.tasks} tasks`,
    );
}

async function makeFirstAdministrator(config: Config, auth: Application['auth']): Promise<void> {
  const first = await auth.ensureFirstAdministrator(config.firstAdministrator);
  if (!first) return;
  report('administrator', `${first.username} was created`);
  if (first.generatedPassword) report('password', `${first.generatedPassword}   (generated, and shown only this once)`);
}
