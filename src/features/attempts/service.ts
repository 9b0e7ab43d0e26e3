import { NotFound } from '../../errors.ts';
import type { Caller } from '../../http/access.ts';
import type { Listed, Page } from '../../http/paging.ts';
import type { GradedAttempt } from './gradings.ts';
import type { AttemptMachine } from './machine.ts';
import type { QueuePlace, QueuePlaceStore } from './queue-place-store.ts';
import type { QueueStore } from './queue-store.ts';
import type { Subject } from './start-store.ts';
import type { AttemptRow, AttemptStore } from './store.ts';

/** `place` is that of a queued attempt. */
export type AttemptView = GradedAttempt & { containerId: number | null; place: QueuePlace | undefined };

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

  /** @throws NotFound for another user's attempt, unless the caller is an instructor who sees the user */
  async results(caller: Caller, attemptId: number): Promise<AttemptView> {
    return await this.#view(this.#found(await this.#parts.store.seenBy(caller, attemptId)));
  }

  /** @throws NotFound for another user's attempt, Conflict when it is neither queued nor in progress */
  async abandon(caller: Caller, attemptId: number): Promise<AttemptRow> {
    const attempt = await this.#parts.store.byId(attemptId);
    this.#found(attempt?.user_id === caller.id ? attempt : undefined);
    return await this.#parts.machine.abandon(caller, attemptId);
  }

  /** @throws NotFound */
  #found(attempt: AttemptRow | undefined): AttemptRow {
    if (attempt?.kind !== this.kind) throw new NotFound('not_found', 'Attempt not found');
    return attempt;
  }

  async #view(attempt: AttemptRow): Promise<AttemptView> {
    const { store, places, machine } = this.#parts;
    if (attempt.status === 'queued')
      return { attempt, results: [], containerId: null, place: (await places.of([attempt.id])).get(attempt.id) };
    const results = await store.results(attempt.id);
    return { attempt, results, containerId: (await machine.container(attempt.id))?.id ?? null, place: undefined };
  }
}
