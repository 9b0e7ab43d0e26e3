import { type Insertable, type Selectable, sql, type Transaction } from 'kysely';
import { logActivity } from '../../database/activity-log.ts';
import { AdministeredTable } from '../../database/catalogue/administered-table.ts';
import {
  type AssessmentSort,
  assessmentOrders,
  assessmentRefusals,
  isAssessment,
  ofAssessment,
} from '../../database/catalogue/assessments.ts';
import type { CatalogueLimits } from '../../database/catalogue/catalogue-limits.ts';
import { copyAssessmentParts, originOf } from '../../database/catalogue/copies.ts';
import { inTransaction } from '../../database/catalogue/refusals.ts';
import type { Database } from '../../database/connection/connect.ts';
import { PreparedStatement, type StatementPool } from '../../database/connection/prepared-statement.ts';
import { keepDeleted } from '../../database/deletions/keep.ts';
import { isTextHidden } from '../../database/exam-session-rules.ts';
import type { AssessmentsTable, AssessmentTasksTable, AttemptKind, Tables } from '../../database/tables.ts';
import type { Assessment, ExamFields, LaboratoryFields, staffAssessmentFields } from '../../entities/assessment.ts';
import { omit } from '../../entities/fields.ts';
import type { staffTaskFields, Task } from '../../entities/task.ts';
import { checkTask, type KindInputs, needMachine, toRow, withKindFields } from '../../entities/task-kinds/kinds.ts';
import { ConflictError, found, InvalidError } from '../../errors.ts';
import type { Order, Page } from '../../http/lists/paging.ts';
import { lineFeedsIn } from '../../values/line-feeds.ts';
import { totalsOf } from '../../values/variant.ts';

export type { AssessmentSort };

type OwnFields = { time_limit_minutes: number | null } & Omit<ExamFields & LaboratoryFields, 'time_limit_minutes'>;
type StaffAssessmentField = (typeof staffAssessmentFields)[number];
/** The fields of the staff are absent for others. */
type AssessmentRow = Omit<Assessment, StaffAssessmentField> &
  Partial<Pick<Assessment, StaffAssessmentField>> &
  OwnFields & { origin_id: number | null; revision: number };
type StaffField = (typeof staffTaskFields)[number];
/** The fields of the staff are absent for others. */
export type TaskRow = Omit<Task, StaffField> &
  Partial<Pick<Task, StaffField>> & {
    /** For a student: its text is hidden. */
    is_locked?: boolean;
  };
export type AssessmentWithTasks = AssessmentRow & {
  task_count: number;
  max_score: number;
  needs_machine: boolean;
  tasks: TaskRow[];
};
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
  /** An exam that starts in exam sessions, for some students or for all. Only its texts can be hidden. */
  has_sessions: boolean;
};
export type NewAssessment = Omit<Insertable<AssessmentsTable>, 'slug' | 'kind'>;
export type NewTask = Omit<
  Insertable<AssessmentTasksTable>,
  'slug' | 'assessment_kind' | 'assessment_id' | 'kind_fields'
> &
  KindInputs;
/** What a copy has of its own. Only laboratories have sections. */
export type AssessmentCopy = { title?: string; section_id?: number };
/** Changes of an assessment and its tasks that are saved together. */
export type AssessmentChanges = {
  fields?: Partial<NewAssessment>;
  tasks?: readonly (Partial<NewTask> & { id: number })[];
  new_tasks?: readonly NewTask[];
};
type StoredTask = Selectable<AssessmentTasksTable>;
type TaskOfAssessment = NewTask & { assessment_id?: number };
type Reader = Pick<Database, 'selectFrom'>;

const lockedExams = (userId: number | undefined) =>
  sql<{ id: number }>`select exams.id from assessments as exams
    where exams.kind = 'exam' and ${isTextHidden(userId)} order by exams.id`;
const idsOf = (rows: readonly { id: number }[]): ReadonlySet<number> => new Set(rows.map(({ id }) => id));

/** The assessments of one kind and their tasks. Each administrative change is one transaction with its entry in the activity log. */
export class AssessmentStore {
  readonly #db: Database;
  readonly #kind: AttemptKind;
  readonly #assessments: AdministeredTable<AssessmentRow, NewAssessment>;
  readonly #tasks: AdministeredTable<StoredTask, TaskOfAssessment>;
  readonly #lockedExams: (userId: number) => Promise<{ id: number }[]>;

