import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { LRUCache } from 'lru-cache';
import { Unavailable } from '../../errors.ts';
import { type ContainerEngine, NoSuchContainer } from '../../ports/container-engine.ts';
import type { Provisioner } from '../capacity/provisioner.ts';
import type { ContainerRemovals } from '../capacity/removals.ts';
import type { Reserved } from '../capacity/reservation-store.ts';
import type { ContainerStore } from '../capacity/store.ts';
import { containerNotCreated } from './grading-problems.ts';
import type { GradingStore } from './grading-store.ts';
import { releaseContainer } from './gradings.ts';
import type { StartedAttempt } from './machine.ts';
import type { NextStart, QueueStore } from './queue-store.ts';
import type { StartStore } from './start-store.ts';
import type { AttemptRow, AttemptStore } from './store.ts';

export type QueuedStartsParts = {
  queue: Pick<QueueStore<Reserved>, 'release' | 'drop'>;
  store: Pick<AttemptStore, 'byId'>;
  starts: Pick<StartStore, 'begin'>;
  grading: Pick<GradingStore, 'abandon'>;
  containers: Pick<ContainerStore, 'byAttempt'>;
  provisioner: Pick<Provisioner, 'provide'>;
  removals: Pick<ContainerRemovals, 'remove'>;
  engine: Pick<ContainerEngine, 'problem'>;
  /** Called for each attempt that began, to schedule the expiry at its deadline. */
  onStart: (attempt: AttemptRow) => void;
  log: FastifyBaseLogger;
};

/** A request that waits for the outcome of a start. */
export type StartRequest = { isWaiting: boolean; error: unknown };

/** Failures of one start in this process after which the attempt is abandoned. */
const maxFailures = 3;
/** Milliseconds until a start is repeated, after its first failure; then twice as long each time. Others pass meanwhile. */
const failurePause = 1000;

/** Milliseconds until a start is repeated that the engine had no room for, although its place was reserved. */
const fullPause = 5000;

/** The engine is full: on a cluster, others use its nodes as well. It says nothing about this start. */
const isFull = (error: unknown): boolean => error instanceof Unavailable && error.code === 'no_capacity';

/** A warm container was lost, or too many are being created: the start is repeated. */
const isPassing = (error: unknown): boolean =>
  error instanceof NoSuchContainer || isFull(error) || (error instanceof Unavailable && error.code === 'overloaded');

/** Starts queued attempts whose containers are reserved. */
export class QueuedStarts {
  readonly #parts: QueuedStartsParts;
  readonly #failures = new LRUCache<number, number>({ max: 1000 });

  constructor(parts: QueuedStartsParts) {
    this.#parts = parts;
  }

  /**
   * Never throws. A start that fails returns to its place; after several failures it is abandoned. While its request waits for the answer,
   * the request gets the error and the attempt is deleted.
   * @param stop ends pauses
   * @returns undefined if the attempt did not begin
   */
  async run(
    { attempt, timeLimitMinutes, placed }: NextStart<Reserved>,
    request: StartRequest | undefined,
    stop: AbortSignal,
  ): Promise<StartedAttempt | undefined> {
    const { starts, provisioner, removals, onStart, log } = this.#parts;
    try {
      const container = await provisioner.provide(placed);
      const begun = await starts.begin(attempt, timeLimitMinutes);
      if (!begun) {
        await removals.remove(container);
        return undefined;
      }
      this.#failures.delete(attempt.id);
      onStart(begun);
      return { attempt: begun, container };
    } catch (error) {
      log.warn({ err: error, attempt: attempt.id }, 'a queued attempt could not be started');
      if (request?.isWaiting && (!isPassing(error) || isFull(error)) && (await this.#refuse(attempt.id)))
        request.error = error;
      else await this.#return(attempt.id, error, stop);
      return undefined;
    }
  }

  /** @returns false if the attempt cannot be deleted */
  async #refuse(id: number): Promise<boolean> {
    const { queue, store, log } = this.#parts;
    try {
      if ((await store.byId(id))?.status !== 'queued') return false;
      await releaseContainer(this.#parts, id);
      return await queue.drop(id);
    } catch (error) {
      log.warn({ err: error, attempt: id }, 'a refused start could not be deleted');
      return false;
    }
  }

  /** Repeats what returns a failed start to its place until the database has recorded it. */
  async #return(id: number, error: unknown, stop: AbortSignal): Promise<void> {
    const failures = this.#count(id, error);
    const isLost = error instanceof NoSuchContainer;
    const time = isFull(error) ? fullPause : failurePause * 2 ** Math.max(0, failures - 1);
    if (failures < maxFailures && !isLost) await pause(time, stop);
    for (;;) {
      try {
        await this.#settle(id, failures >= maxFailures);
        return;
      } catch (cause) {
        this.#parts.log.warn({ err: cause, attempt: id }, 'a failed start could not be returned to its place');
        if (stop.aborted) return;
        await pause(failurePause, stop);
      }
    }
  }

  async #settle(id: number, isGivenUp: boolean): Promise<void> {
    const { queue, store, grading, onStart } = this.#parts;
    const attempt = await store.byId(id);
    // The answer to `begin` may have been lost after it succeeded.
    if (attempt?.status === 'in_progress') onStart(attempt);
    if (attempt?.status === 'queued' || attempt?.status === 'abandoned') await releaseContainer(this.#parts, id);
    if (attempt?.status !== 'queued') return;
    if (isGivenUp) await grading.abandon(id, ['queued'], containerNotCreated);
    else await queue.release(id);
  }

  /** The failures of a start so far. An engine that does not answer is no failure of the start. */
  #count(id: number, error: unknown): number {
    if (isPassing(error) || this.#parts.engine.problem() !== undefined) return 0;
    const failures = (this.#failures.get(id) ?? 0) + 1;
    this.#failures.set(id, failures);
    return failures;
  }
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await delay(milliseconds, undefined, { signal }).catch(() => undefined);
}
