import { setTimeout as delay } from 'node:timers/promises';
import {
  type ScriptRun,
  type ShellConnection,
  ShellConnectionLostError,
} from '../../../packages/ssh/container-shell.ts';
import type { Task } from '../../entities/task.ts';
import type { Verdict } from '../../values/grading-remark.ts';
import { scriptWith, type Values } from '../../values/parameters.ts';
import { statusBytes, statusScript, verdictOf } from './verdict.ts';

/** Provides the grader's connection to a container, and a fresh one where the last was lost. */
export type GraderShells = { get(ref: string): Promise<ShellConnection> };

export type GraderOptions = {
  shells: GraderShells;
  scriptSeconds: number;
  outputBytes: number;
  /** Milliseconds before a lost connection is retried. */
  retryDelay?: number;
};

export type GradableTask = Pick<Task, 'id' | 'verification_script'> &
  Partial<Pick<Task, 'verdict' | 'has_partial_credit'>> & {
    /** What the script has in its environment. */
    values?: Values;
  };

/** A script that was sent to the container. */
type Begun = { connection: ShellConnection; run: Promise<ScriptRun> };

const tries = 3;

/** Where a program takes every free process slot at once, one process may start by chance. Sixteen at once do not. */
const manyProcesses = 'for n in {1..16}; do sleep 0.5 & done; wait; echo PASS';

/** A retry is useless until the container has a free process slot. */
export class NoRoomForCheckError extends ShellConnectionLostError {}

/** Runs verification scripts in a container sequentially, over one connection. */
export class Grader {
  readonly #options: GraderOptions;

  constructor(options: GraderOptions) {
    this.#options = options;
  }

  /**
   * @param onVerdict gets each verdict as it arrives; the next script does not wait for the returned promise, but the end does
   * @throws ShellConnectionLostError, NoSuchContainerError, ContainerNotRunningError, UnavailableError: no verdict for the task and those after it
   */
  async grade<Task extends GradableTask>(
    ref: string,
    tasks: readonly Task[],
    onVerdict: (task: Task, verdict: Verdict) => Promise<void>,
  ): Promise<void> {
    const pending: Promise<void>[] = [];
    const sequence = {};
    // The container has the next script when one ends, and waits neither for the way there nor for what is done with the verdict.
    let ahead: Begun | undefined;
    try {
      for (const [index, task] of tasks.entries()) {
        const isLost = ahead?.connection.isOpen === false;
        const begun = (isLost ? undefined : ahead) ?? this.#begin(await this.#connect(ref), task, sequence);
        const next = tasks[index + 1];
        ahead = next && this.#begin(begun.connection, next, sequence);
        const verdict = await this.#run(ref, task, begun);
        const written = onVerdict(task, verdict);
        // Awaited below. A failure before then must not be an unhandled rejection.
        written.catch(() => undefined);
        pending.push(written);
      }
    } finally {
      await Promise.allSettled(pending);
    }
    await Promise.all(pending);
  }

  /**
   * A connection that the platform lost produces no verdict and is retried. Where the connection can be established again at once, and is
   * lost at the same script every time, the script itself is the cause.
   */
  async #run(ref: string, task: GradableTask, first: Begun): Promise<Verdict> {
    const limits = this.#limits;
    for (let attempt = 1; ; attempt += 1) {
      const { connection, run: running } = attempt === 1 ? first : this.#begin(await this.#connect(ref), task);
      try {
        const run = await running;
        if (run.ending === 'killed') await this.#checkLimit(connection);
        return verdictOf(run, limits, task);
      } catch (error) {
        if (!(error instanceof ShellConnectionLostError) || error instanceof NoRoomForCheckError) throw error;
        if (attempt === tries) {
          const killed: ScriptRun = { output: '', isTruncated: false, ending: 'killed' };
          await this.#checkLimit(await this.#connect(ref));
          return verdictOf(killed, limits, task);
        }
        await delay((this.#options.retryDelay ?? 250) * attempt);
      }
    }
  }

  #begin(
    connection: ShellConnection,
    { verification_script, verdict, values }: GradableTask,
    sequence?: object,
  ): Begun {
    const isByStatus = verdict === 'exit-status';
    const check = scriptWith(values, verification_script);
    const script = isByStatus ? statusScript(check) : check;
    const own = this.#limits;
    const limits = { ...own, outputBytes: own.outputBytes + (isByStatus ? statusBytes : 0) };
    const run = connection.runScript(script, limits, sequence);
    // Awaited in its turn. A failure before then must not be an unhandled rejection.
    run.catch(() => undefined);
    return { connection, run };
  }

  get #limits() {
    return { seconds: this.#options.scriptSeconds, outputBytes: this.#options.outputBytes, isCheck: true };
  }

  /** A check may have been killed because the container cannot start another process. That is not a verdict. */
  async #checkLimit(connection: ShellConnection): Promise<void> {
    const { ending } = await connection.runScript(manyProcesses, { seconds: 10, outputBytes: 1024 });
    if (ending === 'killed' || ending === 'timeout')
      throw new NoRoomForCheckError('The container cannot start another process');
  }

  async #connect(ref: string): Promise<ShellConnection> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#options.shells.get(ref);
      } catch (error) {
        if (!(error instanceof ShellConnectionLostError) || attempt === tries) throw error;
        await delay((this.#options.retryDelay ?? 250) * attempt);
      }
    }
  }
}
