import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { type Job, PgBoss } from 'pg-boss';
import { CoalescingRunner } from '../../packages/limits/coalescing-runner.ts';

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

type DueJobsParts<Data> = {
  boss: Pick<PgBoss, 'fetch' | 'complete' | 'fail'>;
  queue: string;
  /** Concurrent jobs in this process. */
  concurrency: number;
  /** Seconds between two polls. */
  pollSeconds: number;
  /** Milliseconds that running jobs may take at the end. Those that take longer are given back. */
  stopTimeout: number;
  handler: (data: Data) => Promise<void>;
  onError: (error: unknown) => void;
};

/**
 * Runs the due jobs of one queue. Each poll is one statement, which takes as many jobs as there is room for. pg-boss polls with a worker for
 * each concurrent job.
 */
class DueJobs<Data extends object> implements AsyncDisposable {
  readonly #parts: DueJobsParts<Data>;
  readonly #running = new Map<string, Promise<void>>();
  readonly #polls = new CoalescingRunner(() => this.#poll());
  readonly #timer: NodeJS.Timeout;
  #mayHaveMore = false;
  #isOver = false;

  constructor(parts: DueJobsParts<Data>) {
    this.#parts = parts;
    this.#timer = setInterval(() => this.#requestPoll(), parts.pollSeconds * 1000);
    this.#requestPoll();
  }

  #requestPoll(): void {
    if (!this.#isOver) this.#polls.run().catch(this.#parts.onError);
  }

  async #poll(): Promise<void> {
    const { boss, queue, concurrency } = this.#parts;
    const room = concurrency - this.#running.size;
    if (room === 0 || this.#isOver) return;
    const jobs = await boss.fetch<Data>(queue, { batchSize: room });
    this.#mayHaveMore = jobs.length === room;
    for (const job of jobs) this.#running.set(job.id, this.#run(job));
  }

  /** Never rejects. A job that was neither completed nor failed is retried after its time. */
  async #run({ id, data }: Job<Data>): Promise<void> {
    const { boss, queue, handler, onError } = this.#parts;
    try {
      const failure = await handler(data).then(
        () => undefined,
        (error: unknown) => ({ error }),
      );
      if (!this.#running.has(id)) return;
      if (failure) await boss.fail(queue, id, { message: String(failure.error) });
      else await boss.complete(queue, id);
    } catch (error) {
      onError(error);
    } finally {
      this.#running.delete(id);
      if (this.#mayHaveMore) this.#requestPoll();
    }
  }

  /** Resolves when the running jobs have ended, or were given back to the queue. */
  async [Symbol.asyncDispose](): Promise<void> {
    const { boss, queue, stopTimeout, onError } = this.#parts;
    this.#isOver = true;
    clearInterval(this.#timer);
    await this.#polls.idle();
    await Promise.race([Promise.all(this.#running.values()), delay(stopTimeout, undefined, { ref: false })]);
    const left = [...this.#running.keys()];
    this.#running.clear();
    if (left.length > 0) await boss.fail(queue, left, { message: 'The process has ended' }).catch(onError);
  }
}
