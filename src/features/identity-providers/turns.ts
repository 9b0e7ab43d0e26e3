import { ConcurrencyLimiter } from '../../../packages/limits/concurrency-limiter.ts';
import { UnavailableError } from '../../errors.ts';

/** Requests to one provider, for which users wait. */
const limits = { concurrency: 16, maxWaiting: 400, maxWaitSeconds: 30 };

/** Turns at each provider of logins or platform: one that does not answer delays its own users only. */
export class ProviderTurns {
  readonly #refusal: string;
  readonly #turns = new Map<number, ConcurrencyLimiter>();

  /** @param refusal says that too many wait */
  constructor(refusal: string) {
    this.#refusal = refusal;
  }

  /** @throws UnavailableError if too many wait or the wait was too long, and any error of the work */
  async run<T>({ id }: { id: number }, work: () => Promise<T>): Promise<T> {
    const refused = () => new UnavailableError('unavailable', this.#refusal, { retryAfter: 5 });
    const turns = this.#turns.get(id) ?? new ConcurrencyLimiter(limits, refused);
    this.#turns.set(id, turns);
    return await turns.run(work);
  }
}
