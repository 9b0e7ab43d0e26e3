import type { Insertable, Transaction } from 'kysely';
import { logActivity } from '../../database/activity-log.ts';
import { AdministeredTable } from '../../database/catalogue/administered-table.ts';
import { type AssessmentSort, assessmentOrders } from '../../database/catalogue/assessment-order.ts';
import { assessmentTables } from '../../database/catalogue/assessment-tables.ts';
import type { CatalogueLimits } from '../../database/catalogue/catalogue-limits.ts';
import { orderTasks } from '../../database/catalogue/task-order.ts';
import type { Database } from '../../database/connection/connect.ts';
import { keepDeleted } from '../../database/deletions/keep.ts';
import { isTextHidden } from '../../database/exam-session-rules.ts';
import type { AssessmentColumns, AttemptKind, Tables, TaskColumns } from '../../database/tables.ts';
import type { Assessment, ExamFields, LaboratoryFields, staffAssessmentFields } from '../../entities/assessment.ts';
import type { staffTaskFields, Task } from '../../entities/task.ts';
import { ConflictError, found } from '../../errors.ts';
import type { Order, Page } from '../../http/lists/paging.ts';
import { lineFeedsIn } from '../../values/line-feeds.ts';

export type { AssessmentSort };

/** Each kind omits the fields of the other, and the fields of the staff are absent for others. */
type OwnFields = { time_limit_minutes: number | null } & Partial<
  Omit<ExamFields & LaboratoryFields, 'time_limit_minutes'>
>;
type StaffAssessmentField = (typeof staffAssessmentFields)[number];
type AssessmentRow = Omit<Assessment, StaffAssessmentField> &
  Partial<Pick<Assessment, StaffAssessmentField>> &
  OwnFields;
type StaffField = (typeof staffTaskFields)[number];
/** The fields of the staff are absent for others, and a hint is only of a laboratory. */
export type TaskRow = Omit<Task, StaffField | 'hint'> &
  Partial<Pick<Task, StaffField | 'hint'>> & {
    /** For a student: its text is hidden. */
    is_locked?: boolean;
  };
export type AssessmentWithTasks = AssessmentRow & { task_count: number; max_score: number; tasks: TaskRow[] };
/** An assessment as it is shown to one caller. */
export type ShownAssessment = Omit<AssessmentWithTasks, 'tasks'> & {
  /** The text of a locked task of an exam is null. */
  tasks: (Omit<TaskRow, 'description'> & { description: string | null })[];
};
/** An assessment as the catalogue shows it. */
export type CatalogueAssessment = AssessmentWithTasks & {
  /** Its course, if that is for its classes only. */
  class_course_id: number | null;
  /** Attempts may have begun before its last change. */
  has_earlier_states: boolean;
};
export type NewAssessment = Omit<Insertable<AssessmentColumns>, 'slug'> & Partial<OwnFields>;
export type NewTask = Omit<Insertable<TaskColumns>, 'slug'> & { hint?: string };
/** Changes of an assessment and its tasks that are saved together. */
export type AssessmentChanges = {
  fields?: Partial<NewAssessment>;
  tasks?: readonly (Partial<NewTask> & { id: number })[];
  new_tasks?: readonly NewTask[];
};
type TaskOfAssessment = NewTask & { exam_id?: number; laboratory_id?: number };
type Reader = Pick<Database, 'selectFrom'>;

/** The assessments of one kind and their tasks. Each administrative change is one transaction with its entry in the activity log. */
export class AssessmentStore {
  readonly #db: Database;
  readonly #kind: AttemptKind;
  readonly #assessments: AdministeredTable<AssessmentRow, NewAssessment>;
  readonly #tasks: AdministeredTable<TaskRow, TaskOfAssessment>;
  /** The compiler checks one kind: the columns read here exist in the tables of both. */
  readonly #tables: { table: 'exams'; tasks: 'exam_tasks'; column: 'exam_id' };
  readonly #isOrdered: boolean;

