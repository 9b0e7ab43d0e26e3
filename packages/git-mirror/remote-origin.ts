import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { GitError } from './git-failure.ts';
import type { GitProgram } from './git-program.ts';
import { headReference, type Origin } from './origin.ts';
import { checkBranch, parseRepositoryAddress, type RepositoryAddress } from './repository-address.ts';

/** Answers Git's password prompt from the environment: argument lists are readable by every user of the machine. */
const credentialHelper = `!f() { test "$1" = get && printf 'username=%s\\npassword=%s\\n' "$GIT_MIRROR_USER" "$GIT_MIRROR_PASSWORD"; }; f`;

export type RemoteOriginOptions = {
  git: GitProgram;
  url: string;
  /** The remote's HEAD if unset. */
  branch?: string | undefined;
  ssh: SshOptions;
  /** A private key for an SSH address, instead of a file with one. */
  sshKey?: string | undefined;
  /** For an http(s) address without credentials. */
  login?: { username: string; password: string } | undefined;
  /** Milliseconds an update and the first copy may take. */
  updateTimeout: number;
  cloneTimeout: number;
};

/** A remote Git repository. The branch is followed after a forced push as well. */
export class RemoteOrigin implements Origin {
  readonly isLocal = false;
  readonly #git: GitProgram;
  readonly #address: RepositoryAddress;
  readonly #branch: string | undefined;
  readonly #ssh: SshOptions;
  readonly #sshKey: string | undefined;
  readonly #environment: Record<string, string>;
  readonly #updateTimeout: number;
  readonly #cloneTimeout: number;

  /** @throws UnusableAddressError, and Error for an invalid file name; nothing is run here */
  constructor({ git, url, branch, ssh, sshKey, login, updateTimeout, cloneTimeout }: RemoteOriginOptions) {
    this.#git = git;
    const address = parseRepositoryAddress(url);
    this.#address =
      login === undefined || address.isSsh
        ? address
        : { ...address, credentials: { scope: new URL(address.url).origin, ...login } };
    [this.#ssh, this.#sshKey] = [ssh, address.isSsh ? sshKey : undefined];
    this.#branch = branch === undefined ? undefined : checkBranch(branch);
    this.#updateTimeout = updateTimeout;
    this.#cloneTimeout = cloneTimeout;
    const { credentials } = this.#address;
    this.#environment = {
      GIT_SSH_COMMAND: sshCommand(ssh, git.knownHostsPath),
      GIT_SSH_VARIANT: 'ssh',
      ...(credentials && { GIT_MIRROR_USER: credentials.username, GIT_MIRROR_PASSWORD: credentials.password }),
    };
  }

