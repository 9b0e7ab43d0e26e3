import { LRUCache } from 'lru-cache';

export type RequestCountsOptions = {
  /** Maximum requests per window. */
  max: number;
  /** Sends text to the other processes, which pass it to `hear`. */
  tell: (text: string) => void;
};

type Count = { current: number; untold: number; endsAt: number };
type Done = (error: Error | null, result: { current: number; ttl: number }) => void;

/** Length of a window in milliseconds; it starts with the first request. */
export const requestWindow = 60_000;
/** Milliseconds between two reports to the other processes. */
const reportInterval = 100;
const textLimit = 6000;
const most = 50_000;

/**
 * Counts the requests of each user or address in the current window, across all processes. Only counts above a twentieth of the
 * limit are reported, so there is no traffic while nobody is near it. The limit can be exceeded by a twentieth for each further
 * process, and by the requests of a tenth of a second.
 */
export class RequestCounts {
  readonly #options: RequestCountsOptions;
  // Limited by its size, because room for `max` entries is made at once.
  readonly #counts = new LRUCache<string, Count>({ maxSize: most, sizeCalculation: () => 1 });
  readonly #untold = new Set<string>();
  #isReporting = false;

  constructor(options: RequestCountsOptions) {
    this.#options = options;
  }

  /** Counts one request. @returns the new count, and the milliseconds until the window ends */
  add(key: string): { current: number; ttl: number } {
    const count = this.#count(key);
    count.current += 1;
    count.untold += 1;
    if (count.current > this.#options.max / 20) this.#reportSoon(key);
    return { current: count.current, ttl: Math.max(0, count.endsAt - performance.now()) };
  }

  /** Receives a report of another process. */
  hear(text: string): void {
    for (const [key, more] of JSON.parse(text) as [string, number][]) this.#count(key).current += more;
  }

  #count(key: string): Count {
    const now = performance.now();
    const known = this.#counts.get(key);
    if (known && known.endsAt > now) return known;
    const fresh = { current: 0, untold: 0, endsAt: now + requestWindow };
    this.#counts.set(key, fresh);
    return fresh;
  }

  #reportSoon(key: string): void {
    this.#untold.add(key);
    if (this.#isReporting) return;
    this.#isReporting = true;
    setTimeout(() => this.#report(), reportInterval).unref();
  }

  #report(): void {
    this.#isReporting = false;
    let text = '';
    for (const key of this.#untold) {
      const count = this.#counts.peek(key);
      if (!count) continue;
      const entry = JSON.stringify([key, count.untold]);
      count.untold = 0;
      if (text.length + entry.length > textLimit) {
        this.#options.tell(`[${text}]`);
        text = '';
      }
      text += `${text && ','}${entry}`;
    }
    this.#untold.clear();
    if (text) this.#options.tell(`[${text}]`);
  }
}

/** The store class that the rate limit plugin constructs. */
export const storeOf = (counts: RequestCounts) =>
  class {
    incr(key: string, done: Done): void {
      done(null, counts.add(key));
    }

    child() {
      return this;
    }
  };
