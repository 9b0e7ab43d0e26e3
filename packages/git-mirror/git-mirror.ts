import { setTimeout as pause } from 'node:timers/promises';
import { GitError } from './git-failure.ts';
import type { GitProgram } from './git-program.ts';
import { MirrorFolder } from './mirror-folder.ts';
import { MirrorVersion } from './mirror-version.ts';
import { ObjectReader, ObjectStore } from './object-reader.ts';
import { headReference, type Origin } from './origin.ts';
import type { ErrorOf, MirrorEvent } from './problems.ts';
import { UpdateSchedule, type UpdateScheduleOptions } from './update-schedule.ts';

export type GitMirrorOptions = Omit<UpdateScheduleOptions, 'onEnd'> & {
  git: GitProgram;
  /** The bare repository. Other processes may use the same one at the same time. */
  directory: string;
  origin: Origin;
  /** Milliseconds a reader waits for the first copy. Its creation continues after that. */
  firstWait: number;
  maxFileBytes: number;
  /** Size of the cache of recently read objects in bytes. */
  cacheBytes?: number;
  errorOf: ErrorOf;
  on: (event: MirrorEvent) => void;
};

type Refreshed = { commit: string | null; changed: boolean };

/** Interval, in milliseconds, at which reads check whether another process has updated the shared mirror. */
const lookInterval = 1000;
/** Attempts to read a new copy. */
const loadAttempts = 8;
/** Size limit of trees and commits, independent of the limit for files. */
const structureBytes = 16 * 1024 * 1024;

/** Serves the files of our own bare Git repository, which follows an origin. */
export class GitMirror implements AsyncDisposable {
  readonly #options: GitMirrorOptions;
  readonly #folder: MirrorFolder;
  readonly #reader: ObjectReader;
  readonly #objects: ObjectStore;
  readonly #updates: UpdateSchedule;
  #current: MirrorVersion | undefined;
  #opening: Promise<void> | undefined;
  #repairing: Promise<void> | undefined;
  #refreshing: Promise<Refreshed> | undefined;
  #lookAt = 0;
  #isDisposed = false;

  constructor(options: GitMirrorOptions) {
    this.#options = options;
    const { git, directory, maxFileBytes, errorOf, cacheBytes = 32 * 1024 * 1024 } = options;
    this.#folder = new MirrorFolder(options);
    this.#reader = new ObjectReader({ git, directory, maxBytes: Math.max(maxFileBytes, structureBytes) });
    this.#objects = new ObjectStore({ reader: this.#reader, cacheBytes, errorOf, repair: () => this.#repair() });
    this.#updates = new UpdateSchedule({
      ...options,
      onEnd: (failure) =>
        options.on(failure ? { kind: 'failed', ...failure } : { kind: 'checked', commit: this.#commit }),
    });
  }

  /** The version to read from now. Waits only while there is no copy at all. */
  async open(): Promise<MirrorVersion> {
    const current = this.#current ?? (await this.#first());
    if (this.#updates.isDue) {
      // It reports its own failure, and the reader uses the present copy.
      this.#updates.run(() => this.#bring()).catch(() => {});
    } else if (performance.now() >= this.#lookAt && !this.#updates.isRunning) {
      this.#lookAt = performance.now() + lookInterval;
      this.#load().catch(() => {});
    }
    return current;
  }

