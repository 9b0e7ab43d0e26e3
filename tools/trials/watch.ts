import { type FSWatcher, readdirSync, statSync, watch } from 'node:fs';
import { join } from 'node:path';
import { toOutput as tell } from '../../src/commands/steps.ts';
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

const topFolders = ['courses', 'exams', 'laboratories', 'lessons'];
/** An editor saves a file in several steps, and a checkout changes many. */
const quietMs = 250;

/**
 * Watches the folders of a content directory, and calls `onChange` when nothing has changed for a moment after a change. Other folders, such
 * as those of Git, are not watched. Each folder has its own watcher: Node's recursive one misses the changes in new folders.
 */
export class FolderChanges implements Disposable {
  readonly #directory: string;
  readonly #onChange: () => void;
  readonly #watchers = new Map<string, { watcher: FSWatcher; inode: number }>();
  #timer: NodeJS.Timeout | undefined;

  /** @throws Error when the directory cannot be watched */
  constructor(directory: string, onChange: () => void) {
    this.#directory = directory;
    this.#onChange = onChange;
    this.#watchAll();
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    for (const folder of this.#watchers.keys()) this.#forget(folder);
  }

  #watchAll(): void {
    const present = new Map([['', statSync(this.#directory).ino]]);
    for (const name of topFolders) this.#addFolders(name, present);
    // A folder of the same name can be another one.
    for (const [folder, { inode }] of this.#watchers) if (present.get(folder) !== inode) this.#forget(folder);
    for (const [folder, inode] of present) if (!this.#watchers.has(folder)) this.#watch(folder, inode);
  }

  #addFolders(folder: string, found: Map<string, number>): void {
    const path = join(this.#directory, folder);
    const entries = unlessGone(() => readdirSync(path, { withFileTypes: true }));
    const inode = unlessGone(() => statSync(path).ino);
    if (!entries || inode === undefined) return;
    found.set(folder, inode);
    for (const entry of entries) if (entry.isDirectory()) this.#addFolders(join(folder, entry.name), found);
  }

  #watch(folder: string, inode: number): void {
    const watcher = unlessGone(() => watch(join(this.#directory, folder)));
    if (!watcher) return;
    watcher.on('change', () => this.#changed());
    watcher.on('error', () => {
      this.#forget(folder);
      this.#changed();
    });
    this.#watchers.set(folder, { watcher, inode });
  }

  #forget(folder: string): void {
    this.#watchers.get(folder)?.watcher.close();
    this.#watchers.delete(folder);
  }

  #changed(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      // Before the content is read: what changes in a new folder from now on is noticed.
      this.#watchAll();
      this.#onChange();
    }, quietMs);
  }
}

/** Folders can disappear while they are listed. */
function unlessGone<Value>(act: () => Value): Value | undefined {
  try {
    return act();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}
