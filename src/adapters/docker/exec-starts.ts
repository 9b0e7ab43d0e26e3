import type { Duplex } from 'node:stream';

/** Milliseconds after which a start that shows nothing no longer delays a freeze, and for which a settled container starts nothing. */
const defaultTimes = { patience: 5000, quiet: 10_000 };
const signs = ['data', 'end', 'close'] as const;

/**
 * Keeps the start of a program in a container apart from its freezing. Docker holds locks of a container until an exec
 * has started, and one that is frozen halfway never starts: the container can then be neither inspected nor continued
 * (`ContainerExecStart` of moby 20.10).
 */
export class ExecStarts {
  readonly #times: typeof defaultTimes;
  readonly #starting = new Map<string, Set<Promise<void>>>();
  readonly #freezing = new Map<string, Promise<void>>();
  /** Containers that another process may be freezing, with the end of that time. */
  readonly #settled = new Map<string, Promise<void>>();

  constructor(times = defaultTimes) {
    this.#times = times;
  }

  /**
   * Starts a program after a freeze of its container that is under way.
   * @param work reports the stream of the program: its first output, or its end, ends the start
   */
  async start<Result>(ref: string, work: (report: (raw: Duplex) => void) => Promise<Result>): Promise<Result> {
    while (this.#freezing.has(ref) || this.#settled.has(ref)) {
      await this.#freezing.get(ref);
      await this.#settled.get(ref);
    }
    let begun: Promise<void> | undefined;
    const started = Promise.withResolvers<void>();
    this.#remember(ref, started.promise);
    try {
      return await work((raw) => {
        begun = this.#untilBegun(raw);
      });
    } finally {
      started.resolve(begun);
    }
  }

  /** Runs a freeze when no program is starting in the container. */
  async freeze(ref: string, work: () => Promise<void>): Promise<void> {
    while (this.#freezing.has(ref)) await this.#freezing.get(ref);
    const done = Promise.withResolvers<void>();
    this.#freezing.set(ref, done.promise);
    try {
      await this.#untilStarted(ref);
      await work();
    } finally {
      this.#freezing.delete(ref);
      done.resolve();
    }
  }

  /** Starts nothing in these containers for a time. @returns when nothing is starting there */
  async settle(refs: readonly string[]): Promise<void> {
    for (const ref of refs) {
      const quiet = new Promise<void>((resolve) => setTimeout(resolve, this.#times.quiet).unref());
      this.#settled.set(ref, quiet);
      void quiet.then(() => this.#settled.get(ref) === quiet && this.#settled.delete(ref));
    }
    await Promise.all(refs.map((ref) => this.#untilStarted(ref)));
  }

  async #untilStarted(ref: string): Promise<void> {
    await Promise.all([...(this.#starting.get(ref) ?? [])]);
  }

  #remember(ref: string, started: Promise<void>): void {
    const starting = this.#starting.get(ref) ?? new Set();
    this.#starting.set(ref, starting.add(started));
    void started.then(() => {
      starting.delete(started);
      if (starting.size === 0 && this.#starting.get(ref) === starting) this.#starting.delete(ref);
    });
  }

  #untilBegun(raw: Duplex): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        for (const sign of signs) raw.off(sign, end);
        resolve();
      };
      const timer = setTimeout(end, this.#times.patience).unref();
      for (const sign of signs) raw.once(sign, end);
    });
  }
}
