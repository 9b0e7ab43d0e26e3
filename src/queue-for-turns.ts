import { Unavailable } from './errors.ts';

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
type Waiter = { begin: () => void; refuse: (error: Error) => void; isUrgent: boolean };

/** A task with a slot, or one that has released it and runs aside. */
type Turn = { isAside: boolean };

/** Limits concurrent and queued expensive tasks. Urgent tasks run first, then first come, first served. */
export class QueueForTurns {
  readonly #limits: TurnLimits;
  readonly #refusal: string;
  readonly #waiting: Waiter[] = [];
  /** Slow tasks that found no place aside. */
  readonly #lingering = new Set<Turn>();
  #running = 0;
  #aside = 0;

  /** @param refusal the message for callers that find the queue full */
  constructor(limits: TurnLimits, refusal: string) {
    this.#limits = limits;
    this.#refusal = refusal;
  }

  load(): Load {
    return { running: this.#running + this.#aside, waiting: this.#waiting.length };
  }

  /**
   * @param isUrgent the task precedes all others; if the queue is full, the last task that is not urgent is refused instead
   * @throws Unavailable if the queue is full or the wait was too long, and any error of the task
   */
  async run<T>(work: () => Promise<T>, { isUrgent = false }: { isUrgent?: boolean } = {}): Promise<T> {
    if (this.#running >= this.#limits.concurrency) {
      if (this.#waiting.length >= this.#limits.maxWaiting && !(isUrgent && this.#refuseLast())) throw this.#refused();
      await this.#wait(isUrgent);
    } else {
      this.#running += 1;
    }
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
    const next = this.#waiting.shift();
    if (next) next.begin();
    else this.#running -= 1;
  }

  /** @returns false if all queued tasks are urgent */
  #refuseLast(): boolean {
    const last = this.#waiting.findLastIndex(({ isUrgent }) => !isUrgent);
    const [refused] = last === -1 ? [] : this.#waiting.splice(last, 1);
    refused?.refuse(this.#refused());
    return refused !== undefined;
  }

  #refused(): Unavailable {
    return new Unavailable('overloaded', this.#refusal, { retryAfter: 5 });
  }

  async #wait(isUrgent: boolean): Promise<void> {
    const { maxWaitSeconds } = this.#limits;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter: Waiter = { begin: resolve, refuse: reject, isUrgent };
    const place = isUrgent ? this.#waiting.findLastIndex((other) => other.isUrgent) + 1 : this.#waiting.length;
    this.#waiting.splice(place, 0, waiter);
    if (maxWaitSeconds === undefined) return await promise;
    const timer = setTimeout(() => {
      const now = this.#waiting.indexOf(waiter);
      if (now === -1) return;
      this.#waiting.splice(now, 1);
      reject(this.#refused());
    }, maxWaitSeconds * 1000);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
    }
  }
}
