import type { FastifyBaseLogger } from 'fastify';
import { type ContainerEngine, ContainerNotRunning } from '../../ports/container-engine.ts';
import { ShellConnectionLost } from '../containers/container-shell.ts';
import type { Grader } from '../grading/grader.ts';
import type { GradingPurpose } from './grading-store.ts';
import type { GradingTask, ResultStore } from './result-store.ts';
import type { AttemptRow, AttemptStore } from './store.ts';

export type GradingRunParts = {
  store: Pick<AttemptStore, 'isLongOver'>;
  results: Pick<ResultStore, 'saveResult'>;
  engine: Pick<ContainerEngine, 'start' | 'stop' | 'probe' | 'isExhausted'>;
  grader: Pick<Grader, 'grade'>;
  log: FastifyBaseLogger;
  /** Minutes after the deadline from which a container that cannot be got into, whatever is tried, is a failed attempt. */
  giveUpMinutes: number;
};

const keptOut = '[no verdict: the check could not get into the container, which was started anew for it]';

/**
 * Grades an attempt's tasks in its container, and writes each result as it comes. A container that lets nobody in can be started
 * anew for a grading that ends the attempt: what the student made is still there, what the student left running is not. At the
 * deadline it always is. At a submission only where every process or all memory that it may have is in use, by the engine's
 * figures: its student can get in no more than the grader can, and could never submit. Else the machine may be slow for a moment,
 * what runs in the container may be what is asked for, and it can be submitted again. One that cannot be got into even so is
 * tried again and again, and long after the deadline that is the outcome: FAIL for what could not be checked. The engine has to
 * answer then.
 * @throws ShellConnectionLost, ContainerNotRunning, NoSuchContainer, Unavailable: no outcome yet
 */
export async function gradeInContainer(
  { store, results, engine, grader, log, giveUpMinutes }: GradingRunParts,
  { id }: Pick<AttemptRow, 'id'>,
  { ref, tasks, purpose }: { ref: string; tasks: readonly GradingTask[]; purpose: GradingPurpose },
): Promise<void> {
  const graded = new Set<number>();
  const gradeAll = async (): Promise<void> => {
    graded.clear();
    await grader.grade(ref, tasks, async (task, { passed, output }) => {
      await results.saveResult(id, task, passed, output);
      graded.add(task.id);
    });
  };
  const mayStartAnew = async (): Promise<boolean> =>
    purpose === 'expire' || (purpose === 'submit' && (await engine.isExhausted(ref)));
  try {
    try {
      await gradeAll();
    } catch (error) {
      // Stopped by a restart of the engine, or from inside: what the student made is still there.
      if (error instanceof ContainerNotRunning) await engine.start(ref);
      else if (error instanceof ShellConnectionLost && (await mayStartAnew())) {
        log.warn({ err: error, attempt: id }, 'a container lets nobody in and is started anew');
        await engine.stop(ref);
        await engine.start(ref);
      } else throw error;
      await gradeAll();
    }
  } catch (error) {
    const isKeptOut = error instanceof ShellConnectionLost || error instanceof ContainerNotRunning;
    if (!isKeptOut || purpose !== 'expire' || !(await store.isLongOver(id, giveUpMinutes))) throw error;
    await engine.probe();
    log.warn({ err: error, attempt: id }, 'a container cannot be got into: what is left of its checks is FAIL');
    for (const task of tasks) if (!graded.has(task.id)) await results.saveResult(id, task, false, keptOut);
  }
}
