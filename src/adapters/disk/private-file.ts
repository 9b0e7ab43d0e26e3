import { randomBytes } from 'node:crypto';
import { chmod, lstat, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The names of files that are being written. */
export const unfinishedForm = /\.[0-9a-f]{16}\.tmp$/;

/**
 * Writes a file that only the service's account can read, under another name that is changed when the file is complete. It survives a
 * power failure.
 * @returns its bytes. @throws the error of the disk or of the source; nothing is left then
 */
export async function writePrivately(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
  changedAt?: Date,
): Promise<number> {
  const unfinished = `${path}.${randomBytes(8).toString('hex')}.tmp`;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  try {
    const bytes = await writeThrough(unfinished, chunks, changedAt);
    await rename(unfinished, path);
    await syncFolder(dirname(path));
    return bytes;
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => undefined);
    throw error;
  }
}

async function writeThrough(path: string, chunks: AsyncIterable<Uint8Array>, changedAt?: Date): Promise<number> {
  let bytes = 0;
  await using file = await open(path, 'wx', 0o600);
  for await (const chunk of chunks) {
    await file.writeFile(chunk);
    bytes += chunk.length;
  }
  if (changedAt) await file.utimes(changedAt, changedAt);
  await file.sync();
  return bytes;
}

/** Flushes the directory entry to disk before anything refers to it. */
async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path, 'r');
  await folder.sync();
}

/** Mode bits that give access to other accounts. The group may traverse a folder, because PostgreSQL's user has to. */
const foreign = { folder: 0o067, file: 0o077 };
/** Managed by PostgreSQL itself, or only links to programs. */
const leftAlone = /^postgres($|-lib$|\.new-)/;

/**
 * Removes the access of other accounts to a data folder and its top-level entries: keys, avatars, recordings, logs.
 * @returns a line for each entry that was open, including those that could not be closed because another account owns them
 */
export async function makePrivate(dataDir: string): Promise<string[]> {
  const names = (await readdir(dataDir)).filter((name) => !leftAlone.test(name));
  const lines: string[] = [];
  for (const path of [dataDir, ...names.map((name) => join(dataDir, name))]) {
    const stats = await lstat(path).catch(() => undefined);
    if (!stats || !(stats.isFile() || stats.isDirectory())) continue;
    const open = stats.mode & (stats.isDirectory() ? foreign.folder : foreign.file);
    if (open === 0) continue;
    const was = (stats.mode & 0o777).toString(8);
    const isClosed = await chmod(path, stats.mode & 0o700).then(
      () => true,
      () => false,
    );
    lines.push(
      isClosed
        ? `${path} was accessible to other users (mode ${was}): access removed`
        : `${path} IS ACCESSIBLE TO OTHER USERS (mode ${was}) and belongs to another user: remove their access`,
    );
  }
  return lines;
}
