import { Conflict, NotFound, Unavailable } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import { statusesThat } from '../../values/attempt-status.ts';
import type { Provisioner } from '../capacity/provisioner.ts';
import type { ContainerRemovals } from '../capacity/removals.ts';
import type { ContainerRow, ContainerStore } from '../capacity/store.ts';
import type { GradingStore } from './grading-store.ts';
import { type GradedAttempt, type Gradings, releaseContainer } from './gradings.ts';
import type { Entry, StartStore, Subject } from './start-store.ts';
import type { AttemptRow, AttemptStore } from './store.ts';

export type { Entry } from './start-store.ts';

export type AttemptMachineParts = {
  store: Pick<AttemptStore, 'byId' | 'activeFor' | 'settled'>;
  starts: StartStore<ContainerRow>;
  grading: Pick<GradingStore, 'abandon' | 'isHeld'>;
  gradings: Gradings;
  containers: Pick<ContainerStore, 'byAttempt'>;
  provisioner: Pick<Provisioner, 'forAttempt'>;
  removals: Pick<ContainerRemovals, 'remove'>;
  /** Called for each attempt that began, to schedule the expiry at its deadline. */
  onStart: (attempt: AttemptRow) => void;
};

export type StartedAttempt = { attempt: AttemptRow; container: ContainerRow };

/** The life cycle of an attempt of an exam or a laboratory, from its start to its results. `StartQueue` starts queued attempts. */
export class AttemptMachine {
  readonly #parts: AttemptMachineParts;

  constructor(parts: AttemptMachineParts) {
    this.#parts = parts;
  }

  /**
   * Reserves the attempt, then creates its container, then starts the clock. A failure at any step leaves nothing.
   * @throws Conflict while another attempt is active, Unavailable without a container or while others wait in the queue; see `Admission`
   */
  async start(caller: Caller, subject: Subject, entry: Entry): Promise<StartedAttempt> {
    const { store, starts, provisioner, removals, onStart } = this.#parts;
    const { attempt: reserved, state, wanted, warm } = await starts.reserve(subject, caller.id, entry);
    let container: ContainerRow | undefined;
    try {
      container = await provisioner.forAttempt(wanted, warm);
      const attempt = await starts.begin(reserved, state.time_limit_minutes);
      if (!attempt)
        throw new Unavailable('cancelled', 'The attempt was cancelled while its container was being created');
      onStart(attempt);
      return { attempt, container };
    } catch (error) {
      await starts.dropReservation(reserved.id);
      // The answer to `begin` may have been lost after it succeeded. Then the attempt has begun, and keeps its container.
      if (container && (await store.settled([reserved.id])).size > 0) await removals.remove(container);
      throw error;
    }
  }

  /**
   * Grades the user's active attempt of a subject and ends it. A second call during the grading gets the same answer, even from another
   * process.
   * @throws NotFound without an active attempt, Conflict when another process does not finish it in time, Unavailable when grading failed
   * part-way: nothing is lost then, and the attempt can be submitted again
   */
  async submit(caller: Caller, kind: Subject['kind'], subjectId: number): Promise<GradedAttempt> {
    const { id } = await this.#active(caller, kind, subjectId);
    const graded = await this.#parts.gradings.submit(id);
    if (!graded) throw new Conflict('attempt_grading', 'The attempt is being graded already');
    return graded;
  }

  /**
   * Grades the user's active attempt of a subject as it stands, and leaves it active. A second call during the grading gets the same
   * answer. A submission during the grading waits for it.
   * @param taskId of the only task to grade
   * @throws as submit; Conflict while the attempt is being submitted or after its deadline, and during an exam that locks its user down
   */
  async check(caller: Caller, kind: Subject['kind'], subjectId: number, taskId?: number): Promise<GradedAttempt> {
    const { id } = await this.#active(caller, kind, subjectId);
    const graded = await this.#parts.gradings.check(id, taskId);
    if (graded) return graded;
    if (await this.#parts.grading.isHeld(id))
      throw new Conflict('exam_locked_down', 'During this exam you cannot check laboratories');
    throw new Conflict('attempt_not_in_progress', 'The attempt is being graded already, or its time is over');
  }

  /** Grades an overdue attempt as it stands. @returns undefined when it is not overdue, or is already being graded */
  async expire(attemptId: number): Promise<GradedAttempt | undefined> {
    return await this.#parts.gradings.end(attemptId, 'expire');
  }

  /** @throws NotFound, Conflict when it is neither queued nor in progress */
  async abandon(caller: Caller, attemptId: number): Promise<AttemptRow> {
    const { store, grading } = this.#parts;
    const attempt = await store.byId(attemptId);
    if (!attempt || attempt.user_id !== caller.id) throw new NotFound('not_found', 'Attempt not found');
    const abandoned = await grading.abandon(attemptId, statusesThat.canBeAbandoned);
    if (!abandoned)
      throw new Conflict(
        'attempt_not_in_progress',
        `The attempt is ${attempt.status.replace('_', ' ')}, so it cannot be abandoned`,
      );
    await releaseContainer(this.#parts, attemptId);
    return abandoned;
  }

  async container(attemptId: number): Promise<ContainerRow | undefined> {
    return await this.#parts.containers.byAttempt(attemptId);
  }

  async #active(caller: Caller, kind: Subject['kind'], subjectId: number): Promise<AttemptRow> {
    const active = await this.#parts.store.activeFor(caller.id, kind, subjectId);
    if (!active) throw new NotFound('no_active_attempt', `No active attempt of this ${kind}`);
    if (active.status === 'queued') throw new Conflict('attempt_queued', 'The attempt waits for its container');
    return active;
  }
}
