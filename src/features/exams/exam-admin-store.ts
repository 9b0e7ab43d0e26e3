import { type Selectable, sql, type Transaction, type Updateable } from 'kysely';
import { differences, logActivity } from '../../database/activity-log.ts';
import { orderTasks } from '../../database/catalogue/task-order.ts';
import { type Database, violatedConstraint } from '../../database/connection/connect.ts';
import type { ExamsTable, Tables } from '../../database/tables.ts';
import { Conflict, NotFound } from '../../errors.ts';
import type { Page } from '../../http/paging.ts';
import { type Exam, type ExamTaskRow, withTasks } from './store.ts';

export type ExamChange = Updateable<ExamsTable>;
export type TaskChange = Partial<
  Pick<ExamTaskRow, 'title' | 'description' | 'points' | 'verification_script' | 'solution_script' | 'order_index'>
>;

/** Exams and their tasks, as administrators change them. Each act and its entry in the activity log are one transaction. */
export class ExamAdminStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** In their order, retired ones too. */
  async list(page: Page): Promise<{ rows: Exam[]; total: number }> {
    const exams = this.#db.selectFrom('exams');
    const rows = await exams
      .selectAll()
      .orderBy('order_index')
      .orderBy('id')
      .limit(page.limit)
      .offset(page.offset)
      .execute();
    const { total } = await exams.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow();
    const ids = rows.map(({ id }) => id);
    const byExam = Map.groupBy(await tasksOf(this.#db, ids), (task) => task.exam_id);
    return { rows: rows.map((row) => withTasks(row, byExam.get(row.id) ?? [])), total };
  }

  /** @throws NotFound */
  async byId(id: number): Promise<Exam> {
    const row = await this.#db.selectFrom('exams').selectAll().where('id', '=', id).executeTakeFirst();
    if (!row) throw noSuchExam();
    return withTasks(row, await tasksOf(this.#db, [id]));
  }

  /** @throws NotFound without the exam or its new course, Conflict where it would become active: that is for publishing */
  async update(actorId: number, id: number, change: ExamChange): Promise<void> {
    try {
      await this.#db.transaction().execute(async (trx) => {
        const before = await lock(trx, id);
        if (change.is_active === true && !before.is_active) throw publishInstead();
        const details = differences(before, change);
        if (!details) return;
        const row = await trx
          .updateTable('exams')
          .set(change)
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirstOrThrow();
        await logActivity(trx, { actorId, type: 'admin_exam_update', ...entityOf(row), details });
      });
    } catch (error) {
      if (violatedConstraint(error) === 'exams_course_id_fkey') throw new NotFound('not_found', 'Course not found');
      throw error;
    }
  }

  /** Deletes an exam that nobody has attempted, and retires one with attempts. @throws NotFound */
  async remove(actorId: number, id: number): Promise<'deleted' | 'retired'> {
    return await this.#db.transaction().execute(async (trx) => {
      // An attempt that begins meanwhile waits for the lock, because it refers to the row.
      const row = await lock(trx, id);
      const attempt = await trx
        .selectFrom('attempts')
        .select('id')
        .where('exam_id', '=', id)
        .limit(1)
        .executeTakeFirst();
      if (attempt) await trx.updateTable('exams').set({ is_active: false }).where('id', '=', id).execute();
      else await trx.deleteFrom('exams').where('id', '=', id).execute();
      const outcome = attempt ? 'retired' : 'deleted';
      await logActivity(trx, { actorId, type: 'admin_exam_delete', ...entityOf(row), details: { outcome } });
      return outcome;
    });
  }

  /** @throws NotFound where the exam has no such task */
  async updateTask(actorId: number, examId: number, id: number, change: TaskChange): Promise<ExamTaskRow> {
    return await this.#db.transaction().execute(async (trx) => {
      const before = await trx
        .selectFrom('exam_tasks')
        .selectAll()
        .where('id', '=', id)
        .where('exam_id', '=', examId)
        .forUpdate()
        .executeTakeFirst();
      if (!before) throw noSuchTask();
      const details = differences(before, change);
      if (!details) return before;
      const row = await trx
        .updateTable('exam_tasks')
        .set(change)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow();
      await logActivity(trx, { actorId, type: 'admin_exam_task_update', ...taskOf(row), details });
      return row;
    });
  }

  /** Results that were given for the task stay. @throws NotFound where the exam has no such task */
  async removeTask(actorId: number, examId: number, id: number): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      const row = await trx
        .deleteFrom('exam_tasks')
        .where('id', '=', id)
        .where('exam_id', '=', examId)
        .returningAll()
        .executeTakeFirst();
      if (!row) throw noSuchTask();
      await logActivity(trx, { actorId, type: 'admin_exam_task_delete', ...taskOf(row), details: { old: row } });
    });
  }

  /** Gives the tasks the order of this list. @throws NotFound, Invalid unless it names each task of the exam once */
  async reorder(actorId: number, id: number, taskIds: readonly number[]): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      const exam = await lock(trx, id);
      const before = (await tasksOf(trx, [id])).map((task) => task.id);
      await orderTasks(trx, 'exam', before, taskIds);
      const details = { old: { task_ids: before }, new: { task_ids: taskIds } };
      await logActivity(trx, { actorId, type: 'admin_exam_task_reorder', ...entityOf(exam), details });
    });
  }
}

const publishInstead = () =>
  new Conflict('publish_required', 'Publish the exam to make it active: its checks are tried then');
const noSuchExam = () => new NotFound('not_found', 'Exam not found');
const noSuchTask = () => new NotFound('not_found', 'Task not found');

/** Tasks that are added, and attempts that begin, wait for whoever holds it. */
async function lock(trx: Transaction<Tables>, id: number): Promise<Selectable<ExamsTable>> {
  const row = await trx.selectFrom('exams').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  if (!row) throw noSuchExam();
  return row;
}

async function tasksOf(db: Pick<Database, 'selectFrom'>, examIds: readonly number[]): Promise<ExamTaskRow[]> {
  if (examIds.length === 0) return [];
  const tasks = db.selectFrom('exam_tasks').selectAll().where('exam_id', 'in', examIds);
  return await tasks.orderBy('order_index').orderBy('id').execute();
}

const entityOf = ({ id, title }: Selectable<ExamsTable>) => ({ entityType: 'exam', entityId: id, title });
const taskOf = ({ id, title }: ExamTaskRow) => ({ entityType: 'exam_task', entityId: id, title });
