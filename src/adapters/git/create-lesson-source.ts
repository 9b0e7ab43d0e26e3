import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import type { LessonSource } from '../../features/lesson-repositories/lesson-source.ts';
import { FolderOrigin } from './folder-origin.ts';
import { GitMirror, type UpdateReport } from './git-mirror.ts';
import { GitProgram } from './git-program.ts';
import { RemoteOrigin, type RemoteOriginOptions } from './remote-origin.ts';
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
  report?: UpdateReport | undefined;
};

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

type RemoteOptions = Pick<LessonSourceOptions, 'branch' | 'sshKeyPath' | 'knownHostsPath' | 'timeoutSeconds'> &
  Pick<RemoteOriginOptions, 'sshKey' | 'login'>;

export function remoteOrigin(git: GitProgram, home: string, options: RemoteOptions, url: string): RemoteOrigin {
  const timeout = options.timeoutSeconds * 1000;
  return new RemoteOrigin({
    git,
    url,
    branch: options.branch,
    ...{ sshKey: options.sshKey, login: options.login },
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

/** Of the folder of a mirror. @param owner the only repository that uses it, if its content is private */
export const nameOf = (url: string, branch: string | undefined, owner?: number): string =>
  createHash('sha256')
    .update(`${parseRepositoryAddress(url).url}\n${branch ?? ''}${owner === undefined ? '' : `\n${owner}`}`)
    .digest('hex')
    .slice(0, 16);
