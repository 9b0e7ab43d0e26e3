import type { Readable } from 'node:stream';
import { type ObjectStore, ObjectTooLarge } from '../../ports/object-store.ts';

const pathOf = (uid: string): string => `homes/${uid}.tar`;

export type HomeFilesOptions = {
  /** Maximum bytes of one archive. */
  limit: number;
  /** The refusal of an archive above the limit. */
  refusal: (limit: number) => Error;
};

/** Home folders of stopped containers as tar archives, for an engine that cannot keep a stopped container. */
export class HomeFiles {
  readonly limit: number;
  readonly #objects: ObjectStore;
  readonly #refusal: HomeFilesOptions['refusal'];

  constructor(objects: ObjectStore, { limit, refusal }: HomeFilesOptions) {
    this.limit = limit;
    this.#objects = objects;
    this.#refusal = refusal;
  }

  /**
   * Stores a home, in place of an earlier one. If this fails, the earlier one stays.
   * @param uid the identifier of the container
   * @throws the refusal above the limit, Unavailable, and the error of the stream
   */
  async save(uid: string, content: Readable): Promise<void> {
    try {
      await this.#objects.put(pathOf(uid), content, { maxBytes: this.limit });
    } catch (error) {
      throw error instanceof ObjectTooLarge ? this.#refusal(this.limit) : error;
    }
  }

  /** @returns undefined if there is none. @throws Unavailable */
  async open(uid: string): Promise<{ bytes: number; content: Readable } | undefined> {
    const found = await this.#objects.open(pathOf(uid));
    return found && { bytes: found.bytes, content: found.stream };
  }

  /** Removing a missing one succeeds. @throws Unavailable */
  async remove(uid: string): Promise<void> {
    await this.#objects.remove(pathOf(uid));
  }
}
