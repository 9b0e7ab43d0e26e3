import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { ShellConnection } from '../../../packages/ssh/container-shell.ts';
import type { TaskMark } from '../../database/tables.ts';
import { takesAnswer } from '../../entities/task-kinds/kinds.ts';
import type { Verdict } from '../../values/grading-remark.ts';
import type { RevisionStore } from '../attempts/revision-store.ts';
import type { ShellPool } from '../capacity/shell-pool.ts';
import { type GradableTask, Grader, type GraderOptions } from '../grading/grader.ts';
import { type Look, lookSeconds, type SilentCheckStore } from './silent-check-store.ts';

export type SilentChecksParts = {
  store: Pick<SilentCheckStore, 'endOver' | 'gradings' | 'next' | 'mayGoOn' | 'finish'>;
  states: Pick<RevisionStore, 'of'>;
  shells: Pick<ShellPool, 'get' | 'has' | 'close'>;
  /** `concurrency` is that of the gradings of one process. */
  limits: Pick<GraderOptions, 'scriptSeconds' | 'outputBytes'> & { concurrency: number };
  /** Runs a round in one process at a time. */
  alone: (round: () => Promise<void>) => Promise<unknown>;
  log: FastifyBaseLogger;
};

/** Looks at once. Rounds are in one process at a time, so these are all of the service. */
const looksAtOnce = 2;
/** Milliseconds between two questions whether a look may go on. A notification asks as well. */
const pulse = 1000;
/** Milliseconds between two questions whether gradings leave enough capacity. */
const patience = 250;

/** The look has ended, and so has its connection. */
class LookEndedError extends Error {}

type Running = { look: Look; reconsider: () => void; end: () => void };

/**
 * Runs the checks of exam sessions for those who supervise them, while their students work. A look runs all checks of one attempt over the
 * grader's connection, so that it looks like a grading in the container. Nothing of it is a result: neither the attempt nor its results change.
 *
 * - It is begun and claimed by one statement (`SilentCheckStore.next`), so that an attempt has one at a time.
 * - Gradings go first: no check of a look begins while half of the gradings of one process run.
 * - It is broken off when its attempt is submitted, paused or over: the script is killed, and the grading waits for that. It is cut off
 *   after `lookSeconds`: the tasks that are left have no result.
 * - A process that dies leaves a look that nobody waits for longer than for a living one. The next process continues.
 */
export class SilentChecks implements AsyncDisposable {
  readonly #parts: SilentChecksParts;
  readonly #running = new Map<number, Running>();
  #isStopped = false;
  #round: Promise<unknown> = Promise.resolve();

  constructor(parts: SilentChecksParts) {
    this.#parts = parts;
  }

  /** Looks at every attempt that is due. */
  async run(): Promise<void> {
    const round = this.#parts.alone(() => this.#lookAtAll());
    this.#round = round.catch(() => undefined);
    await round;
  }

  /** Reports a change. @param what as of `RoomFeed.changed` */
  changed(what: string): void {
    const session = Number(what.split(':')[0]);
    for (const { look, reconsider } of this.#running.values())
      if (what === '*' || look.session_id === session) reconsider();
  }

  /** Breaks all looks off. Resolves when they have ended. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopped = true;
    for (const { end } of this.#running.values()) end();
    await this.#round;
  }

  async #lookAtAll(): Promise<void> {
    const { store } = this.#parts;
    await store.endOver();
    const lookAtNext = async (): Promise<void> => {
      while (!this.#isStopped && (await this.#isFree())) {
        const look = await store.next([...this.#running.keys()]);
        if (!look) return;
        await this.#lookAt(look);
      }
    };
    await Promise.all(Array.from({ length: looksAtOnce }, lookAtNext));
  }

  /** Whether the gradings leave capacity: fewer run than half of what one process runs at once. */
  async #isFree(): Promise<boolean> {
    const { store, limits } = this.#parts;
    return (await store.gradings()) < Math.max(1, limits.concurrency / 2);
  }

  async #lookAt(look: Look): Promise<void> {
    const { store, log } = this.#parts;
    const broken = new AbortController();
    const late = AbortSignal.timeout(lookSeconds * 1000);
    const end = (): void => broken.abort();
    const reconsider = (): void => {
      store.mayGoOn(look).then(
        (may) => may || end(),
        // The database may answer again before the look is over.
        () => undefined,
      );
    };
    const timer = setInterval(reconsider, pulse);
    this.#running.set(look.attempt_id, { look, reconsider, end });
    if (this.#isStopped) end();
    try {
      const marks = await this.#marks(look, AbortSignal.any([broken.signal, late]));
      await store.finish(look, broken.signal.aborted ? undefined : marks);
    } catch (error) {
      log.warn({ err: error, attempt: look.attempt_id }, 'a silent check failed');
    } finally {
      clearInterval(timer);
      this.#running.delete(look.attempt_id);
    }
  }

  async #marks(look: Look, ended: AbortSignal): Promise<TaskMark[]> {
    const { states, shells, log } = this.#parts;
    const state = await states.of(look);
    const tasks = (state?.content.tasks ?? []).filter((task) => !takesAnswer(task));
    const marks = tasks.map(({ id, title }): TaskMark => ({ task_id: id, title, state: 'none' }));
    // That of the process that has started the attempt stays open, see ShellPool.
    const isHeld = shells.has(look.ref);
    const close = async (): Promise<void> => await shells.close(look.ref);
    const kill = (): void => void close();
    try {
      const connection = await shells.get(look.ref);
      ended.addEventListener('abort', kill, { once: true });
      for (const [index, task] of tasks.entries()) {
        await this.#wayIsFree(ended);
        const mark = marks[index];
        if (mark) mark.state = stateOf(await this.#check(look.ref, task, connection, ended));
        // Where tasks open one after another, those after are closed.
        if (state?.is_sequential && mark?.state !== 'passed') break;
      }
    } catch (error) {
      // A container that cannot be reached has no result now. Its student may have caused that, or the engine.
      if (!ended.aborted) log.info({ err: error, attempt: look.attempt_id }, 'a silent check has no result');
    } finally {
      ended.removeEventListener('abort', kill);
      if (!isHeld || ended.aborted) await close();
    }
    return marks;
  }

  /** Waits until the gradings leave capacity. @throws LookEndedError */
  async #wayIsFree(ended: AbortSignal): Promise<void> {
    while (!ended.aborted && !(await this.#isFree())) await delay(patience);
    if (ended.aborted) throw new LookEndedError('the look has ended');
  }

  /** @throws LookEndedError once the connection has ended, and what the grader throws */
  async #check(
    ref: string,
    task: GradableTask,
    connection: ShellConnection,
    ended: AbortSignal,
  ): Promise<Verdict | undefined> {
    const get = async (): Promise<ShellConnection> => {
      if (ended.aborted || !connection.isOpen) throw new LookEndedError('the look has ended');
      return connection;
    };
    let found: Verdict | undefined;
    await new Grader({ ...this.#parts.limits, shells: { get } }).grade(ref, [task], async (_task, verdict) => {
      found = verdict;
    });
    // A verdict of a script that was killed with the connection is none.
    if (ended.aborted) throw new LookEndedError('the look has ended');
    return found;
  }
}

/** Why a check has no result: it was stopped, by time or from inside the container. */
const withoutResult = new Set(['check_timeout', 'check_held', 'check_killed']);

const stateOf = (verdict: Verdict | undefined): TaskMark['state'] => {
  if (!verdict || verdict.remark_codes?.some(({ code }) => withoutResult.has(code))) return 'none';
  return verdict.passed ? 'passed' : 'failed';
};
