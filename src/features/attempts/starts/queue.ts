import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { CoalescingRunner } from '../../../../packages/limits/coalescing-runner.ts';
import type { ChangeFeed } from '../../../database/processes/change-feed.ts';
import { ConflictError, UnavailableError } from '../../../errors.ts';
import type { Caller } from '../../../http/access/access.ts';
import type { ContainerEngine } from '../../../ports/container-engine.ts';
import { type Creations, creatorOf } from '../../capacity/creations.ts';
import type { ContainerStore } from '../../capacity/store.ts';
import type { AttemptStore } from '../store.ts';
import { type QueuePlace, type QueueStore, queueChannel } from './queue-store.ts';
import type { StartedAttempt, StartRequest, Starts } from './starts.ts';
import type { Assessment, Entry, PlacedStart, StartStore } from './store.ts';

export type { Entry } from './store.ts';

export type StartQueueParts = {
  reservations: Pick<StartStore, 'reserve' | 'hasNext' | 'next'>;
  queue: Pick<QueueStore, 'ask' | 'placesOf'>;
  starts: Pick<Starts, 'run'>;
  store: Pick<AttemptStore, 'byId' | 'activeFor'>;
  containers: Pick<ContainerStore, 'byAttempt'>;
  engine: Pick<ContainerEngine, 'problem' | 'probe'>;
  feed: Pick<ChangeFeed, 'on'>;
  creations: Pick<Creations, 'occupy'>;
  /** Containers that this process creates at once. */
  concurrency: number;
  /** Milliseconds within which the service stops. */
  stopTimeout: number;
  log: FastifyBaseLogger;
};

/** An attempt that waits for its container. */
export type QueuedAttempt = { attempt_id: number } & QueuePlace;

/** Milliseconds between two polls of an engine that does not answer, while attempts wait. */
const enginePause = 2000;
/**
 * Milliseconds that a request waits for a start that has its container reserved, before it is answered with the place in the queue, if it
 * accepts one.
 */
const startPatience = 2000;

/**
 * The one way to start an attempt: reserve, provide, begin. `start` and `#startAll` reserve (`StartStore`: the attempt with its container, in
 * one transaction under one lock for all processes), and `Starts` does the rest.
 *
 * - `start`, called for each request: where nobody waits and there is a container, it is reserved at once, and the request waits for the
 *   outcome. Otherwise a request with `mayQueue` gets its place in the queue, and the others are refused. Neither gives way to those who wait.
 * - `wake`, called when a container may be free or somebody waits (a notification of the database), at the end of each start, and in each
 *   round of the reconciler: `#startAll` starts those who wait, in the order of the queue.
 *
 * A process creates `concurrency` containers at once. Beyond that it reserves only warm ones for the queue, and leaves the rest to others.
 * Requests that may not queue wait in the limiter of the provisioner instead.
 *
 * Stopped: no queued attempt is started any more, and the starts under way are waited for. Another process or the next one returns what is
 * unfinished to its place.
 */
export class StartQueue implements AsyncDisposable {
  readonly #parts: StartQueueParts;
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #stop = new AbortController();
  /** New containers among those under way. */
  #creating = 0;
  /** Decisions under way that may create one. */
  #deciding = 0;
  readonly #rounds: CoalescingRunner;

  constructor(parts: StartQueueParts) {
    this.#parts = parts;
    const failed = (error: unknown): void => parts.log.warn({ err: error }, 'queued attempts could not be started');
    this.#rounds = new CoalescingRunner(() => this.#startAll().catch(failed));
    parts.feed.on(queueChannel, () => this.wake());
  }

