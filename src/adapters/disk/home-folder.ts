import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Conflict } from '../../errors.ts';
import type { HomeStore } from '../../ports/home-store.ts';

/** Saved home folders of stopped sandboxes, one file each. */
export class HomeFolder implements HomeStore {
  readonly limit: number;
  readonly #folder: string;

  /** @param limit bytes of one archive */
  constructor(folder: string, limit: number) {
    this.#folder = folder;
    this.limit = limit;
  }

  async save(uid: string, content: Readable): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const draft = join(this.#folder, `${uid}.${randomBytes(6).toString('hex')}.partial`);
    const { limit } = this;
    let bytes = 0;
    try {
      await pipeline(
        content,
        async function* limited(chunks: AsyncIterable<Buffer>) {
          for await (const chunk of chunks) {
            bytes += chunk.length;
            if (bytes > limit) {
              const most = Math.floor(limit / 1024 / 1024);
              throw new Conflict(
                'home_too_large',
                `The home folder has more than ${most} MiB, so the sandbox cannot be stopped`,
              );
            }
            yield chunk;
          }
        },
        createWriteStream(draft, { mode: 0o600, flush: true }),
      );
      await rename(draft, this.#path(uid));
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }

  async open(uid: string): Promise<{ bytes: number; content: Readable } | undefined> {
    try {
      const file = await open(this.#path(uid));
      const { size } = await file.stat();
      return { bytes: size, content: file.createReadStream() };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  async remove(uid: string): Promise<void> {
    await rm(this.#path(uid), { force: true });
  }

  #path(uid: string): string {
    if (!/^[\w-]+$/.test(uid)) throw new Error('not the identifier of a container');
    return join(this.#folder, `${uid}.tar`);
  }
}
