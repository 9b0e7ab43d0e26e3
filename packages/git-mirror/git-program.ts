import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GitError } from './git-failure.ts';

const outputLimit = 1024 * 1024;
/** Where programs are found. */
export const standardPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/homebrew/bin';

export type GitRun = {
  timeoutMs: number;
  /** The bare repository to work in; none for a command that needs none. */
  directory?: string;
  input?: string;
  environment?: Readonly<Record<string, string>>;
};

/** Runs the `git` program with our own environment and configuration only. */
export class GitProgram implements AsyncDisposable {
  readonly #home: string;
  readonly #path: string;
  readonly #running = new Map<ChildProcess, Promise<unknown>>();
  #ready: Promise<void> | undefined;
  #isDisposed = false;

  /** `home` is a folder of ours, which becomes HOME; `path` is the PATH on which git and ssh are found. */
  constructor({ home, path = standardPath }: { home: string; path?: string | undefined }) {
    this.#home = home;
    this.#path = path;
  }

  /** Returns the output of git. @throws GitError */
  async run(args: readonly string[], { timeoutMs, directory, input = '', environment = {} }: GitRun): Promise<string> {
    await this.prepare();
    if (this.#isDisposed) throw new GitError('service_stopping');
    const child = this.spawn(args, { directory, environment });
    const ended = this.#collect(child, input, timeoutMs);
    this.#running.set(child, ended);
    try {
      return await ended;
    } finally {
      this.#running.delete(child);
    }
  }

  /** Starts git in a separate process group, so that a Ctrl+C for this process does not reach git directly. */
  spawn(
    args: readonly string[],
    { directory, environment = {} }: { directory?: string | undefined; environment?: Readonly<Record<string, string>> },
  ) {
    return spawn('git', [...(directory === undefined ? [] : [`--git-dir=${directory}`]), ...args], {
      cwd: this.#home,
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...this.#environment(), ...environment },
    });
  }

  /** Writes the configuration with a rename, because several processes may share the folder. */
  prepare(): Promise<void> {
    this.#ready ??= (async () => {
      await mkdir(this.#home, { recursive: true, mode: 0o700 });
      const draft = join(this.#home, `.gitconfig.${randomBytes(6).toString('hex')}`);
      await writeFile(draft, gitConfiguration, { mode: 0o600 });
      await rename(draft, this.#configPath);
    })();
    this.#ready.catch(() => {
      this.#ready = undefined;
    });
    return this.#ready;
  }

  /** The host keys of the servers that were reached, as of the first contact. */
  get knownHostsPath(): string {
    return join(this.#home, 'known_hosts');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true;
    const ends = [...this.#running.values()];
    for (const child of this.#running.keys()) endGroup(child);
    await Promise.allSettled(ends);
  }

  get #configPath(): string {
    return join(this.#home, '.gitconfig');
  }

  #environment(): Record<string, string> {
    return {
      PATH: this.#path,
      HOME: this.#home,
      LANG: 'C.UTF-8',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: this.#configPath,
      GIT_TERMINAL_PROMPT: '0',
      GIT_ALLOW_PROTOCOL: 'ssh:https:http:file',
      GIT_NO_REPLACE_OBJECTS: '1',
    };
  }

  #collect(child: ReturnType<GitProgram['spawn']>, input: string, timeoutMs: number): Promise<string> {
    return new Promise((resolve, reject) => {
      let output = '';
      let complaints = '';
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        endGroup(child);
      }, timeoutMs);
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        if (output.length < outputLimit) output += text;
      });
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        complaints = (complaints + text).slice(-16_384);
      });
      // Git may exit without reading its input; its exit status is more informative.
      child.stdin.on('error', () => {});
      child.stdin.end(input);
      child.on('error', (error) => {
        clearTimeout(timer);
        reject(new GitError('git_absent', error.message));
      });
      child.on('close', (code) => {
        clearTimeout(timer);
        if (isLate) reject(new GitError('git_timeout', complaints.trim().slice(-2000)));
        else if (this.#isDisposed && code !== 0) reject(new GitError('service_stopping'));
        else if (code !== 0) reject(GitError.fromOutput(complaints, this.knownHostsPath));
        else resolve(output);
      });
    });
  }
}

/** Ends a process group by its leader, with SIGTERM first, so that git removes its locks and temporary files. */
export function endGroup(child: ChildProcess): void {
  const signal = (name: NodeJS.Signals) => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, name);
    } catch {
      // Already ended.
    }
  };
  signal('SIGTERM');
  const timer = setTimeout(() => signal('SIGKILL'), 2000);
  child.once('close', () => clearTimeout(timer));
}

/** See git-fsck(1). */
const acceptedFlaws = [
  ...['badDate', 'badDateOverflow', 'badEmail', 'badName', 'badTimezone', 'zeroPaddedDate'],
  ...['missingAuthor', 'missingCommitter', 'missingEmail', 'missingNameBeforeEmail', 'multipleAuthors', 'nulInCommit'],
  ...['missingSpaceBeforeDate', 'missingSpaceBeforeEmail'],
  ...['badFilemode', 'duplicateEntries', 'treeNotSorted', 'zeroPaddedFilemode'],
  ...['badTagName', 'extraHeaderEntry', 'missingTaggerEntry'],
];

/**
 * The complete configuration of Git; that of the machine and the account is ignored. Fetched objects are verified, except for the flaws
 * of old, legitimate repositories: files are read by their paths from one tree, for which authors, dates, tags and the order of a tree do not
 * matter. Names in a tree that could lead out of it stay refused. Git ignores a flaw that its version does not know. Large files are streamed instead of loaded into memory.
 */
const gitConfiguration = `[core]
\thooksPath = /dev/null
\tbigFileThreshold = 16m
[init]
\tdefaultBranch = main
[gc]
\tautoDetach = false
\tpackRefs = false
[fetch]
\tfsckObjects = true
[fetch "fsck"]
${acceptedFlaws.map((flaw) => `\t${flaw} = ignore\n`).join('')}[protocol]
\tallow = never
[protocol "ssh"]
\tallow = always
[protocol "https"]
\tallow = always
[protocol "http"]
\tallow = always
[protocol "file"]
\tallow = always
[http]
\tlowSpeedLimit = 1
\tlowSpeedTime = 30
[safe]
\tdirectory = *
`;
