import { randomBytes } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import type { RevisedTask } from '../../database/tables.ts';
import type { Answer } from '../../entities/task-kinds/kind.ts';
import { kindOf, ownFields, takesAnswer } from '../../entities/task-kinds/kinds.ts';
import { ServiceError } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import type { Page } from '../../http/lists/paging.ts';
import type { ContainerEngine } from '../../ports/container-engine.ts';
import type { Verdict } from '../../values/grading-remark.ts';
import { partOfPoints } from '../../values/points.ts';
import type { RevisionStore } from '../attempts/revision-store.ts';
import type { Provisioner } from '../capacity/provisioner.ts';
import type { ContainerRemovals } from '../capacity/removals.ts';
import type { ReservationStore } from '../capacity/reservation-store.ts';
import type { EvidenceKeeper } from '../evidence/keeper.ts';
import { restoreLayer } from '../evidence/layer.ts';
import type { Grader } from '../grading/grader.ts';
import type { ListedRegrade, RegradeFilter, RegradeReadStore } from './read-store.ts';
import type { Regrade } from './schema.ts';
import type { Difference, GradedTask, RegradeItem, RegradeScope, RegradeStore } from './store.ts';

export type RegradeParts = {
  store: RegradeStore;
  reading: RegradeReadStore;
  states: Pick<RevisionStore, 'of'>;
  answers: { of: (attemptId: number) => Promise<(Answer & { task_id: number })[]> };
  evidence: Pick<EvidenceKeeper, 'layer' | 'isPending'>;
  reservations: Pick<ReservationStore, 'reserveTrial'>;
  provisioner: Pick<Provisioner, 'make'>;
  removals: Pick<ContainerRemovals, 'remove'>;
  engine: Pick<ContainerEngine, 'openCommand' | 'restart'>;
  grader: Pick<Grader, 'grade'>;
  /** Runs the work in one process at a time. Elsewhere it does nothing. */
  alone: (work: () => Promise<void>) => Promise<boolean>;
  log: FastifyBaseLogger;
};

/** What is graded on a machine, the tasks by which the attempt was graded, and its results. */
type Checks = {
  checks: readonly RevisedTask[];
  own: readonly RevisedTask[];
  known: ReadonlyMap<number, GradedTask>;
};

/** Machines at once. They take what attempts leave, as trials do. */
const atOnce = 2;
/** After which a machine counts as abandoned. */
const minutes = 15;

/**
 * Grades attempts again, on machines made from what they left. One process does it at a time; another one continues where it died, because
 * an attempt waits until its outcome is written. Results change only when the regrade is applied.
 */
export class Regrades implements AsyncDisposable {
  readonly #parts: RegradeParts;
  readonly #rounds = new Set<Promise<unknown>>();
  #isOver = false;

  constructor(parts: RegradeParts) {
    this.#parts = parts;
  }

  /** @throws NotFoundError, ForbiddenError, ConflictError */
  async begin(
    caller: Caller,
    scope: RegradeScope,
    wanted: { revision?: number | undefined; reason: string },
  ): Promise<Regrade> {
    const id = await this.#parts.store.begin(caller, scope, wanted);
    this.#wake();
    return await this.get(caller, id);
  }

  /** Those that the caller sees, newest first. */
  async list(caller: Caller, filter: RegradeFilter, page: Page): Promise<{ rows: ListedRegrade[]; total: number }> {
    return await this.#parts.reading.list(caller, filter, page);
  }

  /** @throws NotFoundError */
  async get(caller: Caller, id: number): Promise<Regrade> {
    return await this.#parts.reading.shown(caller, id);
  }

  /** @throws NotFoundError, ConflictError unless it is ready */
  async apply(caller: Caller, id: number): Promise<Regrade> {
    await this.#parts.store.apply(caller, id);
    return await this.get(caller, id);
  }

  /** @throws NotFoundError, ConflictError */
  async drop(caller: Caller, id: number): Promise<Regrade> {
    await this.#parts.store.drop(caller, id);
    return await this.get(caller, id);
  }

