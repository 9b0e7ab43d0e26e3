import { sql } from 'kysely';
import type { Database } from '../../database/connection/connect.ts';
import { dropResults } from './result-store.ts';
import type { AttemptRow } from './store.ts';

/** Seconds without a sign of life after which whoever graded is taken for dead. */
export const gradingBeatSeconds = 20;
const now = sql<Date>`now()`;

/** Finds attempts that nobody comes back to, or that a dead process has left. */
export class RecoveryStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Gives attempts without a time limit that began so long ago a deadline, which is now: nobody comes back to them. */
  async endForgotten(hours: number): Promise<void> {
    await this.#db
      .updateTable('attempts')
      .set({ expires_at: now })
      .where('status', '=', 'in_progress')
      .where('expires_at', 'is', null)
      .where('started_at', '<', sql<Date>`now() - make_interval(hours => ${hours})`)
      .execute();
  }

  /** Attempts in progress whose time is over. */
  async overdue(limit: number): Promise<AttemptRow[]> {
    return await this.#db
      .selectFrom('attempts')
      .selectAll()
      .where('status', '=', 'in_progress')
      .where('expires_at', '<=', now)
      .orderBy('expires_at')
      .limit(limit)
      .execute();
  }

  /**
   * Returns what a process that died was grading to `in_progress`, without the verdicts that it had, and lists reservations that
   * nobody will complete.
   * @param gone processes that live no more; of others only what has stood still for too long
   */
  async recover(
    gone: readonly number[],
    startingSeconds: number,
  ): Promise<{ regraded: number; reservations: AttemptRow[] }> {
    const stale = await this.#db.transaction().execute(async (trx) => {
      const returned = await trx
        .updateTable('attempts')
        .set({
          status: 'in_progress',
          submitted_at: null,
          grading_beat_at: null,
          grading_error: 'The process that graded ended part-way',
        })
        .where('status', '=', 'grading')
        .where((eb) =>
          eb.or([
            eb('grading_beat_at', '<', sql<Date>`now() - make_interval(secs => ${gradingBeatSeconds})`),
            eb('process_id', 'in', [...gone, 0]),
          ]),
        )
        .returning('id')
        .execute();
      await dropResults(trx, returned);
      return returned;
    });
    const reservations = await this.#db
      .selectFrom('attempts')
      .selectAll()
      .where('status', '=', 'starting')
      .where((eb) =>
        eb.or([
          eb('created_at', '<', sql<Date>`now() - make_interval(secs => ${startingSeconds})`),
          eb('process_id', 'in', [...gone, 0]),
        ]),
      )
      .execute();
    return { regraded: stale.length, reservations };
  }
}
