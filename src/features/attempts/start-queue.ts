import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { ChangeFeed } from '../../database/processes/change-feed.ts';
import { Conflict, Unavailable } from '../../errors.ts';
import type { Caller } from '../../http/access.ts';
import { type ContainerEngine, NoSuchContainer } from '../../ports/container-engine.ts';
import type { Provisioner } from '../containers/provisioner.ts';
import type { ContainerRemovals } from '../containers/removals.ts';
import type { Reserved } from '../containers/reservation-store.ts';
import type { ContainerStore } from '../containers/store.ts';
import type { GradingStore } from './grading-store.ts';
import { releaseContainer } from './gradings.ts';
import type { StartedAttempt } from './machine.ts';
import type { QueuePlace, QueuePlaceStore } from './queue-place-store.ts';
import { type NextStart, type QueueStore, queueChannel } from './queue-store.ts';
import type { StartStore, Subject } from './start-store.ts';
import { type AttemptRow, type AttemptStore, notCreated } from './store.ts';

export type StartQueueParts = {
  queue: QueueStore<Reserved>;
  places: QueuePlaceStore;
  store: Pick<AttemptStore, 'byId' | 'activeFor'>;
  starts: Pick<StartStore, 'begin'>;
  grading: Pick<GradingStore, 'abandon'>;
  containers: Pick<ContainerStore, 'byAttempt'>;
  provisioner: Pick<Provisioner, 'provide'>;
  removals: Pick<ContainerRemovals, 'remove'>;
  engine: Pick<ContainerEngine, 'problem' | 'probe'>;
  feed: Pick<ChangeFeed, 'on'>;
  /** Containers that this process creates at once for the queue. */
  concurrency: number;
  /** Milliseconds within which the service stops. */
  stopTimeout: number;
  /** Called for each attempt that began, to schedule the expiry at its deadline. */
  onStart: (attempt: AttemptRow) => void;
  log: FastifyBaseLogger;
};

/** An attempt that waits for its container. */
export type QueuedAttempt = { attempt_id: number } & QueuePlace;

/** Failures of one start in this process after which the attempt is abandoned. */
const maxFailures = 3;
/** Milliseconds until a start is repeated, after its first failure; then twice as long each time. Others pass meanwhile. */
const failurePause = 1000;
/** Milliseconds between two looks at an engine that does not answer, while attempts wait. */
const enginePause = 2000;
/** Milliseconds that a request waits for a start that has its container reserved, before it is answered with the place in the queue. */
const startPatience = 2000;

/**
 * Starts queued attempts in their order, as many as there is room for. The order is decided in the database, for all processes. A process
 * looks when it is notified that a place is free or that somebody waits. A failed start returns to its place.
 */
export class StartQueue implements AsyncDisposable {
  readonly #parts: StartQueueParts;
  readonly #underWay = new Map<number, Promise<StartedAttempt | undefined>>();
  readonly #failures = new LRUCache<number, number>({ max: 1000 });
  readonly #stop = new AbortController();
  /** New containers among those under way. */
  #creating = 0;
  #round: Promise<void> | undefined;
  #isWoken = false;

  constructor(parts: StartQueueParts) {
    this.#parts = parts;
    parts.feed.on(queueChannel, () => this.wake());
  }

