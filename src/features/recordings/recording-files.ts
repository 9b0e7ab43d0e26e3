import type { Readable } from 'node:stream';

/** A recording that is being written. */
export type OpenRecording = {
  /** Adds to its end. A failure can leave a part of the bytes. @throws Error when there is no space, or the disk fails */
  append(text: string): Promise<void>;
  /** @throws Error when what was written could not be kept */
  close(): Promise<void>;
};

/** Where the terminals' recordings lie, each under a key of its own, which cannot be guessed. */
export type RecordingFiles = {
  /** @throws Error when it cannot be made: no space, no permission, the key is in use */
  create(key: string): Promise<OpenRecording>;

  /**
   * What there is now, without a last line that is still being written or was cut off. Whoever gets the stream reads or
   * destroys it. Undefined where there is nothing, or no whole line. @throws Unavailable when it cannot be read
   */
  read(key: string): Promise<{ stream: Readable; bytes: number } | undefined>;

  /** Undefined where there is nothing under the key. @throws Unavailable */
  status(key: string): Promise<{ bytes: number; changedAt: Date } | undefined>;

  /** Is done where there is nothing to remove. @throws Unavailable when it cannot be removed */
  remove(key: string): Promise<void>;

  /** The keys of all. @throws Unavailable when they cannot be listed */
  list(): Promise<string[]>;
};
