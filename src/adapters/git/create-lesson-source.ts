import { createHash, randomBytes } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { LessonSource } from '../../features/lessons/lesson-source.ts';
import { FolderOrigin } from './folder-origin.ts';
import { GitMirror } from './git-mirror.ts';
import { GitProgram } from './git-program.ts';
import { RemoteOrigin } from './remote-origin.ts';
import { parseRepositoryAddress } from './repository-address.ts';
import type { MirrorLog } from './update-schedule.ts';

export type LessonSourceOptions = {
  /** The service's data folder; everything is stored in `lessons/` in it. */
  dataDir: string;
  /** Unset: the lessons in `shippedFolder`. */
  url?: string | undefined;
  shippedFolder: string;
  branch?: string | undefined;
  sshKeyPath?: string | undefined;
  knownHostsPath?: string | undefined;
  staleSeconds: number;
  /** Timeout of one update, and of a reader's wait for the first copy. Creating the first copy may take ten times as long. */
  timeoutSeconds: number;
  maxFileBytes: number;
  retrySeconds?: number;
  /** PATH on which git and ssh are found. */
  path?: string | undefined;
  log: MirrorLog;
};

const visitPrefix = 'visit-';
/** Milliseconds after which a temporary copy counts as left over by a dead process. */
const leftoverAge = 24 * 60 * 60 * 1000;
/** The timeout of a clone, as a multiple of that of an update. */
const cloneFactor = 10;
/** Seconds to reach an SSH server, at most. */
const maxConnectSeconds = 15;

/**
 * The lessons of a Git repository or of a folder. Each repository and branch has a separate mirror, so a new address never shows
 * content of the old one. Host keys are shared by all of them.
 * @throws Error if the settings are invalid. Nothing is run or written here.
 */
export function createLessonSource(options: LessonSourceOptions): LessonSource {
  const home = join(resolve(options.dataDir), 'lessons');
  const git = new GitProgram({ home, path: options.path });
  const timeout = options.timeoutSeconds * 1000;
  const shared = { ...options, git, firstWait: timeout };
  if (options.url === undefined) {
    const origin = new FolderOrigin({ git, folder: resolve(options.shippedFolder) });
    return new GitMirror({ ...shared, origin, directory: join(home, 'shipped.git') });
  }
  const origin = remoteOrigin(git, home, options, options.url);
  return new GitMirror({ ...shared, origin, directory: join(home, `${nameOf(options.url, options.branch)}.git`) });
}

/** The memory for recently read objects of a repository of one course, in bytes. */
const repositoryCacheBytes = 4 * 1024 * 1024;

/**
 * The lessons of a repository that a course was imported from, over HTTP. It gets neither a key nor a password.
 * @param isTemporary its copy is deleted from the disk when it is disposed of
 * @throws Error if the address or the branch is invalid. Nothing is run or written here
 */
export function createRepositorySource(
  options: Omit<LessonSourceOptions, 'url' | 'branch' | 'sshKeyPath' | 'shippedFolder'>,
  { url, branch }: { url: string; branch: string | null },
  isTemporary: boolean,
): LessonSource {
  if (!/^https?:\/\//i.test(url)) throw new Error('it takes https or http');
  const home = join(resolve(options.dataDir), 'lessons');
  const git = new GitProgram({ home, path: options.path });
  const origin = remoteOrigin(git, home, { ...options, branch: branch ?? undefined }, url);
  const timeout = options.timeoutSeconds * 1000;
  const name = isTemporary ? `${visitPrefix}${randomBytes(8).toString('hex')}` : nameOf(url, branch ?? undefined);
  const directory = join(home, `${name}.git`);
  const mirror = new GitMirror({
    ...options,
    git,
    origin,
    firstWait: timeout,
    cacheBytes: repositoryCacheBytes,
    directory,
  });
  if (!isTemporary) return mirror;
  return {
    open: () => mirror.open(),
    refresh: () => mirror.refresh(),
    [Symbol.asyncDispose]: async () => {
      await mirror[Symbol.asyncDispose]();
      await rm(directory, { recursive: true, force: true });
      await removeLeftovers(home);
    },
  };
}

/** Removes copies that a killed process has left. */
async function removeLeftovers(home: string): Promise<void> {
  const names = await readdir(home).catch(() => []);
  for (const name of names.filter((one) => one.startsWith(visitPrefix))) {
    const path = join(home, name);
    const age = Date.now() - ((await stat(path).catch(() => undefined))?.mtimeMs ?? Date.now());
    if (age > leftoverAge) await rm(path, { recursive: true, force: true });
  }
}

type RemoteOptions = Pick<LessonSourceOptions, 'branch' | 'sshKeyPath' | 'knownHostsPath' | 'timeoutSeconds'>;

function remoteOrigin(git: GitProgram, home: string, options: RemoteOptions, url: string): RemoteOrigin {
  const timeout = options.timeoutSeconds * 1000;
  return new RemoteOrigin({
    git,
    url,
    branch: options.branch,
    ssh: {
      keyPath: options.sshKeyPath,
      knownHostsPath: options.knownHostsPath,
      ownKnownHostsPath: join(home, 'known_hosts'),
      connectSeconds: Math.min(options.timeoutSeconds, maxConnectSeconds),
    },
    updateTimeout: timeout,
    cloneTimeout: timeout * cloneFactor,
  });
}

/** Of the folder of a mirror. */
const nameOf = (url: string, branch: string | undefined): string =>
  createHash('sha256')
    .update(`${parseRepositoryAddress(url).url}\n${branch ?? ''}`)
    .digest('hex')
    .slice(0, 16);
