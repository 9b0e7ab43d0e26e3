import type { FastifyBaseLogger } from 'fastify';
import type { TurnLimits } from '../../../../packages/limits/concurrency-limiter.ts';
import type { AttemptMachine } from '../machine.ts';
import type { RecoveryStore } from './store.ts';

export type DeadlinesParts = {
  machine: Pick<AttemptMachine, 'expire'>;
  store: Pick<RecoveryStore, 'overdue'>;
  /** The limits of the turns in which attempts are graded. */
  limits: Required<Pick<TurnLimits, 'concurrency' | 'slow'>>;
  log: FastifyBaseLogger;
};

const overdueAtOnce = 200;

/**
 * Ends overdue attempts, a bounded number at once. An attempt is slow to grade where its container accepts connections and does not
 * respond. Its grading continues in the background while the next attempts have their turn.
 */
export class Deadlines {
  readonly #parts: DeadlinesParts;
  readonly #underWay = new Map<number, Promise<void>>();
  #working = 0;

  constructor(parts: DeadlinesParts) {
    this.#parts = parts;
  }

  /**
   * Grades an attempt as it stands at its deadline. Does nothing where the attempt is not overdue or is already being graded. Resolves
   * when the grading has its outcome or continues in the background.
   * @throws what the grading throws, unless it was slow
   */
  async expire(attemptId: number): Promise<void> {
    const { machine, limits, log } = this.#parts;
    const before = this.#underWay.get(attemptId);
    const outcome =
      before ??
      machine.expire(attemptId).then(
        () => void this.#underWay.delete(attemptId),
        (error: unknown) => {
          this.#underWay.delete(attemptId);
          log.warn({ err: error, attempt: attemptId }, 'an overdue attempt could not be graded');
          throw error;
        },
      );
    if (!before) this.#underWay.set(attemptId, outcome);
    const hasRoom = this.#underWay.size <= limits.concurrency + limits.slow.max;
    await (hasRoom ? this.#unlessSlow(outcome) : outcome);
  }

  /** Finds all overdue attempts and ends them. Resolves when each has its outcome or continues in the background. */
  async expireOverdue(): Promise<void> {
    const { store, limits } = this.#parts;
    const queue = (await store.overdue(overdueAtOnce)).filter(({ id }) => !this.#underWay.has(id));
    const worker = async (): Promise<void> => {
      this.#working += 1;
      for (let attempt = queue.shift(); attempt; attempt = queue.shift())
        await this.expire(attempt.id).catch(() => undefined);
      this.#working -= 1;
    };
    await Promise.all(Array.from({ length: Math.max(0, limits.concurrency - this.#working) }, worker));
  }

  async #unlessSlow(outcome: Promise<void>): Promise<void> {
    const { promise: isSlow, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, this.#parts.limits.slow.afterSeconds * 1000);
    await Promise.race([outcome, isSlow]).finally(() => clearTimeout(timer));
  }
}
