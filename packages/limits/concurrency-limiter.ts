import { FairQueue, largestOf } from './fair-queue.ts';
import { requestClient } from './request-client.ts';

/** The current number of running and waiting tasks. */
export type Load = { running: number; waiting: number };

export type TurnLimits = {
  /** Maximum tasks that run at once. */
  concurrency: number;
  /** Maximum tasks in the queue. */
  maxWaiting: number;
  /** Maximum seconds in the queue; default: unlimited. */
  maxWaitSeconds?: number;
  /** If set, slow tasks are moved aside and continue there, so that they do not block the queue. */
  slow?: {
    /** Seconds after which a task counts as slow. */
    afterSeconds: number;
    /** Maximum tasks aside; a further slow task keeps its slot until one is free. */
    max: number;
  };
};

/** A task in the queue. */
type Waiter = { begin: () => void; refuse: (error: Error) => void };

/** A task with a slot, or one that has released it and runs aside. */
type Turn = { isAside: boolean };

export type TurnOptions = {
  /** The task precedes all others; if the queue is full, another one that is not urgent is refused instead. */
  isUrgent?: boolean;
  /** Whose task it is; default: the client of the request. */
  client?: string | undefined;
};

/**
 * Limits concurrent and queued expensive tasks. Urgent tasks run first. Within both, clients take turns: one that queues many tasks delays
 * only itself. In a full queue, the last task of the client with the most makes room for another client.
 */
export class ConcurrencyLimiter {
  readonly #limits: TurnLimits;
  readonly #refused: () => Error;
  readonly #urgent = new FairQueue<Waiter>();
  readonly #others = new FairQueue<Waiter>();
  /** Slow tasks that found no place aside. */
  readonly #lingering = new Set<Turn>();
  #running = 0;
  #aside = 0;

  /** @param refused makes the error for a caller that finds the queue full, or has waited too long */
  constructor(limits: TurnLimits, refused: () => Error) {
    this.#limits = limits;
    this.#refused = refused;
  }

  load(): Load {
    return { running: this.#running + this.#aside, waiting: this.#urgent.size + this.#others.size };
  }

  /** @throws the refusal if the queue is full or the wait was too long, and any error of the task */
  async run<T>(work: () => Promise<T>, { isUrgent = false, client = requestClient() }: TurnOptions = {}): Promise<T> {
    if (this.#running < this.#limits.concurrency) this.#running += 1;
    else await this.#wait(isUrgent ? this.#urgent : this.#others, client ?? ownWork);
    const { slow } = this.#limits;
    const turn: Turn = { isAside: false };
    const timer = slow && setTimeout(() => this.#becomeSlow(turn, slow.max), slow.afterSeconds * 1000);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
      this.#end(turn);
    }
  }

  #becomeSlow(turn: Turn, max: number): void {
    if (this.#aside < max) this.#stepAside(turn);
    else this.#lingering.add(turn);
  }

  #stepAside(turn: Turn): void {
    this.#lingering.delete(turn);
    this.#aside += 1;
    turn.isAside = true;
    this.#passOn();
  }

  #end(turn: Turn): void {
    this.#lingering.delete(turn);
    if (!turn.isAside) {
      this.#passOn();
      return;
    }
    this.#aside -= 1;
    const [next] = this.#lingering;
    if (next) this.#stepAside(next);
  }

  /** The slot is passed on directly, so that a new caller cannot take it from a waiting one. */
  #passOn(): void {
    const next = this.#urgent.takeNext() ?? this.#others.takeNext();
    if (next) next.begin();
    else this.#running -= 1;
  }

  /** Refuses a waiting task in favour of a new one. @throws the refusal if none has to yield to it */
  #makeRoom(queue: FairQueue<Waiter>, client: string): void {
    const isUrgent = queue === this.#urgent;
    const yielding = isUrgent && this.#others.size > 0 ? this.#others : queue;
    const [largest, count] = largestOf(yielding.keys(), (key) => yielding.count(key));
    if (yielding === queue && count <= queue.count(client) + 1) throw this.#refused();
    yielding.takeLast(largest)?.refuse(this.#refused());
  }

  async #wait(queue: FairQueue<Waiter>, client: string): Promise<void> {
    const { maxWaiting, maxWaitSeconds } = this.#limits;
    if (this.load().waiting >= maxWaiting) this.#makeRoom(queue, client);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter: Waiter = { begin: resolve, refuse: reject };
    queue.add(client, waiter);
    if (maxWaitSeconds === undefined) return await promise;
    const timer = setTimeout(() => {
      if (queue.remove(client, waiter)) reject(this.#refused());
    }, maxWaitSeconds * 1000);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
    }
  }
}

/** The client of work that belongs to no request. */
const ownWork = '';
