import { createHash } from 'node:crypto';
import { chmod, chown, lstat, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ServerAccount } from './account.ts';
import { type ServerPrograms, superuser } from './programs.ts';

/** The path of a Unix socket has at most 107 bytes. This limit leaves space for PostgreSQL's file name. */
const longestSocketPath = 100;
const socketName = '.s.PGSQL.5432';

/** Creates a database cluster under a temporary name first, so that a killed first start leaves no partial cluster. */
export async function createCluster(
  clusterDir: string,
  account: ServerAccount,
  programs: ServerPrograms,
  { sync }: { sync: boolean },
): Promise<void> {
  const dataDir = dirname(clusterDir);
  for (const name of await readdir(dataDir)) {
    if (name.startsWith('postgres.new-')) await rm(join(dataDir, name), { recursive: true });
  }
  const draft = join(dataDir, `postgres.new-${process.pid}`);
  await makePrivateFolder(draft, account);
  try {
    // One sync at the end is several times faster than initdb's default of syncing each file.
    await programs.run('initdb', [
      ...[
        '-D',
        draft,
        '-U',
        superuser,
        '--encoding=UTF8',
        '--locale=C',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
      ],
      ...['--auth-local=trust', '--auth-host=reject', '--data-checksums', '--no-sync', '--no-instructions'],
    ]);
    if (sync) await programs.run('initdb', ['-D', draft, '--sync-only']);
    await rename(draft, clusterDir);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
  if (sync) await syncFolder(dataDir);
}

/** @throws Error that names both versions and the remedy, if another major version created the cluster */
export async function checkClusterVersion(clusterDir: string, ours: string): Promise<void> {
  const ourMajor = ours.replace(/\..*$/, '');
  const version = await readFile(join(clusterDir, 'PG_VERSION'), 'utf8').then(
    (text) => text.trim(),
    () => undefined,
  );
  if (version === undefined) {
    throw new Error(
      `${clusterDir} is not a PostgreSQL data folder (it has no PG_VERSION): move it away to have a new one created`,
    );
  }
  if (version === ourMajor) return;
  throw new Error(
    `${clusterDir} was created by PostgreSQL ${version}. This release includes PostgreSQL ${ourMajor}, which cannot read it. ` +
      `Either back up with the earlier release (npm run backup), move ${clusterDir} away and restore with this one (npm run restore); ` +
      `or run PostgreSQL ${version} yourself and set DATABASE_URL to it.`,
  );
}

/** The folder of the server's Unix socket: the cluster or, if that path is too long, a private temporary folder. */
export async function chooseSocketFolder(clusterDir: string, account: ServerAccount): Promise<string> {
  if (fits(clusterDir)) return clusterDir;
  const id = createHash('sha256').update(clusterDir).digest('hex').slice(0, 12);
  const folder = join(
    fits(join(tmpdir(), id.padEnd(40))) ? tmpdir() : '/tmp',
    `learning-platform-${account.uid}-${id}`,
  );
  await makePrivateFolder(folder, account);
  const stats = await lstat(folder);
  if (!stats.isDirectory() || stats.uid !== account.uid || (stats.mode & 0o077) !== 0) {
    throw new Error(
      `${folder} is to hold the database's socket, but it is not a folder that only user ${account.uid} may enter: remove it`,
    );
  }
  return folder;
}

const fits = (folder: string): boolean => Buffer.byteLength(join(folder, socketName)) <= longestSocketPath;

/** Lets only the server's user traverse a data folder that only root could enter. */
export async function admitAccount(dataDir: string, account: ServerAccount): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, mode } = await stat(dataDir);
  if (uid !== 0 || (mode & 0o077) !== 0) return;
  await chown(dataDir, 0, account.gid);
  await chmod(dataDir, (mode & 0o700) | 0o010);
}

async function makePrivateFolder(path: string, account: ServerAccount): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return;
    throw error;
  }
  if (process.getuid?.() === 0) await chown(path, account.uid, account.gid);
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
