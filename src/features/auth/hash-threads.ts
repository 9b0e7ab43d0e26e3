import { Worker } from 'node:worker_threads';
import { UnavailableError } from '../../errors.ts';
import type { HashJob, HashResult } from '../../workers/bcrypt.ts';

type Pending = { resolve: (value: string | boolean) => void; reject: (error: Error) => void };
type Thread = { worker: Worker; pending: Pending | undefined };

const program = new URL('../../workers/bcrypt.ts', import.meta.url);
/** Megabytes of the JavaScript heap. bcrypt itself needs none of it. */
const heapLimit = 16;

/**
 * Threads that compute password hashes. They are started on first use and reused. An idle thread does not keep the process alive. Each job
 * runs on its own thread. The caller bounds the number of concurrent jobs.
 */
export class HashThreads {
  readonly #idle: Thread[] = [];
  readonly #program: URL;

  /** @param worker another program, for a test */
  constructor(worker = program) {
    this.#program = worker;
  }

  /** @throws UnavailableError when the thread ends before it has answered */
  async run(job: HashJob): Promise<string | boolean> {
    const thread = this.#idle.pop() ?? this.#start();
    thread.worker.ref();
    return await new Promise((resolve, reject) => {
      thread.pending = { resolve, reject };
      thread.worker.postMessage(job);
    });
  }

  #start(): Thread {
    // The process's Node options, such as a test's preloaded modules, must not apply to this thread.
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
      new UnavailableError('unavailable', 'The password could not be checked', { retryAfter: 1, cause }),
    );
    thread.pending = undefined;
  }
}
