import { Readable } from 'node:stream';

/** A stored file: its key, its size now, and the time of its last change. */
export type StoredObject = { key: string; bytes: number; changedAt: Date };

/** The first and the last byte, counted from 0. Both are included and exist. */
export type ByteRange = { start: number; end: number };

/** The content of a file. The caller reads or destroys the stream. */
export type OpenObject = { stream: Readable; bytes: number };

export type PutOptions = {
  /** A body with more bytes is refused. */
  maxBytes: number;
  /** The time of the last change of a file that is copied or restored. Object storage keeps its own time instead. */
  changedAt?: Date;
};

/** A file that grows while others read it. */
export type GrowingObject = {
  /**
   * Adds to the end. Readers see it within `appendDelay` of the store, and a process that is killed loses at most what it appended
   * since. It waits while the storage does not keep up, so the memory is bounded.
   * @throws UnavailableError when there is no space, or the storage has failed for minutes
   */
  append(text: string): Promise<void>;
  /** @throws UnavailableError when what was appended last could not be stored */
  close(): Promise<void>;
};

/**
 * Storage of files that every process of the service reads. A key is the name of a folder, `/` and a name: `avatars/0f3a.webp`. A file
 * is written as a whole, or it grows. Names of growing files are never used again.
 */
export type ObjectStore = {
  /** Milliseconds after which a part of a growing file is visible to other processes, if the storage answers. */
  readonly appendDelay: number;

  /** The place, for operators. It contains no secret. */
  readonly place: string;

  /** Succeeds if the storage can be used now. @throws UnavailableError */
  check(): Promise<void>;

  /**
   * Stores the whole body in place of an earlier file, or nothing. No reader sees a part of it, even if this process is killed. A stream is not held in memory.
   * @returns its bytes
   * @throws ObjectTooLargeError, UnavailableError, and any error of the body
   */
  put(key: string, body: Uint8Array | AsyncIterable<Uint8Array>, options: PutOptions): Promise<number>;

  /** Begins a file that grows. @throws UnavailableError */
  begin(key: string): Promise<GrowingObject>;

  /**
   * The content, of a growing file as far as it is stored now. A failure in the middle destroys the stream with an error.
   * @returns undefined where there is none
   * @throws UnavailableError
   */
  open(key: string, range?: ByteRange): Promise<OpenObject | undefined>;

  /** @returns undefined where there is none. @throws UnavailableError */
  status(key: string): Promise<StoredObject | undefined>;

  /** Succeeds where there is nothing to remove. @throws UnavailableError */
  remove(key: string): Promise<void>;

  /** All files of a folder, in no order. Unfinished ones are left out. @throws UnavailableError */
  list(folder: string): AsyncIterable<StoredObject>;

  /** Removes what killed processes have left unfinished in a folder. @returns how many. @throws UnavailableError */
  removeUnfinished(folder: string, olderThanSeconds: number): Promise<number>;
};

/** A body has more bytes than it may have. Nothing was stored. */
export class ObjectTooLargeError extends Error {
  readonly maxBytes: number;

  constructor(maxBytes: number) {
    super(`There are more than ${maxBytes} bytes`);
    this.name = 'ObjectTooLargeError';
    this.maxBytes = maxBytes;
  }
}

const keyForm = /^[a-z]+\/[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/;

/** Whether a name that the storage has is a key. Other programs may store files beside ours. */
export const isKey = (text: string): boolean => keyForm.test(text);

/** @throws Error for anything but a key. It prevents that a key leads out of the storage. */
export function checkKey(key: string): string {
  if (!isKey(key)) throw new Error('This is not the key of a stored file');
  return key;
}

/** The chunks of a body. They fail with ObjectTooLarge above the limit. */
export function limited(
  body: Uint8Array | AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Uint8Array, void> {
  // A stream can fail before it is read. Its reader learns that later, so it must not end the process now.
  if (body instanceof Readable) body.on('error', () => undefined);
  return countedChunks(body, maxBytes);
}

async function* countedChunks(
  body: Uint8Array | AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Uint8Array, void> {
  let bytes = 0;
  for await (const chunk of body instanceof Uint8Array ? [body] : body) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new ObjectTooLargeError(maxBytes);
    yield chunk;
  }
}
