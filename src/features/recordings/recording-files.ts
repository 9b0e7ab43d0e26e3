import type { Readable } from 'node:stream';

/** A recording that is being written. */
export type OpenRecording = {
  /** Appends to the file. A failure can leave a part of the bytes. @throws Error when there is no space, or the disk fails */
  append(text: string): Promise<void>;
  /** @throws Error when the written data could not be stored */
  close(): Promise<void>;
};

/** Storage of terminal recordings, each under its own key, which cannot be guessed. */
export type RecordingFiles = {
  /** @throws Error when it cannot be created: no space, no permission, the key is in use */
  create(key: string): Promise<OpenRecording>;

  /**
   * The current content, without an incomplete last line. The caller reads or destroys the stream. Undefined where nothing or no complete
   * line is stored.
   * @throws Unavailable when it cannot be read
   */
  read(key: string): Promise<{ stream: Readable; bytes: number } | undefined>;

  /** Undefined where nothing is stored under the key. @throws Unavailable */
  status(key: string): Promise<{ bytes: number; changedAt: Date } | undefined>;

  /** Succeeds where there is nothing to remove. @throws Unavailable when it cannot be removed */
  remove(key: string): Promise<void>;

  /** All keys. @throws Unavailable when they cannot be listed */
  list(): Promise<string[]>;
};
