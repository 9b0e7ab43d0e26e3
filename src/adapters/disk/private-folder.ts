import { chmod, lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

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
