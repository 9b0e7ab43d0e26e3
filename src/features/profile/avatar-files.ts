/** Where the pictures of users lie, each under a key of its own. A key is never used twice, so what it names never changes. */
export type AvatarFiles = {
  /**
   * Keeps the bytes whole or not at all, also through a power cut.
   * @throws Unavailable when they cannot be kept: no space, no permission, a failing disk
   */
  write(key: string, bytes: Uint8Array): Promise<void>;

  /** Undefined where there is nothing under the key. @throws Unavailable when it cannot be read */
  read(key: string): Promise<Buffer | undefined>;

  /** Is done where there is nothing to remove. @throws Unavailable when it cannot be removed */
  remove(key: string): Promise<void>;

  /** Keys of pictures that have lain there for a while; what a write that ended part-way has left is removed on the way. */
  listOlderThan(seconds: number): Promise<string[]>;
};
