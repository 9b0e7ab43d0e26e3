import { toOutput as tell } from '../steps.ts';
import type { Assessment } from './assessments.ts';

export type WatchParts = {
  /** Reads what is to be tried. @throws Error while the content is not usable */
  read: () => Promise<Assessment[]>;
  /** @throws the signal's reason */
  attempt: (assessment: Assessment, signal: AbortSignal) => Promise<void>;
  /** Begins to watch. The function that it is given is called after each change. */
  watch: (onChange: () => void) => Disposable;
  stop: AbortSignal;
};

type Known = Pick<Assessment, 'kind' | 'name' | 'digest'>;

const keyOf = ({ kind, name }: Known): string => `${kind} ${name}`;

/**
 * Tries all assessments, and from then on those that change, the last one changed first. A trial of an assessment that changes meanwhile is
 * cancelled, and starts again. Trials of other assessments continue. @throws the signal's reason when it is stopped
 */
export async function keepTrying(parts: WatchParts, first: readonly Assessment[]): Promise<never> {
  const watched = new Watched(parts, first);
  using _watcher = parts.watch(() => void watched.look());
  for (;;) {
    const assessment = await watched.next();
    const { signal } = watched.begin(assessment);
    try {
      await parts.attempt(assessment, signal);
    } catch (error) {
      parts.stop.throwIfAborted();
      if (!signal.aborted) throw error;
      tell('changed', `${assessment.title}: its trial was cancelled`);
    }
    watched.end();
  }
}

class Watched {
  readonly #parts: WatchParts;
  #assessments: readonly Assessment[];
  /** The version of each assessment whose trial was begun last. */
  readonly #begun = new Map<string, string | undefined>();
  #running: { key: string; controller: AbortController } | undefined;
  #looking: Promise<void> = Promise.resolve();
  #wake = Promise.withResolvers<void>();
  #isWaiting = false;

  constructor(parts: WatchParts, first: readonly Assessment[]) {
    this.#parts = parts;
    this.#assessments = first;
    parts.stop.addEventListener('abort', () => this.#wake.resolve(), { once: true });
  }

  /** An assessment that was not tried in its present version. Waits for one. */
  async next(): Promise<Assessment> {
    for (;;) {
      this.#parts.stop.throwIfAborted();
      const found = this.#assessments.find((assessment) => this.#isStale(assessment));
      if (found) return found;
      if (!this.#isWaiting) tell('watching', 'waiting for a change; Ctrl+C ends');
      this.#isWaiting = true;
      await this.#wake.promise;
    }
  }

  begin(assessment: Assessment): { signal: AbortSignal } {
    const controller = new AbortController();
    this.#isWaiting = false;
    this.#begun.set(keyOf(assessment), assessment.digest);
    this.#running = { key: keyOf(assessment), controller };
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
      const assessments = await this.#parts.read();
      const known = new Map(this.#assessments.map((assessment) => [keyOf(assessment), assessment.digest]));
      const isNew = (assessment: Assessment): boolean => known.get(keyOf(assessment)) !== assessment.digest;
      this.#assessments = assessments.toSorted((a, b) => Number(isNew(b)) - Number(isNew(a)));
    } catch (error) {
      // An author who writes has unfinished files.
      tell('NOT USABLE', error instanceof Error ? error.message : String(error));
      return;
    }
    const running = this.#running;
    const current = this.#assessments.find((assessment) => keyOf(assessment) === running?.key);
    if (running && (!current || this.#isStale(current))) running.controller.abort(new Error('its files have changed'));
    this.#wake.resolve();
    this.#wake = Promise.withResolvers();
  }

  #isStale(assessment: Assessment): boolean {
    const key = keyOf(assessment);
    return !this.#begun.has(key) || this.#begun.get(key) !== assessment.digest;
  }
}
