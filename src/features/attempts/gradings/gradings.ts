import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { ShellConnectionLostError } from '../../../../packages/ssh/container-shell.ts';
import { kindOf, ownFields, takesAnswer } from '../../../entities/task-kinds/kinds.ts';
import { ConflictError, UnavailableError } from '../../../errors.ts';
import {
  type ContainerEngine,
  ContainerNotRunningError,
  NoSuchContainerError,
} from '../../../ports/container-engine.ts';
import { isGraded } from '../../../values/attempt-status.ts';
import { answerVerdict } from '../../../values/grading-remark.ts';
import type { LostContainers } from '../../capacity/lost-containers.ts';
import type { ContainerRemovals } from '../../capacity/removals.ts';
import type { ContainerRow, ContainerStore } from '../../capacity/store.ts';
import type { Grader } from '../../grading/grader.ts';
import { notGraded } from '../../grading/verdict.ts';
import { collectFile } from '../answers/files.ts';
import { type AnswerStore, isAnswered } from '../answers/store.ts';
import { gradingBeatSeconds } from '../recovery/store.ts';
import type { Revision, RevisionStore } from '../revision-store.ts';
import { hasPassed, openTasks } from '../steps.ts';
import type { AttemptRow, AttemptStore, TaskResultRow } from '../store.ts';
import { allChanges, changedSystemFiles } from './integrity.ts';
import { containerLost, gradingProblemOf } from './problems.ts';
import type { GradingTask, ResultStore } from './result-store.ts';
import type { GradingPurpose, GradingStore } from './store.ts';
import type { GradingTurns } from './turns.ts';

export type GradingParts = {
  store: Pick<AttemptStore, 'byId' | 'results' | 'isLongOver'>;
  grading: GradingStore;
  results: ResultStore;
  answers: Pick<AnswerStore, 'of' | 'saveCollected'>;
  states: Pick<RevisionStore, 'pinned'>;
  containers: Pick<ContainerStore, 'byAttempt'>;
  removals: Pick<ContainerRemovals, 'remove'>;
  lost: Pick<LostContainers, 'replaces' | 'report'>;
  engine: Pick<
    ContainerEngine,
    'start' | 'restart' | 'openCommand' | 'probe' | 'isExhausted' | 'grantsRoot' | 'changedFiles'
  >;
  grader: Pick<Grader, 'grade'>;
  turns: GradingTurns;
  /** Whether the checks of an attempt run silently now, see features/exam-room/silent-checks.ts. */
  isLookedAt: (attemptId: number) => Promise<boolean>;
  /** Minutes after the deadline. From then on, an attempt whose container stays inaccessible fails. */
  giveUpMinutes: number;
  log: FastifyBaseLogger;
};

export type GradedAttempt = { attempt: AttemptRow; results: TaskResultRow[] };

type GradedContainer = ContainerRow & { engine_ref: string };

/** `taskId` is that of the only task to check. */
type Grading = { purpose: GradingPurpose; taskId: number | undefined; outcome: Promise<GradedAttempt> };

const notOpen = notGraded('task_not_open');
const keptOut = notGraded('container_closed');

/** Milliseconds to wait for another process to finish grading, and between two polls. */
const elsewherePatience = 60_000;
const elsewherePause = 100;
/**
 * Milliseconds that a grading waits for the end of a silent look, and between two polls. A look ends within a second of the submission. Only
 * one whose process has died does not, and its scripts have ended with that.
 */
const lookPatience = 5000;
const lookPause = 50;

/**
 * The gradings of this process. Each attempt has one at a time, in all processes together: that of the process whose `beginGrading` moved it
 * from `in_progress` to `grading`. A heartbeat says that it goes on; without one the reconciler returns the attempt to `in_progress`.
 *
 * - `submit` (requests) and `end` with `expire` (the deadline) end the attempt: `finish`. During a check they wait for its end. A second one
 *   gets the outcome of the first, also from another process.
 * - `check` (requests, practice only) leaves it active: `endCheck`.
 * - A failure returns it to `in_progress` with its reason (`returnToProgress`), or abandons it if its container is lost for good.
 */
