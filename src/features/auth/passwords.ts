import { compare, hash } from '@node-rs/bcrypt';
import { Unavailable } from '../../errors.ts';

export type PasswordOptions = {
  bcryptCost: number;
  /** Hashes computed at once. Each takes one thread for a quarter of a second at cost 12. */
  concurrency: number;
  /** Hashes that may wait for a turn. */
  maxWaiting: number;
};

/** bcrypt off the event loop, a bounded number at once, so that logins never take every core. */
export class Passwords {
  readonly #options: PasswordOptions;
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #dummy: Promise<string> | undefined;

  constructor(options: PasswordOptions) {
    this.#options = options;
  }

  /** @throws Unavailable when too many are waiting */
  async hash(password: string): Promise<string> {
    return await this.#inTurn(() => hash(password, { cost: this.#options.bcryptCost }));
  }

  /**
   * Compares with a stored hash, or, where there is no such user, with one that nothing matches: both take the same time.
   * @throws Unavailable when too many are waiting
   */
  async verify(password: string, storedHash: string | undefined): Promise<boolean> {
    this.#dummy ??= hash('a password that nobody has', { cost: this.#options.bcryptCost });
    const against = storedHash ?? (await this.#dummy);
    // bcrypt reads 72 bytes; what is longer was never stored.
    const matches = await this.#inTurn(() => compare(password, against));
    return matches && storedHash !== undefined && Buffer.byteLength(password) <= 72;
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#options.concurrency) {
      if (this.#waiting.length >= this.#options.maxWaiting)
        throw new Unavailable('Too many logins at once', { retryAfter: 5 });
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else {
      this.#running += 1;
    }
    try {
      return await work();
    } finally {
      // The turn passes on directly, so that nobody who comes now can take it from the one who waits.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }
}
