import { sql, type Transaction } from 'kysely';
import { tasksOf } from '../../../database/catalogue/assessments.ts';
import type { Database } from '../../../database/connection/connect.ts';
import type { RevisedTask, Tables } from '../../../database/tables.ts';
import { pick } from '../../../entities/fields.ts';
import { resultTaskFields } from '../../../entities/task.ts';
import type { Verdict } from '../../../values/grading-remark.ts';
import { partOfPoints } from '../../../values/points.ts';
import type { AttemptRow } from '../store.ts';

export type GradingTask = RevisedTask;

const gradedColumns = [
  ...resultTaskFields,
  ...(['points_earned', 'passed', 'output', 'remark', 'remark_codes', 'is_awaiting_grading'] as const),
];

/** The results that gradings write. */
export class ResultStore {
  readonly #db: Database;
  readonly #processId: number;

  /** @param processId of the process that grades: it stops writing once another process has taken the grading over */
  constructor(db: Database, processId: number) {
    this.#db = db;
    this.#processId = processId;
  }

  /**
   * Writes one task's result. Grading a task again after a failure replaces its previous result. Nothing is written where another process
   * has taken the grading over.
   * @param is_awaiting_grading a person gives the points
   */
  async saveResult(attemptId: number, task: GradingTask, verdict: Verdict, is_awaiting_grading = false): Promise<void> {
    const { passed, part, output, remark, remark_codes } = verdict;
    const graded = {
      ...pick(task, resultTaskFields),
      points_earned: part ? partOfPoints(task.points, part) : passed ? task.points : 0,
      passed,
      output,
      remark,
      remark_codes: remark_codes && JSON.stringify(remark_codes),
      is_awaiting_grading,
    };
    await this.#db
      .insertInto('task_results')
      .columns(['attempt_id', 'task_id', ...gradedColumns])
      .expression((eb) =>
        eb
          .selectFrom('attempts')
          .select((row) => [
            'id',
            row.val(task.id).as('task_id'),
            ...gradedColumns.map((column) => row.val(graded[column]).as(column)),
          ])
          .where('id', '=', attemptId)
          .where('status', '=', 'grading')
          .where('process_id', '=', this.#processId)
          .forShare(),
      )
      .onConflict((conflict) =>
        conflict.columns(['attempt_id', 'task_id']).doUpdateSet({ ...graded, graded_at: sql<Date>`now()` }),
      )
      .execute();
  }
}

/**
 * Deletes the results of attempts whose grading did not finish. This is a separate statement after the one that changes their state. The
 * state change waits for results that are being written, and only a later statement sees them. Where tasks open one after another, what
 * has passed is kept, because it is not graded again.
 */
export async function dropResults(trx: Transaction<Tables>, attempts: readonly { id: number }[]): Promise<void> {
  if (attempts.length === 0) return;
  const ids = attempts.map(({ id }) => id);
  await trx
    .deleteFrom('task_results')
    .where('attempt_id', 'in', ids)
    .where((eb) =>
      eb.or([
        eb.and([eb('passed', '=', false), eb('is_awaiting_grading', '=', false)]),
        eb.not(
          eb.exists(
            eb
              .selectFrom('attempts')
              .innerJoin('assessment_revisions', 'assessment_revisions.id', 'revision_id')
              .select('attempts.id')
              .whereRef('attempts.id', '=', 'attempt_id')
              .where('is_sequential', '=', true),
          ),
        ),
      ]),
    )
    .execute();
}

/** Results of tasks that the attempt is not graded by, from a grading in an older release. */
export async function dropOtherResults(trx: Transaction<Tables>, attemptId: number, taskIds: readonly number[]) {
  await trx
    .deleteFrom('task_results')
    .where('attempt_id', '=', attemptId)
    .where('task_id', 'not in', [...taskIds, 0])
    .execute();
}

/** The grade book also has the tasks that were deleted after the start of the attempt. */
export async function keepDeletedTasks(trx: Transaction<Tables>, attempt: AttemptRow): Promise<void> {
  const { id, kind, assessment_id } = attempt;
  if (assessment_id === null) return;
  await sql`insert into deleted_tasks (kind, assessment_id, task_id, title, points, order_index)
    select ${kind}, ${assessment_id}::int, task_id, coalesce((select one ->> 'title' from assessment_revisions as revision,
        jsonb_array_elements(revision.content -> 'tasks') as one where revision.id = ${attempt.revision_id} and (one ->> 'id')::int = task_id), title),
      points, order_index from task_results
    where attempt_id = ${id} and not exists (select from assessment_tasks as task
      where task.id = task_id and ${tasksOf(kind, assessment_id, 'task')})
    on conflict do nothing`.execute(trx);
}