  /**
   * Queues an attempt, and starts it at once where nobody waits and there is a container. For a user who has queued one of the same subject
   * already, it is that one.
   * @throws Conflict as StartStore.reserve, Unavailable without an engine or if the queue is full
   */
  async join(caller: Caller, subject: Subject): Promise<StartedAttempt | QueuedAttempt> {
    const { queue, store, engine } = this.#parts;
    if (engine.problem() !== undefined) await engine.probe();
    try {
      const { attempt, next } = await queue.join(subject, caller.id, this.#mayCreate());
      if (!next) this.wake();
      const patience = delay(startPatience, undefined, { ref: false });
      const started = next && (await Promise.race([this.#begin(next), patience]));
      return started ?? (await this.#view(attempt.id));
    } catch (error) {
      const { kind } = subject;
      const active = error instanceof Conflict ? await store.activeFor(caller.id, kind, subject.id) : undefined;
      if (active?.status !== 'queued') throw error;
      await queue.ask(caller.id, kind);
      return await this.#view(active.id);
    }
  }

  /** The queued attempt as it is now: it may have begun meanwhile. @throws Unavailable if it was abandoned */
  async #view(id: number): Promise<StartedAttempt | QueuedAttempt> {
    const { store, places, containers } = this.#parts;
    const place = (await places.of([id])).get(id);
    if (place) return { attempt_id: id, ...place };
    const attempt = await store.byId(id);
    const container = attempt?.status === 'in_progress' ? await containers.byAttempt(id) : undefined;
    if (!attempt || !container) throw new Unavailable('cancelled', 'The attempt was cancelled while it was queued');
    return { attempt, container };
  }

  /** Starts attempts that wait, in the background. */
  wake(): void {
    this.#isWoken = true;
    this.#round ??= this.#startAll()
      .catch((error: unknown) => this.#parts.log.warn({ err: error }, 'queued attempts could not be started'))
      .finally(() => {
        this.#round = undefined;
      });
  }

  /** Waits for the starts under way. What they leave is returned to its place by another process or the next one. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#round;
    const patience = delay(this.#parts.stopTimeout / 2, undefined, { ref: false });
    await Promise.race([Promise.allSettled(this.#underWay.values()), patience]);
  }

  async #startAll(): Promise<void> {
    const { queue, engine } = this.#parts;
    while (this.#isWoken && !this.#stop.signal.aborted) {
      this.#isWoken = false;
      if (!(await queue.hasWaiting())) continue;
      if (engine.problem() !== undefined) await engine.probe().catch(() => undefined);
      if (engine.problem() !== undefined) {
        setTimeout(() => this.wake(), enginePause).unref();
        return;
      }
      const next = await queue.next(this.#mayCreate());
      if (!next) continue;
      this.#isWoken = true;
      void this.#begin(next);
    }
  }

  #mayCreate(): boolean {
    return this.#creating < this.#parts.concurrency;
  }

  #begin(next: NextStart<Reserved>): Promise<StartedAttempt | undefined> {
    const { id } = next.attempt;
    const created = next.placed.row.status === 'creating' ? 1 : 0;
    this.#creating += created;
    const outcome = this.#start(next).finally(() => {
      this.#creating -= created;
      this.#underWay.delete(id);
      this.wake();
    });
    this.#underWay.set(id, outcome);
    return outcome;
  }

  /** Never throws. @returns undefined if the attempt was abandoned or returned to its place */
  async #start({ attempt, timeLimitMinutes, placed }: NextStart<Reserved>): Promise<StartedAttempt | undefined> {
    const { starts, provisioner, removals, onStart, log } = this.#parts;
    try {
      const container = await provisioner.provide(placed);
      const begun = await starts.begin(attempt.id, timeLimitMinutes);
      if (!begun) {
        await removals.remove(container);
        return undefined;
      }
      this.#failures.delete(attempt.id);
      onStart(begun);
      return { attempt: begun, container };
    } catch (error) {
      log.warn({ err: error, attempt: attempt.id }, 'a queued attempt could not be started');
      await this.#return(attempt.id, error);
      return undefined;
    }
  }

  /** Repeats what returns a failed start to its place until the database has recorded it. */
  async #return(id: number, error: unknown): Promise<void> {
    const failures = this.#count(id, error);
    const isLost = error instanceof NoSuchContainer;
    if (failures < maxFailures && !isLost) await this.#pause(failurePause * 2 ** Math.max(0, failures - 1));
    for (;;) {
      try {
        await this.#settle(id, failures >= maxFailures);
        return;
      } catch (cause) {
        this.#parts.log.warn({ err: cause, attempt: id }, 'a failed start could not be returned to its place');
        if (this.#stop.signal.aborted) return;
        await this.#pause(failurePause);
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
    if (isGivenUp) await grading.abandon(id, ['queued'], notCreated);
    else await queue.release(id);
  }

  /** The failures of a start so far. Neither a lost warm container nor an engine that does not answer is a failure of the start. */
  #count(id: number, error: unknown): number {
    const isOverloaded = error instanceof Unavailable && error.code === 'overloaded';
    if (isOverloaded || error instanceof NoSuchContainer || this.#parts.engine.problem() !== undefined) return 0;
    const failures = (this.#failures.get(id) ?? 0) + 1;
    this.#failures.set(id, failures);
    return failures;
  }

  async #pause(milliseconds: number): Promise<void> {
    await delay(milliseconds, undefined, { signal: this.#stop.signal }).catch(() => undefined);
  }
}