  constructor(kind: AttemptKind, db: Database, limits: CatalogueLimits) {
    const { table, tasks, column, isOrdered, refusals } = assessmentTables[kind];
    this.#db = db;
    this.#kind = kind;
    this.#tables = { table, tasks, column } as { table: 'exams'; tasks: 'exam_tasks'; column: 'exam_id' };
    this.#isOrdered = isOrdered;
    this.#assessments = new AdministeredTable<AssessmentRow, NewAssessment>({
      ...{ db, limits, table, entity: kind, label: 'title', refusals },
      ...(isOrdered ? {} : { firstOrder: 'none' }),
      sortedBy: assessmentOrders(kind),
      checkChange: (before, change) => {
        if (change.is_active === true && !before.is_active)
          throw new ConflictError(
            'publish_required',
            `Publish the ${kind} to make it active: its checks are tried then`,
          );
      },
    });
    this.#tasks = new AdministeredTable<TaskRow, TaskOfAssessment>({
      ...{ db, limits, table: tasks, entity: `${kind} task`, label: 'title' },
      ...{ fallbackSlug: 'task', firstOrder: 0, parent: { table, column, entity: kind } },
    });
  }

  /** All assessments with their tasks in order, including retired ones, in a few queries on one snapshot. */
  async all(): Promise<CatalogueAssessment[]> {
    return await this.#db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (trx) => {
        const assessments = trx.selectFrom(this.#tables.table).selectAll();
        const rows = await (this.#isOrdered ? assessments.orderBy('order_index') : assessments).orderBy('id').execute();
        const courses = await classCourses(trx, this.#kind);
        const earlier = await this.#withEarlierStates(trx);
        return (await this.#withTasks(trx, rows)).map((assessment) => ({
          ...assessment,
          class_course_id: courses.get(assessment.course_id ?? assessment.section_id ?? 0) ?? null,
          has_earlier_states: earlier.has(assessment.id),
        }));
      });
  }

  /** Including retired ones. */
  async list(page: Page, order?: Order<AssessmentSort>): Promise<{ rows: AssessmentWithTasks[]; total: number }> {
    const { rows, total } = await this.#assessments.list(page, { order });
    return { rows: await this.#withTasks(this.#db, rows), total };
  }

  async byId(id: number): Promise<AssessmentWithTasks | undefined> {
    const row = await this.#assessments.byId(id);
    return row && (await this.#withTasks(this.#db, [row]))[0];
  }

  /**
   * Derives its slug from its title.
   * @throws NotFoundError without its course or section, ConflictError when the section has a laboratory already
   */
  async create(actorId: number, assessment: NewAssessment): Promise<AssessmentWithTasks> {
    return total(await this.#assessments.create(actorId, lineFeedsIn(assessment)), []);
  }

  /** @throws as create; ConflictError where it would become active, which only publishing may do */
  async update(actorId: number, id: number, change: Partial<NewAssessment>): Promise<AssessmentWithTasks | undefined> {
    const row = await this.#assessments.update(actorId, id, lineFeedsIn(change));
    return row && (await this.byId(id));
  }

  /** Saves changes in a transaction that locks the assessment. @throws as create and addTask; NotFoundError for a task of another assessment */
  async save(
    trx: Transaction<Tables>,
    actorId: number,
    id: number,
    { fields = {}, tasks = [], new_tasks = [] }: AssessmentChanges,
  ): Promise<void> {
    await this.#assessments.update(actorId, id, lineFeedsIn(fields), trx);
    for (const { id: taskId, ...change } of tasks)
      found(await this.#tasks.update(actorId, { id: taskId, parentId: id }, lineFeedsIn(change), trx), 'Task');
    for (const task of new_tasks)
      await this.#tasks.create(actorId, { ...lineFeedsIn(task), [this.#tables.column]: id }, trx);
  }

  /** Deletes an assessment without attempts, and retires one with attempts. */
  async delete(actorId: number, id: number): Promise<'deleted' | 'retired' | undefined> {
    const { table, column } = this.#tables;
    return await this.#db.transaction().execute(async (trx) => {
      // A concurrent new attempt waits for the lock, because it refers to the row.
      const row = await this.#lock(trx, id);
      if (!row) return undefined;
      const attempts = trx.selectFrom('attempts').select('id').where(column, '=', id).limit(1);
      const outcome = (await attempts.executeTakeFirst()) ? 'retired' : 'deleted';
      if (outcome === 'retired') await trx.updateTable(table).set({ is_active: false }).where('id', '=', id).execute();
      else {
        await keepDeleted(trx, { kind: this.#kind, id, title: row.title, actorId });
        await trx.deleteFrom(table).where('id', '=', id).execute();
      }
      await this.#log(trx, actorId, 'delete', row, { outcome });
      return outcome;
    });
  }

  /** @throws NotFoundError without such an assessment, ConflictError when it has the maximum number of tasks */
  async addTask(actorId: number, id: number, task: NewTask): Promise<TaskRow> {
    return await this.#tasks.create(actorId, { ...lineFeedsIn(task), [this.#tables.column]: id });
  }

  async updateTask(actorId: number, parentId: number, id: number, change: Partial<NewTask>) {
    return await this.#tasks.update(actorId, { id, parentId }, lineFeedsIn(change));
  }

  /** Results of the task are kept. */
  async deleteTask(actorId: number, parentId: number, id: number): Promise<'deleted' | undefined> {
    return await this.#tasks.delete(actorId, { id, parentId });
  }

  /** Sets the order of the tasks to that of this list. @throws InvalidError unless it names each task of the assessment once */
  async reorderTasks(actorId: number, id: number, taskIds: readonly number[]): Promise<TaskRow[] | undefined> {
    return await this.#db.transaction().execute(async (trx) => {
      // Concurrent inserts of tasks wait for the lock.
      const assessment = await this.#lock(trx, id);
      if (!assessment) return undefined;
      const before = (await this.#tasksOf(trx, [id])).map((task) => task.id);
      await orderTasks(trx, this.#kind, before, taskIds);
      const details = { old: { task_ids: before }, new: { task_ids: taskIds } };
      await this.#log(trx, actorId, 'task_reorder', assessment, details);
      return await this.#tasksOf(trx, [id]);
    });
  }

  /**
   * The exams whose tasks are shown without their texts: they start in sessions only, for the student or for everybody, and the student has
   * not begun one. @param userId undefined: anybody unknown
   */
  async locked(userId: number | undefined): Promise<ReadonlySet<number>> {
    if (this.#kind === 'laboratory') return new Set();
    const rows = await this.#db.selectFrom('exams').select('id').where(isTextHidden(userId)).orderBy('id').execute();
    return new Set(rows.map(({ id }) => id));
  }

  async #withEarlierStates(db: Reader): Promise<Set<number | null>> {
    const { column } = this.#tables;
    const states = db.selectFrom('subject_states').select(column).where('is_current', '=', false);
    return new Set((await states.distinct().execute()).map((state) => state[column]));
  }

  async #lock(trx: Transaction<Tables>, id: number): Promise<AssessmentRow | undefined> {
    return await trx.selectFrom(this.#tables.table).selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  }

  async #withTasks(db: Reader, rows: readonly AssessmentRow[]): Promise<AssessmentWithTasks[]> {
    const tasks = Map.groupBy(
      await this.#tasksOf(
        db,
        rows.map(({ id }) => id),
      ),
      (task) => task[this.#tables.column],
    );
    return rows.map((row) => total(row, tasks.get(row.id) ?? []));
  }

  async #tasksOf(db: Reader, ids: readonly number[]) {
    if (ids.length === 0) return [];
    const tasks = db.selectFrom(this.#tables.tasks).selectAll().where(this.#tables.column, 'in', ids);
    return await tasks.orderBy('order_index').orderBy('id').execute();
  }

  async #log(
    trx: Transaction<Tables>,
    actorId: number,
    verb: string,
    row: AssessmentRow,
    details: object,
  ): Promise<void> {
    const kind = this.#kind;
    const entity = { title: row.title, entityType: kind, entityId: row.id };
    await logActivity(trx, { actorId, type: `admin_${kind}_${verb}`, ...entity, details: { ...details } });
  }
}

/** The courses that are for their classes only: by their own ids for exams, by those of their sections for laboratories. */
async function classCourses(db: Reader, kind: AttemptKind): Promise<Map<number, number>> {
  const courses = db.selectFrom('courses').where('is_class_only', '=', true);
  const rows =
    kind === 'exam'
      ? await courses.select(['id', 'id as course_id']).execute()
      : await courses
          .innerJoin('sections', 'sections.course_id', 'courses.id')
          .select(['sections.id', 'courses.id as course_id'])
          .execute();
  return new Map(rows.map(({ id, course_id }) => [id, course_id]));
}

/** An assessment with the totals of its tasks. */
function total(row: AssessmentRow, tasks: TaskRow[]): AssessmentWithTasks {
  return { ...row, tasks, task_count: tasks.length, max_score: tasks.reduce((sum, { points }) => sum + points, 0) };
}
