import { NotFoundError } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import type { Listed, Page } from '../../http/lists/paging.ts';
import { isGraded } from '../../values/attempt-status.ts';
import type { BreakStore } from './breaks/store.ts';
import type { GradedAttempt } from './gradings/gradings.ts';
import type { AttemptMachine } from './machine.ts';
import type { Audience, Solutions } from './schema.ts';
import type { SolutionStore } from './solution-store.ts';
import type { QueuePlace, QueueStore } from './starts/queue-store.ts';
import type { Assessment } from './starts/store.ts';
import type { AttemptMessage, AttemptRow, AttemptStore } from './store.ts';
import type { Visibility } from './visibility.ts';

/** `place` is that of a queued attempt. */
export type AttemptView = GradedAttempt & {
  containerId: number | null;
  place: QueuePlace | undefined;
  audience: Audience;
  messages: AttemptMessage[];
  /** Of its breaks. Null: its user has none. */
  breakSecondsLeft: number | null;
  /** Of an attempt that has ended with results. */
  conclusion: string | null;
  /** The name of who ended it before its time. */
  endedBy: string | null;
  /** Those that the caller sees. */
  solutions: Solutions;
};

/** An attempt, and what its answer leaves out. */
export type ShownAttempt = { id: number; attempt: AttemptRow; audience: Audience };

export type AttemptServiceParts = {
  kind: Assessment['kind'];
  store: AttemptStore;
  breaks: Pick<BreakStore, 'secondsLeft'>;
  queue: Pick<QueueStore, 'ask' | 'placesOf'>;
  machine: Pick<AttemptMachine, 'abandon' | 'container'>;
  visibility: Pick<Visibility, 'audienceOf'>;
  solutions: Pick<SolutionStore, 'shownTo'>;
};

/** Attempts of one kind, of exams or of laboratories, for their users and for staff. */
export class AttemptService {
  readonly kind: Assessment['kind'];
  readonly #parts: AttemptServiceParts;

  constructor(parts: AttemptServiceParts) {
    this.kind = parts.kind;
    this.#parts = parts;
  }

  /** The caller's own, newest first. */
  async list(caller: Caller, page: Page): Promise<Listed<ShownAttempt>> {
    const listed = await this.#parts.store.ofUser(caller.id, this.kind, page);
    const audienceOf = await this.#parts.visibility.audienceOf(caller, listed.rows);
    const rows = listed.rows.map((attempt) => ({ id: attempt.id, attempt, audience: audienceOf(attempt) }));
    return { ...listed, rows };
  }

  /** The caller's own unfinished attempts. A queued one keeps its place as long as its user asks for it. */
  async active(caller: Caller): Promise<AttemptView[]> {
    const { store, queue } = this.#parts;
    const attempts = await store.active(caller.id, this.kind);
    if (attempts.some(({ status }) => status === 'queued')) await queue.ask(caller.id, this.kind);
    return await Promise.all(attempts.map((attempt) => this.#view(caller, attempt)));
  }

  /** @throws NotFoundError for another user's attempt, unless the caller is an instructor who sees the user */
  async results(caller: Caller, attemptId: number): Promise<AttemptView> {
    return await this.#view(caller, this.#found(await this.#parts.store.seenBy(caller, attemptId)));
  }

  /** @throws NotFoundError for another user's attempt, ConflictError when it is neither queued nor in progress */
  async abandon(caller: Caller, attemptId: number): Promise<ShownAttempt> {
    const own = await this.#parts.store.byId(attemptId);
    this.#found(own?.user_id === caller.id ? own : undefined);
    const attempt = await this.#parts.machine.abandon(caller, attemptId);
    return { id: attemptId, attempt, audience: await this.#audience(caller, attempt) };
  }

  /** @throws NotFoundError */
  #found(attempt: AttemptRow | undefined): AttemptRow {
    if (attempt?.kind !== this.kind) throw new NotFoundError('not_found', 'Attempt not found');
    return attempt;
  }

  async #audience(caller: Caller, attempt: AttemptRow): Promise<Audience> {
    return (await this.#parts.visibility.audienceOf(caller, [attempt]))(attempt);
  }

  async #view(caller: Caller, attempt: AttemptRow): Promise<AttemptView> {
    const { store, queue, machine } = this.#parts;
    const audience = await this.#audience(caller, attempt);
    const endedBy = await store.endedBy(attempt);
    if (attempt.status === 'queued') {
      const place = (await queue.placesOf([attempt.id])).get(attempt.id);
      const nothing = {
        results: [],
        containerId: null,
        messages: [],
        breakSecondsLeft: null,
        conclusion: null,
        endedBy,
        solutions: new Map<number, string>(),
      };
      return { attempt, place, audience, ...nothing };
    }
    const results = await store.results(attempt.id);
    const conclusion = isGraded(attempt) ? await store.conclusion(attempt) : null;
    const containerId = (await machine.container(attempt.id))?.id ?? null;
    const messages = await store.messages(attempt);
    const breakSecondsLeft = await this.#parts.breaks.secondsLeft(attempt);
    const shown = { attempt, results, containerId, place: undefined, audience };
    const { assessment_id } = attempt;
    const solutions: Solutions =
      isGraded(attempt) && assessment_id !== null
        ? await this.#parts.solutions.shownTo(caller, this.kind, assessment_id, attempt)
        : new Map();
    return { ...shown, messages, breakSecondsLeft, conclusion, endedBy, solutions };
  }
}
