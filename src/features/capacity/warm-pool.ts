import type { FastifyBaseLogger } from 'fastify';
import { LRUCache } from 'lru-cache';
import { CoalescingRunner } from '../../../packages/limits/coalescing-runner.ts';
import type { Config } from '../../config.ts';
import { UnavailableError } from '../../errors.ts';
import type { ContainerEngine } from '../../ports/container-engine.ts';
import { SetupFailedError } from './container-setup.ts';
import type { Provisioner } from './provisioner.ts';
import type { ContainerRemovals } from './removals.ts';
import type { WarmCount, WarmKind, WarmStore } from './warm-store.ts';

export type WarmPoolParts = {
  store: WarmStore;
  provisioner: Provisioner;
  removals: ContainerRemovals;
  engine: Pick<ContainerEngine, 'problem' | 'imageId'>;
  config: Pick<Config['containers'], 'warm' | 'warmMemoryMb' | 'memoryMb'>;
  /** The number of live processes of the service, including this one. */
  living: () => Promise<number>;
  log: FastifyBaseLogger;
};

/** Milliseconds until a set-up that failed is tried again. Its key changes when it is changed. */
const failedPause = 600_000;

/**
 * Keeps ready containers for active exams, prepared with their set-up, so that a start does not wait for the creation of one. For an exam
 * session there is one for each student who is expected to start. Only the capacity limits those; all others have a limit of memory.
 */
export class WarmPool implements AsyncDisposable {
  readonly #parts: WarmPoolParts;
  readonly #rounds: CoalescingRunner;
  #isStopped = false;
  /** Set-ups that failed lately. They must neither hold up the others nor be repeated all the time. */
  readonly #failed = new LRUCache<string, true>({ max: 1000, ttl: failedPause });

  constructor(parts: WarmPoolParts) {
    this.#parts = parts;
    const failed = (error: unknown): void => parts.log.warn({ err: error }, 'the warm pool could not be filled');
    this.#rounds = new CoalescingRunner(() => this.#fill().catch(failed));
  }

  /** Refills in the background after one was taken. Never throws: a start without a warm container is only slower. */
  refillSoon(): void {
    void this.refill();
  }

  /** Runs one refill at a time in a process. It creates containers one after another, to leave engine capacity for users who wait. */
  async refill(): Promise<void> {
    await this.#rounds.run();
  }

  /**
   * Gives up containers whose image was replaced under its name by now. A user who starts meanwhile may still get one.
   * @throws UnavailableError if the engine does not answer
   */
  async dropReplacedImages(): Promise<void> {
    const { store, removals, engine } = this.#parts;
    if (this.#isStopped || engine.problem() !== undefined) return;
    const waiting = await store.warm({ isOwn: false });
    for (const [image, rows] of Map.groupBy(waiting, (row) => row.image)) {
      const current = await currentImage(engine, image);
      const old = current === undefined ? [] : rows.filter(({ image_id }) => image_id !== null && image_id !== current);
      for (const row of old) await removals.removeUnused(row);
    }
  }

  /** The wanted and the ready number of warm containers. Memory or the capacity may not allow as many as wanted. */
  async level(): Promise<{ wanted: number; ready: number }> {
    const counts = await this.#parts.store.warmCounts();
    const sum = (number: (count: WarmCount) => number) => counts.reduce((total, count) => total + number(count), 0);
    return { wanted: sum((count) => this.#wanted(count)), ready: sum(({ ready }) => ready) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopped = true;
    await this.#rounds.idle();
    await this.#empty().catch((error: unknown) =>
      this.#parts.log.warn({ err: error }, 'warm containers could not be removed'),
    );
  }

  /**
   * Gives up warm containers: all of them where no other process lives, otherwise those of this process, because the others refill what
   * they lack. The next process removes those that the engine does not remove in time.
   */
  async #empty(): Promise<void> {
    const { store, removals, engine, living } = this.#parts;
    if (engine.problem() !== undefined) return;
    const isLast = (await living()) <= 1;
    const waiting = await store.warm({ isOwn: !isLast });
    await Promise.all(waiting.map((row) => removals.removeUnused(row)));
  }

  async #fill(): Promise<void> {
    const { store, provisioner, removals, engine } = this.#parts;
    while (!this.#isStopped && engine.problem() === undefined) {
      const counts = await store.warmCounts();
      for (const count of counts) {
        const surplus = count.warm - this.#wanted(count);
        if (surplus > 0) for (const row of await store.warmOf(count, surplus)) await removals.removeUnused(row);
      }
      const short = this.#shortest(counts);
      if (!short) return;
      const isExpected = short.warm < short.expected;
      try {
        await provisioner.warmUp(short, { wanted: this.#wanted(short), isExpected });
      } catch (error) {
        if (isFull(error)) return;
        if (!(error instanceof SetupFailedError)) throw error;
        this.#failed.set(nameOf(short), true);
      }
    }
  }

  #wanted({ active, expected }: WarmCount): number {
    return Math.max(expected, active ? this.#parts.config.warm : 0);
  }

  /** What is filled next: first for expected students, where most of them have no container, then what the memory allows. */
  #shortest(counts: readonly WarmCount[]): WarmCount | undefined {
    const { memoryMb, warmMemoryMb } = this.#parts.config;
    const short = counts.filter((count) => count.warm < this.#wanted(count) && !this.#failed.has(nameOf(count)));
    const [awaited] = short
      .filter(({ warm, expected }) => warm < expected)
      .sort((a, b) => a.warm / a.expected - b.warm / b.expected);
    if (awaited) return awaited;
    const others = counts.reduce((sum, { warm, expected }) => sum + Math.max(0, warm - expected), 0);
    if ((others + 1) * memoryMb > warmMemoryMb) return undefined;
    return short.sort((a, b) => a.warm - b.warm)[0];
  }
}

/** @returns undefined if there is no such image now: its containers are as good as before */
async function currentImage(engine: WarmPoolParts['engine'], image: string): Promise<string | undefined> {
  try {
    return await engine.imageId(image);
  } catch (error) {
    if (error instanceof UnavailableError && error.code === 'image_missing') return undefined;
    throw error;
  }
}

/** Whether there is no room for another container. That is no failure: those who start come before it. */
const isFull = (error: unknown): boolean => error instanceof UnavailableError && error.code === 'no_capacity';
const nameOf = ({ image, setup_key }: WarmKind): string => `${image} ${setup_key}`;
