import { randomBytes } from 'node:crypto';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { GitError } from './git-failure.ts';
import type { GitProgram } from './git-program.ts';
import { headReference, type Origin } from './origin.ts';

const localTimeout = 60_000;
/** Milliseconds after which a lock or a partial mirror counts as left over by a dead process. */
const lockAge = 60_000;
const leftoverAge = 24 * 60 * 60 * 1000;
const lockAttempts = 8;

/**
 * The bare repository on disk. It is created under a temporary name and renamed when complete, updated in place, and shared by
 * processes.
 */
export class MirrorFolder {
  readonly #git: GitProgram;
  readonly #directory: string;
  readonly #origin: Origin;

  constructor({ git, directory, origin }: { git: GitProgram; directory: string; origin: Origin }) {
    this.#git = git;
    this.#directory = directory;
    this.#origin = origin;
  }

  async isThere(): Promise<boolean> {
    return (await ageOf(this.#directory)) !== undefined;
  }

  /** @throws GitError */
  async update(): Promise<'present' | 'empty'> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#origin.bringInto(this.#directory, false);
      } catch (error) {
        if (!(error instanceof GitError) || !error.isLock || attempt === lockAttempts) throw error;
        await this.#removeDeadLock();
        await pause(25 * attempt);
      }
    }
  }

  /** Rebuilds the mirror. The existing one stays until the new one is complete. @throws GitError */
  async build(): Promise<'present' | 'empty'> {
    await this.#git.prepare();
    await this.#removeLeftovers();
    const draft = `${this.#directory}.new-${randomBytes(6).toString('hex')}`;
    try {
      await this.#git.run(['init', '--quiet', '--bare', '--template=', '--', draft], { timeoutMs: localTimeout });
      const found = await this.#origin.bringInto(draft, true);
      await this.#put(draft);
      return found;
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
  }

  /** Packs loose objects of many updates. A failure only costs disk space. */
  async tidy(): Promise<void> {
    await this.#git
      .run(['gc', '--auto', '--quiet'], { directory: this.#directory, timeoutMs: localTimeout })
      .catch(() => {});
  }

  async #put(draft: string): Promise<void> {
    const old = `${this.#directory}.old-${randomBytes(6).toString('hex')}`;
    await rename(this.#directory, old).catch((error: unknown) => {
      if (codeOf(error) !== 'ENOENT') throw error;
    });
    try {
      await rename(draft, this.#directory);
    } catch (error) {
      // Another process was faster, and its copy is equivalent.
      if (!['ENOTEMPTY', 'EEXIST'].includes(codeOf(error))) throw error;
    }
    await rm(old, { recursive: true, force: true });
  }

  async #removeDeadLock(): Promise<void> {
    const lock = join(this.#directory, `${headReference}.lock`);
    if (((await ageOf(lock)) ?? 0) > lockAge) await rm(lock, { force: true });
  }

  /** Removes files left over by killed processes. */
  async #removeLeftovers(): Promise<void> {
    const folder = dirname(this.#directory);
    const prefixes = [`${basename(this.#directory)}.new-`, `${basename(this.#directory)}.old-`];
    for (const name of await readdir(folder)) {
      const path = join(folder, name);
      const isOurs = prefixes.some((prefix) => name.startsWith(prefix));
      if (isOurs && ((await ageOf(path)) ?? 0) > leftoverAge) await rm(path, { recursive: true, force: true });
    }
  }
}

const codeOf = (error: unknown): string => String(error instanceof Error && 'code' in error ? error.code : '');

/** Milliseconds since the last change; undefined if the file does not exist. */
async function ageOf(path: string): Promise<number | undefined> {
  try {
    return Date.now() - (await stat(path)).mtimeMs;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
