import type { FastifyBaseLogger } from 'fastify';
import { ServiceError } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
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
import type { Difference, RegradeItem, RegradeScope, RegradeStore, ShownRegrade } from './store.ts';

export type RegradeParts = {
  store: RegradeStore;
  states: Pick<RevisionStore, 'of'>;
  evidence: Pick<EvidenceKeeper, 'layer'>;
  reservations: Pick<ReservationStore, 'reserveTrial'>;
  provisioner: Pick<Provisioner, 'make'>;
  removals: Pick<ContainerRemovals, 'remove'>;
  engine: Pick<ContainerEngine, 'openCommand' | 'restart'>;
  grader: Pick<Grader, 'grade'>;
  /** Runs the work in one process at a time. Elsewhere it does nothing. */
  alone: (work: () => Promise<void>) => Promise<boolean>;
  log: FastifyBaseLogger;
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
  ): Promise<ShownRegrade> {
    const id = await this.#parts.store.begin(caller, scope, wanted);
    this.#wake();
    return await this.#parts.store.shown(caller, id);
  }

  /** @throws NotFoundError */
  async get(caller: Caller, id: number): Promise<ShownRegrade> {
    return await this.#parts.store.shown(caller, id);
  }

  /** @throws NotFoundError, ConflictError unless it is ready */
  async apply(caller: Caller, id: number): Promise<ShownRegrade> {
    await this.#parts.store.apply(caller, id);
    return await this.get(caller, id);
  }

  /** @throws NotFoundError, ConflictError */
  async drop(caller: Caller, id: number): Promise<ShownRegrade> {
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
    const { store, log } = this.#parts;
    const [regradeId, attemptId] = [item.regrade.id, item.attempt.id];
    try {
      await store.finish(regradeId, attemptId, await this.#grade(item));
    } catch (error) {
      const code = error instanceof ServiceError ? error.code : undefined;
      if (code === 'no_capacity' || code === 'overloaded' || code === 'engine_unavailable') return false;
      if (code === 'evidence_gone' || code === 'image_missing') await store.skip(regradeId, attemptId, 'evidence_gone');
      else {
        log.warn({ err: error, attempt: attemptId }, 'an attempt could not be graded again');
        await store.retry(regradeId, attemptId);
      }
    }
    return true;
  }

  /** @returns what differs from the results */
  async #grade({ regrade, attempt, image, account, revisionId, isOwn }: RegradeItem): Promise<Difference[]> {
    const { store, states, evidence, reservations, provisioner, removals, engine, grader } = this.#parts;
    const layer = await evidence.layer(attempt.id);
    const state = await states.of({ revision_id: revisionId, variant: attempt.variant });
    const results = (await store.results(attempt.id)).filter(
      ({ remark_codes }) => !remark_codes?.some(({ code }) => code === 'task_not_open'),
    );
    const known = new Map(results.map((result) => [result.task_id, result]));
    const tasks = (state?.content.tasks ?? []).filter(({ id, kind }) => kind === 'check' && known.has(id));
    if (tasks.length === 0) return [];
    const name = `regrade-${regrade.id}-${attempt.id}`;
    const reserved = await reservations.reserveTrial(name, { image, account, imageId: attempt.image_id }, minutes);
    const container = await provisioner.make(reserved, { prepare: (ref) => restoreLayer(engine, ref, layer) });
    const differences: Difference[] = [];
    try {
      await grader.grade(container.engine_ref ?? '', tasks, async (task, verdict) => {
        const result = known.get(task.id);
        if (!result) return;
        const { task_id, points, ...before } = result;
        const after = { ...gradedOf(verdict, points), has_partial_credit: task.has_partial_credit };
        if (after.points_earned !== before.points_earned || after.passed !== before.passed)
          differences.push({ task_id, before, after, is_deterministic: !isOwn });
      });
    } finally {
      await removals.remove(container);
    }
    return differences;
  }

  /** Waits for the attempts that are being graded. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    await Promise.allSettled(this.#rounds);
  }
}

/** @param points those of the attempt */
function gradedOf({ passed, part, output, remark, remark_codes }: Verdict, points: number) {
  const points_earned = part ? partOfPoints(points, part) : passed ? points : 0;
  return { passed, points_earned, output, remark: remark ?? null, remark_codes: remark_codes ?? null };
}
