import { createHash } from 'node:crypto';
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
  const origin = new RemoteOrigin({
    git,
    url: options.url,
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
  const name = createHash('sha256')
    .update(`${parseRepositoryAddress(options.url).url}\n${options.branch ?? ''}`)
    .digest('hex');
  return new GitMirror({ ...shared, origin, directory: join(home, `${name.slice(0, 16)}.git`) });
}
