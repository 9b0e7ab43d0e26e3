import { randomBytes } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { GitMirror } from '../../../packages/git-mirror/git-mirror.ts';
import { GitProgram } from '../../../packages/git-mirror/git-program.ts';
import { checkBranch } from '../../../packages/git-mirror/repository-address.ts';
import type { LessonSource } from '../../features/lesson-repositories/lesson-source.ts';
import { UnusableRepositoryError } from '../../features/lesson-repositories/problems.ts';
import { homeOf, type LessonSourceOptions, nameOf, remoteOrigin } from './create-lesson-source.ts';
import { addressOf, describeFailure, errorOf, tellerOf, type UpdateReport, usable } from './failures.ts';

export type RepositorySourceOptions = Omit<
  LessonSourceOptions,
  'url' | 'branch' | 'sshKeyPath' | 'shippedFolder' | 'report'
>;

/** A repository, and how to be admitted to it. */
export type RepositoryAccess = {
  /** Undefined: of a repository that is not stored. */
  id: number | undefined;
  url: string;
  /** Null: the one that the repository names. */
  branch: string | null;
  /** Sent with a token. Null: a name that servers accept with every token. */
  username: string | null;
  /** A private key for an SSH address, a token for https. */
  key: string | undefined;
};

type Copied = Pick<RepositoryAccess, 'id' | 'url' | 'branch'>;

const visitPrefix = 'visit-';
/** Milliseconds after which a temporary copy counts as left over by a dead process. */
const leftoverAge = 24 * 60 * 60 * 1000;
/** The memory for recently read objects of a repository, in bytes. */
const cacheBytes = 4 * 1024 * 1024;
const defaultUsername = 'git';

/** Checks an address that is stored without its credentials. @throws UnusableRepositoryError with the reason, without the address */
export function checkRepository({ url, branch }: { url: string; branch: string | null }): {
  takes: 'ssh' | 'http' | 'https';
} {
  const address = addressOf(url);
  if (branch !== null) usable(() => checkBranch(branch));
  if (address.isSsh) return { takes: 'ssh' };
  if (!/^https?:\/\//i.test(url)) throw new UnusableRepositoryError('address_not_remote');
  if (address.credentials) throw new UnusableRepositoryError('address_credentials');
  const { protocol, hostname } = new URL(url);
  // Requests to this machine itself do not use the network.
  const isLocal = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
  return { takes: protocol === 'https:' || isLocal ? 'https' : 'http' };
}

/**
 * The lessons of a repository besides that of the service. It gets neither the key nor the password of the latter.
 * @param isTemporary its copy is deleted from the disk when it is disposed of
 * @throws UnusableRepositoryError if the address or the branch is invalid. Nothing is run or written here
 */
export function createRepositorySource(
  options: RepositorySourceOptions,
  access: RepositoryAccess,
  { isTemporary, report }: { isTemporary: boolean; report?: UpdateReport | undefined },
): LessonSource {
  const git = new GitProgram({ home: homeOf(options), path: options.path });
  const origin = originOf(git, options, access);
  const directory = isTemporary
    ? join(homeOf(options), `${visitPrefix}${randomBytes(8).toString('hex')}.git`)
    : copyOf(options, { ...access, hasKey: access.key !== undefined });
  const firstWait = options.timeoutSeconds * 1000;
  const on = tellerOf({ log: options.log, report });
  const mirror = new GitMirror({ ...options, git, origin, firstWait, cacheBytes, directory, errorOf, on });
  if (!isTemporary) return mirror;
  return {
    open: () => mirror.open(),
    refresh: () => mirror.refresh(),
    [Symbol.asyncDispose]: async () => {
      await mirror[Symbol.asyncDispose]();
      await rm(directory, { recursive: true, force: true });
      await removeLeftovers(homeOf(options));
    },
  };
}

/** Asks the server for the commit. Nothing is copied. @throws UnusableRepositoryError for an address that cannot be used */
export async function probeRepository(
  options: RepositorySourceOptions,
  access: RepositoryAccess,
): Promise<{ commit: string | null } | { error: string }> {
  await using git = new GitProgram({ home: homeOf(options), path: options.path });
  const origin = originOf(git, options, access);
  try {
    return { commit: await origin.probe() };
  } catch (error) {
    const { reason, output, told } = describeFailure(error);
    options.log.warn({ repository_id: access.id, reason, output }, 'A lessons repository failed its test');
    return { error: told };
  }
}

/** Deletes the copies of a repository, those that were made with a key and without one. */
export async function removeRepositoryCopy(options: RepositorySourceOptions, repository: Copied): Promise<void> {
  for (const hasKey of [true, false])
    await rm(copyOf(options, { ...repository, hasKey }), { recursive: true, force: true });
}

/** A copy that was made with a key is for its repository only: another one with the same address needs a key as well. */
function copyOf(options: RepositorySourceOptions, { id, url, branch, hasKey }: Copied & { hasKey: boolean }): string {
  const name = nameOf(url, branch ?? undefined, hasKey ? id : undefined);
  return join(homeOf(options), `${name}.git`);
}

function originOf(git: GitProgram, options: RepositorySourceOptions, { url, branch, username, key }: RepositoryAccess) {
  const { takes } = checkRepository({ url, branch });
  // Without one, ssh would offer the keys of the account that runs the service.
  if (takes === 'ssh' && key === undefined) throw new UnusableRepositoryError('ssh_key_required');
  if (takes === 'http' && key !== undefined) throw new UnusableRepositoryError('token_over_http');
  return remoteOrigin(
    git,
    {
      ...options,
      branch: branch ?? undefined,
      sshKeyPath: undefined,
      sshKey: key,
      login: key === undefined ? undefined : { username: username ?? defaultUsername, password: key },
    },
    url,
  );
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
