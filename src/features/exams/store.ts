import type { Insertable, Selectable } from 'kysely';
import { logActivity } from '../../database/activity-log.ts';
import { type CatalogueLimits, checkRoom, checkTaskRoom } from '../../database/catalogue/catalogue-room.ts';
import { newSlug } from '../../database/catalogue/new-slug.ts';
import type { Database } from '../../database/connection/connect.ts';
import type { ExamsTable, ExamTasksTable } from '../../database/tables.ts';

export type ExamTaskRow = Selectable<ExamTasksTable>;
export type Exam = Selectable<ExamsTable> & { task_count: number; max_score: number; tasks: ExamTaskRow[] };
export type NewExam = Insertable<ExamsTable>;
export type NewTask = Omit<Insertable<ExamTasksTable>, 'exam_id'>;

export class ExamStore {
  readonly #db: Database;
  readonly #limits: CatalogueLimits;

  constructor(db: Database, limits: CatalogueLimits) {
    this.#db = db;
    this.#limits = limits;
  }

  /** All exams with their tasks in order, retired ones too, in two queries that see the same moment. */
  async all(): Promise<Exam[]> {
    return await this.#db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (trx) => {
        const exams = await trx.selectFrom('exams').selectAll().orderBy('order_index').orderBy('id').execute();
        const tasks = await trx.selectFrom('exam_tasks').selectAll().orderBy('order_index').orderBy('id').execute();
        const byExam = Map.groupBy(tasks, (task) => task.exam_id);
        return exams.map((exam) => withTasks(exam, byExam.get(exam.id) ?? []));
      });
  }

  async courseExists(id: number): Promise<boolean> {
    return (await this.#db.selectFrom('courses').select('id').where('id', '=', id).executeTakeFirst()) !== undefined;
  }

  /** Without an order it comes last. Its slug is made from its title. */
  async create(actorId: number, exam: NewExam): Promise<Exam> {
    return await this.#db.transaction().execute(async (trx) => {
      const slug = await newSlug(trx, 'exams', exam.title);
      const last = await trx
        .selectFrom('exams')
        .select(({ fn }) => fn.max('order_index').as('order_index'))
        .executeTakeFirst();
      const values = { ...exam, slug, order_index: exam.order_index ?? (last?.order_index ?? 0) + 1 };
      const row = await trx.insertInto('exams').values(values).returningAll().executeTakeFirstOrThrow();
      const entity = { entityType: 'exam', entityId: row.id };
      await logActivity(trx, {
        actorId,
        type: 'admin_exam_create',
        title: row.title,
        ...entity,
        details: { new: exam },
      });
      await checkRoom(trx, 'exams', this.#limits);
      return withTasks(row, []);
    });
  }

  /** @returns undefined without such an exam */
  async addTask(actorId: number, examId: number, task: NewTask): Promise<ExamTaskRow | undefined> {
    return await this.#db.transaction().execute(async (trx) => {
      // The lock gives tasks that are added at once an order of their own.
      const exam = await trx.selectFrom('exams').select('id').where('id', '=', examId).forUpdate().executeTakeFirst();
      if (!exam) return undefined;
      const last = await trx
        .selectFrom('exam_tasks')
        .select((eb) => eb.fn.max('order_index').as('order_index'))
        .where('exam_id', '=', examId)
        .executeTakeFirst();
      const order_index = task.order_index ?? (last?.order_index ?? -1) + 1;
      const slug = await newSlug(trx, 'exam_tasks', task.title, { column: 'exam_id', id: examId });
      const values = { ...task, slug, exam_id: examId, order_index };
      const row = await trx.insertInto('exam_tasks').values(values).returningAll().executeTakeFirstOrThrow();
      const entity = { entityType: 'exam_task', entityId: row.id };
      await logActivity(trx, {
        actorId,
        type: 'admin_exam_task_create',
        title: row.title,
        ...entity,
        details: { new: values },
      });
      await checkTaskRoom(trx, 'exam_tasks', examId, this.#limits);
      return row;
    });
  }
}

/** An exam with what its tasks add up to. */
export function withTasks(exam: Selectable<ExamsTable>, tasks: ExamTaskRow[]): Exam {
  return { ...exam, tasks, task_count: tasks.length, max_score: tasks.reduce((sum, { points }) => sum + points, 0) };
}
