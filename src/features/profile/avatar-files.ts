/** Storage of users' pictures, each under its own key. A key is never reused, so its content never changes. */
export type AvatarFiles = {
  /**
   * Stores the bytes completely or not at all, even through a power failure.
   * @throws Unavailable when they cannot be stored: no space, no permission, a failing disk
   */
  write(key: string, bytes: Uint8Array): Promise<void>;

  /** Undefined where nothing is stored under the key. @throws Unavailable when it cannot be read */
  read(key: string): Promise<Buffer | undefined>;

  /** Succeeds where there is nothing to remove. @throws Unavailable when it cannot be removed */
  remove(key: string): Promise<void>;

  /** Keys of pictures older than the given age. Also deletes leftovers of interrupted writes. */
  listOlderThan(seconds: number): Promise<string[]>;
};
