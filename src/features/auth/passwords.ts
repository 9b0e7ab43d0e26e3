import { compare, hash } from '@node-rs/bcrypt';
import { QueueForTurns } from '../../queue-for-turns.ts';

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
  readonly #turns: QueueForTurns;
  #dummy: Promise<string> | undefined;

  constructor(options: PasswordOptions) {
    this.#options = options;
    this.#turns = new QueueForTurns(options, 'Too many logins at once');
  }

  /** @throws Unavailable when too many are waiting */
  async hash(password: string): Promise<string> {
    return await this.#turns.run(() => hash(password, { cost: this.#options.bcryptCost }));
  }

  /**
   * Compares with a stored hash, or, where there is no such user, with one that nothing matches: both take the same time.
   * @throws Unavailable when too many are waiting
   */
  async verify(password: string, storedHash: string | undefined): Promise<boolean> {
    this.#dummy ??= hash('a password that nobody has', { cost: this.#options.bcryptCost });
    const against = storedHash ?? (await this.#dummy);
    // bcrypt reads 72 bytes; what is longer was never stored.
    const matches = await this.#turns.run(() => compare(password, against));
    return matches && storedHash !== undefined && Buffer.byteLength(password) <= 72;
  }
}