  /** The commit that the server names now. Null: the repository has no commits. @throws GitError */
  async probe(): Promise<string | null> {
    const wanted = this.#branch === undefined ? 'HEAD' : `refs/heads/${this.#branch}`;
    const args = ['ls-remote', '--quiet', '--', this.#address.url];
    const list = await this.#run(args, undefined, this.#updateTimeout);
    for (const [, id = '', name] of list.matchAll(/^([0-9a-f]+)\t(.*)$/gm)) if (name === wanted) return id;
    if (list.trim() !== '') throw new GitError('branch_missing');
    return null;
  }

  async bringInto(directory: string, isFirst: boolean): Promise<'present' | 'empty'> {
    const wanted = this.#branch === undefined ? 'HEAD' : `refs/heads/${this.#branch}`;
    const options = ['--quiet', '--no-tags', '--no-auto-gc', '--no-recurse-submodules', '--force'];
    const timeoutMs = isFirst ? this.#cloneTimeout : this.#updateTimeout;
    try {
      await this.#run(
        ['fetch', ...options, '--', this.#address.url, `+${wanted}:${headReference}`],
        directory,
        timeoutMs,
      );
      return 'present';
    } catch (error) {
      if (!(error instanceof GitError) || !/couldn't find remote ref/.test(error.output)) throw error;
      const references = await this.#run(
        ['ls-remote', '--quiet', '--', this.#address.url],
        directory,
        this.#updateTimeout,
      );
      if (references.trim() !== '') throw error;
      return 'empty';
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#git[Symbol.asyncDispose]();
  }

  async #run(args: string[], directory: string | undefined, timeoutMs: number): Promise<string> {
    const { credentials } = this.#address;
    const settings =
      credentials === undefined ? [] : ['-c', `credential.${credentials.scope}.helper=${credentialHelper}`];
    const run = (environment: Readonly<Record<string, string>>) =>
      this.#git.run([...settings, ...args], {
        ...(directory === undefined ? {} : { directory }),
        ...{ timeoutMs, environment },
      });
    if (this.#sshKey === undefined) return await run(this.#environment);
    return await withKeyFile(this.#sshKey, (keyPath) =>
      run({ ...this.#environment, GIT_SSH_COMMAND: sshCommand({ ...this.#ssh, keyPath }, this.#git.knownHostsPath) }),
    );
  }
}

const keyFolderPrefix = 'platform-ssh-key-';
/** Milliseconds after which a file counts as left over by a killed process. */
const leftoverAgeMs = 60 * 60 * 1000;

/** Does some work with a private key in a file, which only this account can read, and which is deleted afterwards. */
async function withKeyFile<Result>(key: string, work: (path: string) => Promise<Result>): Promise<Result> {
  await removeLeftovers();
  const folder = await mkdtemp(join(tmpdir(), keyFolderPrefix));
  try {
    const path = join(folder, 'key');
    // ssh requires the line break at the end.
    await writeFile(path, key.endsWith('\n') ? key : `${key}\n`, { mode: 0o600 });
    return await work(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(tmpdir()).catch(() => [])) {
    if (!name.startsWith(keyFolderPrefix)) continue;
    const path = join(tmpdir(), name);
    const age = Date.now() - ((await stat(path).catch(() => undefined))?.mtimeMs ?? Date.now());
    // Those of other accounts cannot be removed.
    if (age > leftoverAgeMs) await rm(path, { recursive: true, force: true }).catch(() => {});
  }
}

type SshOptions = {
  keyPath?: string | undefined;
  /** The operator's list of host keys: only these are accepted, and the file is never written. */
  knownHostsPath?: string | undefined;
  /** Seconds for the connection, the banner and the key exchange together. */
  connectSeconds: number;
};

/** Quotes one word for the shell that runs GIT_SSH_COMMAND. */
const quote = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/** ssh expands `%` and `${}` in file names and splits the list of host key files at blanks. */
function fileName(path: string): string {
  if (/["\\\r\n]|\$\{/.test(path))
    throw new Error('An SSH key or known-hosts path has characters with a meaning for ssh');
  return `"${resolve(path).replaceAll('%', '%%')}"`;
}

/**
 * The value of GIT_SSH_COMMAND. The configuration of the account and the machine is ignored (`-F /dev/null`), so that the same
 * settings have the same effect everywhere. Prompts are disabled (`BatchMode`).
 * @param ownKnownHostsPath our own list, used without an operator's list: it stores the key of the first contact
 * @throws Error for a path that cannot be passed to ssh safely
 */
function sshCommand({ keyPath, knownHostsPath, connectSeconds }: SshOptions, ownKnownHostsPath: string): string {
  const options = [
    'BatchMode=yes',
    `UserKnownHostsFile=${fileName(knownHostsPath ?? ownKnownHostsPath)}`,
    'GlobalKnownHostsFile=/dev/null',
    `StrictHostKeyChecking=${knownHostsPath === undefined ? 'accept-new' : 'yes'}`,
    'UpdateHostKeys=no',
    'ForwardAgent=no',
    'ClearAllForwardings=yes',
    'PermitLocalCommand=no',
    `ConnectTimeout=${Math.max(1, Math.ceil(connectSeconds))}`,
    'ServerAliveInterval=10',
    'ServerAliveCountMax=3',
  ];
  // Not `-i`: ssh treats `%` literally when it checks whether the file exists, but as an escape when it reads the file.
  if (keyPath !== undefined)
    options.push(`IdentityFile=${fileName(keyPath)}`, 'IdentitiesOnly=yes', 'IdentityAgent=none');
  return ['ssh', '-F', '/dev/null', ...options.flatMap((option) => ['-o', option])].map(quote).join(' ');
}
