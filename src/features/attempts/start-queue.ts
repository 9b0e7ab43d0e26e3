import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { ChangeFeed } from '../../database/processes/change-feed.ts';
import { Conflict, Unavailable } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import { CoalescingRunner } from '../../limits/coalescing-runner.ts';
import type { ContainerEngine } from '../../ports/container-engine.ts';
import { type Creations, creatorOf } from '../capacity/creations.ts';
import type { Reserved } from '../capacity/reservation-store.ts';
import type { ContainerStore } from '../capacity/store.ts';
import type { StartedAttempt } from './machine.ts';
import type { QueuePlace, QueuePlaceStore } from './queue-place-store.ts';
import { type NextStart, type QueueStore, queueChannel } from './queue-store.ts';
import type { QueuedStarts, StartRequest } from './queued-starts.ts';
import type { Entry, Subject } from './start-store.ts';
import type { AttemptStore } from './store.ts';

export type StartQueueParts = {
  queue: QueueStore<Reserved>;
  places: QueuePlaceStore;
  starts: Pick<QueuedStarts, 'run'>;
  store: Pick<AttemptStore, 'byId' | 'activeFor'>;
  containers: Pick<ContainerStore, 'byAttempt'>;
  engine: Pick<ContainerEngine, 'problem' | 'probe'>;
  feed: Pick<ChangeFeed, 'on'>;
  creations: Pick<Creations, 'occupy'>;
  /** Containers that this process creates at once for the queue. */
  concurrency: number;
  /** Milliseconds within which the service stops. */
  stopTimeout: number;
  log: FastifyBaseLogger;
};

/** An attempt that waits for its container. */
export type QueuedAttempt = { attempt_id: number } & QueuePlace;

/** Milliseconds between two polls of an engine that does not answer, while attempts wait. */
const enginePause = 2000;
/** Milliseconds that a request waits for a start that has its container reserved, before it is answered with the place in the queue. */
const startPatience = 2000;

/**
 * Starts queued attempts in their order, as many as there is room for. The order is decided in the database, for all processes. A process
 * looks when it is notified that a place is free or that somebody waits.
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
   * Queues an attempt, and starts it at once where nobody waits and there is a container. For a user who has queued one of the same subject
   * already, it is that one.
   * @throws Conflict as StartStore.reserve, Unavailable without an engine, if its container cannot be created or if the queue is full
   */
  async join(caller: Caller, subject: Subject, entry: Entry): Promise<StartedAttempt | QueuedAttempt> {
    const { queue, store, engine } = this.#parts;
    if (engine.problem() !== undefined) await engine.probe();
    try {
      const request: StartRequest = { isWaiting: true, error: undefined };
      const { attempt, started } = await this.#decide(async (isNewAllowed) => {
        const joined = await queue.join(subject, caller.id, { entry, isNewAllowed });
        return { attempt: joined.attempt, started: joined.next && this.#begin(joined.next, request) };
      });
      if (!started) this.wake();
      return (started && (await this.#answerOf(started, request))) ?? (await this.#view(attempt.id));
    } catch (error) {
      // Others may wait that could not create a container during this decision.
      this.wake();
      const { kind } = subject;
      const active = error instanceof Conflict ? await store.activeFor(caller.id, kind, subject.id) : undefined;
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
  ): Promise<StartedAttempt | undefined> {
    const patience = delay(startPatience, undefined, { ref: false });
    const started = await Promise.race([start, patience]);
    request.isWaiting = false;
    if (request.error !== undefined) throw request.error;
    return started;
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

  async #startAll(): Promise<void> {
    const { queue, engine } = this.#parts;
    while (!this.#stop.signal.aborted && (await queue.hasNext(this.#mayCreate()))) {
      if (engine.problem() !== undefined) await engine.probe().catch(() => undefined);
      if (engine.problem() !== undefined) {
        setTimeout(() => this.wake(), enginePause).unref();
        return;
      }
      const hasBegun = await this.#decide(async (isNewAllowed) => {
        const next = await queue.next(isNewAllowed);
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

  #begin(next: NextStart<Reserved>, request?: StartRequest): Promise<StartedAttempt | undefined> {
    const created = next.placed.row.status === 'creating' ? 1 : 0;
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
