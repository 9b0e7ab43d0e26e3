import { toOutput as tell } from '../steps.ts';
import type { Subject } from './assessments.ts';

export type WatchParts = {
  /** Reads what is to be tried. @throws Error while the content is not usable */
  read: () => Promise<Subject[]>;
  /** @throws the signal's reason */
  attempt: (subject: Subject, signal: AbortSignal) => Promise<void>;
  /** Begins to watch. The function that it is given is called after each change. */
  watch: (onChange: () => void) => Disposable;
  stop: AbortSignal;
};

type Known = Pick<Subject, 'kind' | 'name' | 'digest'>;

const keyOf = ({ kind, name }: Known): string => `${kind} ${name}`;

/**
 * Tries all subjects, and from then on those that change, the last one changed first. A trial of a subject that changes meanwhile is
 * cancelled, and starts again. Trials of other subjects continue. @throws the signal's reason when it is stopped
 */
export async function keepTrying(parts: WatchParts, first: readonly Subject[]): Promise<never> {
  const watched = new Watched(parts, first);
  using _watcher = parts.watch(() => void watched.look());
  for (;;) {
    const subject = await watched.next();
    const { signal } = watched.begin(subject);
    try {
      await parts.attempt(subject, signal);
    } catch (error) {
      parts.stop.throwIfAborted();
      if (!signal.aborted) throw error;
      tell('changed', `${subject.title}: its trial was cancelled`);
    }
    watched.end();
  }
}

class Watched {
  readonly #parts: WatchParts;
  #subjects: readonly Subject[];
  /** The version of each subject whose trial was begun last. */
  readonly #begun = new Map<string, string | undefined>();
  #running: { key: string; controller: AbortController } | undefined;
  #looking: Promise<void> = Promise.resolve();
  #wake = Promise.withResolvers<void>();
  #isWaiting = false;

  constructor(parts: WatchParts, first: readonly Subject[]) {
    this.#parts = parts;
    this.#subjects = first;
    parts.stop.addEventListener('abort', () => this.#wake.resolve(), { once: true });
  }

  /** A subject that was not tried in its present version. Waits for one. */
  async next(): Promise<Subject> {
    for (;;) {
      this.#parts.stop.throwIfAborted();
      const found = this.#subjects.find((subject) => this.#isStale(subject));
      if (found) return found;
      if (!this.#isWaiting) tell('watching', 'waiting for a change; Ctrl+C ends');
      this.#isWaiting = true;
      await this.#wake.promise;
    }
  }

  begin(subject: Subject): { signal: AbortSignal } {
    const controller = new AbortController();
    this.#isWaiting = false;
    this.#begun.set(keyOf(subject), subject.digest);
    this.#running = { key: keyOf(subject), controller };
    return { signal: AbortSignal.any([controller.signal, this.#parts.stop]) };
  }

  end(): void {
    this.#running = undefined;
  }

  /** Reads the content again. One look follows another, so that the latest content is the one that counts. */
  look(): Promise<void> {
    this.#looking = this.#looking.then(() => this.#read());
    return this.#looking;
  }

  async #read(): Promise<void> {
    try {
      const subjects = await this.#parts.read();
      const known = new Map(this.#subjects.map((subject) => [keyOf(subject), subject.digest]));
      const isNew = (subject: Subject): boolean => known.get(keyOf(subject)) !== subject.digest;
      this.#subjects = subjects.toSorted((a, b) => Number(isNew(b)) - Number(isNew(a)));
    } catch (error) {
      // An author who writes has unfinished files.
      tell('NOT USABLE', error instanceof Error ? error.message : String(error));
      return;
    }
    const running = this.#running;
    const current = this.#subjects.find((subject) => keyOf(subject) === running?.key);
    if (running && (!current || this.#isStale(current))) running.controller.abort(new Error('its files have changed'));
    this.#wake.resolve();
    this.#wake = Promise.withResolvers();
  }

  #isStale(subject: Subject): boolean {
    const key = keyOf(subject);
    return !this.#begun.has(key) || this.#begun.get(key) !== subject.digest;
  }
}
