import { setTimeout as pause } from 'node:timers/promises';
import { UnavailableError } from '../../errors.ts';
import type { LessonSource } from '../../features/lesson-repositories/lesson-source.ts';
import { repositoryProblems, unreadableLessons } from '../../features/lesson-repositories/problems.ts';
import { GitError } from './git-failure.ts';
import type { GitProgram } from './git-program.ts';
import { MirrorFolder } from './mirror-folder.ts';
import { MirrorVersion } from './mirror-version.ts';
import { ObjectReader } from './object-reader.ts';
import { ObjectStore } from './object-store.ts';
import { headReference, type Origin } from './origin.ts';
import { UpdateSchedule, type UpdateScheduleOptions } from './update-schedule.ts';

/** The outcome of an update: the commit that is served now, or why it failed. */
export type UpdateReport = (outcome: { commit: string | null } | { error: string }) => void;

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
  report?: UpdateReport | undefined;
};

type Refreshed = { commit: string | null; changed: boolean };

/** Interval, in milliseconds, at which reads check whether another process has updated the shared mirror. */
const lookInterval = 1000;
/** Attempts to read a new copy. */
const loadAttempts = 8;
/** Size limit of trees and commits, independent of the limit for files. */
const structureBytes = 16 * 1024 * 1024;

/** Serves lessons from our own bare Git repository, which follows an origin. */
export class GitMirror implements LessonSource {
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
    const { git, directory, maxFileBytes, cacheBytes = 32 * 1024 * 1024 } = options;
    this.#folder = new MirrorFolder(options);
    this.#reader = new ObjectReader({ git, directory, maxBytes: Math.max(maxFileBytes, structureBytes) });
    this.#objects = new ObjectStore({ reader: this.#reader, cacheBytes, repair: () => this.#repair() });
    this.#updates = new UpdateSchedule({
      ...options,
      onEnd: (error) => options.report?.(error === undefined ? { commit: this.#current?.commit ?? null } : { error }),
    });
  }

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
    } catch (error) {
      const code = error instanceof GitError ? error.code : 'git_failed';
      throw unreadableLessons(code, `The lessons repository could not be updated: ${repositoryProblems[code]}`, error);
    }
    const commit = this.#current?.commit ?? null;
    return { commit, changed: before?.commit !== commit };
  }

  async #first(): Promise<MirrorVersion> {
    this.#opening ??= this.#openOrCopy().finally(() => {
      this.#opening = undefined;
    });
    await within(this.#options.firstWait, this.#opening);
    if (this.#current === undefined) throw unreachable(1);
    return this.#current;
  }

  async #openOrCopy(): Promise<void> {
    if (!this.#options.origin.isLocal && (await this.#hasLoaded())) return;
    // After a failure, callers do not wait for the next attempt.
    if (this.#updates.pause > 0) throw unreachable(this.#updates.pause);
    try {
      await this.#updates.run(() => this.#bring());
    } catch (error) {
      if (!(await this.#hasLoaded())) throw unreachable(this.#updates.pause, error);
    }
  }

  /** Updates a usable mirror in place, otherwise rebuilds it. */
  async #bring(): Promise<void> {
    const before = this.#current?.commit;
    if (!(await this.#folder.isThere())) return await this.#build();
    try {
      const found = await this.#folder.update();
      if (found === 'empty' && before) throw new GitError('branches_lost');
      if (found === 'empty') this.#current = new MirrorVersion(this.#objects, 0);
      else if (!(await this.#hasLoaded())) return await this.#build();
    } catch (error) {
      if (!(error instanceof GitError) || !error.isDamage) throw error;
      return await this.#build();
    }
    if (this.#current?.commit === before) return;
    this.#options.log.info({ commit: this.#current?.commit }, 'The lessons are up to date');
    await this.#folder.tidy();
  }

  async #build(): Promise<void> {
    const found = await this.#folder.build();
    this.#reader.restart();
    if (found === 'empty') this.#current = new MirrorVersion(this.#objects, 0);
    else if (!(await this.#hasLoadedSoon())) throw new GitError('copy_unreadable');
    this.#options.log.info({ commit: this.#current?.commit }, 'The lessons were copied');
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
      this.#current = new MirrorVersion(this.#objects, this.#options.maxFileBytes, { commit: head.id, tree });
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
    this.#options.log.warn({}, 'The copy of the lessons is damaged and will be cloned again');
    await this.#updates.run(() => this.#build()).catch(() => {});
  }
}

const unreachable = (seconds: number, cause?: unknown): UnavailableError =>
  new UnavailableError('lessons_unavailable', 'The lessons repository cannot be reached', {
    retryAfter: Math.max(1, Math.ceil(seconds)),
    cause,
  });

/** Waits for a background operation, with a timeout. */
async function within(milliseconds: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const tooLate = () =>
      reject(new UnavailableError('lessons_unavailable', 'The lessons are still being fetched', { retryAfter: 5 }));
    timer = setTimeout(tooLate, milliseconds);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
