import { setTimeout as delay } from 'node:timers/promises';
import type { ByteRange, GrowingObject } from '../../ports/object-store.ts';

/** The bytes of a growing file that one object has: from `start`, without `end`. */
export type Part = { start: number; end: number };

export type PartStorage = {
  write: (part: Part, body: Buffer) => Promise<void>;
  /** Never fails: a part that is left over is ignored, and removed with its file. */
  remove: (part: Part) => Promise<void>;
};

/** Bytes from which a part stays. A shorter one is removed after a longer one with the same beginning, so a file has few parts. */
const partBytes = 128 * 1024;
/** Bytes that wait for the storage. Beyond it `append` waits. */
const mostWaiting = 1024 * 1024;
/** Milliseconds during which a storage that fails is tried again: while the file grows, and when it is closed. */
const patience = { growing: 10 * 60_000, closing: 60_000 };

const digits = 12;
const partForm = /^(\d{12})-(\d{12})$/;

export const partName = ({ start, end }: Part): string =>
  [start, end].map((at) => `${at}`.padStart(digits, '0')).join('-');

export function parsePartName(name: string): Part | undefined {
  const [, start, end] = partForm.exec(name) ?? [];
  return start === undefined || Number(end) <= Number(start) ? undefined : { start: Number(start), end: Number(end) };
}

/** The part that reaches furthest from a byte on. */
export function partAt(parts: readonly Part[], at: number): Part | undefined {
  const having = parts.filter(({ start, end }) => start <= at && end > at);
  return having.reduce<Part | undefined>((best, part) => (best && best.end >= part.end ? best : part), undefined);
}

/** The length of a file: its parts without a gap from the first byte. */
export function lengthOf(parts: readonly Part[]): number {
  const sorted = [...parts].sort((a, b) => a.start - b.start);
  return sorted.reduce((length, { start, end }) => (start <= length ? Math.max(length, end) : length), 0);
}

/** The bytes of a part within a range of the file, counted from the part's own beginning. */
export const rangeWithin = ({ start, end }: Part, at: number, last: number): ByteRange => ({
  start: at - start,
  end: Math.min(last + 1, end) - start - 1,
});

/**
 * S3 cannot append. A growing file is a row of objects, each with a part of its bytes. Their names contain these, so no object is ever
 * replaced: a request that the storage carries out late changes nothing.
 */
export class GrowingParts implements GrowingObject {
  readonly #storage: PartStorage;
  readonly #interval: number;
  /** The place of the first byte in `#chunks`. */
  #start = 0;
  /** The part that still grows: what is stored already, and what waits. */
  #chunks: Buffer[] = [];
  #waitingBytes = 0;
  #stored: Part | undefined;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #failingSince: number | undefined;
  #failure: unknown;

  /** @param interval milliseconds that appended text waits at most before it is stored */
  constructor(storage: PartStorage, interval: number) {
    this.#storage = storage;
    this.#interval = interval;
  }

  async append(text: string): Promise<void> {
    // The first text is stored at once: then the file exists.
    const isFirst = this.#start === 0 && this.#chunks.length === 0;
    const bytes = Buffer.from(text);
    this.#chunks.push(bytes);
    this.#waitingBytes += bytes.length;
    if (isFirst) await this.#flush();
    for (;;) {
      const isLong = this.#failingSince !== undefined && performance.now() - this.#failingSince > patience.growing;
      if (isLong) throw this.#failure;
      if (this.#waitingBytes <= mostWaiting) break;
      await this.#flushOrPause();
    }
    if (this.#waitingBytes > partBytes) void this.#flush();
    else this.#flushLater();
  }

  async close(): Promise<void> {
    const begin = performance.now();
    await this.#running;
    while (this.#waitingBytes > 0) {
      if (performance.now() - begin > patience.closing) throw this.#failure;
      await this.#flushOrPause();
    }
    clearTimeout(this.#timer);
  }

  async #flushOrPause(): Promise<void> {
    await this.#flush();
    if (this.#failure !== undefined) await delay(Math.min(this.#interval, 1000));
  }

  #flushLater(): void {
    this.#timer ??= setTimeout(() => void this.#flush(), this.#interval);
  }

  /** One at a time. It never fails: the next one writes what this one could not. */
  #flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#running ??= this.#store()
      .then(
        () => {
          this.#failure = undefined;
          this.#failingSince = undefined;
        },
        (error: unknown) => {
          this.#failure = error;
          this.#failingSince ??= performance.now();
        },
      )
      .finally(() => {
        this.#running = undefined;
        if (this.#waitingBytes > 0) this.#flushLater();
      });
    return this.#running;
  }

  async #store(): Promise<void> {
    if (this.#waitingBytes === 0) return;
    const count = this.#chunks.length;
    const waiting = this.#waitingBytes;
    const body = Buffer.concat(this.#chunks);
    const part = { start: this.#start, end: this.#start + body.length };
    await this.#storage.write(part, body);
    this.#waitingBytes -= waiting;
    const shorter = this.#stored;
    const stays = body.length >= partBytes;
    this.#chunks.splice(0, count, ...(stays ? [] : [body]));
    if (stays) this.#start = part.end;
    this.#stored = stays ? undefined : part;
    if (shorter) await this.#storage.remove(shorter);
  }
}
