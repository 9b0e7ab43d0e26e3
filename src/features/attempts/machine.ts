import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { Conflict, NotFound, Unavailable } from '../../errors.ts';
import type { Caller } from '../../http/access.ts';
import { type ContainerEngine, NoSuchContainer } from '../../ports/container-engine.ts';
import type { Provisioner } from '../containers/provisioner.ts';
import type { ContainerRow, ContainerStore } from '../containers/store.ts';
import type { Grader } from '../grading/grader.ts';
import { gradeInContainer } from './grading-run.ts';
import type { GradingPurpose, GradingStore } from './grading-store.ts';
import type { GradingTurns } from './grading-turns.ts';
import { changedSystemFiles } from './integrity.ts';
import { gradingBeatSeconds } from './recovery-store.ts';
import type { GradingTask, ResultStore } from './result-store.ts';
import type { StartStore, Subject } from './start-store.ts';
import type { AttemptRow, AttemptStore, TaskResultRow } from './store.ts';

export type AttemptMachineParts = {
  store: AttemptStore;
  starts: StartStore;
  grading: GradingStore;
  results: ResultStore;
  containers: ContainerStore;
  provisioner: Provisioner;
  engine: Pick<ContainerEngine, 'start' | 'stop' | 'probe' | 'isExhausted' | 'grantsRoot' | 'changedFiles'>;
  grader: Pick<Grader, 'grade'>;
  turns: GradingTurns;
  /** Minutes, see `gradeInContainer`. */
  giveUpMinutes: number;
  log: FastifyBaseLogger;
  /** Called for each attempt that began, to schedule the expiry at its deadline. */
  onStart: (attempt: AttemptRow) => void;
};

export type StartedAttempt = { attempt: AttemptRow; container: ContainerRow };
export type GradedAttempt = { attempt: AttemptRow; results: TaskResultRow[] };

type Grading = { purpose: GradingPurpose; outcome: Promise<GradedAttempt> };

/** Milliseconds to wait for another process to finish grading, and between two polls. */
const elsewherePatience = 60_000;
const elsewherePause = 100;

/** The life cycle of an attempt of an exam or a laboratory, from its start to its results. */
export class AttemptMachine {
  readonly #parts: AttemptMachineParts;
  readonly #grading = new Map<number, Grading>();

  constructor(parts: AttemptMachineParts) {
    this.#parts = parts;
  }

  /**
   * Reserves the attempt, then creates its container, then starts the clock. A failure at any step leaves nothing.
   * @throws Conflict while another attempt is active, Unavailable without a container
   */
  async start(caller: Caller, subject: Subject): Promise<StartedAttempt> {
    const { store, starts, provisioner, onStart } = this.#parts;
    const reserved = await starts.reserve(subject, caller.id);
    let container: ContainerRow | undefined;
    try {
      container = await provisioner.forAttempt({
        image: subject.container_image,
        kind: subject.kind,
        name: reserved.container_name,
        userId: caller.id,
        attemptId: reserved.id,
      });
      const attempt = await starts.begin(reserved.id, subject.time_limit_minutes);
      if (!attempt) throw new Unavailable('cancelled', 'The attempt was given up while its container was being made');
      onStart(attempt);
      return { attempt, container };
    } catch (error) {
      await starts.dropReservation(reserved.id);
      // The answer to `begin` may have been lost after it succeeded. Then the attempt has begun, and keeps its container.
      if (container && (await store.settled([reserved.id])).size > 0) await provisioner.remove(container);
      throw error;
    }
  }

  /**
   * Grades the user's active attempt of a subject and ends it. A second call during the grading gets the same answer, even from another
   * process.
   * @throws NotFound without an active attempt, Conflict when another process does not finish it in time, Unavailable when grading failed
   * part-way: nothing is lost then, and the attempt can be submitted again
   */
  async submit(caller: Caller, kind: Subject['kind'], subjectId: number): Promise<GradedAttempt> {
    const { id } = await this.#active(caller, kind, subjectId);
    const graded = (await this.#end(id, 'submit')) ?? (await this.#gradedElsewhere(id));
    if (!graded) throw new Conflict('attempt_grading', 'The attempt is being graded already');
    return graded;
  }

  /** Another process grades it. Its results are the answer. Where that was only a check, the submission follows. */
  async #gradedElsewhere(id: number): Promise<GradedAttempt | undefined> {
    const { store } = this.#parts;
    const deadline = performance.now() + elsewherePatience;
    while (performance.now() < deadline) {
      const attempt = await store.byId(id);
      if (!attempt) return undefined;
      if (attempt.status === 'finished' || attempt.status === 'expired')
        return { attempt, results: await store.results(id) };
      const graded = attempt.status === 'in_progress' ? await this.#end(id, 'submit') : undefined;
      if (graded || attempt.status === 'abandoned') return graded;
      await delay(elsewherePause);
    }
    return undefined;
  }

  /**
   * Grades the user's active attempt of a subject as it stands, and leaves it active. A second call during the grading gets the same
   * answer. A submission during the grading waits for it.
   * @throws as submit; Conflict while the attempt is being submitted or after its deadline
   */
  async check(caller: Caller, kind: Subject['kind'], subjectId: number): Promise<GradedAttempt> {
    const { id } = await this.#active(caller, kind, subjectId);
    const underWay = this.#grading.get(id);
    if (underWay?.purpose === 'check') return await underWay.outcome;
    const graded = underWay ? undefined : await this.#grade(id, 'check');
    if (!graded)
      throw new Conflict('attempt_not_in_progress', 'The attempt is being graded already, or its time is over');
    return graded;
  }

