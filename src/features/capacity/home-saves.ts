import type { FastifyBaseLogger } from 'fastify';
import { ConcurrencyLimiter } from '../../../packages/limits/concurrency-limiter.ts';
import { overloaded } from '../../errors.ts';
import { ContainerNotRunningError, type HomeKeeper, NoSuchContainerError } from '../../ports/container-engine.ts';
import type { DueHome, HomeSaveStore } from './home-save-store.ts';

export type HomeSavesParts = {
  homes: HomeKeeper;
  store: HomeSaveStore;
  /** Seconds between two saves of one home. */
  interval: number;
  /** Saves at once. */
  concurrency: number;
  log: FastifyBaseLogger;
};

/** Homes that are taken in one statement. */
const batch = 100;
/** A save that takes longer does not delay others: a machine may have been lost. */
const slow = { afterSeconds: 5, max: 32 };
/**
 * The multiple of the time of its transfer for which a home rests, so that a large one that changes often does not use up the cluster, and
 * the maximum in seconds: a home is at most a minute old.
 */
const rest = { factor: 10, longest: 30 };
/** Milliseconds after which a home without a container is one that was left over. A container of that age has a record. */
const leftOverAge = 3600 * 1000;

/** Saves the home folders of running containers, on an engine that loses them with the machine. The processes share the work. */
export class HomeSaves {
  readonly #parts: HomeSavesParts;
  readonly #turns: ConcurrencyLimiter;

  constructor(parts: HomeSavesParts) {
    this.#parts = parts;
    const limits = { concurrency: parts.concurrency, maxWaiting: batch, slow };
    this.#turns = new ConcurrencyLimiter(limits, overloaded('Too many home folders are being saved'));
  }

  /** Saves all homes that are due. Resolves when each is saved, or continues in the background because it is slow. */
  async round(): Promise<void> {
    const { store, interval } = this.#parts;
    for (;;) {
      const due = await store.takeDue(batch, interval);
      await Promise.all(due.map((home) => this.#inTurn(home)));
      if (due.length < batch) return;
    }
  }

  /** Removes homes whose containers no longer exist. @returns how many */
  async sweep(now = Date.now()): Promise<number> {
    const { homes, store } = this.#parts;
    const old = new Set<string>();
    for await (const { uid, savedAt } of homes.saved()) if (now - savedAt.getTime() > leftOverAge) old.add(uid);
    const known = await store.known([...old]);
    const left = [...old].filter((uid) => !known.has(uid));
    for (const uid of left) await homes.forget(uid);
    return left.length;
  }

  /** Resolves at the end of the save, or when it gives its turn to the next. */
  async #inTurn(home: DueHome): Promise<void> {
    const { promise: isSlow, resolve } = Promise.withResolvers<void>();
    let timer: NodeJS.Timeout | undefined;
    const save = this.#turns.run(async () => {
      timer = setTimeout(resolve, slow.afterSeconds * 1000);
      await this.#save(home);
    });
    await Promise.race([save.catch(() => undefined), isSlow]).finally(() => clearTimeout(timer));
  }

  async #save(home: DueHome): Promise<void> {
    const { homes, store, log } = this.#parts;
    const begun = performance.now();
    try {
      const { mark, isSaved } = await homes.save(home.engine_ref ?? '', home.home_mark);
      const seconds = isSaved ? (performance.now() - begun) / 1000 : 0;
      if (await store.setSaved(home, mark, Math.min(rest.factor * seconds, rest.longest))) return;
      // It was removed during the save. A lost container still needs its home.
      if (!(await store.known([home.uid])).has(home.uid)) await homes.forget(home.uid);
    } catch (error) {
      // Removed or stopped in the meantime, or lost: that is noticed elsewhere.
      if (error instanceof NoSuchContainerError || error instanceof ContainerNotRunningError) return;
      log.warn({ err: error, container: home.name }, 'a home folder could not be saved');
    }
  }
}
