import type { Readable } from 'node:stream';

/** Where an engine that cannot keep a stopped container stores its home folder, as a tar archive. */
export interface HomeStore {
  /** Maximum bytes of one archive. */
  readonly limit: number;
  /**
   * Stores a home, replacing an earlier one. Nothing is replaced if this fails.
   * @param name the identifier of the container, and a suffix for a home that was saved while it ran
   * @throws ConflictError above the limit, the error of the stream
   */
  save(name: string, content: Readable): Promise<void>;
  /** @returns undefined if there is none */
  open(name: string): Promise<{ bytes: number; content: Readable } | undefined>;
  /** Removing a missing one succeeds. */
  remove(name: string): Promise<void>;
  /** All homes, in no order. */
  list(): AsyncIterable<{ name: string; savedAt: Date }>;
}
