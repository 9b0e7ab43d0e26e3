import type { Answer } from '../../api/client.ts';
import { Problem } from '../../api/problem.ts';
import { serverNow } from '../../api/server-clock.ts';
import { isUnanswered } from '../use-submission.ts';

/** What a student answers a task with. */
export type Given = { choice_ids: number[] } | { text: string } | { file: File };
/** An answer as the service has it. */
export type Saved = Answer<'/api/exams/attempts/{id}/answers'>[number];

/** `changed` until its request begins. `failed` is sent again by itself, except where the service has refused the answer itself. */
export type AnswerState = {
  phase: 'none' | 'changed' | 'saving' | 'saved' | 'failed';
  given: Given | undefined;
  saved: Saved | undefined;
  error?: unknown;
  /** Of a file that is sent: from 0 to 1. */
  progress?: number;
};
type Timer = ReturnType<typeof setTimeout>;
type Entry = {
  state: AnswerState;
  failures: number;
  /** Milliseconds from a change to its request. */
  delay: number;
  running?: Promise<void> | undefined;
  /** When the next request begins. */
  next?: { timer: Timer; at: number } | undefined;
};

/** What the browser keeps of answers that are not saved, by the ids of their tasks. Files are too large. */
export type Unsaved = Record<string, { given: Exclude<Given, { file: File }>; at: number }>;

export type AnswerCalls = {
  /** @throws Problem */
  save: (taskId: number, given: Given, onProgress: (part: number) => void) => Promise<Saved>;
  /** What the browser keeps from a page that was closed or reloaded. */
  kept: () => Unsaved;
  keep: (unsaved: Unsaved) => void;
};

const pauses = { first: 1000, max: 30_000 };
/** Milliseconds after which the browser keeps a change. */
const keepDelay = 300;
const nothing: AnswerState = { phase: 'none', given: undefined, saved: undefined };

const pauseAfter = (failures: number): number => Math.min(pauses.max, pauses.first * 2 ** (failures - 1));

/** Whether a repetition would be refused as well: the answer itself is wrong, or not one of the user's. */
const isFinal = (error: unknown): boolean =>
  error instanceof Problem && [400, 403, 404, 413, 415, 422].includes(error.status);
const isUnsaved = ({ phase }: AnswerState): boolean => phase !== 'none' && phase !== 'saved';

/**
 * The answers of an attempt. A change is kept in the browser, and sent after a moment: one request a task at a time, repeated after growing
 * pauses until the service has it.
 */
export class AnswerStore {
  readonly #calls: AnswerCalls;
  readonly #entries = new Map<number, Entry>();
  readonly #listeners = new Set<() => void>();
  #keeping: Timer | undefined;
  #isClosed = false;

