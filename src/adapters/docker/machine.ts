import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { access, readdir, readFile } from 'node:fs/promises';

/** What setting up an engine needs of the machine; tests put another one in its place. */
export interface Machine {
  readonly isRoot: boolean;
  readonly platform: string;
  /** Runs a program to its end. `output` is what it printed on both streams. A program that is missing ends with 127. */
  run(program: string, args: string[]): Promise<{ code: number; output: string }>;
  /** Starts a program that outlives us, with its output appended to a file. */
  startDaemon(program: string, args: string[], logPath: string): Promise<{ pid: number; hasEnded: () => boolean }>;
  exists(path: string): Promise<boolean>;
  list(folder: string): Promise<string[]>;
  /** Empty where there is no such file. */
  read(path: string): Promise<string>;
}

/** Runs a program with the system's own PATH, without our secrets, and so that no package waits for an answer. */
const inEnvironment = (program: string, args: string[]): [string, string[]] => [
  'env',
  [
    ...['-u', 'SECRET_KEY', '-u', 'DATABASE_URL', '-u', 'ADMIN_PASSWORD', '-u', 'METRICS_TOKEN'],
    ...[
      'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      'DEBIAN_FRONTEND=noninteractive',
      'LC_ALL=C.UTF-8',
    ],
    program,
    ...args,
  ],
];

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

export const thisMachine: Machine = {
  isRoot: process.getuid?.() === 0,
  platform: process.platform,

  async run(program, args) {
    const child = spawn(...inEnvironment(program, args), { stdio: ['ignore', 'pipe', 'pipe'] });
    const chunks: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    const code = await new Promise<number>((resolve) => {
      child.on('error', () => resolve(127));
      // Not `close`: a daemon that the program leaves behind can hold its output open.
      child.on('exit', (status) => resolve(status ?? 1));
    });
    for (const stream of [child.stdout, child.stderr]) stream.destroy();
    return { code, output: Buffer.concat(chunks).toString() };
  },

  async startDaemon(program, args, logPath) {
    const log = openSync(logPath, 'a', 0o600);
    const child = spawn(...inEnvironment(program, args), { detached: true, stdio: ['ignore', log, log], cwd: '/' });
    closeSync(log);
    await once(child, 'spawn');
    child.unref();
    return { pid: child.pid ?? 0, hasEnded: () => hasEnded(child) };
  },

  exists: (path) =>
    access(path).then(
      () => true,
      () => false,
    ),
  list: (folder) => readdir(folder).catch(() => []),
  read: (path) => readFile(path, 'utf8').catch(() => ''),
};
