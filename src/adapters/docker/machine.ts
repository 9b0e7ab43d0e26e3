import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { access, readdir, readFile } from 'node:fs/promises';

/** The operations on the machine that the engine set-up needs. Tests substitute it. */
export interface Machine {
  readonly isRoot: boolean;
  readonly platform: string;
  /** Runs a program to its end. `output` combines both streams. A missing program yields 127. */
  run(program: string, args: string[]): Promise<{ code: number; output: string }>;
  /** Starts a program that survives this process and appends its output to a file. */
  startDaemon(program: string, args: string[], logPath: string): Promise<{ pid: number; hasEnded: () => boolean }>;
  exists(path: string): Promise<boolean>;
  list(folder: string): Promise<string[]>;
  /** Empty if the file does not exist. */
  read(path: string): Promise<string>;
}

/** Runs a program with the system's PATH, without our secrets, and with package prompts disabled. */
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
      // Not `close`: a daemon that the program started can hold its output open.
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
