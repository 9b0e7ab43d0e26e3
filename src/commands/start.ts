import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import Docker from 'dockerode';
import { ensureImages } from '../../images/build.ts';
import { type SetUpEngine, setUpEngine } from '../adapters/docker/engine-setup.ts';
import { type Application, compose } from '../compose.ts';
import type { Config } from '../config.ts';
import type { CommandContext } from '../main.ts';
import { bringUpToDate, openDatabase } from './open-database.ts';
import { orStop, toOutput as report, secondsSince } from './steps.ts';

/** Prepares what is missing, serves until it is told to stop, then lets go of everything in the opposite order. */
export async function start({ config, flags, stop }: CommandContext): Promise<number> {
  const begin = performance.now();
  await using held = new AsyncDisposableStack();
  await checkAddress(config);
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  report('data', config.dataDir);
  const database = held.use(await openDatabase(config, { report, isShared: false, stop }));
  await orStop(stop, bringUpToDate(database.address, report));
  const install = flags['no-install'] !== true;
  const engine = await orStop(stop, prepareEngine(config, install));
  if ('options' in engine) await orStop(stop, prepareImages(engine, install));

  const application = held.use(await orStop(stop, compose(config, { database: database.address, engine })));
  await orStop(stop, makeFirstAdministrator(config, application.auth));
  const address = await orStop(stop, application.listen());
  report('ready', `in ${secondsSince(begin)}: ${address}`);
  report('', `API and its reference: ${address}/api/docs`);
  await new Promise<void>((resolve) => stop.addEventListener('abort', () => resolve(), { once: true }));
  report('stopping', 'finishing what is under way');
  await held.disposeAsync();
  report('stopped', '');
  return 0;
}

/** Before anything is prepared: a second start by mistake ends here. */
async function checkAddress({ host, port }: Config): Promise<void> {
  const server = createServer();
  server.listen({ host, port });
  try {
    await once(server, 'listening');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRINUSE')
      throw new Error(`Something listens on ${host}:${port} already: stop it, or set PORT to another port`);
    if (code === 'EACCES') throw new Error(`Port ${port} is for root only: set PORT to one above 1023`);
    throw new Error(`The service cannot listen on ${host}:${port} (see HOST and PORT): ${String(code)}`, {
      cause: error,
    });
  }
  server.close();
  await once(server, 'close');
}

/** Without an engine the service serves everything else. */
async function prepareEngine(config: Config, install: boolean): Promise<SetUpEngine | { reason: string }> {
  const engine = await setUpEngine({
    dockerHost: config.engine.dockerHost,
    runtimeDir: config.engine.runtimeDir,
    install,
    dataDir: config.dataDir,
    progress: (line) => report('engine', line),
  });
  if ('options' in engine) {
    report('engine', engine.description);
    return engine;
  }
  report('engine', `NONE, so there are no containers, exams or laboratories: ${engine.reason}`);
  return engine;
}

async function prepareImages({ options }: SetUpEngine, install: boolean): Promise<void> {
  const begin = performance.now();
  try {
    const progress = (line: string) => report('images', line);
    const { built, present } = await ensureImages({ docker: new Docker(options), install, progress });
    report(
      'images',
      built.length > 0 ? `built ${built.join(', ')} in ${secondsSince(begin)}` : `${present.length} there`,
    );
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    report('images', `NOT BUILT, so some containers cannot be had (try again: npm run images): ${reason}`);
  }
}

async function makeFirstAdministrator(config: Config, auth: Application['auth']): Promise<void> {
  const first = await auth.ensureFirstAdministrator(config.firstAdministrator);
  if (!first) return;
  report('administrator', `${first.username} was made`);
  if (first.madeUpPassword) report('password', `${first.madeUpPassword}   (made up, and shown only this once)`);
}
