import { FairQueue, largestOf } from '../../../../packages/limits/fair-queue.ts';
import { TooManyRequestsError, UnavailableError } from '../../../errors.ts';
import type { Claim } from '../limits/throttle.ts';

export type FairTurnsLimits = {
  /** How much work runs at once. */
  concurrency: number;
  /** How much work may wait for its turn, of all networks and of one. */
  maxWaiting: number;
  maxWaitingPerNetwork: number;
  /** Called where too many of a network wait. */
  onNetworkLimit?: (limit: 'logins', network: string) => void;
};

type Waiting = { begin: () => void; refuse: (error: Error) => void };

/** Seconds after which a retry makes sense. */
const retryAfter = 5;
/**
 * Known devices come first. After so many of their turns in a row the next turn goes to the others, so a flood of successful logins
 * starves nobody.
 */
const turnsInARow = 3;

/**
 * Runs a bounded number of costly jobs at once. Waiting jobs take turns by network, so a network that sends many requests delays only
 * itself. Where all places are taken, a newcomer replaces the last job of the network that has the most.
 */
export class FairLimiter implements Disposable {
  readonly #limits: FairTurnsLimits;
  readonly #known = new FairQueue<Waiting>();
  readonly #others = new FairQueue<Waiting>();
  #running = 0;
  #inARow = 0;

  constructor(limits: FairTurnsLimits) {
    this.#limits = limits;
  }

  /** Refuses waiting jobs. Running jobs complete. */
  [Symbol.dispose](): void {
    for (const queue of [this.#known, this.#others]) {
      for (let next = queue.takeNext(); next; next = queue.takeNext())
        next.refuse(new UnavailableError('stopping', 'The service is stopping', { retryAfter }));
    }
  }

  load(): { running: number; waiting: number } {
    return { running: this.#running, waiting: this.#known.size + this.#others.size };
  }

  /** @throws TooManyRequestsError when too many of this network wait, UnavailableError when too many wait at all, and what the work throws */
  async run<T>(claim: Claim, work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#limits.concurrency) this.#running += 1;
    else await this.#wait(claim);
    try {
      return await work();
    } finally {
      this.#passOn();
    }
  }

  async #wait(claim: Claim): Promise<void> {
    const ofNetwork = this.#waitingOf(claim.network);
    if (ofNetwork >= this.#limits.maxWaitingPerNetwork) {
      this.#limits.onNetworkLimit?.('logins', claim.network);
      const refusal = tooManyOfNetwork();
      // A device that is known is not kept out by strangers of its network.
      const yielding = claim.isKnown ? this.#others.takeLast(claim.network) : undefined;
      if (!yielding) throw refusal;
      yielding.refuse(refusal);
    }
    if (this.load().waiting >= this.#limits.maxWaiting) this.#makeRoom(ofNetwork);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    (claim.isKnown ? this.#known : this.#others).add(claim.network, { begin: resolve, refuse: reject });
    await promise;
  }

  /** @throws UnavailableError where the newcomer's own network is among those that have the most */
  #makeRoom(ofNewcomer: number): void {
    const refusal = () => new UnavailableError('overloaded', 'Too many logins at once', { retryAfter });
    const networks = [...this.#known.keys(), ...this.#others.keys()];
    const [largest, count] = largestOf(networks, (network) => this.#waitingOf(network));
    if (count <= ofNewcomer + 1) throw refusal();
    (this.#others.takeLast(largest) ?? this.#known.takeLast(largest))?.refuse(refusal());
  }

  #waitingOf(network: string): number {
    return this.#known.count(network) + this.#others.count(network);
  }

  /** The turn passes on directly, so that a newcomer cannot take it from a waiting job. */
  #passOn(): void {
    const isOthersTurn = this.#inARow >= turnsInARow && this.#others.size > 0;
    const queue = isOthersTurn || this.#known.size === 0 ? this.#others : this.#known;
    this.#inARow = queue === this.#known && this.#others.size > 0 ? this.#inARow + 1 : 0;
    const next = queue.takeNext();
    if (next) next.begin();
    else this.#running -= 1;
  }
}

const tooManyOfNetwork = (): TooManyRequestsError =>
  new TooManyRequestsError(
    'too_many_logins',
    'Too many logins and registrations from your network at once; try again in 1 minute',
    retryAfter,
  );
