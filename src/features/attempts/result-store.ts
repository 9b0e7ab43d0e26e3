import { sql, type Transaction } from 'kysely';
import { subjectTables } from '../../database/catalogue/subject-tables.ts';
import type { Database } from '../../database/connection/connect.ts';
import type { AttemptKind, Tables, VerdictKind } from '../../database/tables.ts';

export type GradingTask = {
  id: number;
  title: string;
  points: number;
  order_index: number;
  verification_script: string;
  verdict: VerdictKind;
};

const gradedColumns = ['title', 'order_index', 'points', 'points_earned', 'passed', 'output'] as const;

/** The tasks that an attempt is graded by, and the results that its grading writes. */
export class ResultStore {
  readonly #db: Database;
  readonly #processId: number;

  /** @param processId of the process that grades: it stops writing once another process has taken the grading over */
  constructor(db: Database, processId: number) {
    this.#db = db;
    this.#processId = processId;
  }

  async gradingTasks(kind: AttemptKind, subjectId: number | null): Promise<GradingTask[]> {
    const columns = ['id', 'title', 'points', 'order_index', 'verification_script', 'verdict'] as const;
    const { tasks, column } = subjectTables[kind];
    const rows = this.#db.selectFrom(tasks as 'exam_tasks').select(columns);
    return await rows
      .where(column as 'exam_id', '=', subjectId)
      .orderBy('order_index')
      .orderBy('id')
      .execute();
  }

  /** Whether the tasks of an attempt open one after another. */
  async isSequential({ laboratory_id }: { laboratory_id: number | null }): Promise<boolean> {
    if (laboratory_id === null) return false;
    const laboratories = this.#db.selectFrom('laboratories').select('is_sequential').where('id', '=', laboratory_id);
    return (await laboratories.executeTakeFirst())?.is_sequential ?? false;
  }

  /**
   * Writes one task's result. Grading a task again after a failure replaces its previous result. Nothing is written where another process
   * has taken the grading over.
   */
  async saveResult(attemptId: number, task: GradingTask, passed: boolean, output: string): Promise<void> {
    const graded = {
      title: task.title,
      order_index: task.order_index,
      points: task.points,
      points_earned: passed ? task.points : 0,
      passed,
      output,
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
        eb('passed', '=', false),
        eb.not(
          eb.exists(
            eb
              .selectFrom('attempts')
              .innerJoin('laboratories', 'laboratories.id', 'laboratory_id')
              .select('attempts.id')
              .whereRef('attempts.id', '=', 'attempt_id')
              .where('is_sequential', '=', true),
          ),
        ),
      ]),
    )
    .execute();
}

/** A task that was deleted between two gradings of an attempt no longer counts. */
export async function dropOtherResults(trx: Transaction<Tables>, attemptId: number, taskIds: readonly number[]) {
  await trx
    .deleteFrom('task_results')
    .where('attempt_id', '=', attemptId)
    .where('task_id', 'not in', [...taskIds, 0])
    .execute();
}
