import { Invalid, Unavailable } from '../../errors.ts';
import type { LessonSource, LessonVersion } from './lesson-source.ts';
import type { LessonAddress } from './store.ts';

export type LessonRepositoriesParts = {
  /** The lessons repository of the service. */
  main: LessonSource;
  /**
   * The source of another repository. A temporary one is removed from the disk when it is disposed of.
   * @throws Error for an address that cannot be used, without the address
   */
  create: (address: LessonAddress, isTemporary: boolean) => LessonSource;
  /** Whether an address is that of the lessons repository of the service. */
  isMain: (address: LessonAddress) => boolean;
  /** Repositories that are open at once, besides that of the service. */
  max: number;
};

const keyOf = ({ url, branch }: LessonAddress): string => `${url}\n${branch ?? ''}`;

/** The lessons of all courses: those of the service, and of repositories that courses were imported from. */
export class LessonRepositories implements AsyncDisposable {
  readonly #parts: LessonRepositoriesParts;
  /** The least recently opened is first. */
  readonly #open = new Map<string, LessonSource>();
  readonly #closing = new Set<Promise<void>>();

  constructor(parts: LessonRepositoriesParts) {
    this.#parts = parts;
  }

  /** @param address undefined: that of the service. @throws Unavailable */
  async open(address: LessonAddress | undefined): Promise<LessonVersion> {
    return await this.#sourceOf(address).open();
  }

  /** Brings the copies of this process up to date. @returns that of the service. @throws Unavailable if that fails */
  async refresh(): Promise<{ commit: string | null; changed: boolean }> {
    // A repository that cannot be reached is logged. Its copy is still served.
    const others = Promise.allSettled([...this.#open.values()].map((source) => source.refresh()));
    const [refreshed] = await Promise.all([this.#parts.main.refresh(), others]);
    return refreshed;
  }

  /** The same address in one form: undefined for the repository of the service. @throws Invalid */
  normal(address: { url?: string | null; branch?: string | null }): LessonAddress | undefined {
    const { url, branch = null } = address;
    if (url === undefined || url === null) {
      if (branch !== null) throw invalid('branch', 'a branch needs the address of a repository');
      return undefined;
    }
    const whole = { url, branch };
    if (this.#parts.isMain(whole)) return undefined;
    try {
      const { username, password } = new URL(url);
      if (username !== '' || password !== '') throw new Error('it has credentials');
      // Checks both parts. Nothing is run or written.
      void this.#parts.create(whole, true)[Symbol.asyncDispose]();
    } catch (error) {
      const reason = error instanceof Error ? error.message.replace(/^.*is not usable: /, '') : '';
      throw invalid(/branch/.test(reason) ? 'branch' : 'url', `the repository cannot be used: ${reason}`);
    }
    return whole;
  }

  /** Works with the newest version of a repository, of which no copy is kept unless lessons are read from it. @throws Unavailable */
  async visit<Result>(
    address: LessonAddress | undefined,
    work: (version: LessonVersion) => Promise<Result>,
  ): Promise<Result> {
    const known = address === undefined ? this.#parts.main : this.#open.get(keyOf(address));
    if (known !== undefined || address === undefined) {
      const source = known ?? this.#parts.main;
      await source.refresh();
      return await work(await source.open());
    }
    await using source = this.#parts.create(address, true);
    await source.refresh();
    return await work(await source.open());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.allSettled([
      ...this.#closing,
      ...[...this.#open.values()].map((source) => source[Symbol.asyncDispose]()),
    ]);
    await this.#parts.main[Symbol.asyncDispose]();
  }

  #sourceOf(address: LessonAddress | undefined): LessonSource {
    if (address === undefined) return this.#parts.main;
    const key = keyOf(address);
    const source = this.#open.get(key) ?? this.#create(address);
    this.#open.delete(key);
    this.#open.set(key, source);
    const [oldest] = this.#open;
    if (this.#open.size > this.#parts.max && oldest) {
      this.#open.delete(oldest[0]);
      const closing = (async () => await oldest[1][Symbol.asyncDispose]())();
      void closing.finally(() => this.#closing.delete(closing));
      this.#closing.add(closing);
    }
    return source;
  }

  #create(address: LessonAddress): LessonSource {
    try {
      return this.#parts.create(address, false);
    } catch (cause) {
      throw new Unavailable('lessons_unavailable', 'The lessons repository of the course cannot be used', { cause });
    }
  }
}

const invalid = (field: string, reason: string): Invalid =>
  new Invalid([{ loc: ['body', field], msg: `Value error, ${reason}`, type: 'value_error' }]);
