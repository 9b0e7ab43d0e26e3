import { randomBytes } from 'node:crypto';
import { genSaltSync } from '@node-rs/bcrypt';
import type { HashJob } from '../../workers/bcrypt.ts';
import { FairLimiter, type FairTurnsLimits } from './fair-limiter.ts';
import { HashThreads } from './hash-threads.ts';
import { endOfNobody } from './store.ts';
import type { Claim } from './throttle.ts';

/** One pool for the process. Each instance limits its own concurrent jobs. */
const threads = new HashThreads();

export type PasswordOptions = FairTurnsLimits & { bcryptCost: number };

/** A password that nobody has chosen: 96 random bits. */
export const newPassword = (): string => randomBytes(12).toString('base64url');

/** The claim of administrators' actions and commands. */
const own: Claim = { network: 'own', isKnown: true };

/**
 * bcrypt on its own threads at a reduced priority, a bounded number at once. At cost 12, each takes a quarter of a second of an idle core.
 */
export class Passwords implements Disposable {
  readonly #cost: number;
  readonly #turns: FairLimiter;
  /** Takes as long as a real hash, and matches nothing: no password is known whose hash is all zeros. */
  readonly #hashOfNobody: string;

  constructor({ bcryptCost, ...limits }: PasswordOptions) {
    this.#cost = bcryptCost;
    this.#turns = new FairLimiter(limits);
    this.#hashOfNobody = genSaltSync({ cost: bcryptCost }) + endOfNobody;
  }

  /** @throws TooManyRequestsError, UnavailableError when too many are waiting */
  async hash(password: string, claim = own): Promise<string> {
    return String(await this.#run({ password, cost: this.#cost }, claim));
  }

  /**
   * Compares with a stored hash. Without such a user, compares with a hash that nothing matches, so that both cases take the same time.
   * @throws TooManyRequestsError, UnavailableError when too many are waiting
   */
  async verify(password: string, storedHash: string | undefined, claim = own): Promise<boolean> {
    const matches = await this.#run({ password, storedHash: storedHash ?? this.#hashOfNobody }, claim);
    // bcrypt reads 72 bytes, and longer passwords are never stored.
    return matches === true && storedHash !== undefined && Buffer.byteLength(password) <= 72;
  }

  /** The hash of a user without a password. Comparing with it takes as long as with any other. */
  ofNobody(): string {
    return this.#hashOfNobody;
  }

  /** Refuses waiting jobs, so that a shutdown does not wait for them. */
  [Symbol.dispose](): void {
    this.#turns[Symbol.dispose]();
  }

  async #run(job: HashJob, claim: Claim): Promise<string | boolean> {
    return await this.#turns.run(claim, () => threads.run(job));
  }
}
