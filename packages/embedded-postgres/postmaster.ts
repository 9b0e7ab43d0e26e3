import { execFile, spawn } from 'node:child_process';
import { type FileHandle, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { databaseName, explainFailure, type ServerPrograms, superuser } from './programs.ts';

const startTimeout = 5 * 60_000;
const logLimit = 10 * 1024 * 1024;

export type EmbeddedAddress = { host: string; port: number; user: string; database: string; ssl: false };

/** A running server process: ours, or one left by an earlier service. */
export type Postmaster = { pid: number; address: EmbeddedAddress; version: string };

export type LaunchOptions = {
  clusterDir: string;
  socketDir: string;
  logPath: string;
  programs: ServerPrograms;
  settings: Record<string, string>;
  /** Called when its process runs, before it answers. */
  onLaunch?: () => void;
};

/**
 * Starts the server and waits until it answers.
 * @throws Error with an explanation of its log, if it exits or does not answer in time
 */
export async function launchPostmaster(options: LaunchOptions): Promise<Postmaster> {
  const deadline = Date.now() + startTimeout;
  await removeLeftovers(options);
  await using log = await openLog(options.logPath);
  const settings = Object.entries(options.settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const command = options.programs.command('postgres', ['-D', options.clusterDir, ...settings]);
  for (;;) {
    const { size } = await log.stat();
    // A separate session: Ctrl-C in the terminal must not stop the server before the service, and the server survives a killed
    // service.
    const child = spawn(command.program, command.args, {
      ...command.options,
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    });
    const failure = new Promise<Error>((resolve) => child.once('error', resolve));
    const pid = child.pid;
    if (pid === undefined) throw await failure;
    child.unref();
    options.onLaunch?.();
    const ready = await waitUntilReady(options.clusterDir, deadline, () => child.exitCode ?? child.signalCode, pid);
    if (ready) return ready;
    const said = (await readFile(options.logPath)).subarray(size).toString();
    // The last processes of a killed server exit shortly after it.
    if (
      !/is still in use|pre-existing shared memory block/.test(said) ||
      Date.now() > deadline - startTimeout + 15_000
    ) {
      child.kill('SIGQUIT');
      throw explainFailure('postgres', said || 'it did not answer in time');
    }
    await delay(100);
  }
}

/**
 * PostgreSQL refuses to start while the process id in the files of a killed server is in use, by another program or by an unreaped
 * process. Removing the files is safe: PostgreSQL also checks for shared memory in use.
 */
async function removeLeftovers({ clusterDir, socketDir }: LaunchOptions): Promise<void> {
  const file = await readPostmasterFile(clusterDir);
  if (file && (await isPostmasterOf(file.pid, clusterDir))) return;
  await rm(join(clusterDir, 'postmaster.pid'), { force: true });
  await rm(join(socketDir, '.s.PGSQL.5432.lock'), { force: true });
}

/** The server that an earlier service left running on this cluster, once it answers; undefined if there is none. */
export async function findPostmaster(clusterDir: string): Promise<Postmaster | undefined> {
  const file = await readPostmasterFile(clusterDir);
  if (!file) return undefined;
  if (!(await isPostmasterOf(file.pid, clusterDir))) return undefined;
  return await waitUntilReady(
    clusterDir,
    Date.now() + startTimeout,
    async () => ((await isPostmasterOf(file.pid, clusterDir)) ? null : 0),
    file.pid,
  );
}

/**
 * Waits briefly for closing connections, then requests a fast shutdown: transactions are rolled back and all data is flushed to
 * disk. Stronger signals follow on a timeout.
 */
export async function stopPostmaster(pid: number, clusterDir: string): Promise<void> {
  for (const [signal, patience] of [
    ['SIGTERM', 500],
    ['SIGINT', 20_000],
    ['SIGQUIT', 10_000],
    ['SIGKILL', 5_000],
  ] as const) {
    if (!(await isPostmasterOf(pid, clusterDir))) return;
    process.kill(pid, signal);
    const end = Date.now() + patience;
    while (Date.now() < end) {
      if (!(await isPostmasterOf(pid, clusterDir))) return;
      await delay(10);
    }
  }
}

/** Whether the process is a server of this cluster. Its process id may have been reused since it was written. */
export async function isPostmasterOf(pid: number, clusterDir: string): Promise<boolean> {
  if (process.platform === 'linux') {
    const args = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0');
    return args[args.indexOf('-D') + 1] === clusterDir;
  }
  const { stdout } = await promisify(execFile)('ps', ['-o', 'args=', '-p', `${pid}`]).catch(() => ({ stdout: '' }));
  return stdout.includes(`-D ${clusterDir}`);
}

async function readPostmasterFile(
  clusterDir: string,
): Promise<{ pid: number; socketDir: string; status: string } | undefined> {
  const lines = (await readFile(join(clusterDir, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  const pid = Number(lines[0]);
  return pid > 0 ? { pid, socketDir: lines[4] ?? '', status: (lines[7] ?? '').trim() } : undefined;
}

/** Undefined if the process exits first or the deadline passes. */
async function waitUntilReady(
  clusterDir: string,
  deadline: number,
  exitOf: () => unknown,
  pid: number,
): Promise<Postmaster | undefined> {
  while (Date.now() < deadline) {
    const hasEnded = (await exitOf()) !== null;
    const file = await readPostmasterFile(clusterDir);
    if (file?.pid === pid && file.status === 'ready') {
      const address = {
        host: file.socketDir,
        port: 5432,
        user: superuser,
        database: databaseName,
        ssl: false,
      } as const;
      const version = await askVersion(address).catch(() => undefined);
      if (version) return { pid, address, version };
    }
    if (hasEnded) return undefined;
    await delay(15);
  }
  return undefined;
}

async function askVersion(address: EmbeddedAddress): Promise<string | undefined> {
  const client = new pg.Client({ ...address, connectionTimeoutMillis: 5_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ server_version: string }>('SHOW server_version');
    return rows[0]?.server_version;
  } finally {
    await client.end();
  }
}

async function openLog(path: string): Promise<FileHandle> {
  const size = await stat(path).then(
    (stats) => stats.size,
    () => 0,
  );
  if (size > logLimit) await rename(path, `${path}.1`);
  return await open(path, 'a', 0o600);
}
