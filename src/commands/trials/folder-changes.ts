import { type FSWatcher, readdirSync, statSync, watch } from 'node:fs';
import { join } from 'node:path';

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
