import type { Caller } from '../../../http/access/access.ts';
import type { AttemptRow } from '../store.ts';
import type { BreakStore } from './store.ts';

/** Breaks of students. Each ends by itself. */
export class BreakService {
  readonly #store: BreakStore;
  readonly #onMoved: (attempt: AttemptRow) => void;

  /** @param onMoved schedules the end of a break, or of the attempt */
  constructor(store: BreakStore, onMoved: (attempt: AttemptRow) => void) {
    this.#store = store;
    this.#onMoved = onMoved;
  }

  /** @throws NotFoundError, ConflictError */
  async start(caller: Caller, attemptId: number) {
    await this.endOver(attemptId);
    return await this.#answer(await this.#store.start(caller, attemptId));
  }

  /** @throws NotFoundError, ConflictError */
  async end(caller: Caller, attemptId: number) {
    await this.endOver(attemptId);
    return await this.#answer(await this.#store.end(caller, attemptId));
  }

  /** Ends breaks whose time is over, of one attempt or of all. */
  async endOver(attemptId?: number): Promise<void> {
    for (const attempt of await this.#store.endOver(attemptId)) this.#onMoved(attempt);
  }

  async #answer(attempt: AttemptRow) {
    this.#onMoved(attempt);
    const { id: attempt_id, expires_at, paused_at, break_ends_at } = attempt;
    const break_seconds_left = await this.#store.secondsLeft(attempt);
    return { attempt_id, expires_at, paused_at, break_ends_at, break_seconds_left };
  }
}