  constructor(kind: AttemptKind, db: Database, pool: StatementPool, limits: CatalogueLimits) {
    this.#db = db;
    this.#kind = kind;
    // It is compiled once: lists and single exams are read all the time. Each of its values is the user.
    const { sql: text, parameters } = lockedExams(0).compile(db);
    const statement = new PreparedStatement<number[], { id: number }>('locked exams', text);
    this.#lockedExams = (userId) => statement.run(pool, ...parameters.map(() => userId));
    this.#assessments = new AdministeredTable<AssessmentRow, NewAssessment>({
      ...{ db, limits, table: 'assessments', kind, entity: kind, label: 'title', refusals: assessmentRefusals },
      ...(kind === 'exam' ? {} : { firstOrder: 'none' }),
      sortedBy: assessmentOrders,
      checkChange: (before, change) => {
        if (change.is_active === true && !before.is_active)
          throw new ConflictError(
            'publish_required',
            `Publish the ${kind} to make it active: its checks are tried then`,
          );
      },
    });
    this.#tasks = new AdministeredTable<StoredTask, TaskOfAssessment>({
      ...{ db, limits, table: 'assessment_tasks', kind, entity: `${kind} task`, label: 'title' },
      ...{ fallbackSlug: 'task', firstOrder: 0, refusals: assessmentRefusals },
      parent: { table: 'assessments', column: 'assessment_id', entity: kind },
      toRow: (change, before) => {
        const { row, task } = toRow(lineFeedsIn(change), before);
        checkTask(task);
        return before || task.kind !== 'check'
          ? row
          : omit(row as typeof row & { kind_fields: object }, ['kind_fields']);
      },
    });
  }

  /** All assessments with their tasks in order, including retired ones, in a few queries on one snapshot. */
  async all(): Promise<CatalogueAssessment[]> {
    return await this.#db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (trx) => {
        const assessments = trx.selectFrom('assessments').selectAll().where('kind', '=', this.#kind);
        const rows = await assessments.orderBy('order_index').orderBy('id').execute();
        const courses = await classCourses(trx, this.#kind);
        const earlier = await this.#withEarlierStates(trx);
        const sessions = trx.selectFrom('exam_sessions').select('exam_id').distinct();
        const planned = this.#kind === 'exam' ? await sessions.execute() : [];
        const withSessions = new Set(planned.map(({ exam_id }) => exam_id));
        return (await this.#withTasks(trx, rows)).map((assessment) => ({
          ...assessment,
          class_course_id: courses.get(assessment.course_id ?? assessment.section_id ?? 0) ?? null,
          has_earlier_states: earlier.has(assessment.id),
          has_sessions: assessment.is_session_only || withSessions.has(assessment.id),
        }));
      });
  }

  /** Including retired ones. */
  async list(
    page: Page,
    wanted: { courseId?: number | undefined; order?: Order<AssessmentSort> | undefined } = {},
  ): Promise<{ rows: AssessmentWithTasks[]; total: number }> {
    const { rows, total } = await this.#assessments.list(page, wanted);
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

  /**
   * A draft with the same tasks and files. In another section it waits for nothing.
   * @returns undefined without the row. @throws as create
   */
  async copy(actorId: number, id: number, change: AssessmentCopy): Promise<AssessmentWithTasks | undefined> {
    const copied = await inTransaction(this.#db, assessmentRefusals, async (trx) => {
      const source = await this.#lock(trx, id);
      if (!source) return undefined;
      const {
        id: _id,
        slug: _slug,
        created_at: _created,
        order_index: _order,
        revision: _revision,
        ...fields
      } = source;
      const opens_after = (change.section_id ?? source.section_id) === source.section_id ? source.opens_after : [];
      const own = { ...change, opens_after, is_active: false, origin_id: originOf(source) };
      const copy = await this.#assessments.create(actorId, { ...fields, ...own }, trx);
      await copyAssessmentParts(trx, { [`${this.#kind}:${id}`]: copy.id });
      return copy.id;
    });
    return copied === undefined ? undefined : await this.byId(copied);
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
      found(await this.#tasks.update(actorId, { id: taskId, parentId: id }, change, trx), 'Task');
    for (const task of new_tasks) await this.#tasks.create(actorId, { ...task, assessment_id: id }, trx);
  }

  /** Deletes an assessment without attempts, and retires one with attempts. */
  async delete(actorId: number, id: number): Promise<'deleted' | 'retired' | undefined> {
    return await this.#db.transaction().execute(async (trx) => {
      // A concurrent new attempt waits for the lock, because it refers to the row.
      const row = await this.#lock(trx, id);
      if (!row) return undefined;
      const attempts = trx
        .selectFrom('attempts')
        .select('id')
        .where(ofAssessment(this.#kind, id))
        .where('user_id', '>', 0);
      const outcome = (await attempts.limit(1).executeTakeFirst()) ? 'retired' : 'deleted';
      const isIt = isAssessment(this.#kind, id);
      if (outcome === 'retired') await trx.updateTable('assessments').set({ is_active: false }).where(isIt).execute();
      else {
        await keepDeleted(trx, { kind: this.#kind, id, title: row.title, actorId });
        await trx.deleteFrom('assessments').where(isIt).execute();
      }
      await this.#log(trx, actorId, 'delete', row, { outcome });
      return outcome;
    });
  }

  /** @throws NotFoundError without such an assessment, ConflictError when it has the maximum number of tasks */
  async addTask(actorId: number, id: number, task: NewTask): Promise<TaskRow> {
    return withKindFields(await this.#tasks.create(actorId, { ...task, assessment_id: id }));
  }

  async updateTask(
    actorId: number,
    parentId: number,
    id: number,
    change: Partial<NewTask>,
  ): Promise<TaskRow | undefined> {
    const row = await this.#tasks.update(actorId, { id, parentId }, change);
    return row && withKindFields(row);
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
    if (userId === undefined) return idsOf((await lockedExams(undefined).execute(this.#db)).rows);
    return idsOf(await this.#lockedExams(userId));
  }

  async #withEarlierStates(db: Database): Promise<ReadonlySet<number>> {
    const { rows } = await sql<{ id: number }>`select id from assessments where kind = ${this.#kind} and exists (
      select from assessment_revisions as earlier where earlier.kind = assessments.kind
        and earlier.assessment_id = assessments.id and earlier.revision < assessments.revision)`.execute(db);
    return idsOf(rows);
  }

  async #lock(trx: Transaction<Tables>, id: number): Promise<AssessmentRow | undefined> {
    const rows = trx.selectFrom('assessments').selectAll().where(isAssessment(this.#kind, id));
    return await rows.forUpdate().executeTakeFirst();
  }

  async #withTasks(db: Reader, rows: readonly AssessmentRow[]): Promise<AssessmentWithTasks[]> {
    const tasks = Map.groupBy(
      await this.#tasksOf(
        db,
        rows.map(({ id }) => id),
      ),
      ({ assessment_id }) => assessment_id,
    );
    return rows.map((row) => total(row, tasks.get(row.id) ?? []));
  }

  async #tasksOf(db: Reader, ids: readonly number[]) {
    if (ids.length === 0) return [];
    const tasks = db.selectFrom('assessment_tasks').selectAll().where('assessment_kind', '=', this.#kind);
    const rows = await tasks.where('assessment_id', 'in', ids).orderBy('order_index').orderBy('id').execute();
    return rows.map(withKindFields);
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
  const needs_machine = needMachine(tasks);
  return {
    ...row,
    tasks,
    needs_machine,
    ...totalsOf(tasks, row.draw),
  };
}

/**
 * Orders the tasks of an exam or a laboratory by a list of their ids.
 * @throws InvalidError unless it contains each id of `present` once
 */
async function orderTasks(
  trx: Transaction<Tables>,
  kind: 'exam' | 'laboratory',
  present: readonly number[],
  wanted: readonly number[],
): Promise<void> {
  if (present.toSorted((a, b) => a - b).join() !== wanted.toSorted((a, b) => a - b).join()) {
    const msg = `Value error, each task of the ${kind} should be named once`;
    throw new InvalidError([{ loc: ['body', 'task_ids'], msg, type: 'value_error' }]);
  }
  await sql`update assessment_tasks as task set order_index = place - 1
    from unnest(${[...wanted]}::int[]) with ordinality as wanted(id, place)
    where assessment_kind = ${kind} and task.id = wanted.id`.execute(trx);
}
