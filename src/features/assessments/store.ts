import type { Insertable, Transaction } from 'kysely';
import { logActivity } from '../../database/activity-log.ts';
import { AdministeredTable } from '../../database/catalogue/administered-table.ts';
import { type SubjectSort, subjectOrders } from '../../database/catalogue/assessment-order.ts';
import { subjectTables } from '../../database/catalogue/assessment-tables.ts';
import type { CatalogueLimits } from '../../database/catalogue/catalogue-limits.ts';
import { orderTasks } from '../../database/catalogue/task-order.ts';
import type { Database } from '../../database/connection/connect.ts';
import { keepDeleted } from '../../database/deletions/keep.ts';
import { isTextHidden } from '../../database/exam-session-rules.ts';
import type { AttemptKind, SubjectColumns, Tables, TaskColumns } from '../../database/tables.ts';
import type { Assessment, ExamFields, LaboratoryFields, staffAssessmentFields } from '../../entities/assessment.ts';
import type { staffTaskFields, Task } from '../../entities/task.ts';
import { Conflict, found } from '../../errors.ts';
import type { Order, Page } from '../../http/lists/paging.ts';
import { lineFeedsIn } from '../../values/line-feeds.ts';

export type { SubjectSort };

/** Each kind omits the fields of the other, and the fields of the staff are absent for others. */
type OwnFields = { time_limit_minutes: number | null } & Partial<
  Omit<ExamFields & LaboratoryFields, 'time_limit_minutes'>
>;
type StaffAssessmentField = (typeof staffAssessmentFields)[number];
type SubjectRow = Omit<Assessment, StaffAssessmentField> & Partial<Pick<Assessment, StaffAssessmentField>> & OwnFields;
type StaffField = (typeof staffTaskFields)[number];
/** The fields of the staff are absent for others, and a hint is only of a laboratory. */
export type TaskRow = Omit<Task, StaffField | 'hint'> &
  Partial<Pick<Task, StaffField | 'hint'>> & {
    /** For a student: its text is hidden. */
    is_locked?: boolean;
  };
export type Subject = SubjectRow & { task_count: number; max_score: number; tasks: TaskRow[] };
/** A subject as it is shown to one caller. */
export type ShownSubject = Omit<Subject, 'tasks'> & {
  /** The text of a locked task of an exam is null. */
  tasks: (Omit<TaskRow, 'description'> & { description: string | null })[];
};
/** A subject as the catalogue shows it. */
export type CatalogueSubject = Subject & {
  /** Its course, if that is for its classes only. */
  class_course_id: number | null;
  /** Attempts may have begun before its last change. */
  has_earlier_states: boolean;
};
export type NewSubject = Omit<Insertable<SubjectColumns>, 'slug'> & Partial<OwnFields>;
export type NewTask = Omit<Insertable<TaskColumns>, 'slug'> & { hint?: string };
/** Changes of a subject and its tasks that are saved together. */
export type SubjectChanges = {
  fields?: Partial<NewSubject>;
  tasks?: readonly (Partial<NewTask> & { id: number })[];
  new_tasks?: readonly NewTask[];
};
type TaskOfSubject = NewTask & { exam_id?: number; laboratory_id?: number };
type Reader = Pick<Database, 'selectFrom'>;

/** The subjects of one kind and their tasks. Each administrative change is one transaction with its entry in the activity log. */
export class SubjectStore {
  readonly #db: Database;
  readonly #kind: AttemptKind;
  readonly #subjects: AdministeredTable<SubjectRow, NewSubject>;
  readonly #tasks: AdministeredTable<TaskRow, TaskOfSubject>;
  /** The compiler checks one kind: the columns read here exist in the tables of both. */
  readonly #tables: { table: 'exams'; tasks: 'exam_tasks'; column: 'exam_id' };
  readonly #isOrdered: boolean;

