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

/** Work that has a turn, or has passed it on and is aside. */
type Turn = { isAside: boolean };

/** Lets a bounded number of costly pieces of work run at once and a bounded number wait, first come, first served. */
export class QueueForTurns {
  readonly #limits: TurnLimits;
  readonly #refusal: string;
  readonly #waiting: (() => void)[] = [];
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

  /** @throws Unavailable when too many are waiting or the wait was too long, and what the work throws */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#limits.concurrency) {
      if (this.#waiting.length >= this.#limits.maxWaiting) throw new Unavailable(this.#refusal, { retryAfter: 5 });
      await this.#wait();
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
    if (next) next();
    else this.#running -= 1;
  }

  async #wait(): Promise<void> {
    const { maxWaitSeconds } = this.#limits;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    if (maxWaitSeconds === undefined) return await promise;
    const timer = setTimeout(() => {
      const place = this.#waiting.indexOf(resolve);
      if (place === -1) return;
      this.#waiting.splice(place, 1);
      reject(new Unavailable(this.#refusal, { retryAfter: 5 }));
    }, maxWaitSeconds * 1000);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
    }
  }
}
