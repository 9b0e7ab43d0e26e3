import { Unavailable } from '../../errors.ts';
import type { LessonSource } from '../../features/lessons/lesson-source.ts';
import { GitFailure } from './git-failure.ts';
import type { GitProgram } from './git-program.ts';
import { MirrorFolder } from './mirror-folder.ts';
import { MirrorVersion } from './mirror-version.ts';
import { ObjectReader } from './object-reader.ts';
import { ObjectStore } from './object-store.ts';
import { headReference, type Origin } from './origin.ts';
import { UpdateSchedule, type UpdateScheduleOptions } from './update-schedule.ts';

export type GitMirrorOptions = UpdateScheduleOptions & {
  git: GitProgram;
  /** The bare repository. Other processes may use the same one at the same time. */
  directory: string;
  origin: Origin;
  /** Milliseconds a reader waits for the first copy; it goes on being made after that. */
  firstWait: number;
  maxFileBytes: number;
  /** Bytes of recently read objects that are kept in memory. */
  cacheBytes?: number;
};

type Refreshed = { commit: string | null; changed: boolean };

/** How often, in milliseconds, a read looks whether another process has brought the shared mirror up to date. */
const lookInterval = 1000;
/** Trees and commits may have this size whatever the limit for files. */
const structureBytes = 16 * 1024 * 1024;

/** Lessons out of a bare Git repository of our own, which follows an origin. */
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
    this.#updates = new UpdateSchedule(options);
  }

  async open(): Promise<MirrorVersion> {
    const current = this.#current ?? (await this.#first());
    if (this.#updates.isDue) {
      // It reports its own failure, and the reader goes on with what there is.
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

  /** What is under way may have asked the origin before the caller's change was there, so another update follows it. */
  async #refreshNext(): Promise<Refreshed> {
    await Promise.allSettled([this.#opening, this.#updates.idle()]);
    this.#refreshing = undefined;
    const before = this.#current;
    try {
      await this.#updates.run(() => this.#bring());
    } catch (error) {
      const reason = error instanceof GitFailure ? error.reason : 'Git failed';
      throw new Unavailable(
        'lessons_unavailable',
        `The lessons repository could not be brought up to date: ${reason}`,
        { cause: error },
      );
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
    // After a failure nobody waits for the next one before it is due.
    if (this.#updates.pause > 0) throw unreachable(this.#updates.pause);
    try {
      await this.#updates.run(() => this.#bring());
    } catch (error) {
      if (!(await this.#hasLoaded())) throw unreachable(this.#updates.pause, error);
    }
  }

  /** Up to date in place where there is a usable mirror, otherwise anew. */
  async #bring(): Promise<void> {
    const before = this.#current?.commit;
    if (!(await this.#folder.isThere())) return await this.#build();
    try {
      const found = await this.#folder.update();
      if (found === 'empty' && before) throw new GitFailure('the repository has lost all its branches');
      if (found === 'empty') this.#current = new MirrorVersion(this.#objects, 0);
      else if (!(await this.#hasLoaded())) return await this.#build();
    } catch (error) {
      if (!(error instanceof GitFailure) || !error.isDamage) throw error;
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
    else if (!(await this.#hasLoaded())) throw new GitFailure('the new copy of the lessons cannot be read');
    this.#options.log.info({ commit: this.#current?.commit }, 'The lessons were copied');
  }

  async #hasLoaded(): Promise<boolean> {
    return await this.#load().catch(() => false);
  }

  /** Serves what the mirror's reference names. False where there is no mirror, or nothing in it. */
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

  /** An object of the version being read is gone or damaged: only a new copy can help. Failures are left to the reader to meet. */
  async #repair(): Promise<void> {
    if (this.#isDisposed || this.#updates.pause > 0) return;
    this.#repairing ??= this.#repairOnce().finally(() => {
      this.#repairing = undefined;
    });
    await this.#repairing;
  }

  async #repairOnce(): Promise<void> {
    await this.#updates.idle();
    this.#options.log.warn({}, 'The copy of the lessons is damaged and is made anew');
    await this.#updates.run(() => this.#build()).catch(() => {});
  }
}

const unreachable = (seconds: number, cause?: unknown): Unavailable =>
  new Unavailable('lessons_unavailable', 'The lessons repository cannot be reached', {
    retryAfter: Math.max(1, Math.ceil(seconds)),
    cause,
  });

/** Waits for something that goes on by itself, but not for ever. */
async function within(milliseconds: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const tooLate = () =>
      reject(new Unavailable('lessons_unavailable', 'The lessons are still being fetched', { retryAfter: 5 }));
    timer = setTimeout(tooLate, milliseconds);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
