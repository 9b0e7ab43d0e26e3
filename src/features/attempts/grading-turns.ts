import { type Load, QueueForTurns, type TurnLimits } from '../../queue-for-turns.ts';

/**
 * Lets a bounded number of gradings run at once, and of each user one: who makes checks hang takes no more than one turn from
 * the others, and that not for long, as what is slow steps aside. Those of one user that wait are as many as the attempts that
 * a user can have.
 */
export class GradingTurns {
  readonly #turns: QueueForTurns;
  readonly #last = new Map<number, Promise<void>>();

  constructor(limits: TurnLimits) {
    this.#turns = new QueueForTurns(limits, 'Too many attempts wait to be graded; submit again soon');
  }

  load(): Load {
    return this.#turns.load();
  }

  /** @throws Unavailable when too many are waiting, and what the work throws */
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
