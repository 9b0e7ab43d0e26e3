import { sql } from 'kysely';
import type { Database } from '../../database/connection/connect.ts';

export type AnalysedAttempt = {
  id: number;
  /** Minutes from the start to the submission, with those of pauses. */
  minutes: number;
  results: {
    task_id: number;
    title: string;
    order_index: number;
    points: number;
    points_earned: number;
    /** Minutes from the start until the task first passed; null if it did not. */
    minutes: number | null;
  }[];
};

/** The results of graded attempts, task by task. */
export class GradeStatisticsStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async attempts(ids: readonly number[]): Promise<AnalysedAttempt[]> {
    if (ids.length === 0) return [];
    const minutes = (until: string) =>
      sql`round((extract(epoch from ${sql.ref(until)} - attempts.started_at) / 60)::numeric, 2)::float8`;
    const { rows } = await sql<AnalysedAttempt>`
      select attempts.id, ${minutes('attempts.submitted_at')} as minutes,
        coalesce(json_agg(json_build_object('task_id', task_id, 'title', task_results.title, 'order_index', order_index,
          'points', points, 'points_earned', points_earned, 'minutes', ${minutes('task_results.solved_at')})
          order by order_index, task_id) filter (where task_id is not null), '[]') as results
      from attempts left join task_results on attempt_id = attempts.id
      where attempts.id = any(${ids}::int[]) group by attempts.id order by attempts.id`.execute(this.#db);
    return rows;
  }
}
