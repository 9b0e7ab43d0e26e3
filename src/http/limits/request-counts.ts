import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { TooManyRequestsError } from '../../errors.ts';
import { customerNetworkOf, networkOf } from './connections-per-address.ts';

export type RequestCountsOptions = {
  /** Maximum requests per window. */
  max: number;
  /** Sends text to the other processes, which pass it to `receive`. */
  broadcast: (text: string) => void;
};

type Count = { current: number; unreported: number; endsAt: number };

/** Length of a window in milliseconds; it starts with the first request. */
const requestWindow = 60_000;
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
  readonly #unreported = new Set<string>();
  #isReporting = false;

  constructor(options: RequestCountsOptions) {
    this.#options = options;
  }

  /** Maximum requests per window. */
  get max(): number {
    return this.#options.max;
  }

  /** Counts one request. @returns the new count, and the milliseconds until the window ends */
  add(key: string): { current: number; ttl: number } {
    const count = this.#count(key);
    count.current += 1;
    count.unreported += 1;
    if (count.current > this.#options.max / 20) this.#reportSoon(key);
    return { current: count.current, ttl: Math.max(0, count.endsAt - performance.now()) };
  }

  /** Receives a report of another process. */
  receive(text: string): void {
    for (const [key, more] of JSON.parse(text) as [string, number][]) this.#count(key).current += more;
  }

  #count(key: string): Count {
    const now = performance.now();
    const known = this.#counts.get(key);
    if (known && known.endsAt > now) return known;
    const fresh = { current: 0, unreported: 0, endsAt: now + requestWindow };
    this.#counts.set(key, fresh);
    return fresh;
  }

  #reportSoon(key: string): void {
    this.#unreported.add(key);
    if (this.#isReporting) return;
    this.#isReporting = true;
    setTimeout(() => this.#report(), reportInterval).unref();
  }

  #report(): void {
    this.#isReporting = false;
    let text = '';
    for (const key of this.#unreported) {
      const count = this.#counts.peek(key);
      if (!count) continue;
      const entry = JSON.stringify([key, count.unreported]);
      count.unreported = 0;
      if (text.length + entry.length > textLimit) {
        this.#options.broadcast(`[${text}]`);
        text = '';
      }
      text += `${text && ','}${entry}`;
    }
    this.#unreported.clear();
    if (text) this.#options.broadcast(`[${text}]`);
  }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Requests of the route are not counted: those of operators' tools, and files that are served as they are. */
    isUncounted?: boolean;
  }
}

/**
 * Counts a request, whatever its answer will be: by its user if there is one, because a whole school can share one address.
 * @param onNetworkLimit called where there is no user
 * @returns the refusal of one beyond the limit
 */
export function countRequest(
  request: FastifyRequest,
  counts: RequestCounts,
  onNetworkLimit?: (limit: 'requests', network: string) => void,
): TooManyRequestsError | undefined {
  if (request.routeOptions.config.isUncounted) return undefined;
  const { current, ttl } = counts.add(clientOf(request));
  if (current <= counts.max) return undefined;
  if (!request.user) onNetworkLimit?.('requests', customerNetworkOf(request.clientAddress));
  return new TooManyRequestsError('too_many_requests', 'Too many requests', ttl / 1000);
}

/** The key of whoever sends a request: the user of its token, who may look at another user's pages, or the network. */
export const clientOf = ({ user, clientAddress }: FastifyRequest): string =>
  user ? `user:${user.view?.viewerId ?? user.id}` : networkOf(clientAddress);
