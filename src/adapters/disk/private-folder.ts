import { chmod, lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** What others than the service's account can do with a mode; the group may pass through a folder, as PostgreSQL's user has to. */
const foreign = { folder: 0o067, file: 0o077 };
/** These belong to PostgreSQL, which sees to them itself, or hold nothing but links to programs. */
const leftAlone = /^postgres($|-lib$|\.new-)/;

/**
 * Takes from everybody else what they may do with a data folder and what lies in it at the top: keys, avatars, recordings, logs.
 * @returns a line for each that was open, also where it could not be closed because it belongs to somebody else
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
        ? `${path} was open to others (mode ${was}): closed`
        : `${path} IS OPEN TO OTHERS (mode ${was}), and belongs to somebody else: close it`,
    );
  }
  return lines;
}
