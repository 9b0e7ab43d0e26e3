import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';

/**
 * The default key that signs tokens: generated at the first start and stored in the data folder with mode 600. Two processes that
 * start at once get the same key.
 */
export async function readOrCreateSecretKey(dataDir: string): Promise<string> {
  const path = join(dataDir, 'secret-key');
  const read = async () => (await readFile(path, 'utf8')).trim();
  const key = await read().catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (key !== undefined) {
    if (Buffer.byteLength(key) < 32)
      throw new Error(`${path} has fewer than 32 bytes; remove it to have a new key created`);
    return key;
  }
  await mkdir(dataDir, { recursive: true });
  // The key is written completely under another name, then linked: no process reads a partial key, and the first of two processes
  // wins.
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, `${randomBytes(48).toString('base64url')}\n`, { mode: 0o600 });
  try {
    await link(draft, path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    await rm(draft, { force: true });
  }
  return await read();
}
