import type { FastifyBaseLogger } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { NetworkLimitStore } from './network-limit-store.ts';

/** Milliseconds in which the times of a network are put together: refusals come in large numbers. */
const pause = 10_000;
/** Networks that are counted at once. */
const maxCounted = 1000;

/** Reports the networks that meet a limit, in the log and to administrators: behind one address there may be a class. */
export class NetworkLimits implements Disposable {
  readonly #store: Pick<NetworkLimitStore, 'add'>;
  readonly #log: FastifyBaseLogger;
  readonly #pause: number;
  readonly #counted = new LRUCache<string, { network: string; limit: string; times: number }>({ max: maxCounted });
  #timer: NodeJS.Timeout | undefined;

  constructor(store: Pick<NetworkLimitStore, 'add'>, log: FastifyBaseLogger, pauseMs = pause) {
    this.#store = store;
    this.#log = log;
    this.#pause = pauseMs;
  }

  /** The first time is reported at once, further ones together. */
  meet(limit: string, network: string): void {
    const key = `${limit} ${network}`;
    const known = this.#counted.get(key);
    if (known) {
      known.times += 1;
      return;
    }
    this.#counted.set(key, { network, limit, times: 0 });
    this.#report(network, limit, 1);
    this.#timer ??= setTimeout(() => this.#reportAll(), this.#pause).unref();
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }

  #reportAll(): void {
    this.#timer = undefined;
    for (const { network, limit, times } of this.#counted.values()) if (times > 0) this.#report(network, limit, times);
    this.#counted.clear();
  }

  #report(network: string, limit: string, times: number): void {
    this.#log.warn({ network, limit, times }, 'a network has to wait: it has reached a limit (PEOPLE_PER_ADDRESS)');
    this.#store
      .add(network, limit, times)
      .catch((error: unknown) => this.#log.warn({ err: error }, 'a network that has to wait was not recorded'));
  }
}
