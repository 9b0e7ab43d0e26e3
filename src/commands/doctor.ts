import { execFile } from 'node:child_process';
import { access, constants, readFile, statfs } from 'node:fs/promises';
import { freemem, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Command } from '@commander-js/extra-typings';
import Docker from 'dockerode';
import { imageNames, missingImages } from '../../images/build.ts';
import { findEmbeddedVersion } from '../../packages/embedded-postgres/binaries.ts';
import { checkClusterVersion } from '../../packages/embedded-postgres/cluster.ts';
import { findPostmaster } from '../../packages/embedded-postgres/postmaster.ts';
import { type FoundEngine, findEngine } from '../adapters/docker/find-engine.ts';
import { imageName } from '../adapters/kubernetes/pod-manifest.ts';
import { createObjectStore, problemOf } from '../compose/storage.ts';
import type { Config } from '../config.ts';
import { askVersion, withoutSecrets } from './open-database.ts';
import { type CommandContext, runCommand } from './run-command.ts';

/** `missing` is required and absent. `note` is informational. */
type Finding = { state: 'ok' | 'note' | 'missing'; text: string; advice?: string };

const run = promisify(execFile);
const gib = 1024 ** 3;
const inGib = (bytes: number): string => `${(bytes / gib).toFixed(1)} GiB`;

export const command = new Command('doctor')
  .description('Check the requirements and report what is missing')
  .action(() => runCommand(doctor));

async function doctor({ config }: CommandContext): Promise<number> {
  const isOnCluster = config.engine.kind === 'kubernetes';
  const engine = isOnCluster ? { reason: 'not used' } : await findEngine(config.engine);
  const checks: [string, () => Promise<Finding[]>][] = [
    ['node', async () => [checkNode()]],
    ['git', async () => [await checkProgram('git', ['--version'], true, 'apt-get install git')]],
    ['ssh', async () => [await checkSsh(config)]],
    ['data folder', () => checkDataFolder(config.dataDir)],
    ['files', async () => [await checkFiles(config)]],
    ['memory', async () => [await checkMemory()]],
    ['database', async () => [await checkDatabase(config)]],
    ['engine', async () => await (isOnCluster ? checkCluster(config) : checkEngine(engine, config.engine.runtime))],
    ['images', async () => ('options' in engine ? await checkImages(engine) : [])],
  ];
  let isComplete = true;
  for (const [name, check] of checks) {
    const findings = await check().catch((error: Error): Finding[] => [{ state: 'missing', text: error.message }]);
    for (const { state, text, advice } of findings) {
      isComplete &&= state !== 'missing';
      process.stdout.write(
        `${state.padEnd(8)}${name.padEnd(13)}${text}\n${advice ? `${' '.repeat(21)}${advice}\n` : ''}`,
      );
    }
  }
  return isComplete ? 0 : 1;
}

function checkNode(): Finding {
  const isNew = Number.parseInt(process.versions.node, 10) >= 24;
  return {
    state: isNew ? 'ok' : 'missing',
    text: `Node ${process.versions.node}`,
    ...(isNew ? {} : { advice: 'Node 24 or newer' }),
  };
}

async function checkProgram(program: string, args: string[], isNeeded: boolean, advice: string): Promise<Finding> {
  try {
    const { stdout, stderr } = await run(program, args);
    return { state: 'ok', text: (stdout || stderr).trim().split('\n')[0] ?? '' };
  } catch {
    return { state: isNeeded ? 'missing' : 'note', text: `${program} cannot be run`, advice };
  }
}

async function checkSsh({ lessons }: Config): Promise<Finding> {
  const isNeeded = lessons.url !== undefined && !/^(https?|file):/.test(lessons.url) && !lessons.url.startsWith('/');
  const finding = await checkProgram('ssh', ['-V'], isNeeded, 'apt-get install openssh-client');
  return finding.state === 'note'
    ? { ...finding, text: `${finding.text}; only lessons from a Git server over SSH need it` }
    : finding;
}

