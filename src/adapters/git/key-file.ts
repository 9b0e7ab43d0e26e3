import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const prefix = 'platform-ssh-key-';
/** Milliseconds after which a file counts as left over by a killed process. */
const leftoverAge = 60 * 60 * 1000;

/** Does some work with a private key in a file, which only this account can read, and which is deleted afterwards. */
export async function withKeyFile<Result>(key: string, work: (path: string) => Promise<Result>): Promise<Result> {
  await removeLeftovers();
  const folder = await mkdtemp(join(tmpdir(), prefix));
  try {
    const path = join(folder, 'key');
    // ssh requires the line break at the end.
    await writeFile(path, key.endsWith('\n') ? key : `${key}\n`, { mode: 0o600 });
    return await work(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(tmpdir()).catch(() => [])) {
    if (!name.startsWith(prefix)) continue;
    const path = join(tmpdir(), name);
    const age = Date.now() - ((await stat(path).catch(() => undefined))?.mtimeMs ?? Date.now());
    // Those of other accounts cannot be removed.
    if (age > leftoverAge) await rm(path, { recursive: true, force: true }).catch(() => {});
  }
}
