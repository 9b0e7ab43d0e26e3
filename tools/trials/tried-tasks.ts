import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Digests that are remembered. */
const most = 5000;

/** The tasks in which a trial found no problem, by their digests. They are kept in a file, which may be deleted at any time. */
export class TriedTasks {
  readonly #path: string;
  readonly #digests: Set<string>;

  private constructor(path: string, digests: Set<string>) {
    this.#path = path;
    this.#digests = digests;
  }

  static async open(path: string): Promise<TriedTasks> {
    const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '';
      throw error;
    });
    return new TriedTasks(path, new Set(text.split('\n').filter((line) => /^[0-9a-f]{64}$/.test(line))));
  }

  has(digest: string): boolean {
    return this.#digests.has(digest);
  }

  /** Records the outcome of a trial. Two commands at once: the last one to write wins, and tasks of the other count as changed. */
  async record(outcomes: readonly { digest: string; isOk: boolean }[]): Promise<void> {
    for (const { digest, isOk } of outcomes) {
      this.#digests.delete(digest);
      if (isOk) this.#digests.add(digest);
    }
    const kept = [...this.#digests].slice(-most);
    await mkdir(dirname(this.#path), { recursive: true });
    const draft = `${this.#path}.${process.pid}`;
    await writeFile(draft, `${kept.join('\n')}\n`);
    await rename(draft, this.#path);
  }
}
