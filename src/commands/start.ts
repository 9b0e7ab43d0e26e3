import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { Command } from '@commander-js/extra-typings';
import { makePrivate } from '../adapters/disk/private-file.ts';
import { addressOf } from '../adapters/git/failures.ts';
import type { Config } from '../config.ts';
import type { DatabaseAddress } from '../database/connection/connect.ts';
import { bringUpToDate, openDatabase } from './open-database.ts';
import { preparePages } from './prepare-pages.ts';
import type { Assignment } from './processes/messages.ts';
import { connectionsOf } from './processes/share.ts';
import { type CommandContext, runCommand } from './run-command.ts';
import { orStop, toOutput as report, secondsSince, stopped } from './steps.ts';

export const command = new Command('start')
  .description('Prepare what is missing, then serve')
  .option('--no-install', 'do not install a container engine or programs')
  .action(({ install }) => runCommand((context) => start(context, install)));

/** What another command does during a start. */
export type StartSteps = {
  /** With the migrated database, before anything uses it. */
  prepare?: (database: DatabaseAddress) => Promise<void>;
  /** With the address, once the service responds there. */
  serving?: (address: string) => Promise<void>;
};

/** Prepares what is missing, serves until it is stopped, then releases everything in reverse order. */
export async function start(
  { config, stop }: CommandContext,
  install: boolean,
  { prepare, serving }: StartSteps = {},
): Promise<number> {
  // Measured from the start of the process, so loading is included.
  const begin = 0;
  await using held = new AsyncDisposableStack();
  await checkAddress(config);
  if (config.lessons.url !== undefined) addressOf(config.lessons.url);
  reportIgnored(config);
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  report('data', config.dataDir);
  for (const line of await makePrivate(config.dataDir)) report('data', line);
  if (process.getuid?.() === 0)
    report(
      'data',
      'the service runs as root: a normal user with access to the engine is enough, see docs/operating.md',
    );
  await orStop(stop, preparePages(report, stop));
  const { promise: launched, resolve: onLaunch } = Promise.withResolvers<void>();
  const connections = connectionsOf(config);
  const opening = openDatabase(config, { report, isShared: false, stop, connections, onLaunch });
  await Promise.race([launched, opening]);
  // Loaded while PostgreSQL starts, because loading takes longest and nothing else can run meanwhile.
  const modules = load(config);
  modules.catch(() => undefined);
  const database = held.use(await opening);
  const { prepareContainers, seedContent, makeFirstAdministrator } = await modules;
  if (config.s3) await orStop(stop, reportStorage(config));
  const containers = prepareContainers(config, install, stop);
  containers.catch(() => undefined);
  await orStop(stop, bringUpToDate(database.address, report));
  if (prepare) await orStop(stop, prepare(database.address));
  await orStop(stop, seedContent(database.address, config.catalogue));
  await orStop(stop, makeFirstAdministrator(database.address, config));
  const engine = await orStop(stop, containers);

  const address = await serveHereOrInProcesses(config, { database: database.address, engine }, { held, stop });
  const processes = config.processes > 1 ? `, ${config.processes} processes` : '';
  report('ready', `in ${secondsSince(begin)}: ${address}${processes}`);
  report('', `the pages: open it in a browser and log in as ${config.firstAdministrator.username}`);
  report('', `the API:   ${address}/api/docs`);
  if (serving) await orStop(stop, serving(address));
  await stopped(stop);
  report('stopping', 'finishing current work');
  await held.disposeAsync();
  report('stopped', '');
  return 0;
}

/** The modules of the later steps. A primary does not load what only its processes need. */
async function load({ processes }: Config) {
  if (processes === 1) await import('./serve.ts');
  return { ...(await import('./prepare-engine.ts')), ...(await import('./prepare-content.ts')) };
}

/** @returns the address */
async function serveHereOrInProcesses(
  config: Config,
  parts: Omit<Assignment, 'number'>,
  { held, stop }: { held: AsyncDisposableStack; stop: AbortSignal },
): Promise<string> {
  if (config.processes === 1) {
    const { serve } = await import('./serve.ts');
    const { application, address } = await serve(config, parts, stop);
    held.use(application);
    return address;
  }
  const { ServingProcesses } = await import('./processes/serving-processes.ts');
  const processes = held.use(new ServingProcesses({ ...parts, count: config.processes, report }));
  return await orStop(stop, processes.start());
}

/** Without its bucket the service runs, and pictures and recordings are 503. */
async function reportStorage(config: Config): Promise<void> {
  const { createObjectStore, problemOf } = await import('../compose/storage.ts');
  const objects = createObjectStore(config);
  const problem = await problemOf(objects);
  report('files', problem === undefined ? objects.place : `NONE, ${objects.place} cannot be used now: ${problem}`);
}

/** Variables that were settings in older releases. Someone relies on them. */
function reportIgnored({ ignoredVariables }: Config): void {
  for (const name of ignoredVariables)
    report('WARNING', `${name} is no setting any more and has no effect, see docs/configuration.md`);
}

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
