import { NotFound } from '../../errors.ts';
import type { Caller } from '../../http/access.ts';
import type { Listed, Page } from '../../http/paging.ts';
import type { GradedAttempt } from './gradings.ts';
import type { AttemptMachine } from './machine.ts';
import type { QueuePlace, QueuePlaceStore } from './queue-place-store.ts';
import type { QueueStore } from './queue-store.ts';
import { isGraded, isStaff } from './schema.ts';
import type { Subject } from './start-store.ts';
import type { AttemptRow, AttemptStore } from './store.ts';

/** `place` is that of a queued attempt. */
export type AttemptView = GradedAttempt & {
  containerId: number | null;
  place: QueuePlace | undefined;
  /** Of an attempt that has ended with results. */
  conclusion: string | null;
};

export type AttemptServiceParts = {
  kind: Subject['kind'];
  store: AttemptStore;
  queue: Pick<QueueStore<unknown>, 'ask'>;
  places: QueuePlaceStore;
  machine: Pick<AttemptMachine, 'abandon' | 'container'>;
};

/** Attempts of one kind, of exams or of laboratories, for their users and for staff. */
export class AttemptService {
  readonly kind: Subject['kind'];
  readonly #parts: AttemptServiceParts;

  constructor(parts: AttemptServiceParts) {
    this.kind = parts.kind;
    this.#parts = parts;
  }

  /** The caller's own, newest first. */
  async list(caller: Caller, page: Page): Promise<Listed<AttemptRow>> {
    return await this.#parts.store.ofUser(caller.id, this.kind, page);
  }

  /** The caller's own unfinished attempts. A queued one keeps its place as long as its user asks for it. */
  async active(caller: Caller): Promise<AttemptView[]> {
    const { store, queue } = this.#parts;
    const attempts = await store.active(caller.id, this.kind);
    if (attempts.some(({ status }) => status === 'queued')) await queue.ask(caller.id, this.kind);
    return await Promise.all(attempts.map((attempt) => this.#view(attempt)));
  }

  /** @throws NotFound for another user's attempt, unless the caller is an instructor */
  async results(caller: Caller, attemptId: number): Promise<AttemptView> {
    return await this.#view(await this.#attempt(caller, attemptId, isStaff(caller)));
  }

  /** @throws NotFound for another user's attempt, Conflict when it is neither queued nor in progress */
  async abandon(caller: Caller, attemptId: number): Promise<AttemptRow> {
    await this.#attempt(caller, attemptId, false);
    return await this.#parts.machine.abandon(caller, attemptId);
  }

  async #attempt(caller: Caller, id: number, anybodys: boolean): Promise<AttemptRow> {
    const attempt = await this.#parts.store.byId(id);
    if (attempt?.kind !== this.kind || !(anybodys || attempt.user_id === caller.id))
      throw new NotFound('not_found', 'Attempt not found');
    return attempt;
  }

  async #view(attempt: AttemptRow): Promise<AttemptView> {
    const { store, places, machine } = this.#parts;
    if (attempt.status === 'queued')
      return {
        ...{ attempt, results: [], containerId: null, conclusion: null },
        place: (await places.of([attempt.id])).get(attempt.id),
      };
    const results = await store.results(attempt.id);
    const conclusion = isGraded(attempt) ? await store.conclusion(attempt) : null;
    const containerId = (await machine.container(attempt.id))?.id ?? null;
    return { attempt, results, containerId, place: undefined, conclusion };
  }
}
