import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import { FolderOrigin } from '../../../packages/git-mirror/folder-origin.ts';
import { GitError } from '../../../packages/git-mirror/git-failure.ts';
import { GitMirror } from '../../../packages/git-mirror/git-mirror.ts';
import { GitProgram } from '../../../packages/git-mirror/git-program.ts';
import { acceptHostKey as accept, type HostKeyOutcome } from '../../../packages/git-mirror/host-key.ts';
import { RemoteOrigin, type RemoteOriginOptions } from '../../../packages/git-mirror/remote-origin.ts';
import type { LessonSource } from '../../features/lesson-repositories/lesson-source.ts';
import { addressOf, errorOf, type MirrorLog, tellerOf, type UpdateReport, unreadable, usable } from './failures.ts';

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
  report?: UpdateReport | undefined;
};

/** The timeout of a clone, as a multiple of that of an update. */
const cloneFactor = 10;
/** Seconds to reach an SSH server, at most. */
const maxConnectSeconds = 15;
/** Of the shipped lessons. Another one would be another commit. */
const signature = { name: 'Learning platform', email: 'lessons@platform.example.com', message: 'Lessons' };

/** The folder of everything that Git has for the lessons. */
export const homeOf = ({ dataDir }: { dataDir: string }): string => join(resolve(dataDir), 'lessons');

/**
 * The lessons of a Git repository or of a folder. Each repository and branch has a separate mirror, so a new address never shows
 * content of the old one. Host keys are shared by all of them.
 * @throws Error if the settings are invalid. Nothing is run or written here.
 */
export function createLessonSource(options: LessonSourceOptions): LessonSource {
  const home = homeOf(options);
  const git = new GitProgram({ home, path: options.path });
  const timeout = options.timeoutSeconds * 1000;
  const shared = { ...options, git, firstWait: timeout, errorOf, on: tellerOf(options) };
  if (options.url === undefined) {
    const origin = new FolderOrigin({ git, folder: resolve(options.shippedFolder), signature });
    return new GitMirror({ ...shared, origin, directory: join(home, 'shipped.git') });
  }
  const origin = remoteOrigin(git, options, options.url);
  return new GitMirror({ ...shared, origin, directory: join(home, `${nameOf(options.url, options.branch)}.git`) });
}

type RemoteOptions = Pick<LessonSourceOptions, 'branch' | 'sshKeyPath' | 'knownHostsPath' | 'timeoutSeconds'> &
  Pick<RemoteOriginOptions, 'sshKey' | 'login'>;

/** @throws UnusableRepositoryError */
export function remoteOrigin(git: GitProgram, options: RemoteOptions, url: string): RemoteOrigin {
  const timeout = options.timeoutSeconds * 1000;
  const settings = {
    git,
    url,
    branch: options.branch,
    ...{ sshKey: options.sshKey, login: options.login },
    ssh: {
      keyPath: options.sshKeyPath,
      knownHostsPath: options.knownHostsPath,
      connectSeconds: Math.min(options.timeoutSeconds, maxConnectSeconds),
    },
    updateTimeout: timeout,
    cloneTimeout: timeout * cloneFactor,
  };
  return usable(() => new RemoteOrigin(settings));
}

/** Of the folder of a mirror. @param owner the only repository that uses it, if its content is private */
export const nameOf = (url: string, branch: string | undefined, owner?: number): string =>
  createHash('sha256')
    .update(`${addressOf(url).url}\n${branch ?? ''}${owner === undefined ? '' : `\n${owner}`}`)
    .digest('hex')
    .slice(0, 16);

type HostKeyOptions = Pick<LessonSourceOptions, 'dataDir' | 'knownHostsPath' | 'timeoutSeconds' | 'path'>;

/** As of the package. @throws UnavailableError if the server does not show its keys */
export async function acceptHostKey(
  options: HostKeyOptions,
  url: string,
  fingerprint: string,
): Promise<HostKeyOutcome> {
  try {
    return await accept({ ...options, home: homeOf(options) }, url, fingerprint);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    throw unreadable(error, 'The host keys of the Git server cannot be read');
  }
}
