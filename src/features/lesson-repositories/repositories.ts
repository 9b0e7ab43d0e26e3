import type { LessonAddress, LessonRepository } from '../../database/tables.ts';
import { InvalidError, UnavailableError } from '../../errors.ts';
import { codedItem } from '../../values/coded-problem.ts';
import type { LessonSource, LessonVersion } from './lesson-source.ts';
import { pastedAddress } from './pasted-address.ts';
import { type RepositoryProblem, repositoryProblem, UnusableRepositoryError, unreadableLessons } from './problems.ts';

export type { LessonRepository } from '../../database/tables.ts';
/** Where lessons are read: a repository, undefined for that of the service, or the files that are written in the pages. */
export type LessonPlace = LessonRepository | 'written' | undefined;
/** The repositories of the database. */
export type StoredRepositories = {
  byId: (id: number) => Promise<LessonRepository | undefined>;
  at: (address: LessonAddress) => Promise<LessonRepository | undefined>;
};

export type LessonRepositoriesParts = {
  /** The lessons repository of the service. */
  main: LessonSource;
  /** The files that are written in the pages. */
  written: Pick<LessonSource, 'open'>;
  /**
   * The source of another repository. A temporary one is removed from the disk when it is disposed of.
   * @throws UnusableRepositoryError
   */
  create: (repository: LessonRepository, isTemporary: boolean) => LessonSource;
  /** @throws UnusableRepositoryError for an address or a branch */
  check: (address: LessonAddress) => { takes: 'ssh' | 'http' | 'https' };
  /** Whether an address is that of the lessons repository of the service. */
  isMain: (address: LessonAddress) => boolean;
  /** Repositories that are open at once, besides that of the service. */
  max: number;
};

type Open = { repository: LessonRepository; source: LessonSource };

/** The lessons of all courses: those of the service, and those of other repositories. */
export class LessonRepositories implements AsyncDisposable {
  readonly #parts: LessonRepositoriesParts;
  /** By the id of the repository. The least recently used is first. */
  readonly #open = new Map<number | undefined, Open>();
  readonly #closing = new Set<Promise<void>>();

  constructor(parts: LessonRepositoriesParts) {
    this.#parts = parts;
  }

  /** @throws UnavailableError */
  async open(place: LessonPlace): Promise<LessonVersion> {
    return await (place === 'written' ? this.#parts.written : this.#sourceOf(place)).open();
  }

  /** Brings the copies of this process up to date. @returns that of the service. @throws UnavailableError if that fails */
  async refresh(): Promise<{ commit: string | null; changed: boolean }> {
    // A repository that cannot be reached is logged. Its copy is still served.
    const others = Promise.allSettled([...this.#open.values()].map(({ source }) => source.refresh()));
    const [refreshed] = await Promise.all([this.#parts.main.refresh(), others]);
    return refreshed;
  }

  /** Brings the copy of one repository up to date in this process. @throws UnavailableError */
  async refreshOne(repository: LessonRepository): Promise<{ commit: string | null; changed: boolean }> {
    return await this.#sourceOf(repository).refresh();
  }

  /** Closes the repositories that are not stored any more. */
  keep(ids: ReadonlySet<number>): void {
    for (const id of [...this.#open.keys()]) if (id !== undefined && !ids.has(id)) this.#close(id);
  }

  /** Closes a repository that was deleted or changed. */
  async close(id: number): Promise<void> {
    this.#close(id);
    await Promise.allSettled(this.#closing);
  }

  /** A public address in one form: undefined for the repository of the service. @throws InvalidError */
  normal(address: { url?: string | null; branch?: string | null }): LessonAddress | undefined {
    const { url: given, branch = null } = address;
    if (given === undefined || given === null) {
      if (branch !== null) throw invalid('branch', 'branch_alone');
      return undefined;
    }
    const { url, branch: named } = pastedAddress(given);
    const whole = { url, branch: branch ?? named };
    if (this.#parts.isMain(whole)) return undefined;
    if (this.check(whole) === 'ssh') throw invalid('url', 'address_not_public', unusable);
    return whole;
  }

  /** @returns how the repository is reached. `http`: over a network without encryption. @throws InvalidError */
  check(address: LessonAddress): 'ssh' | 'http' | 'https' {
    try {
      return this.#parts.check(address).takes;
    } catch (error) {
      if (!(error instanceof UnusableRepositoryError)) throw error;
      throw invalid(error.code === 'branch_invalid' ? 'branch' : 'url', error.code, unusable);
    }
  }

  /** Works with the newest version of a repository, of which no copy is kept unless lessons are read from it. @throws UnavailableError */
  async visit<Result>(
    repository: LessonRepository | undefined,
    work: (version: LessonVersion) => Promise<Result>,
  ): Promise<Result> {
    const known = repository === undefined ? this.#parts.main : this.#known(repository);
    if (known !== undefined || repository === undefined) {
      const source = known ?? this.#parts.main;
      await source.refresh();
      return await work(await source.open());
    }
    await using source = this.#create(repository, true);
    await source.refresh();
    return await work(await source.open());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const id of [...this.#open.keys()]) this.#close(id);
    await Promise.allSettled(this.#closing);
    await this.#parts.main[Symbol.asyncDispose]();
  }

  #known(repository: LessonRepository): LessonSource | undefined {
    const known = this.#open.get(repository.id);
    return known && isSame(known.repository, repository) ? known.source : undefined;
  }

  #sourceOf(repository: LessonRepository | undefined): LessonSource {
    if (repository === undefined) return this.#parts.main;
    const { id } = repository;
    const known = this.#known(repository);
    // It has another address or key now.
    if (known === undefined) this.#close(id);
    const source = known ?? this.#create(repository, false);
    this.#open.delete(id);
    this.#open.set(id, { repository, source });
    if (this.#open.size > this.#parts.max) this.#close([...this.#open.keys()][0]);
    return source;
  }

  #close(id: number | undefined): void {
    const open = this.#open.get(id);
    if (!open) return;
    this.#open.delete(id);
    const closing = (async () => await open.source[Symbol.asyncDispose]())();
    void closing.finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }

  #create(repository: LessonRepository, isTemporary: boolean): LessonSource {
    try {
      return this.#parts.create(repository, isTemporary);
    } catch (cause) {
      const detail = 'The lessons repository cannot be used';
      if (!(cause instanceof UnusableRepositoryError))
        throw new UnavailableError('lessons_unavailable', detail, { cause });
      throw unreadableLessons(cause.code, `${detail}: ${cause.reason}`, cause);
    }
  }
}

/** Whether one source can serve both. */
function isSame(one: LessonRepository, other: LessonRepository): boolean {
  if (one === other) return true;
  const stateOf = ({ url, branch, username, sealed_key }: LessonRepository): string =>
    JSON.stringify([url, branch, username, sealed_key?.toString('base64')]);
  return stateOf(one) === stateOf(other);
}

const unusable = 'the repository cannot be used: ';

const invalid = (field: string, code: RepositoryProblem, text?: string): InvalidError =>
  new InvalidError([codedItem(['body', field], repositoryProblem(code), text)]);