  constructor(calls: AnswerCalls) {
    this.#calls = calls;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  readonly stateOf = (taskId: number): AnswerState => this.#entries.get(taskId)?.state ?? nothing;

  /** Whether there is one, also one that is not saved yet. */
  hasAnswer(taskId: number): boolean {
    const { given, saved } = this.stateOf(taskId);
    if (given === undefined) return saved?.file != null;
    return 'file' in given || ('text' in given ? given.text.trim() !== '' : given.choice_ids.length > 0);
  }

  /** Takes what the service has. An answer that was changed here since stays, and so does a later one that the browser keeps. */
  load(answers: readonly Saved[]): void {
    for (const saved of answers) {
      if (saved.saved_at === null) continue;
      const { state } = this.#entry(saved.task_id);
      const isNewer = saved.saved_at > (state.saved?.saved_at ?? '');
      if (isNewer && !isUnsaved(state)) this.#set(saved.task_id, { phase: 'saved', given: givenOf(saved), saved });
    }
  }

  /** Sends what the browser has kept since a page that could not. Call it once, after `load`. */
  restore(): void {
    for (const [id, { given, at }] of Object.entries(this.#calls.kept())) {
      const { saved, phase } = this.stateOf(Number(id));
      const isOutdated = Date.parse(saved?.saved_at ?? '') > at;
      if (!isOutdated && (phase === 'none' || phase === 'saved')) this.change(Number(id), given, 0);
    }
  }

  /** @param delay milliseconds until it is sent; further changes until then are sent with it */
  change(taskId: number, given: Given, delay: number): void {
    Object.assign(this.#entry(taskId), { failures: 0, delay });
    this.#set(taskId, { phase: 'changed', given });
    this.#keeping ??= setTimeout(this.keepNow, keepDelay);
    this.#schedule(taskId, delay);
  }

  /** Sends all that is not saved. @throws Problem where the service cannot be reached; what it refuses stays `failed` */
  readonly flush = async (): Promise<void> => {
    for (;;) {
      const open = [...this.#entries].filter(
        ([, { state }]) => isUnsaved(state) && !(state.phase === 'failed' && isFinal(state.error)),
      );
      if (open.length === 0) return;
      await Promise.all(open.map(([taskId]) => this.sendNow(taskId)));
      const failed = open.map(([taskId]) => this.stateOf(taskId)).filter(({ phase }) => phase === 'failed');
      const unanswered = failed.find(({ error }) => isUnanswered(error));
      if (unanswered) throw unanswered.error;
      if (failed.length > 0) return;
    }
  };

  readonly sendNow = (taskId: number): Promise<void> => {
    const entry = this.#entry(taskId);
    clearTimeout(entry.next?.timer);
    entry.next = undefined;
    entry.running ??= this.#send(taskId, entry).finally(() => {
      entry.running = undefined;
      const { failures, delay } = entry;
      if (entry.state.phase === 'changed') this.#schedule(taskId, delay);
      else if (failures > 0 && !isFinal(entry.state.error)) this.#schedule(taskId, pauseAfter(failures));
    });
    return entry.running;
  };

  readonly keepNow = (): void => {
    clearTimeout(this.#keeping);
    this.#keeping = undefined;
    const unsaved = { ...this.#calls.kept() };
    for (const [taskId, { state }] of this.#entries) {
      const { given } = state;
      if (given === undefined || 'file' in given || !isUnsaved(state)) delete unsaved[taskId];
      else unsaved[taskId] = { given, at: serverNow() };
    }
    this.#calls.keep(unsaved);
  };

  /** Also after `close`. */
  open(): void {
    this.#isClosed = false;
  }

  /** Sends what is left, and repeats nothing. */
  close(): void {
    if (this.#keeping) this.keepNow();
    void this.flush().catch(() => {});
    this.#isClosed = true;
    for (const { next } of this.#entries.values()) clearTimeout(next?.timer);
  }

  async #send(taskId: number, entry: Entry): Promise<void> {
    const { given } = entry.state;
    if (given === undefined) return;
    this.#set(taskId, { phase: 'saving', progress: 0 });
    try {
      const onProgress = (progress: number): void => this.#set(taskId, { progress });
      const saved = await this.#calls.save(taskId, given, onProgress);
      entry.failures = 0;
      const isLast = entry.state.given === given;
      this.#set(
        taskId,
        isLast ? { phase: 'saved', saved, given: 'file' in given ? undefined : given } : { phase: 'changed', saved },
      );
      if (isLast) this.keepNow();
    } catch (error) {
      if (entry.state.given !== given) return this.#set(taskId, { phase: 'changed' });
      entry.failures += 1;
      this.#set(taskId, { phase: 'failed', error });
    }
  }

  #schedule(taskId: number, delay: number): void {
    const entry = this.#entry(taskId);
    if (this.#isClosed || entry.running) return;
    const at = performance.now() + delay;
    // Further changes do not put off what waits, and do not wait for the pause after a failure.
    if (entry.next && entry.next.at <= at) return;
    clearTimeout(entry.next?.timer);
    entry.next = { at, timer: setTimeout(() => void this.sendNow(taskId), delay) };
  }

  #entry(taskId: number): Entry {
    const entry = this.#entries.get(taskId) ?? { state: nothing, failures: 0, delay: 0 };
    this.#entries.set(taskId, entry);
    return entry;
  }

  #set(taskId: number, change: Partial<AnswerState>): void {
    const entry = this.#entry(taskId);
    entry.state = { ...entry.state, ...change };
    for (const listener of this.#listeners) listener();
  }
}

const givenOf = ({ choice_ids, text }: Saved): Given | undefined =>
  choice_ids !== null ? { choice_ids } : text !== null ? { text } : undefined;
