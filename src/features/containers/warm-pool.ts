import type { FastifyBaseLogger } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Config } from '../../config.ts';
import type { ContainerEngine } from '../../ports/container-engine.ts';
import { SetupFailed } from './container-setup.ts';
import type { Provisioner } from './provisioner.ts';
import type { ContainerRemovals } from './removals.ts';
import type { WarmKind, WarmStore } from './warm-store.ts';

export type WarmPoolParts = {
  store: WarmStore;
  provisioner: Provisioner;
  removals: ContainerRemovals;
  engine: Pick<ContainerEngine, 'problem'>;
  config: Pick<Config['containers'], 'warm' | 'warmMemoryMb' | 'memoryMb'>;
  /** The number of live processes of the service, including this one. */
  living: () => Promise<number>;
  log: FastifyBaseLogger;
};

/** Milliseconds until a set-up that failed is tried again. Its key changes when it is changed. */
const failedPause = 600_000;

/** Keeps ready containers for active exams, prepared with their set-up, so that a start does not wait for the creation of one. */
export class WarmPool implements AsyncDisposable {
  readonly #parts: WarmPoolParts;
  #filling: Promise<void> | undefined;
  #isStopped = false;
  /** Set-ups that failed lately. They must neither hold up the others nor be repeated all the time. */
  readonly #failed = new LRUCache<string, true>({ max: 1000, ttl: failedPause });

  constructor(parts: WarmPoolParts) {
    this.#parts = parts;
  }

  /** Refills in the background after one was taken. Never throws: a start without a warm container is only slower. */
  refillSoon(): void {
    void this.refill();
  }

  /** Runs one refill at a time in a process. It creates containers one after another, to leave engine capacity for users who wait. */
  async refill(): Promise<void> {
    this.#filling ??= this.#fill()
      .catch((error: unknown) => this.#parts.log.warn({ err: error }, 'the warm pool could not be filled'))
      .finally(() => {
        this.#filling = undefined;
      });
    await this.#filling;
  }

  /** The wanted and the ready number of warm containers. Memory may not allow as many as wanted. */
  async level(): Promise<{ wanted: number; ready: number }> {
    const { store, config } = this.#parts;
    const counts = await store.warmCounts();
    const wanted = config.warm * counts.filter(({ active }) => active).length;
    return { wanted, ready: counts.reduce((sum, { ready }) => sum + ready, 0) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopped = true;
    await this.#filling;
    await this.#empty().catch((error: unknown) =>
      this.#parts.log.warn({ err: error }, 'warm containers could not be removed'),
    );
  }

  /**
   * Gives up warm containers: all of them where no other process lives, otherwise those of this process, because the others refill what
   * they lack. What the engine does not remove in time is left to the next process.
   */
  async #empty(): Promise<void> {
    const { store, removals, engine, living } = this.#parts;
    if (engine.problem() !== undefined) return;
    const isLast = (await living()) <= 1;
    const waiting = await store.warm({ isOwn: !isLast });
    await Promise.all(waiting.map((row) => removals.removeUnused(row)));
  }

  async #fill(): Promise<void> {
    const { store, provisioner, removals, engine, config } = this.#parts;
    while (!this.#isStopped && engine.problem() === undefined) {
      const counts = await store.warmCounts();
      for (const { active, warm, ...kind } of counts) {
        const surplus = warm - (active ? config.warm : 0);
        if (surplus > 0) for (const row of await store.warmOf(kind, surplus)) await removals.removeUnused(row);
      }
      const total = counts.reduce((sum, { active, warm }) => sum + (active ? warm : 0), 0);
      if ((total + 1) * config.memoryMb > config.warmMemoryMb) return;
      const short = counts
        .filter((kind) => kind.active && kind.warm < config.warm && !this.#failed.has(nameOf(kind)))
        .sort((a, b) => a.warm - b.warm)[0];
      if (!short) return;
      try {
        await provisioner.warmUp(short, config.warm);
      } catch (error) {
        if (!(error instanceof SetupFailed)) throw error;
        this.#failed.set(nameOf(short), true);
      }
    }
  }
}

const nameOf = ({ image, setup_key }: WarmKind): string => `${image} ${setup_key}`;
