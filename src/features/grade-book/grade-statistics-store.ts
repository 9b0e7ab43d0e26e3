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

/** How a task went in a group of attempts. */
export type TaskCount = {
  group: number;
  /** The slug of the task, which copies keep; the title of a deleted one. */
  name: string;
  title: string;
  order_index: number;
  count: number;
  passed: number;
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

  /** The tasks of groups of attempts, in their order. A newer attempt has the title. */
  async tasksOf(groups: readonly (readonly number[])[]): Promise<TaskCount[]> {
    const { rows } = await sql<TaskCount>`
      select "group", coalesce(task.slug, results.title) as name, (array_agg(results.title order by attempts.id desc))[1] as title,
        min(results.order_index)::int as order_index, count(*)::int as count, count(*) filter (where results.passed)::int as passed
      from unnest(${groups.flat()}::int[], ${groups.flatMap((ids, group) => ids.map(() => group))}::int[]) as counted (attempt_id, "group")
        join attempts on attempts.id = counted.attempt_id join task_results as results on results.attempt_id = attempts.id
        left join assessment_tasks as task on task.assessment_kind = attempts.kind and task.id = results.task_id
      group by 1, 2 order by "group", order_index, name`.execute(this.#db);
    return rows;
  }
}
