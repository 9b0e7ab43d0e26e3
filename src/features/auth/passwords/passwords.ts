import { randomBytes } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { genSaltSync } from '@node-rs/bcrypt';
import { UnavailableError } from '../../../errors.ts';
import { endOfNobody } from '../../../values/no-password.ts';
import type { Claim } from '../limits/throttle.ts';
import type { HashJob, HashResult } from './bcrypt-worker.ts';
import { FairLimiter, type FairTurnsLimits } from './fair-limiter.ts';

type Pending = { resolve: (value: string | boolean) => void; reject: (error: Error) => void };
type Thread = { worker: Worker; pending: Pending | undefined };

const program = new URL('./bcrypt-worker.ts', import.meta.url);
/** Megabytes of the JavaScript heap. bcrypt itself needs none of it. */
const heapLimit = 16;

/**
 * Threads that compute password hashes. They are started on first use and reused. An idle thread does not keep the process alive. Each job
 * runs on its own thread. The caller bounds the number of concurrent jobs.
 */
export class HashThreads {
  readonly #idle: Thread[] = [];
  readonly #program: URL;

  /** @param worker another program, for a test */
  constructor(worker = program) {
    this.#program = worker;
  }

  /** @throws UnavailableError when the thread ends before it has answered */
  async run(job: HashJob): Promise<string | boolean> {
    const thread = this.#idle.pop() ?? this.#start();
    thread.worker.ref();
    return await new Promise((resolve, reject) => {
      thread.pending = { resolve, reject };
      thread.worker.postMessage(job);
    });
  }

  #start(): Thread {
    // The process's Node options, such as a test's preloaded modules, must not apply to this thread.
    const worker = new Worker(this.#program, { execArgv: [], resourceLimits: { maxOldGenerationSizeMb: heapLimit } });
    const thread: Thread = { worker, pending: undefined };
    worker.on('message', (result: HashResult) => this.#settle(thread, result));
    worker.on('error', (error) => this.#lose(thread, error));
    worker.on('exit', () => this.#lose(thread, new Error('the thread has ended')));
    return thread;
  }

  #settle(thread: Thread, result: HashResult): void {
    const { pending } = thread;
    thread.pending = undefined;
    thread.worker.unref();
    this.#idle.push(thread);
    if ('error' in result) pending?.reject(new Error(result.error));
    else pending?.resolve(result.value);
  }

  /** The next job starts another thread. */
  #lose(thread: Thread, cause: unknown): void {
    const place = this.#idle.indexOf(thread);
    if (place !== -1) this.#idle.splice(place, 1);
    thread.pending?.reject(
      new UnavailableError('unavailable', 'The password could not be checked', { retryAfter: 1, cause }),
    );
    thread.pending = undefined;
  }
}

/** One pool for the process. Each instance limits its own concurrent jobs. */
const threads = new HashThreads();

export type PasswordOptions = FairTurnsLimits & { bcryptCost: number };

/** Whether a user has a password. */
export const hasPassword = ({ password_hash }: { password_hash: string }): boolean =>
  !password_hash.endsWith(endOfNobody);

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
