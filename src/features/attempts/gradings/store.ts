import { sql } from 'kysely';
import { isHeld } from '../../../database/attempt-status.ts';
import type { Database } from '../../../database/connection/connect.ts';
import type { GradingProblem } from '../../../values/grading-problem.ts';
import { type AttemptRow, logAttempt } from '../store.ts';
import { dropOtherResults, dropResults, keepDeletedTasks } from './result-store.ts';

/** Whether grading ends the attempt: at its user's request, because its time is over, or not at all. */
export type GradingPurpose = 'submit' | 'expire' | 'check';

const now = sql<Date>`now()`;
/** Over the results of the attempt that is updated. */
const total = (column: 'points' | 'points_earned') =>
  sql<number>`(select coalesce(sum(${sql.ref(`task_results.${column}`)}), 0) from task_results where attempt_id = attempts.id)`;

const isAwaiting = sql<boolean>`exists (select from task_results as result
  where result.attempt_id = attempts.id and result.is_awaiting_grading)`;

/**
 * Writes the results of gradings and the ends of attempts. Each change of state is one statement or transaction that checks the previous
 * state.
 */
export class GradingStore {
  readonly #db: Database;
  readonly #processId: number;

  /** @param processId of the process that grades: it stops writing once another process has taken the grading over */
  constructor(db: Database, processId: number) {
    this.#db = db;
    this.#processId = processId;
  }

  /**
   * Of concurrent requests to grade an attempt, one succeeds. The time of submission is now, or the deadline where it has passed, by the
   * database's clock. The clock of a paused attempt is stopped. A check does not submit the attempt, and is refused from the deadline on.
   */
  async beginGrading(attemptId: number, purpose: GradingPurpose): Promise<AttemptRow | undefined> {
    const submitted_at = purpose === 'check' ? null : sql<Date>`least(coalesce(paused_at, now()), expires_at)`;
    return await this.#db
      .updateTable('attempts')
      .set({ status: 'grading', process_id: this.#processId, grading_beat_at: now, submitted_at })
      .where('id', '=', attemptId)
      .where('status', '=', 'in_progress')
      .$if(purpose === 'expire', (query) => query.where('expires_at', '<=', now).where('paused_at', 'is', null))
      .$if(purpose === 'check', (query) =>
        query
          .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
          // A check would let the processes of a held container continue.
          .where(sql<boolean>`not ${isHeld}`),
      )
      .returningAll()
      .executeTakeFirst();
  }

  /** Whether nobody works in its container now, see `isHeld`. */
  async isHeld(attemptId: number): Promise<boolean> {
    const held = this.#db.selectFrom('attempts').select('id').where('id', '=', attemptId).where(isHeld);
    return (await held.executeTakeFirst()) !== undefined;
  }

  async beat(attemptId: number): Promise<void> {
    await this.#db
      .updateTable('attempts')
      .set({ grading_beat_at: now })
      .where('id', '=', attemptId)
      .where('status', '=', 'grading')
      .where('process_id', '=', this.#processId)
      .execute();
  }

  /** Totals the results and ends the attempt. */
  async finish(attempt: AttemptRow, taskIds: readonly number[], integrity: string[] | null): Promise<AttemptRow> {
    return await this.#db.transaction().execute(async (trx) => {
      await dropOtherResults(trx, attempt.id, taskIds);
      await keepDeletedTasks(trx, attempt);
      const finished = await trx
        .updateTable('attempts')
        .set({
          status: sql<'finished' | 'expired'>`case when submitted_at >= expires_at then 'expired' else 'finished' end`,
          max_score: total('points'),
          is_awaiting_grading: isAwaiting,
          score: sql<number | null>`case when not ${isAwaiting} then ${total('points_earned')} end`,
          passed: sql<boolean | null>`case when not ${isAwaiting} then ${total('points_earned')} >= passing_score end`,
          grading_error: null,
          grading_error_code: null,
          grading_beat_at: null,
          integrity: integrity === null ? null : JSON.stringify(integrity),
        })
        .where('id', '=', attempt.id)
        .where('status', '=', 'grading')
        .where('process_id', '=', this.#processId)
        .returningAll()
        .executeTakeFirstOrThrow();
      await logAttempt(trx, finished, `${finished.kind}_${finished.status === 'expired' ? 'expire' : 'submit'}`);
      return finished;
    });
  }

  /** Ends a check. The attempt continues, with the results as they are now. */
  async endCheck(id: number, taskIds: readonly number[]): Promise<AttemptRow> {
    return await this.#db.transaction().execute(async (trx) => {
      await dropOtherResults(trx, id, taskIds);
      return await trx
        .updateTable('attempts')
        .set({ status: 'in_progress', grading_beat_at: null, grading_error: null, grading_error_code: null })
        .where('id', '=', id)
        .where('status', '=', 'grading')
        .where('process_id', '=', this.#processId)
        .returningAll()
        .executeTakeFirstOrThrow();
    });
  }

  /**
   * Grading failed part-way. The attempt returns to its previous state, with the reason. Its verdicts are dropped, because the next
   * grading repeats them.
   */
  async returnToProgress(id: number, problem: GradingProblem): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      const returned = await trx
        .updateTable('attempts')
        .set({ status: 'in_progress', submitted_at: null, grading_beat_at: null, ...problem })
        .where('id', '=', id)
        .where('status', '=', 'grading')
        .where('process_id', '=', this.#processId)
        .returning('id')
        .execute();
      await dropResults(trx, returned);
    });
  }

  /**
   * Ends an attempt without a result. The results of a grading in progress are dropped.
   * @param problem where the user did not request it
   */
  async abandon(
    id: number,
    from: readonly ('queued' | 'in_progress' | 'grading')[],
    problem?: GradingProblem,
  ): Promise<AttemptRow | undefined> {
    return await this.#db.transaction().execute(async (trx) => {
      const attempt = await trx
        .updateTable('attempts')
        .set({
          status: 'abandoned',
          submitted_at: null,
          grading_beat_at: null,
          ...problem,
        })
        .where('id', '=', id)
        .where('status', 'in', from)
        .where((eb) => eb.or([eb('status', '<>', 'grading'), eb('process_id', '=', this.#processId)]))
        .returningAll()
        .executeTakeFirst();
      if (!attempt) return undefined;
      if (from.includes('grading')) await dropResults(trx, [attempt]);
      await logAttempt(trx, attempt, `${attempt.kind}_abandon`);
      return attempt;
    });
  }
}
