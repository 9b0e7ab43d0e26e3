import type { Logger } from 'pino';
import type { Jobs } from './database/jobs.ts';

/** The queue of attempt deadlines. */
const deadlineQueue = 'attempt-expiry';
/** The queue of wake-ups for mails that are due. */
const mailQueue = 'mail';

/** Work that runs periodically or once. Its errors are logged. */
export type Chore = {
  /** Log message for a failure. */
  failure: string;
  /** Milliseconds between two starts. Runs that were missed because of a long one are skipped. */
  interval: number;
  /** Whether the first run starts immediately. */
  atOnce?: boolean;
  work: () => Promise<unknown>;
};

/** What says when an attempt ends. */
type Ending = { id: number; expires_at: Date | null; break_ends_at: Date | null; paused_at: Date | null };

type Queue = Pick<Jobs, 'start' | 'work' | 'send' | typeof Symbol.asyncDispose>;

/** Background work of the service: it ends attempts at their deadlines and runs chores. */
export class Work implements AsyncDisposable {
  readonly #jobs: Queue;
  readonly #log: Pick<Logger, 'warn'>;
  readonly #chores = new AsyncDisposableStack();

  constructor({ jobs, log }: { jobs: Queue; log: Pick<Logger, 'warn'> }) {
    this.#jobs = jobs;
    this.#log = log;
  }

  /**
   * Schedules a check of an attempt at its deadline. If the job is lost with this process, the periodic search for overdue attempts
   * finds it.
   * @param key deduplicates jobs: a moved deadline has a new key, because the job of the old one is still queued
   */
  expireAt(attemptId: number, due: Date, key: string): void {
    this.#jobs
      .send(deadlineQueue, { attempt_id: attemptId }, due, key)
      .catch((error: unknown) =>
        this.#log.warn({ err: error, attempt: attemptId }, 'the deadline could not be queued'),
      );
  }

  /** Has a process send the mails that are due then. If the job is lost with this process, the periodic search finds them. */
  sendMailsAt(due: Date): void {
    this.#jobs
      .send(mailQueue, {}, due, `${due <= new Date() ? 'now' : due.getTime()}`)
      .catch((error: unknown) => this.#log.warn({ err: error }, 'mails could not be queued'));
  }

  /** Schedules the end of an attempt, or of its break, once it has begun and whenever that moves. A paused one has no end yet. */
  scheduleEnd({ id, expires_at, break_ends_at, paused_at }: Ending): void {
    if (break_ends_at) this.expireAt(id, break_ends_at, `${id}-break-${break_ends_at.getTime()}`);
    else if (expires_at && paused_at === null) this.expireAt(id, expires_at, `${id}-${expires_at.getTime()}`);
  }

  async begin({
    expire,
    concurrency,
    sendMails,
    chores,
  }: {
    /** Ends an attempt whose time is over. A failure is retried. */
    expire: (attemptId: number) => Promise<void>;
    concurrency: number;
    /** Sends the mails that are due. Undefined: mail is off. */
    sendMails?: (() => Promise<void>) | undefined;
    chores: readonly Chore[];
  }): Promise<void> {
    await this.#jobs.start();
    this.#chores.use(this.#jobs);
    await this.#jobs.work<{ attempt_id: number }>(
      deadlineQueue,
      { concurrency, expireSeconds: 3600, retries: 1000 },
      async ({ attempt_id }) => await expire(attempt_id),
    );
    if (sendMails) await this.#jobs.work(mailQueue, { concurrency: 1, expireSeconds: 3600, retries: 10 }, sendMails);
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

  /** Resolves when running chores have ended. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#chores.disposeAsync();
  }
}
