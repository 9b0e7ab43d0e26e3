import type pg from 'pg';
import { PgBoss } from 'pg-boss';
import { DueJobs } from './due-jobs.ts';

export type JobsOptions = {
  pool: Pick<pg.Pool, 'query'>;
  onError: (error: unknown) => void;
  /** Seconds between two polls for due jobs. */
  pollSeconds?: number;
  /** Milliseconds that running jobs may take when the process ends. */
  stopTimeout?: number;
};

export type QueueOptions = {
  /** Concurrent jobs of the queue in this process. */
  concurrency: number;
  /** Seconds after which a running job counts as failed and is retried. */
  expireSeconds: number;
  retries: number;
};

/** A persistent job queue in the database (pg-boss). Jobs survive restarts. Any process may run a job, but only one at a time. */
export class Jobs implements AsyncDisposable {
  readonly #boss: PgBoss;
  readonly #options: JobsOptions;
  readonly #queues = new AsyncDisposableStack();

  constructor(options: JobsOptions) {
    this.#options = options;
    const { pool } = options;
    this.#boss = new PgBoss({
      db: { executeSql: async (text: string, values?: unknown[]) => await pool.query(text, values) },
      schema: 'jobs',
      schedule: false,
    });
    this.#boss.on('error', options.onError);
  }

  async start(): Promise<void> {
    await this.#boss.start();
  }

  /** Creates the queue if it is missing and processes its jobs from then on. A job whose handler throws is retried. */
  async work<Data extends object>(
    queue: string,
    options: QueueOptions,
    handler: (data: Data) => Promise<void>,
  ): Promise<void> {
    await this.#boss.createQueue(queue, {
      // At most one queued job per key; without a policy keys have no effect.
      policy: 'short',
      retryLimit: options.retries,
      retryDelay: 5,
      retryBackoff: true,
      retryDelayMax: 60,
      expireInSeconds: options.expireSeconds,
      deleteAfterSeconds: 86_400,
    });
    const { pollSeconds = 1, stopTimeout = 10_000, onError } = this.#options;
    const { concurrency } = options;
    this.#queues.use(new DueJobs({ boss: this.#boss, queue, concurrency, pollSeconds, stopTimeout, handler, onError }));
  }

  /** @param at when the job is due @param key the same key is queued once */
  async send(queue: string, data: object, at: Date, key: string): Promise<void> {
    await this.#boss.send(queue, data, { startAfter: at, singletonKey: key });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#queues.disposeAsync();
    await this.#boss.stop({ graceful: false, close: false });
  }
}