async function checkDataFolder(dataDir: string): Promise<Finding[]> {
  const nearest = await nearestFolder(dataDir);
  const isWritable = await access(nearest, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  const { bavail, bsize } = await statfs(nearest);
  const free = bavail * bsize;
  const isNew = nearest !== dataDir;
  return [
    isWritable
      ? { state: 'ok', text: isNew ? `${dataDir} will be created at the first start` : dataDir }
      : { state: 'missing', text: `${nearest} cannot be written to`, advice: 'run as its owner, or set DATA_DIR' },
    free > 2 * gib
      ? { state: 'ok', text: `${inGib(free)} free` }
      : { state: 'note', text: `${inGib(free)} free`, advice: 'a growing database needs 2 GiB or more' },
  ];
}

/** Pictures and recordings. */
async function checkFiles(config: Config): Promise<Finding> {
  if (!config.s3) return { state: 'ok', text: 'in the data folder' };
  const objects = createObjectStore(config);
  const problem = await problemOf(objects);
  return problem === undefined
    ? { state: 'ok', text: objects.place }
    : { state: 'missing', text: `${objects.place}: ${problem}`, advice: 'see S3_ENDPOINT' };
}

async function nearestFolder(path: string): Promise<string> {
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  return isThere || dirname(path) === path ? path : await nearestFolder(dirname(path));
}

async function checkMemory(): Promise<Finding> {
  const info = await readFile('/proc/meminfo', 'utf8').catch(() => '');
  const kib = /^MemAvailable:\s+(\d+)/m.exec(info)?.[1];
  const available = kib === undefined ? freemem() : Number(kib) * 1024;
  const text = `${inGib(available)} available of ${inGib(totalmem())}`;
  return available > gib
    ? { state: 'ok', text }
    : {
        state: 'note',
        text,
        advice: 'each container may take CONTAINER_MEMORY_MB: see docs/configuration.md',
      };
}

async function checkDatabase({ database, dataDir }: Config): Promise<Finding> {
  if (database.url !== undefined) {
    const place = withoutSecrets(database.url);
    return await askVersion({ connectionString: database.url }).then(
      (version): Finding => ({ state: 'ok', text: `PostgreSQL ${version} at ${place}` }),
      (error: Error): Finding => ({ state: 'missing', text: `${place}: ${error.message}`, advice: 'see DATABASE_URL' }),
    );
  }
  const version = await findEmbeddedVersion();
  const clusterDir = join(dataDir, 'postgres');
  const hasData = await access(clusterDir).then(
    () => true,
    () => false,
  );
  if (hasData) await checkClusterVersion(clusterDir, version);
  const running = await findPostmaster(clusterDir);
  return {
    state: 'ok',
    text: `PostgreSQL ${version} of our own, ${running ? 'running' : 'started together with the service'}`,
  };
}

async function checkCluster({ kubernetes }: Config): Promise<Finding[]> {
  const { openCluster } = await import('../adapters/kubernetes/cluster.ts');
  const { clusterFacts } = await import('../adapters/kubernetes/requirements.ts');
  using cluster = await openCluster(kubernetes);
  const { description, missing } = await clusterFacts(cluster);
  const advice = 'a Role with these verbs, bound to the account of the service: see docs/kubernetes.md';
  const names = imageNames.map((name) => imageName(name, kubernetes.imagePrefix));
  return [
    { state: 'ok', text: description },
    ...missing.map((thing): Finding => ({ state: 'missing', text: `the service lacks ${thing}`, advice })),
    {
      state: 'note',
      text: `the nodes pull ${names.join(', ')}`,
      advice: 'KUBERNETES_IMAGE_PREFIX names their registry',
    },
  ];
}

async function checkEngine(engine: FoundEngine | { reason: string }, runtime: string | undefined): Promise<Finding[]> {
  if ('reason' in engine) {
    const advice =
      'run npm start as root on Debian or Ubuntu to install Docker Engine; otherwise install Docker Engine or Podman';
    return [{ state: 'missing', text: engine.reason, advice }];
  }
  const info = await new Docker(engine.options).info();
  const limits: [string, unknown][] = [
    ['memory', info.MemoryLimit],
    ['CPU', info.CpuCfsQuota],
    ['processes', info.PidsLimit],
  ];
  const lacking = limits.filter(([, isThere]) => isThere !== true).map(([name]) => name);
  return [
    { state: 'ok', text: `${engine.description}, cgroup version ${info.CgroupVersion ?? '1'}, storage ${info.Driver}` },
    lacking.length === 0
      ? { state: 'ok', text: 'limits memory, CPU and processes' }
      : {
          state: 'note',
          text: `cannot limit: ${lacking.join(', ')}`,
          advice: "the kernel's cgroup controllers for it are missing",
        },
    ...(runtime === undefined ? [] : [checkRuntime(runtime, Object.keys(info.Runtimes ?? {}))]),
  ];
}

function checkRuntime(runtime: string, known: readonly string[]): Finding {
  if (known.includes(runtime)) return { state: 'ok', text: `runtime ${runtime}` };
  const advice = `configure it in the engine (runtimes in /etc/docker/daemon.json), or set CONTAINER_RUNTIME to one of ${known.join(', ')}`;
  return { state: 'missing', text: `the engine has no runtime ${runtime}`, advice };
}

async function checkImages({ options }: FoundEngine): Promise<Finding[]> {
  const docker = new Docker(options);
  const lacking = await missingImages(docker);
  const advice = 'npm run images builds it, as npm start does';
  return await Promise.all(
    imageNames.map(async (name): Promise<Finding> => {
      if (!lacking.includes(name)) return { state: 'ok', text: name };
      const isOld = await docker
        .getImage(name)
        .inspect()
        .then(
          () => true,
          () => false,
        );
      return { state: 'missing', text: `${name} is ${isOld ? 'of an older definition' : 'not built'}`, advice };
    }),
  );
}
