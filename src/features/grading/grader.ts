import { setTimeout as delay } from 'node:timers/promises';
import { type ScriptRun, type ShellConnection, ShellConnectionLost } from '../containers/container-shell.ts';
import { type Verdict, verdictOf } from './verdict.ts';

/** Gives the grader's connection to a container, a fresh one where the last was lost. */
export type GraderShells = { get(ref: string): Promise<ShellConnection> };

export type GraderOptions = {
  shells: GraderShells;
  scriptSeconds: number;
  outputBytes: number;
  /** Milliseconds before a lost connection is tried again. */
  retryDelay?: number;
};

export type GradableTask = { id: number; verification_script: string };

const tries = 3;

/** Where every place is taken again as soon as it is free, one process may begin with luck; sixteen at once do not. */
const manyProcesses = 'for n in {1..16}; do sleep 0.5 & done; wait; echo PASS';

/** To try again is of no use before the container has room. */
class NoRoomForCheck extends ShellConnectionLost {}

/** Runs verification scripts in a container, one after the other, over one connection. */
export class Grader {
  readonly #options: GraderOptions;

  constructor(options: GraderOptions) {
    this.#options = options;
  }

  /**
   * @param onVerdict gets each verdict as it comes; the next script does not wait for what it returns, the end does
   * @throws ShellConnectionLost, NoSuchContainer, ContainerNotRunning, Unavailable: no verdict for the task and those after it
   */
  async grade<Task extends GradableTask>(
    ref: string,
    tasks: readonly Task[],
    onVerdict: (task: Task, verdict: Verdict) => Promise<void>,
  ): Promise<void> {
    const pending: Promise<void>[] = [];
    try {
      for (const task of tasks) {
        const verdict = await this.#run(ref, task.verification_script);
        const written = onVerdict(task, verdict);
        // Awaited below; a failure before then must not count as unhandled.
        written.catch(() => undefined);
        pending.push(written);
      }
    } finally {
      await Promise.allSettled(pending);
    }
    await Promise.all(pending);
  }

  /**
   * A connection that the platform lost gives no verdict and is tried again. One that can be made again at once, and is lost
   * at the same script every time, is that script's own doing.
   */
  async #run(ref: string, script: string): Promise<Verdict> {
    const limits = { seconds: this.#options.scriptSeconds, outputBytes: this.#options.outputBytes };
    for (let attempt = 1; ; attempt += 1) {
      const connection = await this.#connect(ref);
      try {
        const run = await connection.runScript(script, limits);
        if (run.ending === 'killed') await this.#checkRoom(connection);
        return verdictOf(run, limits);
      } catch (error) {
        if (!(error instanceof ShellConnectionLost) || error instanceof NoRoomForCheck) throw error;
        if (attempt === tries) {
          const killed: ScriptRun = { output: '', isTruncated: false, ending: 'killed' };
          await this.#checkRoom(await this.#connect(ref));
          return verdictOf(killed, limits);
        }
        await delay((this.#options.retryDelay ?? 250) * attempt);
      }
    }
  }

  /** What killed a check can be that the container lets no process begin: then it is no verdict. */
  async #checkRoom(connection: ShellConnection): Promise<void> {
    const { ending } = await connection.runScript(manyProcesses, { seconds: 10, outputBytes: 1024 });
    if (ending === 'killed' || ending === 'timeout') throw new NoRoomForCheck('The container lets no process begin');
  }

  async #connect(ref: string): Promise<ShellConnection> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#options.shells.get(ref);
      } catch (error) {
        if (!(error instanceof ShellConnectionLost) || attempt === tries) throw error;
        await delay((this.#options.retryDelay ?? 250) * attempt);
      }
    }
  }
}