  /** Grades all that waits, as far as there is room for it. */
  async run(): Promise<void> {
    await this.#parts.alone(async () => {
      const tried = new Set<string>();
      let isFull = false;
      const worker = async (): Promise<void> => {
        while (!this.#isOver && !isFull) {
          const [item] = await this.#parts.store.waiting(1, [...tried]);
          if (!item) return;
          const key = `${item.regrade.id}:${item.attempt.id}`;
          if (tried.has(key)) continue;
          tried.add(key);
          isFull = !(await this.#gradeOrSkip(item));
        }
      };
      await Promise.all(Array.from({ length: atOnce }, worker));
    });
  }

  #wake(): void {
    const round = this.run()
      .catch((error: unknown) => this.#parts.log.warn({ err: error }, 'attempts could not be graded again'))
      .finally(() => this.#rounds.delete(round));
    this.#rounds.add(round);
  }

  /** @returns false without room for the machine: it waits for the next round */
  async #gradeOrSkip(item: RegradeItem): Promise<boolean> {
    const { store, evidence, log } = this.#parts;
    const [regradeId, attemptId] = [item.regrade.id, item.attempt.id];
    try {
      const { differences, rest } = await this.#gradeAnswers(item);
      try {
        if (rest.checks.length > 0) differences.push(...(await this.#gradeChecks(item, rest)));
        await store.finish(regradeId, attemptId, 'done', differences);
      } catch (error) {
        if (!isGone(codeOf(error))) throw error;
        // The next round takes it up.
        if (await evidence.isPending(attemptId)) return true;
        await store.finish(regradeId, attemptId, 'evidence_gone', differences);
      }
    } catch (error) {
      const code = codeOf(error);
      if (code === 'no_capacity' || code === 'overloaded' || code === 'engine_unavailable') return false;
      log.warn({ err: error, attempt: attemptId }, 'an attempt could not be graded again');
      await store.retry(regradeId, attemptId);
    }
    return true;
  }

  /** @returns what differs from the results of answers, and the checks that need the machine: none where the revision has the same */
  async #gradeAnswers({
    attempt,
    revisionId,
    isOwn,
  }: RegradeItem): Promise<{ differences: Difference[]; rest: Checks }> {
    const { store, states, answers } = this.#parts;
    const results = (await store.results(attempt.id)).filter(
      ({ remark_codes }) => !remark_codes?.some(({ code }) => code === 'task_not_open'),
    );
    const known = new Map(results.map((result) => [result.task_id, result]));
    const { variant } = attempt;
    const own = new Map((await states.of(attempt))?.content.tasks.map((task) => [task.id, task]));
    const state = await states.of({ revision_id: revisionId, variant });
    // What a student has left for a task of one kind says nothing about a task of another one.
    const tasks = (state?.content.tasks ?? []).filter(({ id, kind }) => known.has(id) && own.get(id)?.kind === kind);
    const saved = new Map((await answers.of(attempt.id)).map((answer) => [answer.task_id, answer]));
    const differences = tasks.flatMap((task) => {
      const verdict = kindOf(task).grade?.(ownFields(task), saved.get(task.id) ?? {}, task.has_partial_credit);
      return verdict ? differenceOf(known.get(task.id), task, verdict, true) : [];
    });
    const checks = tasks.filter((task) => !takesAnswer(task));
    // One check can prepare another one, so they run all or none.
    const hasOther = checks.some((task) => isOtherCheck(task, own.get(task.id)));
    return { differences, rest: { checks: isOwn || hasOther ? checks : [], own: [...own.values()], known } };
  }

  /** @returns what differs from the results */
  async #gradeChecks(
    { regrade, attempt, image, account, isOwn }: RegradeItem,
    { checks, own, known }: Checks,
  ): Promise<Difference[]> {
    const { evidence, reservations, provisioner, removals, engine, grader } = this.#parts;
    const layer = await evidence.layer(attempt.id);
    // A process that was killed may have left a machine with another name.
    const name = `regrade-${regrade.id}-${attempt.id}-${randomBytes(4).toString('hex')}`;
    const reserved = await reservations.reserveTrial(name, { image, account, imageId: attempt.image_id }, minutes);
    let isWhole = false;
    const prepare = async (ref: string): Promise<void> => {
      isWhole = await restoreLayer(engine, ref, layer);
    };
    const container = await provisioner.make(reserved, { prepare });
    const differencesBy = async (tasks: readonly RevisedTask[]): Promise<Difference[]> => {
      const differences: Difference[] = [];
      await grader.grade(container.engine_ref ?? '', tasks, async (task, verdict) => {
        differences.push(...differenceOf(known.get(task.id), task, verdict, !isOwn));
      });
      return differences;
    };
    try {
      const differences = await differencesBy(checks);
      const suspect = new Set(isWhole ? [] : differences.map(({ task_id }) => task_id));
      if (suspect.size === 0) return differences;
      // Where the check that has graded the attempt differs as well, the machine is the cause, and not the other check.
      const again = isOwn ? differences : await differencesBy(own.filter(({ id }) => suspect.has(id)));
      const missed = new Set(again.map(({ task_id }) => task_id));
      return differences.map((one) => {
        const needs_processes = missed.has(one.task_id);
        return { ...one, needs_processes, is_deterministic: one.is_deterministic || needs_processes };
      });
    } finally {
      await removals.remove(container);
    }
  }

  /** Waits for the attempts that are being graded. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    await Promise.allSettled(this.#rounds);
  }
}

const codeOf = (error: unknown): string | undefined => (error instanceof ServiceError ? error.code : undefined);
const isGone = (code: string | undefined): boolean => code === 'evidence_gone' || code === 'image_missing';

/** Whether a check can give another verdict than that of another revision. */
const isOtherCheck = (task: RevisedTask, other: RevisedTask | undefined): boolean =>
  (['verification_script', 'verdict', 'has_partial_credit'] as const).some((field) => task[field] !== other?.[field]);

/** The points are those of the attempt. */
function differenceOf(
  result: GradedTask | undefined,
  task: RevisedTask,
  { passed, part, output, remark, remark_codes }: Verdict,
  is_deterministic: boolean,
): Difference[] {
  if (!result) return [];
  const { task_id, points, ...before } = result;
  const points_earned = part ? partOfPoints(points, part) : passed ? points : 0;
  if (points_earned === before.points_earned && passed === before.passed) return [];
  const remarks = { remark: remark ?? null, remark_codes: remark_codes ?? null };
  const after = { passed, points_earned, output, ...remarks, has_partial_credit: task.has_partial_credit };
  return [{ task_id, before, after, is_deterministic, needs_processes: false }];
}
