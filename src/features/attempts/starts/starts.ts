import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { LRUCache } from 'lru-cache';
import { UnavailableError } from '../../../errors.ts';
import { type ContainerEngine, NoSuchContainerError } from '../../../ports/container-engine.ts';
import type { Provisioner } from '../../capacity/provisioner.ts';
import type { ContainerRemovals } from '../../capacity/removals.ts';
import type { Reserved } from '../../capacity/reservation-store.ts';
import type { ContainerRow, ContainerStore } from '../../capacity/store.ts';
import { releaseContainer } from '../gradings/gradings.ts';
import { containerNotCreated } from '../gradings/problems.ts';
import type { GradingStore } from '../gradings/store.ts';
import type { AttemptRow, AttemptStore } from '../store.ts';
import type { QueueStore } from './queue-store.ts';
import type { PlacedStart, StartStore } from './store.ts';

export type StartsParts = {
  starts: Pick<StartStore, 'begin' | 'drop' | 'placeAgain'>;
  queue: Pick<QueueStore, 'release'>;
  store: Pick<AttemptStore, 'byId'>;
  grading: Pick<GradingStore, 'abandon'>;
  containers: Pick<ContainerStore, 'byAttempt'>;
  provisioner: Pick<Provisioner, 'provide'>;
  removals: Pick<ContainerRemovals, 'remove'>;
  engine: Pick<ContainerEngine, 'problem'>;
  /** Called for each attempt that began, to schedule its end. */
  onStart: (attempt: AttemptRow) => void;
  log: FastifyBaseLogger;
};

/** `container` is undefined where the attempt needs none. */
export type StartedAttempt = { attempt: AttemptRow; container: ContainerRow | undefined };

/** A request that waits for the outcome of a start. */
export type StartRequest = { isWaiting: boolean; error: unknown };

/** Failures of one start in this process after which the attempt is abandoned. */
const maxFailures = 3;
/** Milliseconds until a start is repeated, after its first failure; then twice as long each time. Others pass meanwhile. */
const failurePause = 1000;

/** Milliseconds until a start is repeated that the engine had no room for, although its place was reserved. */
const fullPause = 5000;

/** The engine is full: on a cluster, others use its nodes as well. It says nothing about this start. */
const isFull = (error: unknown): boolean => error instanceof UnavailableError && error.code === 'no_capacity';

/** A warm container was lost, or too many are being created: the start is repeated. */
const isPassing = (error: unknown): boolean =>
  error instanceof NoSuchContainerError ||
  isFull(error) ||
  (error instanceof UnavailableError && error.code === 'overloaded');

/**
 * Starts attempts whose containers are reserved: provides the container, then starts the clock. `StartQueue` calls `run` once for each
 * reservation. It ends in one of these ways:
 *
 * - begun: the attempt is in progress.
 * - refused: the attempt is deleted, and its request gets the error. So end all failures of a reservation (`starting`), because its request
 *   waits to the end, and those failures of a queued attempt that a repetition would not mend, while its request waits.
 * - returned: the queued attempt is back at its place, after a pause. `StartQueue` starts it again.
 * - abandoned: the queued attempt has failed too often.
 * - neither, where the attempt was abandoned or deleted meanwhile. Then its container is removed.
 */
export class Starts {
  readonly #parts: StartsParts;
  readonly #failures = new LRUCache<number, number>({ max: 1000 });

  constructor(parts: StartsParts) {
    this.#parts = parts;
  }

  /**
   * Never throws.
   * @param request gets the error of a refusal
   * @param stop ends pauses
   * @returns undefined if the attempt did not begin
   */
  async run(
    start: PlacedStart,
    request: StartRequest | undefined,
    stop: AbortSignal,
  ): Promise<StartedAttempt | undefined> {
    const { starts, removals, onStart, log } = this.#parts;
    const { attempt, state } = start;
    const isQueued = attempt.status === 'queued';
    try {
      const container = await this.#provide(start, isQueued);
      const begun = await starts.begin(attempt, state.time_limit_minutes);
      if (!begun) {
        if (container) await removals.remove(container);
        return undefined;
      }
      this.#failures.delete(attempt.id);
      onStart(begun);
      return { attempt: begun, container };
    } catch (error) {
      if (isQueued) log.warn({ err: error, attempt: attempt.id }, 'a queued attempt could not be started');
      if (request && (!isQueued || (request.isWaiting && (!isPassing(error) || isFull(error))))) {
        const isDropped = await this.#refuse(attempt.id);
        if (isDropped || !isQueued) {
          request.error = error;
          return undefined;
        }
      }
      await this.#return(attempt.id, error, stop);
      return undefined;
    }
  }

  /** A reservation whose warm container was lost gets another one: it has no place to which it could return. */
  async #provide(start: PlacedStart, isQueued: boolean): Promise<ContainerRow | undefined> {
    const { starts, provisioner } = this.#parts;
    if (start.placed === null) return undefined;
    let placed: Reserved = start.placed;
    for (;;) {
      try {
        return await provisioner.provide(placed);
      } catch (error) {
        if (isQueued || !(error instanceof NoSuchContainerError)) throw error;
        placed = await starts.placeAgain(start);
      }
    }
  }

  /** @returns false if the attempt cannot be deleted: it has begun, or is no longer there */
  async #refuse(id: number): Promise<boolean> {
    const { starts, containers, removals, log } = this.#parts;
    let isDropped = false;
    try {
      const container = await containers.byAttempt(id);
      isDropped = await starts.drop(id);
      if (isDropped && container) await removals.remove(container);
    } catch (error) {
      log.warn({ err: error, attempt: id }, 'a refused start could not be cleaned up');
    }
    return isDropped;
  }

  /** Repeats what returns a failed start to its place until the database has recorded it. */
  async #return(id: number, error: unknown, stop: AbortSignal): Promise<void> {
    const failures = this.#count(id, error);
    const isLost = error instanceof NoSuchContainerError;
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
