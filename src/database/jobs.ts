import type pg from 'pg';
import { PgBoss } from 'pg-boss';

export type JobsOptions = {
  pool: Pick<pg.Pool, 'query'>;
  onError: (error: unknown) => void;
  /** Seconds between two looks for work that is due. */
  pollSeconds?: number;
};

export type QueueOptions = {
  /** Jobs of the queue that run in this process at once. */
  concurrency: number;
  /** Seconds after which a job that does not end counts as failed, and is tried again. */
  expireSeconds: number;
  retries: number;
};

/** Work that is to be done later, kept in the database (pg-boss): it survives restarts, and any process may do it, one at a time a job. */
export class Jobs implements AsyncDisposable {
  readonly #boss: PgBoss;
  readonly #options: JobsOptions;

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

  /** Makes the queue where it is missing and takes its jobs from then on. A handler that throws is tried again later. */
  async work<Data extends object>(
    queue: string,
    options: QueueOptions,
    handler: (data: Data) => Promise<void>,
  ): Promise<void> {
    await this.#boss.createQueue(queue, {
      // One job a key waits at a time; without a policy keys mean nothing.
      policy: 'short',
      retryLimit: options.retries,
      retryDelay: 5,
      retryBackoff: true,
      retryDelayMax: 60,
      expireInSeconds: options.expireSeconds,
      deleteAfterSeconds: 86_400,
    });
    await this.#boss.work<Data>(
      queue,
      { pollingIntervalSeconds: this.#options.pollSeconds ?? 1, batchSize: 1, localConcurrency: options.concurrency },
      async ([job]) => {
        if (job) await handler(job.data);
      },
    );
  }

  /** @param at when the job is due; the same key is queued once */
  async send(queue: string, data: object, at: Date, key: string): Promise<void> {
    await this.#boss.send(queue, data, { startAfter: at, singletonKey: key });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#boss.stop({ graceful: true, timeout: 10_000, close: false });
  }
}
