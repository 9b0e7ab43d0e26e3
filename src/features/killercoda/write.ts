import { chmod, lstat, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { readContent } from '../content/layout.ts';

/** @throws Error when the target is anything but an empty folder */
export async function checkTarget(target: string): Promise<void> {
  const found = await lstat(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (!found) return;
  if (!found.isDirectory() || (await readdir(target)).length > 0)
    throw new Error(`${target} exists and is not an empty folder`);
}

/**
 * Writes content beside its target, reads it back as the service would, and only then moves it to the target.
 * @throws ContentError when the service would refuse it; nothing is left in either case
 */
export async function writeContent(target: string, files: ReadonlyMap<string, string | Buffer>): Promise<void> {
  const place = resolve(target);
  await mkdir(dirname(place), { recursive: true });
  const folder = await mkdtemp(join(dirname(place), `.${basename(place)}-`));
  try {
    for (const [path, content] of files) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), content, { flag: 'wx' });
    }
    await readContent(folder);
    await chmod(folder, 0o755);
    await rename(folder, place);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}
