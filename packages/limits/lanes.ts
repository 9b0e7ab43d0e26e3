export type LaneLimits = {
  /** Work of one key at once. */
  concurrency: number;
  /** Work of one key that may wait. */
  maxWaiting: number;
  /** Milliseconds that it may wait. */
  maxWaitMs: number;
};

type Lane = { running: number; waiting: Set<(release: () => void) => void> };

/** Limits what each key does at once. Further work waits in the lane of its key, in memory, and delays no other key. */
export class Lanes {
  readonly #limits: LaneLimits;
  readonly #refused: () => Error;
  readonly #lanes = new Map<string, Lane>();

  /** @param refused makes the error for a caller whose lane is full, or who has waited too long */
  constructor(limits: LaneLimits, refused: () => Error) {
    this.#limits = limits;
    this.#refused = refused;
  }

  /** @throws the refusal where the lane is full or the wait was too long, and any error of the work */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const leave = await this.enter(key);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /** Waits for a place. @returns what gives it back, once @throws the refusal */
  async enter(key: string): Promise<() => void> {
    const lane = this.#lanes.get(key);
    if (!lane || lane.running < this.#limits.concurrency) return this.occupy(key);
    if (lane.waiting.size >= this.#limits.maxWaiting) throw this.#refused();
    const { promise, resolve, reject } = Promise.withResolvers<() => void>();
    const timer = setTimeout(() => {
      lane.waiting.delete(resolve);
      reject(this.#refused());
    }, this.#limits.maxWaitMs);
    lane.waiting.add(resolve);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Takes a place at once, also where all are taken: others of the key then wait for its end. @returns what gives it back, once */
  occupy(key: string): () => void {
    const lane = this.#lanes.get(key) ?? { running: 0, waiting: new Set() };
    this.#lanes.set(key, lane);
    lane.running += 1;
    return this.#leaveOf(key, lane);
  }

  /** The place passes on directly, so that a newcomer cannot take it from one that waits. */
  #leaveOf(key: string, lane: Lane): () => void {
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      const [next] = lane.running > this.#limits.concurrency ? [] : lane.waiting;
      if (next) {
        lane.waiting.delete(next);
        next(this.#leaveOf(key, lane));
        return;
      }
      lane.running -= 1;
      if (lane.running === 0) this.#lanes.delete(key);
    };
  }
}
