import { asService } from './request-client.ts';

/**
 * Work in rounds, one at a time. A request during a round leads to another round after it, because the running one may already have read
 * what has changed since. Requests before that round begins share it.
 */
export class CoalescingRunner {
  readonly #work: () => Promise<void>;
  #current: Promise<void> = Promise.resolve();
  /** The round that has not begun yet. */
  #next: Promise<void> | undefined;

  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  /** Resolves at the end of a round that begins after this call. @throws the error of that round */
  async run(): Promise<void> {
    this.#next ??= this.#current
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined;
        this.#current = asService(this.#work);
        return this.#current;
      });
    await this.#next;
  }

  /** Resolves when no round is running or requested, however they end. */
  async idle(): Promise<void> {
    while (this.#next) await this.#next.catch(() => undefined);
    await this.#current.catch(() => undefined);
  }
}