export class Gradings {
  readonly #parts: GradingParts;
  readonly #underWay = new Map<number, Grading>();

  constructor(parts: GradingParts) {
    this.#parts = parts;
  }

  /** Grades an attempt and ends it. @returns undefined when another process does not finish it in time @throws see AttemptMachine.submit */
  async submit(id: number): Promise<GradedAttempt | undefined> {
    return (await this.end(id, 'submit')) ?? (await this.#gradedElsewhere(id));
  }

  /** Grades an attempt and leaves it active. @returns undefined while it is being ended, or after its deadline */
  async check(id: number, taskId?: number): Promise<GradedAttempt | undefined> {
    let underWay = this.#underWay.get(id);
    while (underWay?.purpose === 'check') {
      if (underWay.taskId === taskId) return await underWay.outcome;
      await underWay.outcome.catch(() => undefined);
      underWay = this.#underWay.get(id);
    }
    return underWay ? undefined : await this.#grade(id, 'check', taskId);
  }

  /** Grades an attempt and ends it. @returns undefined when it cannot be ended so, or another process grades it */
  async end(attemptId: number, purpose: 'submit' | 'expire'): Promise<GradedAttempt | undefined> {
    let underWay = this.#underWay.get(attemptId);
    while (underWay?.purpose === 'check') {
      await underWay.outcome.catch(() => undefined);
      underWay = this.#underWay.get(attemptId);
    }
    return await (underWay?.outcome ?? this.#grade(attemptId, purpose));
  }

  async #grade(attemptId: number, purpose: GradingPurpose, taskId?: number): Promise<GradedAttempt | undefined> {
    const attempt = await this.#parts.grading.beginGrading(attemptId, purpose);
    if (!attempt) return undefined;
    const outcome = this.#run(attempt, purpose, taskId).finally(() => this.#underWay.delete(attemptId));
    this.#underWay.set(attemptId, { purpose, taskId, outcome });
    return await outcome;
  }

  async #run(attempt: AttemptRow, purpose: GradingPurpose, taskId: number | undefined): Promise<GradedAttempt> {
    const { store, grading, results, states, log } = this.#parts;
    const beat = setInterval(
      () => {
        grading
          .beat(attempt.id)
          .catch((error: unknown) =>
            log.warn({ err: error, attempt: attempt.id }, 'the heartbeat of a grading could not be written'),
          );
      },
      (gradingBeatSeconds * 1000) / 4,
    );
    try {
      const container = attempt.needs_machine ? await this.#container(attempt) : undefined;
      const state = await states.pinned(attempt);
      const taskIds = (state?.content.tasks ?? []).map(({ id }) => id);
      const { due, closed } = await this.#due(attempt, state);
      const tasks = taskId === undefined ? due : due.filter(({ id }) => id === taskId);
      if (purpose === 'check') {
        await this.#gradeTasks(attempt, container, tasks, purpose);
        const checked = await grading.endCheck(attempt.id, taskIds);
        return { attempt: checked, results: await store.results(attempt.id) };
      }
      const integrity = this.#integrity(container);
      await this.#gradeTasks(attempt, container, tasks, purpose);
      for (const task of closed) await results.saveResult(attempt.id, task, notOpen);
      // Again: a program can be replaced after the first reading, and put back before the second.
      const changes = [await integrity, await this.#integrity(container)];
      const finished = await grading.finish(attempt, taskIds, allChanges(changes));
      const removed = container && this.#parts.removals.remove(container);
      const [graded] = await Promise.all([store.results(attempt.id), removed]);
      return { attempt: finished, results: graded };
    } catch (error) {
      throw await this.#failed(attempt, error);
    } finally {
      clearInterval(beat);
    }
  }

  /**
   * The tasks to grade. Where tasks open one after another, it is the open one: those before have passed, those after are closed. What is sent
   * to people can be another answer than when it opened the next task, also after an attempt was reopened.
   */
  async #due(attempt: AttemptRow, state: Revision | undefined) {
    const tasks: readonly GradingTask[] = state?.content.tasks ?? [];
    if (!state?.is_sequential) return { due: tasks, closed: [] };
    const graded = await this.#parts.store.results(attempt.id);
    const open = openTasks(tasks, graded);
    const isDone = ({ id }: GradingTask): boolean => graded.some((one) => one.task_id === id && hasPassed(one));
    const due = tasks.slice(0, open).filter((task) => isSentToPeople(task) || !isDone(task));
    return { due, closed: tasks.slice(open).filter((task) => !isDone(task)) };
  }

