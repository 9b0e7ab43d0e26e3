/** An update that failed, and after how many seconds it is retried. */
export type UpdateFailure = { error: unknown; retrySeconds: number };

export type UpdateScheduleOptions = {
  /** Age in seconds from which an update is due. */
  staleSeconds: number;
  /**
   * Seconds before a failed update is retried. Doubled with each failure, up to the age from which an update is due, or ten
   * minutes.
   */
  retrySeconds?: number;
  /** Called after each update. */
  onEnd: (failure: UpdateFailure | undefined) => void;
};

const maxRetrySeconds = 600;

/** Schedules updates of the mirror, one at a time. */
export class UpdateSchedule {
  readonly #options: UpdateScheduleOptions;
  #running: Promise<void> | undefined;
  #failures = 0;
  /** By `performance.now()`. */
  #dueAt = 0;
  #isEnded = false;

  constructor(options: UpdateScheduleOptions) {
    this.#options = options;
  }

  get isDue(): boolean {
    return performance.now() >= this.#dueAt;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Seconds before a retry is due: more than 0 only after a failure. */
  get pause(): number {
    return this.#failures === 0 ? 0 : Math.max(0, (this.#dueAt - performance.now()) / 1000);
  }

  /** Does the work, or joins the running update. @throws the error of the work, already reported */
  run(work: () => Promise<void>): Promise<void> {
    this.#running ??= this.#runOnce(work).finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Resolves when no update is running, whatever its outcome. */
  async idle(): Promise<void> {
    await Promise.allSettled([this.#running]);
  }

  /** From now on failures are not reported. */
  end(): void {
    this.#isEnded = true;
  }

  async #runOnce(work: () => Promise<void>): Promise<void> {
    const { staleSeconds, retrySeconds = 5 } = this.#options;
    try {
      await work();
      this.#failures = 0;
      this.#dueAt = performance.now() + staleSeconds * 1000;
      this.#options.onEnd(undefined);
    } catch (error) {
      // An origin that is queried every minute in normal operation may be queried as often after failures.
      const most = Math.min(maxRetrySeconds, Math.max(staleSeconds, retrySeconds));
      const delay = Math.min(most, retrySeconds * 2 ** Math.min(this.#failures, 10));
      this.#failures += 1;
      this.#dueAt = performance.now() + delay * 1000;
      if (!this.#isEnded) this.#options.onEnd({ error, retrySeconds: delay });
      throw error;
    }
  }
}
