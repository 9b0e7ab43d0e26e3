import { setTimeout as delay } from 'node:timers/promises';
import { isPostmasterOf, type LaunchOptions, launchPostmaster, type Postmaster, stopPostmaster } from './postmaster.ts';

const lookInterval = 500;

/**
 * Keeps a server running until disposal, which stops it. It polls the process, because an adopted server is not a child process
 * whose exit would be reported.
 */
export class Supervisor implements AsyncDisposable {
  readonly #options: LaunchOptions;
  readonly #progress: (line: string) => void;
  readonly #abort = new AbortController();
  readonly #loop: Promise<void>;
  #pid: number;

  constructor(postmaster: Postmaster, options: LaunchOptions, progress: (line: string) => void) {
    this.#options = options;
    this.#progress = progress;
    this.#pid = postmaster.pid;
    this.#loop = this.#watch();
  }

  get pid(): number {
    return this.#pid;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#abort.abort();
    await this.#loop;
    await stopPostmaster(this.#pid, this.#options.clusterDir);
  }

  async #watch(): Promise<void> {
    const { signal } = this.#abort;
    while (!signal.aborted) {
      await delay(lookInterval, undefined, { signal, ref: false }).catch(() => {});
      if (signal.aborted || (await isPostmasterOf(this.#pid, this.#options.clusterDir))) continue;
      this.#progress(
        `PostgreSQL (process ${this.#pid}) has ended unexpectedly, starting it again; see ${this.#options.logPath}`,
      );
      try {
        this.#pid = (await launchPostmaster(this.#options)).pid;
      } catch (error) {
        this.#progress(error instanceof Error ? error.message : String(error));
        await delay(1_500, undefined, { signal, ref: false }).catch(() => {});
      }
    }
  }
}
