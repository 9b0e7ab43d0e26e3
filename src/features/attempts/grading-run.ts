import type { FastifyBaseLogger } from 'fastify';
import { type ContainerEngine, ContainerNotRunning } from '../../ports/container-engine.ts';
import { ShellConnectionLost } from '../capacity/container-shell.ts';
import type { Grader } from '../grading/grader.ts';
import { notGraded } from '../grading/verdict.ts';
import type { GradingPurpose } from './grading-store.ts';
import type { GradingTask, ResultStore } from './result-store.ts';
import type { AttemptRow, AttemptStore } from './store.ts';

export type GradingRunParts = {
  store: Pick<AttemptStore, 'isLongOver'>;
  results: Pick<ResultStore, 'saveResult'>;
  engine: Pick<ContainerEngine, 'start' | 'restart' | 'probe' | 'isExhausted'>;
  grader: Pick<Grader, 'grade'>;
  log: FastifyBaseLogger;
  /** Minutes after the deadline. From then on, an attempt whose container stays inaccessible fails. */
  giveUpMinutes: number;
};

const keptOut = notGraded('container_closed');

/**
 * Grades an attempt's tasks in its container, and writes each result as it arrives. A grading that ends the attempt can restart a
 * container that refuses access. The student's files survive the restart, and the student's processes do not.
 * At the deadline, such a container is always restarted. At a submission, it is restarted only where the engine reports that all its
 * processes or all its memory are in use. Its student is locked out like the grader, and could never submit. In any other case, the
 * machine may be slow for a moment, the running processes may be part of the task, and the student can submit again.
 * A container that is still inaccessible is tried repeatedly. Long after the deadline, the checks that could not run are graded FAIL. This
 * requires that the engine answers.
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
    await grader.grade(ref, tasks, async (task, verdict) => {
      await results.saveResult(id, task, verdict);
      graded.add(task.id);
    });
  };
  const mayStartAnew = async (): Promise<boolean> =>
    purpose === 'expire' || (purpose === 'submit' && (await engine.isExhausted(ref)));
  try {
    try {
      await gradeAll();
    } catch (error) {
      // Stopped by a restart of the engine, or from inside. The student's files are still there.
      if (error instanceof ContainerNotRunning) await engine.start(ref);
      else if (error instanceof ShellConnectionLost && (await mayStartAnew())) {
        log.warn({ err: error, attempt: id }, 'a container refuses connections and is restarted');
        await engine.restart(ref);
      } else throw error;
      await gradeAll();
    }
  } catch (error) {
    const isKeptOut = error instanceof ShellConnectionLost || error instanceof ContainerNotRunning;
    if (!isKeptOut || purpose !== 'expire' || !(await store.isLongOver(id, giveUpMinutes))) throw error;
    await engine.probe();
    log.warn({ err: error, attempt: id }, 'a container refuses connections: its remaining checks are graded FAIL');
    for (const task of tasks) if (!graded.has(task.id)) await results.saveResult(id, task, keptOut);
  }
}
