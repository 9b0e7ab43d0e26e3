import { randomBytes } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

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
