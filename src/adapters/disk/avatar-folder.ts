import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Unavailable } from '../../errors.ts';
import type { AvatarFiles } from '../../features/profile/avatar-files.ts';

const keyForm = /^[0-9a-f]{40}$/;
const fileForm = /^([0-9a-f]{40})\.webp$/;
const unfinishedForm = /^[0-9a-f]{40}\.[0-9a-f]{16}\.tmp$/;

/** Stores avatars as files in one folder. All servers must share it, otherwise each shows only its own avatars. */
export class AvatarFolder implements AvatarFiles {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async write(key: string, bytes: Uint8Array): Promise<void> {
    const target = this.#pathOf(key);
    const unfinished = join(this.#folder, `${key}.${randomBytes(8).toString('hex')}.tmp`);
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      await writeThrough(unfinished, bytes);
      await rename(unfinished, target);
      await syncFolder(this.#folder);
    } catch (error) {
      await rm(unfinished, { force: true }).catch(() => undefined);
      throw new Unavailable('storage_unavailable', 'The picture cannot be stored now', { cause: error });
    }
  }

  async read(key: string): Promise<Buffer | undefined> {
    try {
      return await readFile(this.#pathOf(key));
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw new Unavailable('storage_unavailable', 'The picture cannot be read now', { cause: error });
    }
  }

  async remove(key: string): Promise<void> {
    try {
      await rm(this.#pathOf(key), { force: true });
    } catch (error) {
      throw new Unavailable('storage_unavailable', 'The picture cannot be removed now', { cause: error });
    }
  }

  async listOlderThan(seconds: number): Promise<string[]> {
    const keys: string[] = [];
    for (const name of await this.#names()) {
      const key = fileForm.exec(name)?.[1];
      if (key === undefined && !unfinishedForm.test(name)) continue;
      const path = join(this.#folder, name);
      if (!(await isOlder(path, seconds))) continue;
      if (key === undefined) await rm(path, { force: true });
      else keys.push(key);
    }
    return keys;
  }

  async #names(): Promise<string[]> {
    try {
      return await readdir(this.#folder);
    } catch (error) {
      if (isMissing(error)) return [];
      throw new Unavailable('storage_unavailable', 'The pictures cannot be listed now', { cause: error });
    }
  }

  /** @throws Error for anything but a key, which prevents path traversal */
  #pathOf(key: string): string {
    if (!keyForm.test(key)) throw new Error('This is not the key of an avatar');
    return join(this.#folder, `${key}.webp`);
  }
}

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';

async function writeThrough(path: string, bytes: Uint8Array): Promise<void> {
  await using file = await open(path, 'wx', 0o600);
  await file.writeFile(bytes);
  await file.sync();
}

/** Flushes the directory entry to disk before anything refers to it. */
async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path, 'r');
  await folder.sync();
}

async function isOlder(path: string, seconds: number): Promise<boolean> {
  try {
    return (await stat(path)).mtimeMs < Date.now() - seconds * 1000;
  } catch (error) {
    // Already removed by another process.
    if (isMissing(error)) return false;
    throw error;
  }
}
