/** Seconds before the end at which clients are notified. */
const noticeSeconds = [600, 300, 60];

/** The maximum delay of a timer. */
const longest = 2_147_483_647;

/** Notifies of a container's end at fixed times before it, and at the end (0 seconds). Disposing cancels the notices. */
export class TimeNotices implements Disposable {
  readonly #tell: (secondsLeft: number) => void;
  #expiresAt: number;
  #timers: NodeJS.Timeout[] = [];

  constructor(expiresAt: Date | null, tell: (secondsLeft: number) => void) {
    this.#tell = tell;
    this.#expiresAt = momentOf(expiresAt);
    this.#set();
  }

  /** @returns the seconds that are left where the end has moved, undefined where it is unchanged */
  follow(expiresAt: Date | null): number | undefined {
    const moment = momentOf(expiresAt);
    if (moment === this.#expiresAt) return undefined;
    this[Symbol.dispose]();
    this.#expiresAt = moment;
    this.#set();
    return Math.max(0, Math.round((moment - Date.now()) / 1000));
  }

  [Symbol.dispose](): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers = [];
  }

  #set(): void {
    const left = this.#expiresAt - Date.now();
    this.#timers = [...noticeSeconds, 0]
      .map((seconds) => ({ seconds, delay: left - seconds * 1000 }))
      // The end itself may be in the past already. A notice whose time has passed is skipped.
      .filter(({ seconds, delay }) => delay <= longest && (delay >= 0 || seconds === 0))
      .map(({ seconds, delay }) => setTimeout(() => this.#tell(seconds), Math.max(0, delay)).unref());
  }
}

const momentOf = (expiresAt: Date | null): number => expiresAt?.getTime() ?? Number.POSITIVE_INFINITY;
