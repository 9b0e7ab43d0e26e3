import type { ObjectStore } from '../../ports/object-store.ts';

const folder = 'avatars';
const fileForm = /^avatars\/([0-9a-f]{40})\.webp$/;
/** More than any picture of 256 x 256 pixels has. */
const maxBytes = 4 * 1024 * 1024;

export const avatarPath = (key: string): string => `${folder}/${key}.webp`;

/** Users' pictures and the logo of the installation, each under its own key. A key is never reused, so its content never changes. */
export class AvatarFiles {
  readonly #store: ObjectStore;

  constructor(store: ObjectStore) {
    this.#store = store;
  }

  /** Stores the bytes completely or not at all. @throws UnavailableError */
  async write(key: string, bytes: Uint8Array): Promise<void> {
    await this.#store.put(avatarPath(key), bytes, { maxBytes });
  }

  /** Undefined where nothing is stored under the key. @throws UnavailableError */
  async read(key: string): Promise<Buffer | undefined> {
    const found = await this.#store.open(avatarPath(key));
    if (!found) return undefined;
    return Buffer.concat(await found.stream.toArray());
  }

  /** Succeeds where there is nothing to remove. @throws UnavailableError */
  async remove(key: string): Promise<void> {
    await this.#store.remove(avatarPath(key));
  }

  /** Keys of pictures older than the given age. Also removes leftovers of interrupted writes. @throws UnavailableError */
  async listOlderThan(seconds: number): Promise<string[]> {
    await this.#store.removeUnfinished(folder, seconds);
    const latest = Date.now() - seconds * 1000;
    const keys: string[] = [];
    for await (const { key, changedAt } of this.#store.list(folder)) {
      const name = fileForm.exec(key)?.[1];
      if (name !== undefined && changedAt.getTime() < latest) keys.push(name);
    }
    return keys;
  }
}
