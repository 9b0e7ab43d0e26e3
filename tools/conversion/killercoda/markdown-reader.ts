import { Worker } from 'node:worker_threads';
import type { MarkdownPart, MarkdownResult } from './markdown-worker.ts';

const program = new URL('./markdown-worker.ts', import.meta.url);
const limits = { seconds: 20, heapMb: 512 };

/** Parsing the text would exceed the limits of time or memory. */
export class UnreadableMarkdownError extends Error {}

type Pending = PromiseWithResolvers<MarkdownResult>;

/** Parses texts sequentially in a thread, which is terminated where a text takes too long. */
export class MarkdownReader implements AsyncDisposable {
  readonly #limits: typeof limits;
  #worker: Worker | undefined;
  #pending: Pending | undefined;

  /** @param given other limits, for a test */
  constructor(given: Partial<typeof limits> = {}) {
    this.#limits = { ...limits, ...given };
  }

  /** One text at a time: the caller waits before the next call. @throws UnreadableMarkdownError */
  async read(text: string): Promise<MarkdownPart[]> {
    const { seconds } = this.#limits;
    this.#worker ??= this.#start();
    const pending: Pending = Promise.withResolvers();
    this.#pending = pending;
    const late = () =>
      pending.reject(new UnreadableMarkdownError(`takes longer than ${seconds} s to read as Markdown`));
    const timer = setTimeout(late, seconds * 1000);
    this.#worker.postMessage(text);
    try {
      const result = await pending.promise;
      if ('error' in result) throw new UnreadableMarkdownError(`cannot be read as Markdown: ${result.error}`);
      return result.parts;
    } catch (error) {
      await this[Symbol.asyncDispose]();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  #start(): Worker {
    const { heapMb } = this.#limits;
    const worker = new Worker(program, { execArgv: [], resourceLimits: { maxOldGenerationSizeMb: heapMb } });
    worker.on('message', (result: MarkdownResult) => this.#pending?.resolve(result));
    worker.on('error', (cause) => {
      this.#pending?.reject(new UnreadableMarkdownError(`takes more than ${heapMb} MB to read as Markdown`, { cause }));
    });
    return worker;
  }
}
