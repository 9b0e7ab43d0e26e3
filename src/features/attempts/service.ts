import { NotFound } from '../../errors.ts';
import type { Caller } from '../../http/access.ts';
import type { Listed, Page } from '../../http/paging.ts';
import type { GradedAttempt } from './gradings.ts';
import type { AttemptMachine } from './machine.ts';
import { isStaff } from './schema.ts';
import type { Subject } from './start-store.ts';
import type { AttemptRow, AttemptStore } from './store.ts';

export type AttemptView = GradedAttempt & { containerId: number | null };

/** Attempts of one kind, of exams or of laboratories, for their users and for staff. */
export class AttemptService {
  readonly kind: Subject['kind'];
  readonly #store: AttemptStore;
  readonly #machine: Pick<AttemptMachine, 'abandon' | 'container'>;

  constructor(parts: {
    kind: Subject['kind'];
    store: AttemptStore;
    machine: Pick<AttemptMachine, 'abandon' | 'container'>;
  }) {
    this.kind = parts.kind;
    this.#store = parts.store;
    this.#machine = parts.machine;
  }

  /** The caller's own, newest first. */
  async list(caller: Caller, page: Page): Promise<Listed<AttemptRow>> {
    return await this.#store.ofUser(caller.id, this.kind, page);
  }

  /** The caller's own unfinished attempts. */
  async active(caller: Caller): Promise<AttemptView[]> {
    const attempts = await this.#store.active(caller.id, this.kind);
    return await Promise.all(attempts.map((attempt) => this.#view(attempt)));
  }

  /** @throws NotFound for another user's attempt, unless the caller is an instructor */
  async results(caller: Caller, attemptId: number): Promise<AttemptView> {
    return await this.#view(await this.#attempt(caller, attemptId, isStaff(caller)));
  }

  /** @throws NotFound for another user's attempt, Conflict when it is not in progress */
  async abandon(caller: Caller, attemptId: number): Promise<AttemptRow> {
    await this.#attempt(caller, attemptId, false);
    return await this.#machine.abandon(caller, attemptId);
  }

  async #attempt(caller: Caller, id: number, anybodys: boolean): Promise<AttemptRow> {
    const attempt = await this.#store.byId(id);
    if (attempt?.kind !== this.kind || !(anybodys || attempt.user_id === caller.id))
      throw new NotFound('not_found', 'Attempt not found');
    return attempt;
  }

  async #view(attempt: AttemptRow): Promise<AttemptView> {
    const results = await this.#store.results(attempt.id);
    const containerId = (await this.#machine.container(attempt.id))?.id ?? null;
    return { attempt, results, containerId };
  }
}
