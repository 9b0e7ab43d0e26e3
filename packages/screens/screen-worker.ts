import { Worker } from 'node:worker_threads';
import type { FromWorker, ScreenLimits, ToWorker } from './messages.ts';

export type ScreenWorkerOptions = {
  limits: ScreenLimits;
  heapMb: number;
  /** Milliseconds of CPU time that a worker may use without an answer to a ping. */
  silence: number;
  /** The program of the thread. */
  script?: URL | undefined;
  onMessage: (message: FromWorker) => void;
  /** Called once if it ends before disposal. `current`: the screen in progress, or 0. */
  onDeath: (death: { reason: string; current: number }) => void;
};

/** Checks within the silence limit. */
const looks = 5;
/**
 * Maximum time without an answer by the clock, as a multiple of that limit. It is long, because on a busy machine a thread that works may
 * wait for seconds until it runs. A thread that hangs uses CPU time, or waits for what never comes.
 */
const clockFactor = 60;

/** A thread that holds screens, with a watchdog that terminates it when it hangs. */
export class ScreenWorker implements AsyncDisposable {
  readonly #options: ScreenWorkerOptions;
  readonly #worker: Worker;
  readonly #current = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  #isReady = false;
  #isOver = false;
  #ticker: NodeJS.Timeout | undefined;
  #lastTick = 0;
  #silentTicks = 0;
  #isAsked = false;
  /** The CPU time of the thread, in milliseconds, when it last answered or was asked. */
  #usedBefore: number | undefined;
  /** Whether something was sent after the last ping: an answer to that ping says nothing about it. */
  #hasMore = false;

  constructor(options: ScreenWorkerOptions) {
    this.#options = options;
    const { limits, heapMb, script = new URL('./worker.ts', import.meta.url) } = options;
    this.#worker = new Worker(script, {
      name: 'screens',
      workerData: { limits, current: this.#current, heapBytes: heapMb * 1024 * 1024 },
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
      // It needs no settings or secrets of the service.
      env: {},
      execArgv: [],
    });
    this.#worker.unref();
    this.#worker.on('message', (message: FromWorker) => this.#hear(message));
    this.#worker.on('error', (error: unknown) => this.#die(error instanceof Error ? error.message : 'unknown'));
    this.#worker.on('exit', () => this.#die('it ended'));
    this.#watch();
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** @param transfer buffers that are moved to the worker without a copy and must not be used here afterwards */
  post(message: ToWorker, transfer: ArrayBuffer[] = []): void {
    if (this.#isOver) return;
    this.#worker.postMessage(message, transfer);
    this.#hasMore = true;
    this.#watch();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end();
    await this.#worker.terminate();
  }

  #end(): void {
    this.#isOver = true;
    clearInterval(this.#ticker);
    this.#ticker = undefined;
  }

  #hear(message: FromWorker): void {
    this.#silentTicks = 0;
    this.#usedBefore = undefined;
    if (message.is === 'ready') this.#isReady = true;
    if (message.is !== 'pong') {
      if (!this.#isOver) this.#options.onMessage(message);
      return;
    }
    this.#isAsked = false;
    if (!message.isIdle || this.#hasMore) return;
    clearInterval(this.#ticker);
    this.#ticker = undefined;
  }

  #watch(): void {
    if (this.#ticker || this.#isOver) return;
    this.#silentTicks = 0;
    this.#isAsked = false;
    this.#usedBefore = undefined;
    this.#lastTick = performance.now();
    this.#ticker = setInterval(() => this.#tick(), this.#options.silence / looks).unref();
  }

  /** If this thread itself was blocked, the worker may have been, and its answer may be pending: that time counts once. */
  #tick(): void {
    const now = performance.now();
    const isLate = now - this.#lastTick > (2 * this.#options.silence) / looks;
    this.#lastTick = now;
    if (this.#isAsked) this.#silentTicks += isLate ? 0.5 : 1;
    else {
      this.#worker.postMessage({ do: 'ping' } satisfies ToWorker);
      this.#hasMore = false;
    }
    this.#isAsked = true;
    if (this.#silentTicks >= looks * clockFactor) this.#giveUp('by the clock', clockFactor * this.#options.silence);
    else void this.#measure();
  }

  /** Ends a thread that has used its CPU time without an answer. While it starts, only the clock counts. */
  async #measure(): Promise<void> {
    // A thread in an endless loop is asked, too. The answer of one that has ended is an error.
    const usage = await this.#worker.cpuUsage().catch(() => undefined);
    if (usage === undefined || !this.#ticker || !this.#isReady) return;
    const used = (usage.user + usage.system) / 1000;
    this.#usedBefore ??= used;
    if (used - this.#usedBefore >= this.#options.silence) this.#giveUp('of CPU time', this.#options.silence);
  }

  #giveUp(clock: string, ms: number): void {
    if (this.#isOver) return;
    void this.#worker.terminate();
    this.#die(`it did not answer for ${ms} ms ${clock}`);
  }

  #die(reason: string): void {
    if (this.#isOver) return;
    this.#end();
    this.#options.onDeath({ reason, current: Atomics.load(this.#current, 0) });
  }
}