  /**
   * Starts an attempt, or gives it its place in the queue. For a user who has queued one of the same assessment already, it is that one.
   * @param mayQueue whether the caller accepts a place. Otherwise the start is awaited however long it takes
   * @throws ConflictError as StartStore.reserve, UnavailableError without an engine, if its container cannot be created, if the queue is full, or if
   * it would have to wait and may not
   */
  async start(
    caller: Caller,
    assessment: Assessment,
    { entry, mayQueue }: { entry: Entry; mayQueue: boolean },
  ): Promise<StartedAttempt | QueuedAttempt> {
    const { reservations, queue, store, engine } = this.#parts;
    // Nobody queues for an engine that does not answer. Another start fails with it, after all other reasons for a refusal.
    if (mayQueue && assessment.needs_machine !== false && engine.problem() !== undefined) await engine.probe();
    try {
      const request: StartRequest = { isWaiting: true, error: undefined };
      const { attempt, started } = await this.#decide(async (mayCreate) => {
        const isNewAllowed = mayCreate || !mayQueue;
        const reserved = await reservations.reserve(assessment, caller.id, { entry, mayQueue, isNewAllowed });
        return {
          attempt: reserved.attempt,
          started: reserved.placed === undefined ? undefined : this.#begin(reserved, request),
        };
      });
      if (!started) this.wake();
      return (started && (await this.#answerOf(started, request, mayQueue))) ?? (await this.#view(attempt.id));
    } catch (error) {
      // Others may wait that could not create a container during this decision.
      this.wake();
      const { kind } = assessment;
      const isOwn = mayQueue && error instanceof ConflictError;
      const active = isOwn ? await store.activeFor(caller.id, kind, assessment.id) : undefined;
      if (active?.status !== 'queued') throw error;
      await queue.ask(caller.id, kind);
      return await this.#view(active.id);
    }
  }

  /** Starts attempts that wait, in the background. */
  wake(): void {
    void this.#rounds.run();
  }

  /** Waits for the starts under way. Another process or the next one returns unfinished attempts to their places. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#rounds.idle();
    const patience = delay(this.#parts.stopTimeout / 2, undefined, { ref: false });
    await Promise.race([Promise.allSettled(this.#underWay), patience]);
  }

  /** @returns undefined if it takes too long for a request @throws what the start throws in time: then it leaves nothing */
  async #answerOf(
    start: Promise<StartedAttempt | undefined>,
    request: StartRequest,
    mayQueue: boolean,
  ): Promise<StartedAttempt | undefined> {
    const patience = mayQueue ? [delay(startPatience, undefined, { ref: false })] : [];
    const started = await Promise.race([start, ...patience]);
    request.isWaiting = false;
    if (request.error !== undefined) throw request.error;
    return started;
  }

  /** The queued attempt as it is now: it may have begun meanwhile. @throws UnavailableError if it was abandoned */
  async #view(id: number): Promise<StartedAttempt | QueuedAttempt> {
    const { store, queue, containers } = this.#parts;
    const place = (await queue.placesOf([id])).get(id);
    if (place) return { attempt_id: id, ...place };
    const attempt = await store.byId(id);
    const container = attempt?.status === 'in_progress' ? await containers.byAttempt(id) : undefined;
    if (!attempt || !(container || (attempt.status === 'in_progress' && !attempt.needs_machine)))
      throw new UnavailableError('cancelled', 'The attempt was cancelled before its container was ready');
    return { attempt, container };
  }

  async #startAll(): Promise<void> {
    const { reservations, engine } = this.#parts;
    while (!this.#stop.signal.aborted && (await reservations.hasNext(this.#mayCreate()))) {
      if (engine.problem() !== undefined) await engine.probe().catch(() => undefined);
      if (engine.problem() !== undefined) {
        setTimeout(() => this.wake(), enginePause).unref();
        return;
      }
      const hasBegun = await this.#decide(async (isNewAllowed) => {
        const next = await reservations.next(isNewAllowed);
        if (next) void this.#begin(next);
        return next !== undefined;
      });
      if (!hasBegun) return;
    }
  }

  #mayCreate(): boolean {
    return this.#creating + this.#deciding < this.#parts.concurrency;
  }

  /** Counts a decision that may create a container as one that does, so that a burst of them keeps to the limit. */
  async #decide<Result>(work: (isNewAllowed: boolean) => Promise<Result>): Promise<Result> {
    const isNewAllowed = this.#mayCreate();
    const counted = isNewAllowed ? 1 : 0;
    this.#deciding += counted;
    try {
      return await work(isNewAllowed);
    } finally {
      this.#deciding -= counted;
    }
  }

  #begin(next: PlacedStart, request?: StartRequest): Promise<StartedAttempt | undefined> {
    const created = next.placed?.row.status === 'creating' ? 1 : 0;
    this.#creating += created;
    // Also after the answer to a request, and for an attempt that its user abandons meanwhile.
    const leave = this.#parts.creations.occupy(creatorOf({ id: next.attempt.user_id }));
    const outcome = this.#parts.starts.run(next, request, this.#stop.signal).finally(() => {
      this.#creating -= created;
      leave();
      this.#underWay.delete(outcome);
      this.wake();
    });
    this.#underWay.add(outcome);
    return outcome;
  }
}
