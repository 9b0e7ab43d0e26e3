import { Worker } from 'node:worker_threads';
import { Unavailable } from '../../errors.ts';
import type { HashJob, HashResult } from '../../workers/bcrypt.ts';

type Pending = { resolve: (value: string | boolean) => void; reject: (error: Error) => void };
type Thread = { worker: Worker; pending: Pending | undefined };

const program = new URL('../../workers/bcrypt.ts', import.meta.url);
/** Megabytes of JavaScript's heap; bcrypt itself needs none of it. */
const heapLimit = 16;

/**
 * Threads that compute password hashes. They are started when they are first needed and kept; an idle one does not keep the process alive.
 * How many jobs run at once is the caller's to bound: each runs on a thread of its own.
 */
export class HashThreads {
  readonly #idle: Thread[] = [];
  readonly #program: URL;

  /** @param worker another program, for a test */
  constructor(worker = program) {
    this.#program = worker;
  }

  /** @throws Unavailable when the thread ends before it has answered */
  async run(job: HashJob): Promise<string | boolean> {
    const thread = this.#idle.pop() ?? this.#start();
    thread.worker.ref();
    return await new Promise((resolve, reject) => {
      thread.pending = { resolve, reject };
      thread.worker.postMessage(job);
    });
  }

  #start(): Thread {
    // Options of Node that the process was started with, such as a test's preloaded modules, are not for this thread.
    const worker = new Worker(this.#program, { execArgv: [], resourceLimits: { maxOldGenerationSizeMb: heapLimit } });
    const thread: Thread = { worker, pending: undefined };
    worker.on('message', (result: HashResult) => this.#settle(thread, result));
    worker.on('error', (error) => this.#lose(thread, error));
    worker.on('exit', () => this.#lose(thread, new Error('the thread has ended')));
    return thread;
  }

  #settle(thread: Thread, result: HashResult): void {
    const { pending } = thread;
    thread.pending = undefined;
    thread.worker.unref();
    this.#idle.push(thread);
    if ('error' in result) pending?.reject(new Error(result.error));
    else pending?.resolve(result.value);
  }

  /** The next job starts another thread. */
  #lose(thread: Thread, cause: unknown): void {
    const place = this.#idle.indexOf(thread);
    if (place !== -1) this.#idle.splice(place, 1);
    thread.pending?.reject(
      new Unavailable('unavailable', 'The password could not be checked', { retryAfter: 1, cause }),
    );
    thread.pending = undefined;
  }
}
