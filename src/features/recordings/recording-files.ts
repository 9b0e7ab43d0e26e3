import type { Readable } from 'node:stream';
import type { GrowingObject, ObjectStore } from '../../ports/object-store.ts';

const folder = 'recordings';
const fileForm = /^recordings\/([0-9a-f]{40})\.cast$/;
const newline = 0x0a;
/** Bytes of one step of the search for the end of the last complete line. */
const searchBytes = 64 * 1024;

export const recordingPath = (key: string): string => `${folder}/${key}.cast`;

/** Terminal recordings, each under its own key, which cannot be guessed. */
export class RecordingFiles {
  readonly #store: ObjectStore;

  constructor(store: ObjectStore) {
    this.#store = store;
  }

  /** @throws UnavailableError when it cannot be created */
  async create(key: string): Promise<GrowingObject> {
    return await this.#store.begin(recordingPath(key));
  }

  /**
   * The current content, without an incomplete last line. The caller reads or destroys the stream. Undefined where nothing or no complete
   * line is stored.
   * @throws UnavailableError when it cannot be read
   */
  async read(key: string): Promise<{ stream: Readable; bytes: number } | undefined> {
    const path = recordingPath(key);
    const bytes = await this.#endOfLastLine(path);
    return bytes === 0 ? undefined : await this.#store.open(path, { start: 0, end: bytes - 1 });
  }

  /** Undefined where nothing is stored under the key. @throws UnavailableError */
  async status(key: string): Promise<{ bytes: number; changedAt: Date } | undefined> {
    return await this.#store.status(recordingPath(key));
  }

  /** Succeeds where there is nothing to remove. @throws UnavailableError */
  async remove(key: string): Promise<void> {
    await this.#store.remove(recordingPath(key));
  }

  /** Removes what killed processes have left of files that were restored or copied. @throws UnavailableError */
  async removeUnfinished(olderThanSeconds: number): Promise<void> {
    await this.#store.removeUnfinished(folder, olderThanSeconds);
  }

  /** @throws UnavailableError when they cannot be listed */
  async list(): Promise<{ key: string; changedAt: Date }[]> {
    const found: { key: string; changedAt: Date }[] = [];
    for await (const { key, changedAt } of this.#store.list(folder)) {
      const name = fileForm.exec(key)?.[1];
      if (name !== undefined) found.push({ key: name, changedAt });
    }
    return found;
  }

  /** @returns the length of the complete lines in bytes: a process may have been killed in the middle of a line */
  async #endOfLastLine(path: string): Promise<number> {
    const { bytes } = (await this.#store.status(path)) ?? { bytes: 0 };
    for (let end = bytes; end > 0; ) {
      const start = Math.max(0, end - searchBytes);
      const tail = await this.#store.open(path, { start, end: end - 1 });
      const text = tail ? Buffer.concat(await tail.stream.toArray()) : Buffer.alloc(0);
      const found = text.lastIndexOf(newline);
      if (found >= 0) return start + found + 1;
      end = start;
    }
    return 0;
  }
}
