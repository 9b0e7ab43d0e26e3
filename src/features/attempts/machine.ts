import { ConflictError, NotFoundError } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import { statusesThat } from '../../values/attempt-status.ts';
import type { ContainerRemovals } from '../capacity/removals.ts';
import type { ContainerRow, ContainerStore } from '../capacity/store.ts';
import { type GradedAttempt, type Gradings, releaseContainer } from './gradings/gradings.ts';
import type { GradingStore } from './gradings/store.ts';
import type { Assessment } from './starts/store.ts';
import type { AttemptRow, AttemptStore } from './store.ts';

export type AttemptMachineParts = {
  store: Pick<AttemptStore, 'byId' | 'activeFor'>;
  grading: Pick<GradingStore, 'abandon' | 'isHeld'>;
  gradings: Gradings;
  containers: Pick<ContainerStore, 'byAttempt'>;
  removals: Pick<ContainerRemovals, 'remove'>;
};

/**
 * What ends an attempt that has begun, and what is asked of it before: `StartQueue` starts it. The statuses are those of the diagram in
 * README.md. Requests of its user call `submit`, `check` and `abandon`, and `AttemptAdminService` calls `submit` for administrators. `Deadlines`
 * calls `expire`, for the job at the deadline and for the rounds of the reconciler. Each leads to one statement of `GradingStore`, which
 * checks the previous status, so that of concurrent calls one succeeds.
 */
export class AttemptMachine {
  readonly #parts: AttemptMachineParts;

  constructor(parts: AttemptMachineParts) {
    this.#parts = parts;
  }

  /**
   * Grades the user's active attempt of an assessment and ends it. A second call during the grading gets the same answer, even from another
   * process.
   * @throws NotFoundError without an active attempt, ConflictError when another process does not finish it in time, UnavailableError when grading failed
   * part-way: nothing is lost then, and the attempt can be submitted again
   */
  async submit(caller: Caller, kind: Assessment['kind'], assessmentId: number): Promise<GradedAttempt> {
    const { id } = await this.#active(caller, kind, assessmentId);
    const graded = await this.#parts.gradings.submit(id);
    if (!graded) throw new ConflictError('attempt_grading', 'The attempt is being graded already');
    return graded;
  }

  /**
   * Grades the user's active attempt of an assessment as it stands, and leaves it active. A second call during the grading gets the same
   * answer. A submission during the grading waits for it.
   * @param taskId of the only task to grade
   * @throws as submit; ConflictError while the attempt is being submitted or after its deadline, and during an exam that locks its user down
   */
  async check(caller: Caller, kind: Assessment['kind'], assessmentId: number, taskId?: number): Promise<GradedAttempt> {
    const { id } = await this.#active(caller, kind, assessmentId);
    const graded = await this.#parts.gradings.check(id, taskId);
    if (graded) return graded;
    if (await this.#parts.grading.isHeld(id))
      throw new ConflictError('exam_locked_down', 'During this exam you cannot check laboratories');
    throw new ConflictError('attempt_not_in_progress', 'The attempt is being graded already, or its time is over');
  }

  /** Grades an overdue attempt as it stands. @returns undefined when it is not overdue, or is already being graded */
  async expire(attemptId: number): Promise<GradedAttempt | undefined> {
    return await this.#parts.gradings.end(attemptId, 'expire');
  }

  /** @throws NotFoundError, ConflictError when it is neither queued nor in progress */
  async abandon(caller: Caller, attemptId: number): Promise<AttemptRow> {
    const { store, grading } = this.#parts;
    const attempt = await store.byId(attemptId);
    if (!attempt || attempt.user_id !== caller.id) throw new NotFoundError('not_found', 'Attempt not found');
    const abandoned = await grading.abandon(attemptId, statusesThat.canBeAbandoned);
    if (!abandoned)
      throw new ConflictError(
        'attempt_not_in_progress',
        `The attempt is ${attempt.status.replace('_', ' ')}, so it cannot be abandoned`,
      );
    await releaseContainer(this.#parts, attemptId);
    return abandoned;
  }

  async container(attemptId: number): Promise<ContainerRow | undefined> {
    return await this.#parts.containers.byAttempt(attemptId);
  }

  async #active(caller: Caller, kind: Assessment['kind'], assessmentId: number): Promise<AttemptRow> {
    const active = await this.#parts.store.activeFor(caller.id, kind, assessmentId);
    if (!active) throw new NotFoundError('no_active_attempt', `No active attempt of this ${kind}`);
    if (active.status === 'queued') throw new ConflictError('attempt_queued', 'The attempt waits for its container');
    return active;
  }
}
