import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import Docker from 'dockerode';
import { ensureImages, imageNames } from '../images/build.ts';
import { startEmbeddedServer } from '../packages/embedded-postgres/embedded-server.ts';
import { findPostmaster, stopPostmaster } from '../packages/embedded-postgres/postmaster.ts';
import { lockDataFolder } from '../packages/embedded-postgres/service-lock.ts';
import { setUpEngine } from '../src/adapters/docker/engine-setup.ts';
import { thisMachine } from '../src/adapters/docker/machine.ts';
import { installPackages, setUpPrograms, whyNotInstall } from '../src/adapters/docker/packages.ts';
import { preparePages } from '../src/commands/prepare-pages.ts';
import { buildProgress } from '../src/commands/steps.ts';
import { connectDatabase } from '../src/database/connection/connect.ts';
import { Jobs } from '../src/database/jobs.ts';
import { migrate } from '../src/database/migrate.ts';
import { clusterSkip } from './cluster.ts';
import { addressOf, createDatabase, templateName } from './database.ts';
import { isLong } from './rounds.ts';
import { executablePath } from './web/browser.ts';
import { whyNoFirefox } from './web/firefox.ts';

/** The programs that the tests run, and the Debian packages that contain them. */
const programs = {
  git: 'git',
  ssh: 'openssh-client',
  ps: 'procps',
  tcpdump: 'tcpdump',
  'docker-registry': 'docker-registry',
  ...(executablePath ? {} : { 'chromium-headless-shell': 'chromium-headless-shell' }),
};
const mayInstall = process.env['NO_INSTALL'] !== 'true';
const folderPrefix = 'learning-platform-tests-';
const isCi = process.env['CI'] === 'true';
const held = new AsyncDisposableStack();

/** Runs once before all test files: starts PostgreSQL with a migrated template and a container engine, and builds the images. */
export async function globalSetup(): Promise<void> {
  try {
    await sweep();
    const dataDir = await mkdtemp(join(tmpdir(), folderPrefix));
    held.defer(() => rm(dataDir, { recursive: true, force: true }));
    await findPrograms();
    if (isLong) await findFirefox();
    await findS3Server();
    // Each waits half of its time. What fails is reported when nothing starts any more that would have to be ended.
    const begun = await Promise.allSettled([preparePages(say), startDatabase(dataDir), startEngine(dataDir)]);
    for (const one of begun) if (one.status === 'rejected') throw one.reason;
  } catch (error) {
    await held.disposeAsync();
    throw error;
  }
}

export async function globalTeardown(): Promise<void> {
  await held.disposeAsync();
}

async function findPrograms(): Promise<void> {
  const problem = await setUpPrograms({ programs, install: mayInstall, progress: (line) => say('programs', line) });
  if (problem && isCi) throw new Error(`The tests need programs: ${problem}`);
  if (problem) say('programs', problem);
}

/** The package lists of a machine can name an older Firefox than the repository has, so they are updated first. */
async function findFirefox(): Promise<void> {
  let problem = whyNoFirefox();
  if (problem === false) return;
  const report = (line: string) => say('programs', line);
  const obstacle = await whyNotInstall(mayInstall, thisMachine);
  if (obstacle === undefined) {
    report(`${problem}: installing (apt-get update, apt-get install firefox-esr)`);
    await thisMachine.run('apt-get', ['update', '-o', 'DPkg::Lock::Timeout=300']);
    const failure = await installPackages(thisMachine, ['firefox-esr'], report);
    problem = failure ?? whyNoFirefox();
  }
  if (problem === false) return;
  if (isCi) throw new Error(`The tests need Firefox: ${problem}`);
  report(`the tests in Firefox are skipped: ${problem}${obstacle === undefined ? '' : `; ${obstacle}`}`);
}

