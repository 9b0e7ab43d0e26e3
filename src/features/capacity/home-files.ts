import type { Readable } from 'node:stream';
import { type ObjectStore, ObjectTooLargeError } from '../../ports/object-store.ts';

const folder = 'homes';
const pathOf = (name: string): string => `${folder}/${name}.tar`;

export type HomeFilesOptions = {
  /** Maximum bytes of one archive. */
  limit: number;
  /** The refusal of an archive above the limit. */
  refusal: (limit: number) => Error;
};

/** Home folders of containers as tar archives, for an engine that cannot keep a stopped container. */
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
   * @param name the identifier of the container, and a suffix for a home that was saved while it ran
   * @throws the refusal above the limit, UnavailableError, and the error of the stream
   */
  async save(name: string, content: Readable): Promise<void> {
    try {
      await this.#objects.put(pathOf(name), content, { maxBytes: this.limit });
    } catch (error) {
      throw error instanceof ObjectTooLargeError ? this.#refusal(this.limit) : error;
    }
  }

  /** @returns undefined if there is none. @throws UnavailableError */
  async open(name: string): Promise<{ bytes: number; content: Readable } | undefined> {
    const found = await this.#objects.open(pathOf(name));
    return found && { bytes: found.bytes, content: found.stream };
  }

  /** Removing a missing one succeeds. @throws UnavailableError */
  async remove(name: string): Promise<void> {
    await this.#objects.remove(pathOf(name));
  }

  /** All homes, in no order. @throws UnavailableError */
  async *list(): AsyncGenerator<{ name: string; savedAt: Date }> {
    for await (const { key, changedAt } of this.#objects.list(folder))
      yield { name: key.slice(folder.length + 1, -'.tar'.length), savedAt: changedAt };
  }
}
