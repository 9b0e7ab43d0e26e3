import { sql } from 'kysely';
import type { Database } from '../../../database/connection/connect.ts';
import { dropResults } from '../gradings/result-store.ts';
import type { AttemptRow } from '../store.ts';

/** Seconds without a heartbeat after which the grading process counts as dead. */
export const gradingBeatSeconds = 20;
const now = sql<Date>`now()`;

/** Finds attempts that were abandoned by their users, or left by a dead process. */
export class RecoveryStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Sets the deadline of attempts without a time limit that began so long ago to now: their users have abandoned them. */
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
      .where('paused_at', 'is', null)
      .orderBy('expires_at')
      .limit(limit)
      .execute();
  }

  /**
   * Returns attempts that a dead process was grading to `in_progress`, without their verdicts, and lists reservations that will never
   * complete.
   * @param gone the dead processes; work of other processes counts only after too long without progress
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
          grading_error: 'The grading process ended before it finished',
          grading_error_code: 'grading_interrupted',
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