/** The tests of object storage run on a real server. It is a module of Debian's Python. */
async function findS3Server(): Promise<void> {
  if (await thisMachine.exists('/usr/lib/python3/dist-packages/swift/proxy/server.py')) return;
  const report = (line: string) => say('S3', line);
  let problem = await whyNotInstall(mayInstall, thisMachine);
  if (problem === undefined) {
    report('the S3 server of the tests is missing: installing (apt-get install python3-swift)');
    problem = await installPackages(thisMachine, ['python3-swift'], report);
  }
  if (problem === undefined) return;
  if (isCi) throw new Error(`The tests need an S3 server (apt-get install python3-swift): ${problem}`);
  process.env['TEST_WITHOUT_S3'] = problem;
  report(`the tests of object storage are skipped: ${problem}`);
}

async function startDatabase(dataDir: string): Promise<void> {
  // Nothing here has to survive a power failure, and a killed process loses nothing without fsync either.
  const unsafe = {
    fsync: 'off',
    full_page_writes: 'off',
    synchronous_commit: 'off',
    wal_level: 'minimal',
    max_wal_senders: '0',
  };
  const settings = { ...unsafe, max_connections: '300', autovacuum: 'off' };
  const server = held.use(await startEmbeddedServer({ dataDir, settings, progress: (line) => say('database', line) }));
  process.env['TEST_DATABASE_URL'] = server.connectionString;
  await createDatabase(templateName);
  const onError = (error: unknown): void => say('database', String(error));
  const { db, pool } = connectDatabase({
    address: addressOf(templateName),
    maxConnections: 1,
    statementTimeout: 60_000,
    acquireTimeout: 10_000,
    onError,
  });
  try {
    await migrate(db);
    // The queue creates its own tables at its first start: two hundred statements that the tests' services then skip.
    await using jobs = new Jobs({ pool, onError });
    await jobs.start();
  } finally {
    await db.destroy();
  }
}

/** Tests of containers run on a real engine. Without one they are skipped, except in CI, where that is a failure. */
async function startEngine(dataDir: string): Promise<void> {
  const engine = await setUpEngine({
    install: mayInstall,
    dockerHost: process.env['DOCKER_HOST'],
    certPath: process.env['DOCKER_CERT_PATH'],
    runtimeDir: process.env['XDG_RUNTIME_DIR'],
    progress: (line) => say('engine', line),
    dataDir,
  });
  if ('reason' in engine) {
    if (isCi) throw new Error(`The tests need a container engine: ${engine.reason}`);
    process.env['TEST_WITHOUT_ENGINE'] = engine.reason;
    say('engine', `the tests of containers are skipped: ${engine.reason}`);
    return;
  }
  const { startedPid } = engine;
  if (startedPid !== undefined) held.defer(() => endProcess(startedPid));
  process.env['DOCKER_HOST'] = engine.address;
  const progress = buildProgress((line) => say('images', line));
  await ensureImages({ docker: new Docker(engine.options), install: mayInstall, progress });
  await loadImages();
}

/** Runs the program that makes the engine's images available to the nodes of the cluster, where one is named. */
async function loadImages(): Promise<void> {
  const loader = process.env['TEST_IMAGE_LOADER'];
  if (loader === undefined || clusterSkip) return;
  say('cluster', `loading the images with ${loader}`);
  await promisify(execFile)(loader, [...imageNames]);
}

/** Removes what a killed test run has left. */
async function sweep(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(folderPrefix)) continue;
    const folder = join(tmpdir(), name);
    try {
      using _unused = lockDataFolder(folder);
      for (const clusterDir of [join(folder, 'postgres'), join(folder, 'data', 'postgres')]) {
        const postmaster = await findPostmaster(clusterDir);
        if (postmaster) await stopPostmaster(postmaster.pid, clusterDir);
      }
      await rm(folder, { recursive: true, force: true });
    } catch {
      // Another test run is using it, or it belongs to another user.
    }
  }
}

async function endProcess(pid: number): Promise<void> {
  const isAlive = () => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  if (!isAlive()) return;
  process.kill(pid, 'SIGTERM');
  const deadline = Date.now() + 30_000;
  while (isAlive() && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 50));
}

/** Prints to standard error, because standard output belongs to the tests' report. */
const say = (step: string, line: string): void => void process.stderr.write(`${step.padEnd(13)} ${line}\n`);
