import type { Logger } from 'pino';
import type { Jobs } from './database/jobs.ts';

/** The queue of the deadlines of attempts. */
const deadlineQueue = 'attempt-expiry';

/** Work that is done again and again, or once. What it throws is logged. */
export type Chore = {
  /** What is said where it fails. */
  failure: string;
  /** Milliseconds from one beginning to the next. A round that takes longer is not followed by all those that it has held up. */
  interval: number;
  /** Whether the first round begins at once. */
  atOnce?: boolean;
  work: () => Promise<unknown>;
};

type Queue = Pick<Jobs, 'start' | 'work' | 'send' | typeof Symbol.asyncDispose>;

/** What the service does of its own accord: attempts end at their deadlines, and chores are done. */
export class Work implements AsyncDisposable {
  readonly #jobs: Queue;
  readonly #log: Pick<Logger, 'warn'>;
  readonly #chores = new AsyncDisposableStack();

  constructor({ jobs, log }: { jobs: Queue; log: Pick<Logger, 'warn'> }) {
    this.#jobs = jobs;
    this.#log = log;
  }

  /**
   * Has an attempt looked at when it is due; lost with this process it is found all the same, as overdue attempts are looked for.
   * @param key what is to be done once: a deadline that moved has a key of its own, as the job of the old one still waits
   */
  expireAt(attemptId: number, due: Date, key: string): void {
    this.#jobs
      .send(deadlineQueue, { attempt_id: attemptId }, due, key)
      .catch((error: unknown) =>
        this.#log.warn({ err: error, attempt: attemptId }, 'the deadline could not be queued'),
      );
  }

  async begin({
    expire,
    concurrency,
    chores,
  }: {
    /** Ends an attempt whose time is over; what throws is tried again. */
    expire: (attemptId: number) => Promise<void>;
    concurrency: number;
    chores: readonly Chore[];
  }): Promise<void> {
    await this.#jobs.start();
    this.#chores.use(this.#jobs);
    await this.#jobs.work<{ attempt_id: number }>(
      deadlineQueue,
      { concurrency, expireSeconds: 3600, retries: 1000 },
      async ({ attempt_id }) => await expire(attempt_id),
    );
    for (const chore of chores) this.#repeat(chore);
  }

  #repeat({ failure, interval, atOnce, work }: Chore): void {
    let round: Promise<void> | undefined;
    const begin = (): void => {
      round ??= work()
        .then(
          () => undefined,
          (error: unknown) => this.#log.warn({ err: error }, failure),
        )
        .finally(() => {
          round = undefined;
        });
    };
    const timer = setInterval(begin, interval);
    this.#chores.defer(async () => {
      clearInterval(timer);
      await round;
    });
    if (atOnce) begin();
  }

  /** Ends when the rounds under way have ended. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#chores.disposeAsync();
  }
}
