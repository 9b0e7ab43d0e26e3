import { ConflictError, NotFoundError } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import type { Listed, Page } from '../../http/lists/paging.ts';
import type { AttemptAdminStore, ListedAttempt, MoreTime } from './attempt-admin-store.ts';
import type { GradedAttempt } from './gradings/gradings.ts';
import type { AttemptMachine } from './machine.ts';
import type { AttemptRow, AttemptStore } from './store.ts';

export type AttemptAdminParts = {
  store: AttemptAdminStore;
  attempts: Pick<AttemptStore, 'byId' | 'endedBy' | 'results'>;
  machine: Pick<AttemptMachine, 'submit' | 'container'>;
  /** Called for each extended deadline, to schedule the expiry at the new time. */
  onExtend: (attempt: AttemptRow) => void;
};

/** Attempts of all users, for administrators. */
export class AttemptAdminService {
  readonly #parts: AttemptAdminParts;

  constructor(parts: AttemptAdminParts) {
    this.#parts = parts;
  }

  async list(
    caller: Caller,
    filter: Parameters<AttemptAdminStore['list']>[1],
    page: Page,
  ): Promise<Listed<ListedAttempt>> {
    return await this.#parts.store.list(caller, filter, page);
  }

  /** @throws NotFoundError */
  async get(id: number): Promise<GradedAttempt & { containerId: number | null; endedBy: string | null }> {
    const attempt = await this.#attempt(id);
    const results = await this.#parts.attempts.results(id);
    const containerId = (await this.#parts.machine.container(id))?.id ?? null;
    return { attempt, results, containerId, endedBy: await this.#parts.attempts.endedBy(attempt) };
  }

  /**
   * Grades an attempt again after its grading failed, as its user's next submission would.
   * @throws NotFoundError, ConflictError unless its grading has failed and it is still in progress, UnavailableError when it fails again
   */
  async grade(caller: Caller, id: number): Promise<GradedAttempt> {
    const attempt = await this.#attempt(id);
    const { assessment_id: assessmentId } = attempt;
    if (assessmentId === null || !(await this.#parts.store.logGrading(caller.id, id)))
      throw new ConflictError(
        'attempt_not_regradable',
        'Only an attempt in progress whose grading failed can be graded again',
      );
    return await this.#parts.machine.submit({ ...caller, id: attempt.user_id }, attempt.kind, assessmentId);
  }

  /** @param time in minutes. @throws NotFoundError, ConflictError unless it is in progress and the limit grows */
  async extend(caller: Caller, id: number, time: MoreTime): Promise<AttemptRow> {
    await this.#attempt(id);
    const extended = await this.#parts.store.extend(caller.id, id, time);
    if (!extended)
      throw new ConflictError(
        'attempt_not_extendable',
        'Only an attempt in progress with a time limit can be given more time',
      );
    this.#parts.onExtend(extended);
    return extended;
  }

  async #attempt(id: number): Promise<AttemptRow> {
    const attempt = await this.#parts.attempts.byId(id);
    if (!attempt) throw new NotFoundError('not_found', 'Attempt not found');
    return attempt;
  }
}
