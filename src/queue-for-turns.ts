import { Unavailable } from './errors.ts';

/** How much runs and how much waits, now. */
export type Load = { running: number; waiting: number };

export type TurnLimits = {
  /** Work that runs at once. */
  concurrency: number;
  /** Work that may wait for its turn. */
  maxWaiting: number;
  /** Seconds that one may wait; without it as long as it takes. */
  maxWaitSeconds?: number;
  /** Work that turns out to be slow steps aside and goes on there, so that it holds up nobody; without it nothing does. */
  slow?: {
    /** Seconds from which work counts as slow. */
    afterSeconds: number;
    /** Work that may be aside at once; what is slow beyond that keeps its turn until there is room. */
    max: number;
  };
};

/** Work that waits for its turn. */
type Waiter = { begin: () => void; refuse: (error: Error) => void; isUrgent: boolean };

/** Work that has a turn, or has passed it on and is aside. */
type Turn = { isAside: boolean };

/**
 * Lets a bounded number of costly pieces of work run at once and a bounded number wait: urgent ones first, then first come, first
 * served.
 */
export class QueueForTurns {
  readonly #limits: TurnLimits;
  readonly #refusal: string;
  readonly #waiting: Waiter[] = [];
  /** Slow work that found no room aside. */
  readonly #lingering = new Set<Turn>();
  #running = 0;
  #aside = 0;

  /** @param refusal what is said to who finds the queue full */
  constructor(limits: TurnLimits, refusal: string) {
    this.#limits = limits;
    this.#refusal = refusal;
  }

  load(): Load {
    return { running: this.#running + this.#aside, waiting: this.#waiting.length };
  }

  /**
   * @param isUrgent it goes before all that is not, and where too many are waiting the last of those is refused instead
   * @throws Unavailable when too many are waiting or the wait was too long, and what the work throws
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

  /** The turn passes on directly, so that nobody who comes now can take it from the one who waits. */
  #passOn(): void {
    const next = this.#waiting.shift();
    if (next) next.begin();
    else this.#running -= 1;
  }

  /** @returns false where all that waits is urgent */
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
