import { access, constants, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { UnavailableError } from '../../errors.ts';
import {
  type ByteRange,
  checkKey,
  type GrowingObject,
  isKey,
  limited,
  type ObjectStore,
  type OpenObject,
  type PutOptions,
  type StoredObject,
} from '../../ports/object-store.ts';
import { unfinishedForm, writePrivately } from './private-file.ts';

/** Stores files below the data folder, readable by the service's account only. All processes of the service share the folder. */
export class ObjectFolder implements ObjectStore {
  readonly appendDelay = 0;
  readonly place: string;
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
    this.place = root;
  }

  async check(): Promise<void> {
    await attempt('The data folder cannot be written to', () => access(this.#root, constants.W_OK | constants.X_OK));
  }

  async put(key: string, body: Uint8Array | AsyncIterable<Uint8Array>, options: PutOptions): Promise<number> {
    const path = this.#pathOf(key);
    let failure: unknown;
    const source = watched(limited(body, options.maxBytes), (error) => {
      failure = error;
    });
    try {
      return await writePrivately(path, source, options.changedAt);
    } catch (error) {
      // An error of the body is the caller's.
      if (error === failure) throw error;
      throw unavailable('The file cannot be stored now', error);
    }
  }

  async begin(key: string): Promise<GrowingObject> {
    const path = this.#pathOf(key);
    const file = await attempt('The file cannot be stored now', async () => {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      return await open(path, 'ax', 0o600);
    });
    return {
      append: (text) => attempt('The file cannot be stored now', () => file.appendFile(text)),
      close: () => attempt('The file cannot be stored now', () => file.close()),
    };
  }

  async open(key: string, range?: ByteRange): Promise<OpenObject | undefined> {
    const path = this.#pathOf(key);
    return await unlessMissing('The file cannot be read now', async () => {
      const file = await open(path, 'r');
      try {
        // Bytes that are appended later are not read.
        const { start, end } = range ?? { start: 0, end: (await file.stat()).size - 1 };
        const bytes = end - start + 1;
        // The stream closes the file.
        if (bytes > 0) return { stream: file.createReadStream({ start, end }), bytes };
        await file.close();
        return { stream: Readable.from([]), bytes: 0 };
      } catch (error) {
        await file.close();
        throw error;
      }
    });
  }

  async status(key: string): Promise<StoredObject | undefined> {
    const path = this.#pathOf(key);
    return await unlessMissing('The file cannot be read now', async () => {
      const { size, mtime } = await stat(path);
      return { key, bytes: size, changedAt: mtime };
    });
  }

  async remove(key: string): Promise<void> {
    const path = this.#pathOf(key);
    await attempt('The file cannot be removed now', () => rm(path, { force: true }));
  }

  async *list(folder: string): AsyncGenerator<StoredObject> {
    for (const name of await this.#names(folder)) {
      if (unfinishedForm.test(name)) continue;
      const key = `${folder}/${name}`;
      // Undefined where another process has removed it.
      const found = isKey(key) ? await this.status(key) : undefined;
      if (found) yield found;
    }
  }

  async removeUnfinished(folder: string, olderThanSeconds: number): Promise<number> {
    const latest = Date.now() - olderThanSeconds * 1000;
    let removed = 0;
    for (const name of await this.#names(folder)) {
      const key = `${folder}/${name}`;
      const found = unfinishedForm.test(name) && isKey(key) ? await this.status(key) : undefined;
      if (!found || found.changedAt.getTime() >= latest) continue;
      await this.remove(key);
      removed += 1;
    }
    return removed;
  }

  async #names(folder: string): Promise<string[]> {
    const path = join(this.#root, folder);
    return (await unlessMissing('The files cannot be listed now', () => readdir(path))) ?? [];
  }

  #pathOf(key: string): string {
    return join(this.#root, checkKey(key));
  }
}

const unavailable = (detail: string, cause: unknown): UnavailableError =>
  new UnavailableError('storage_unavailable', detail, { cause });

async function attempt<T>(detail: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw unavailable(detail, error);
  }
}

/** @returns undefined where there is no such file */
async function unlessMissing<T>(detail: string, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw unavailable(detail, error);
  }
}

/** Reports an error of the source, so that it is not taken for one of the disk. */
async function* watched<T>(source: AsyncIterable<T>, onError: (error: unknown) => void): AsyncGenerator<T> {
  try {
    yield* source;
  } catch (error) {
    onError(error);
    throw error;
  }
}