  /** Brings the copy up to date with what the origin holds at the time of the call, and waits for it. */
  async refresh(): Promise<Refreshed> {
    this.#refreshing ??= this.#refreshNext();
    return await this.#refreshing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true;
    this.#updates.end();
    await this.#options.origin[Symbol.asyncDispose]();
    await Promise.allSettled([this.#opening, this.#updates.idle(), this.#repairing, this.#refreshing]);
    await this.#reader[Symbol.asyncDispose]();
  }

  /** A running update may have queried the origin before the caller's change, so another update follows it. */
  async #refreshNext(): Promise<Refreshed> {
    await Promise.allSettled([this.#opening, this.#updates.idle()]);
    this.#refreshing = undefined;
    const before = this.#current;
    try {
      await this.#updates.run(() => this.#bring());
    } catch (cause) {
      throw this.#options.errorOf({ kind: 'outdated', cause });
    }
    return { commit: this.#commit, changed: before?.commit !== this.#commit };
  }

  async #first(): Promise<MirrorVersion> {
    this.#opening ??= this.#openOrCopy().finally(() => {
      this.#opening = undefined;
    });
    await this.#waitForFirst(this.#opening);
    if (this.#current === undefined) throw this.#unreachable(1);
    return this.#current;
  }

  async #openOrCopy(): Promise<void> {
    if (!this.#options.origin.isLocal && (await this.#hasLoaded())) return;
    // After a failure, callers do not wait for the next attempt.
    if (this.#updates.pause > 0) throw this.#unreachable(this.#updates.pause);
    try {
      await this.#updates.run(() => this.#bring());
    } catch (error) {
      if (!(await this.#hasLoaded())) throw this.#unreachable(this.#updates.pause, error);
    }
  }

  /** Updates a usable mirror in place, otherwise rebuilds it. */
  async #bring(): Promise<void> {
    const before = this.#current?.commit;
    if (!(await this.#folder.isThere())) return await this.#build();
    try {
      const found = await this.#folder.update();
      if (found === 'empty' && before) throw new GitError('branches_lost');
      if (found === 'empty') this.#current = this.#version();
      else if (!(await this.#hasLoaded())) return await this.#build();
    } catch (error) {
      if (!(error instanceof GitError) || !error.isDamage) throw error;
      return await this.#build();
    }
    if (this.#current?.commit === before) return;
    this.#options.on({ kind: 'updated', commit: this.#commit });
    await this.#folder.tidy();
  }

  async #build(): Promise<void> {
    const found = await this.#folder.build();
    this.#reader.restart();
    if (found === 'empty') this.#current = this.#version();
    else if (!(await this.#hasLoadedSoon())) throw new GitError('copy_unreadable');
    this.#options.on({ kind: 'copied', commit: this.#commit });
  }

  /** Another process may be putting its own new copy in the same place: for a moment there is none. */
  async #hasLoadedSoon(): Promise<boolean> {
    for (let attempt = 1; !(await this.#hasLoaded()); attempt += 1) {
      if (attempt === loadAttempts) return false;
      await pause(25 * attempt);
      this.#reader.restart();
    }
    return true;
  }

  async #hasLoaded(): Promise<boolean> {
    return await this.#load().catch(() => false);
  }

  /** Serves the commit of the mirror's reference. False if there is no mirror, or it is empty. */
  async #load(): Promise<boolean> {
    if (!(await this.#folder.isThere())) return false;
    await this.#options.git.prepare();
    const head = await this.#reader.read(headReference);
    if (typeof head === 'string' || head.type !== 'commit') return false;
    const tree = /^tree ([0-9a-f]+)\n/.exec(head.bytes.toString('latin1', 0, 80))?.[1];
    if (tree === undefined) return false;
    if (this.#current?.commit !== head.id) {
      this.#current = this.#version({ commit: head.id, tree });
    }
    return true;
  }

  /** Called when an object of the current version is missing or damaged: only a new copy can help. The reader handles failures. */
  async #repair(): Promise<void> {
    if (this.#isDisposed || this.#updates.pause > 0) return;
    this.#repairing ??= this.#repairOnce().finally(() => {
      this.#repairing = undefined;
    });
    await this.#repairing;
  }

  async #repairOnce(): Promise<void> {
    await this.#updates.idle();
    this.#options.on({ kind: 'damaged' });
    await this.#updates.run(() => this.#build()).catch(() => {});
  }

  get #commit(): string | null {
    return this.#current?.commit ?? null;
  }

  /** @param at unset: of a repository without commits */
  #version(at?: { commit: string; tree: string }): MirrorVersion {
    const { maxFileBytes, errorOf } = this.#options;
    return new MirrorVersion({ objects: this.#objects, maxFileBytes, errorOf }, at);
  }

  #unreachable(seconds: number, cause?: unknown): Error {
    return this.#options.errorOf({ kind: 'unreachable', seconds, cause });
  }

  async #waitForFirst(copied: Promise<void>): Promise<void> {
    const { firstWait, errorOf } = this.#options;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(errorOf({ kind: 'fetching' })), firstWait);
    });
    try {
      await Promise.race([copied, late]);
    } finally {
      clearTimeout(timer);
    }
  }
}