  /** The machine of an attempt, ready to be graded. @throws NoSuchContainerError */
  async #container(attempt: AttemptRow): Promise<GradedContainer> {
    const container = await this.#parts.containers.byAttempt(attempt.id);
    if (!container?.engine_ref) throw new NoSuchContainerError(attempt.container_name);
    // Its processes are frozen while its clock is stopped.
    if (attempt.paused_at !== null) await this.#parts.engine.start(container.engine_ref);
    return { ...container, engine_ref: container.engine_ref };
  }

  async #integrity(container: ContainerRow | undefined): Promise<string[] | null> {
    return container ? await changedSystemFiles(this.#parts, container) : null;
  }

  async #gradeTasks(
    attempt: AttemptRow,
    container: GradedContainer | undefined,
    tasks: readonly GradingTask[],
    purpose: GradingPurpose,
  ): Promise<void> {
    const { turns } = this.#parts;
    if (container) await this.#collect(attempt, container.engine_ref, tasks);
    const answered = tasks.filter((task) => takesAnswer(task));
    await gradeAnswers(this.#parts, attempt, answered);
    const checks = tasks.filter((task) => !takesAnswer(task));
    if (!container || answered.length === tasks.length) return;
    await this.#untilUnseen(attempt);
    const { engine_ref: ref } = container;
    await turns.run(attempt.user_id, () => gradeInContainer(this.#parts, attempt, { ref, tasks: checks, purpose }));
  }

  /** Takes the files that are answers from the machine. @throws what the engine throws */
  async #collect({ id: attempt_id }: AttemptRow, ref: string, tasks: readonly GradingTask[]): Promise<void> {
    for (const { id: task_id, path } of tasks)
      if (path != null)
        await this.#parts.answers.saveCollected(
          { attempt_id, task_id },
          await collectFile(this.#parts.engine, ref, path),
        );
  }

  /** Waits until no silent look is in the container: its scripts could disturb those that count. */
  async #untilUnseen({ id, session_id }: AttemptRow): Promise<void> {
    if (session_id === null) return;
    const deadline = performance.now() + lookPatience;
    while (performance.now() < deadline && (await this.#parts.isLookedAt(id))) await delay(lookPause);
  }

  /** Returns the attempt to its previous state, or ends it where its container is gone for good. Returns the error for the caller. */
  async #failed(attempt: AttemptRow, error: unknown): Promise<Error> {
    const { grading, log } = this.#parts;
    log.error({ err: error, attempt: attempt.id }, 'grading failed');
    if (error instanceof NoSuchContainerError && !(await this.#isReplaced(attempt))) {
      await grading.abandon(attempt.id, ['grading'], containerLost);
      await releaseContainer(this.#parts, attempt.id);
      return new ConflictError(
        'attempt_lost',
        'The container of this attempt was lost; the attempt was abandoned and can be started again',
      );
    }
    await grading.returnToProgress(attempt.id, gradingProblemOf(error));
    return new UnavailableError('grading_failed', 'Grading failed part-way; nothing is lost, submit again', {
      retryAfter: 10,
      cause: error,
    });
  }

  /** Whether the lost container of an attempt is replaced, so that the attempt continues. */
  async #isReplaced(attempt: AttemptRow): Promise<boolean> {
    const { containers, lost } = this.#parts;
    const container = await containers.byAttempt(attempt.id);
    if (!container?.engine_ref || !lost.replaces(container)) return false;
    lost.report(container.engine_ref);
    return true;
  }

  /** Another process grades it. Its results are the answer. Where that was only a check, the submission follows. */
  async #gradedElsewhere(id: number): Promise<GradedAttempt | undefined> {
    const { store } = this.#parts;
    const deadline = performance.now() + elsewherePatience;
    while (performance.now() < deadline) {
      const attempt = await store.byId(id);
      if (!attempt) return undefined;
      if (isGraded(attempt)) return { attempt, results: await store.results(id) };
      const graded = attempt.status === 'in_progress' ? await this.end(id, 'submit') : undefined;
      if (graded || attempt.status === 'abandoned') return graded;
      await delay(elsewherePause);
    }
    return undefined;
  }
}

const isSentToPeople = (task: GradingTask): boolean =>
  kindOf(task).isGradedByPeople && !kindOf(task).needsMachine(ownFields(task));

/** Grades the saved answers. What a person grades awaits that, unless there is nothing to grade. */
async function gradeAnswers(
  { answers, results }: Pick<GradingParts, 'answers' | 'results'>,
  { id }: Pick<AttemptRow, 'id'>,
  tasks: readonly GradingTask[],
): Promise<void> {
  if (tasks.length === 0) return;
  const saved = new Map((await answers.of(id)).map((row) => [row.task_id, row]));
  for (const task of tasks) {
    const answer = saved.get(task.id);
    const { grade, isGradedByPeople } = kindOf(task);
    const verdict = grade?.(ownFields(task), answer ?? {}, task.has_partial_credit);
    const isAwaiting = isGradedByPeople && isAnswered(answer);
    await results.saveResult(id, task, verdict ?? answerVerdict(false, isAwaiting), isAwaiting);
  }
}

/** Gives the container of an ended attempt up. */
export async function releaseContainer(
  { containers, removals }: Pick<GradingParts, 'containers' | 'removals'>,
  attemptId: number,
): Promise<void> {
  const container = await containers.byAttempt(attemptId);
  if (container) await removals.remove(container);
}

/**
 * Grades an attempt's tasks in its container, and writes each result as it arrives. A grading that ends the attempt can restart a
 * container that refuses access. The student's files survive the restart, and the student's processes do not.
 * At the deadline, such a container is always restarted. At a submission, it is restarted only where the engine reports that all its
 * processes or all its memory are in use. Its student is locked out like the grader, and could never submit. In any other case, the
 * machine may be slow for a moment, the running processes may be part of the task, and the student can submit again.
 * A container that is still inaccessible is tried repeatedly. Long after the deadline, the checks that could not run are graded FAIL. This
 * requires that the engine answers.
 * @throws ShellConnectionLostError, ContainerNotRunningError, NoSuchContainerError, UnavailableError: no outcome yet
 */
async function gradeInContainer(
  { store, results, engine, grader, log, giveUpMinutes }: GradingParts,
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
  const canRestart = async (): Promise<boolean> =>
    purpose === 'expire' || (purpose === 'submit' && (await engine.isExhausted(ref)));
  try {
    try {
      await gradeAll();
    } catch (error) {
      // Stopped by a restart of the engine, or from inside. The student's files are still there.
      if (error instanceof ContainerNotRunningError) await engine.start(ref);
      else if (error instanceof ShellConnectionLostError && (await canRestart())) {
        log.warn({ err: error, attempt: id }, 'a container refuses connections and is restarted');
        await engine.restart(ref);
      } else throw error;
      await gradeAll();
    }
  } catch (error) {
    const isKeptOut = error instanceof ShellConnectionLostError || error instanceof ContainerNotRunningError;
    if (!isKeptOut || purpose !== 'expire' || !(await store.isLongOver(id, giveUpMinutes))) throw error;
    await engine.probe();
    log.warn({ err: error, attempt: id }, 'a container refuses connections: its remaining checks are graded FAIL');
    for (const task of tasks) if (!graded.has(task.id)) await results.saveResult(id, task, keptOut);
  }
}