  constructor(kind: AttemptKind, db: Database, limits: CatalogueLimits) {
    const { table, tasks, column, isOrdered, refusals } = subjectTables[kind];
    this.#db = db;
    this.#kind = kind;
    this.#tables = { table, tasks, column } as { table: 'exams'; tasks: 'exam_tasks'; column: 'exam_id' };
    this.#isOrdered = isOrdered;
    this.#subjects = new AdministeredTable<SubjectRow, NewSubject>({
      ...{ db, limits, table, entity: kind, label: 'title', refusals },
      ...(isOrdered ? {} : { firstOrder: 'none' }),
      sortedBy: subjectOrders(kind),
      checkChange: (before, change) => {
        if (change.is_active === true && !before.is_active)
          throw new Conflict('publish_required', `Publish the ${kind} to make it active: its checks are tried then`);
      },
    });
    this.#tasks = new AdministeredTable<TaskRow, TaskOfSubject>({
      ...{ db, limits, table: tasks, entity: `${kind} task`, label: 'title' },
      ...{ fallbackSlug: 'task', firstOrder: 0, parent: { table, column, entity: kind } },
    });
  }

  /** All subjects with their tasks in order, including retired ones, in a few queries on one snapshot. */
  async all(): Promise<CatalogueSubject[]> {
    return await this.#db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (trx) => {
        const subjects = trx.selectFrom(this.#tables.table).selectAll();
        const rows = await (this.#isOrdered ? subjects.orderBy('order_index') : subjects).orderBy('id').execute();
        const courses = await classCourses(trx, this.#kind);
        const earlier = await this.#withEarlierStates(trx);
        return (await this.#withTasks(trx, rows)).map((subject) => ({
          ...subject,
          class_course_id: courses.get(subject.course_id ?? subject.section_id ?? 0) ?? null,
          has_earlier_states: earlier.has(subject.id),
        }));
      });
  }

  /** Including retired ones. */
  async list(page: Page, order?: Order<SubjectSort>): Promise<{ rows: Subject[]; total: number }> {
    const { rows, total } = await this.#subjects.list(page, { order });
    return { rows: await this.#withTasks(this.#db, rows), total };
  }

  async byId(id: number): Promise<Subject | undefined> {
    const row = await this.#subjects.byId(id);
    return row && (await this.#withTasks(this.#db, [row]))[0];
  }

  /**
   * Derives its slug from its title.
   * @throws NotFound without its course or section, Conflict when the section has a laboratory already
   */
  async create(actorId: number, subject: NewSubject): Promise<Subject> {
    return total(await this.#subjects.create(actorId, lineFeedsIn(subject)), []);
  }

  /** @throws as create; Conflict where it would become active, which only publishing may do */
  async update(actorId: number, id: number, change: Partial<NewSubject>): Promise<Subject | undefined> {
    const row = await this.#subjects.update(actorId, id, lineFeedsIn(change));
    return row && (await this.byId(id));
  }

  /** Saves changes in a transaction that locks the subject. @throws as create and addTask; NotFound for a task of another subject */
  async save(
    trx: Transaction<Tables>,
    actorId: number,
    id: number,
    { fields = {}, tasks = [], new_tasks = [] }: SubjectChanges,
  ): Promise<void> {
    await this.#subjects.update(actorId, id, lineFeedsIn(fields), trx);
    for (const { id: taskId, ...change } of tasks)
      found(await this.#tasks.update(actorId, { id: taskId, parentId: id }, lineFeedsIn(change), trx), 'Task');
    for (const task of new_tasks)
      await this.#tasks.create(actorId, { ...lineFeedsIn(task), [this.#tables.column]: id }, trx);
  }

  /** Deletes a subject without attempts, and retires one with attempts. */
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

  /** @throws NotFound without such a subject, Conflict when it has the maximum number of tasks */
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

  /** Sets the order of the tasks to that of this list. @throws Invalid unless it names each task of the subject once */
  async reorderTasks(actorId: number, id: number, taskIds: readonly number[]): Promise<TaskRow[] | undefined> {
    return await this.#db.transaction().execute(async (trx) => {
      // Concurrent inserts of tasks wait for the lock.
      const subject = await this.#lock(trx, id);
      if (!subject) return undefined;
      const before = (await this.#tasksOf(trx, [id])).map((task) => task.id);
      await orderTasks(trx, this.#kind, before, taskIds);
      const details = { old: { task_ids: before }, new: { task_ids: taskIds } };
      await this.#log(trx, actorId, 'task_reorder', subject, details);
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

  async #lock(trx: Transaction<Tables>, id: number): Promise<SubjectRow | undefined> {
    return await trx.selectFrom(this.#tables.table).selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  }

  async #withTasks(db: Reader, rows: readonly SubjectRow[]): Promise<Subject[]> {
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

  async #log(trx: Transaction<Tables>, actorId: number, verb: string, row: SubjectRow, details: object): Promise<void> {
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

/** A subject with the totals of its tasks. */
function total(row: SubjectRow, tasks: TaskRow[]): Subject {
  return { ...row, tasks, task_count: tasks.length, max_score: tasks.reduce((sum, { points }) => sum + points, 0) };
}