  /** Grades an overdue attempt as it stands. @returns undefined when it is not overdue, or is already being graded */
  async expire(attemptId: number): Promise<GradedAttempt | undefined> {
    return await this.#end(attemptId, 'expire');
  }

  /** @throws NotFound, Conflict when it is not in progress */
  async abandon(caller: Caller, attemptId: number): Promise<AttemptRow> {
    const { store, grading } = this.#parts;
    const attempt = await store.byId(attemptId);
    if (!attempt || attempt.user_id !== caller.id) throw new NotFound('not_found', 'Attempt not found');
    const abandoned = await grading.abandon(attemptId, ['in_progress']);
    if (!abandoned)
      throw new Conflict(
        'attempt_not_in_progress',
        `The attempt is ${attempt.status.replace('_', ' ')}, so it cannot be abandoned`,
      );
    await this.#release(attemptId);
    return abandoned;
  }

  async container(attemptId: number): Promise<ContainerRow | undefined> {
    return await this.#parts.containers.byAttempt(attemptId);
  }

  async #active(caller: Caller, kind: Subject['kind'], subjectId: number): Promise<AttemptRow> {
    const active = await this.#parts.store.activeFor(caller.id, kind, subjectId);
    if (!active) throw new NotFound('no_active_attempt', `No active attempt of this ${kind}`);
    return active;
  }

  async #end(attemptId: number, purpose: 'submit' | 'expire'): Promise<GradedAttempt | undefined> {
    let underWay = this.#grading.get(attemptId);
    while (underWay?.purpose === 'check') {
      await underWay.outcome.catch(() => undefined);
      underWay = this.#grading.get(attemptId);
    }
    return await (underWay?.outcome ?? this.#grade(attemptId, purpose));
  }

  async #grade(attemptId: number, purpose: GradingPurpose): Promise<GradedAttempt | undefined> {
    const attempt = await this.#parts.grading.beginGrading(attemptId, purpose);
    if (!attempt) return undefined;
    const outcome = this.#run(attempt, purpose).finally(() => this.#grading.delete(attemptId));
    this.#grading.set(attemptId, { purpose, outcome });
    return await outcome;
  }

  async #run(attempt: AttemptRow, purpose: GradingPurpose): Promise<GradedAttempt> {
    const { store, grading, results, log } = this.#parts;
    const beat = setInterval(
      () => {
        grading
          .beat(attempt.id)
          .catch((error: unknown) => log.warn({ err: error, attempt: attempt.id }, 'no sign of life written'));
      },
      (gradingBeatSeconds * 1000) / 4,
    );
    try {
      const container = await this.#parts.containers.byAttempt(attempt.id);
      if (!container?.engine_ref) throw new NoSuchContainer(attempt.container_name);
      const tasks = await results.gradingTasks(attempt.kind, attempt.exam_id ?? attempt.laboratory_id);
      const taskIds = tasks.map(({ id }) => id);
      if (purpose === 'check') {
        await this.#gradeTasks(attempt, container.engine_ref, tasks, purpose);
        const checked = await grading.endCheck(attempt.id, taskIds);
        return { attempt: checked, results: await store.results(attempt.id) };
      }
      const integrity = changedSystemFiles(this.#parts, container);
      await this.#gradeTasks(attempt, container.engine_ref, tasks, purpose);
      const finished = await grading.finish(attempt, taskIds, await integrity);
      await this.#release(attempt.id);
      return { attempt: finished, results: await store.results(attempt.id) };
    } catch (error) {
      throw await this.#failed(attempt, error);
    } finally {
      clearInterval(beat);
    }
  }

  async #gradeTasks(attempt: AttemptRow, ref: string, tasks: readonly GradingTask[], purpose: GradingPurpose) {
    const { turns } = this.#parts;
    await turns.run(attempt.user_id, () => gradeInContainer(this.#parts, attempt, { ref, tasks, purpose }));
  }

  /** Returns the attempt to its previous state, or ends it where its container is gone for good. Returns the error for the caller. */
  async #failed(attempt: AttemptRow, error: unknown): Promise<Error> {
    const { grading, log } = this.#parts;
    log.error({ err: error, attempt: attempt.id }, 'grading failed');
    if (error instanceof NoSuchContainer) {
      await grading.abandon(attempt.id, ['grading'], 'The container was lost, so there is nothing to grade');
      await this.#release(attempt.id);
      return new Conflict(
        'attempt_lost',
        'The container of this attempt was lost: the attempt was given back and can be started anew',
      );
    }
    const reason = error instanceof Error ? error.message : 'unknown';
    await grading.returnToProgress(attempt.id, reason);
    return new Unavailable('grading_failed', 'Grading failed part-way; nothing is lost, submit again', {
      retryAfter: 10,
      cause: error,
    });
  }

  async #release(attemptId: number): Promise<void> {
    const container = await this.#parts.containers.byAttempt(attemptId);
    if (container) await this.#parts.provisioner.remove(container);
  }
}
