import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** A running service loads from its own bundle what it uses for the first time, so builds after its start must not delete that. */
export const keptBundles = 5;

/** A stamp of the launcher, and the number of a process that builds. */
const bundleName = /^[0-9a-f]{16}(\.\d+)?$/;

/** Deletes all bundles of a folder but the newest, and nothing else there. */
export async function deleteOlder(folder: string, kept: number): Promise<void> {
  const items = await Promise.all(
    (await readdir(folder))
      .filter((name) => bundleName.test(name))
      .map(async (name) => {
        const path = join(folder, name);
        // Another build may have deleted it.
        const found = await stat(path).catch(() => undefined);
        return { path, time: found?.mtimeMs ?? 0 };
      }),
  );
  const older = items.sort((a, b) => b.time - a.time).slice(kept);
  await Promise.all(older.map(({ path }) => rm(path, { recursive: true, force: true })));
}
