import { ConcurrencyLimiter, type Load, type TurnLimits } from '../../../../packages/limits/concurrency-limiter.ts';
import { overloaded } from '../../../errors.ts';

/**
 * Runs a bounded number of gradings at once, and one for each user. A user whose checks hang takes only one turn from the others. That
 * turn is short, because a slow grading moves to the background. A user's waiting gradings are bounded by the number of attempts that the
 * user can have.
 */
export class GradingTurns {
  readonly #turns: ConcurrencyLimiter;
  readonly #last = new Map<number, Promise<void>>();

  constructor(limits: TurnLimits) {
    this.#turns = new ConcurrencyLimiter(limits, overloaded('Too many attempts wait to be graded; submit again soon'));
  }

  load(): Load {
    return this.#turns.load();
  }

  /** @throws UnavailableError when too many are waiting, and what the work throws */
  async run<T>(userId: number, work: () => Promise<T>): Promise<T> {
    const turn = (this.#last.get(userId) ?? Promise.resolve()).then(() => this.#turns.run(work));
    const ended = turn
      .then(
        () => undefined,
        () => undefined,
      )
      .finally(() => {
        if (this.#last.get(userId) === ended) this.#last.delete(userId);
      });
    this.#last.set(userId, ended);
    return await turn;
  }
}
