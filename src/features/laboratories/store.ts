import type { Insertable, Selectable, Transaction, Updateable } from 'kysely';
import { differences, logActivity } from '../../database/activity-log.ts';
import { type CatalogueLimits, checkRoom, checkTaskRoom } from '../../database/catalogue/catalogue-room.ts';
import { newSlug } from '../../database/catalogue/new-slug.ts';
import { orderTasks } from '../../database/catalogue/task-order.ts';
import { type Database, violatedConstraint } from '../../database/connection/connect.ts';
import type { LaboratoriesTable, LaboratoryTasksTable, Tables } from '../../database/tables.ts';
import { Conflict, NotFound } from '../../errors.ts';

export type LaboratoryTaskRow = Selectable<LaboratoryTasksTable>;
export type Laboratory = Selectable<LaboratoriesTable> & {
  task_count: number;
  max_score: number;
  tasks: LaboratoryTaskRow[];
};
export type NewLaboratory = Insertable<LaboratoriesTable>;
export type LaboratoryChange = Updateable<LaboratoriesTable>;
export type NewTask = Omit<Insertable<LaboratoryTasksTable>, 'laboratory_id'>;
export type TaskChange = Omit<Updateable<LaboratoryTasksTable>, 'laboratory_id'>;

/** Laboratories and their tasks. Each administrative change and its entry in the log of activity are one transaction. */
export class LaboratoryStore {
  readonly #db: Database;
  readonly #limits: CatalogueLimits;

  constructor(db: Database, limits: CatalogueLimits) {
    this.#db = db;
    this.#limits = limits;
  }

  /** All laboratories with their tasks in order, retired ones too, in two queries that see the same moment. */
  async all(): Promise<Laboratory[]> {
    return await this.#db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (trx) => {
        const laboratories = await trx.selectFrom('laboratories').selectAll().orderBy('id').execute();
        const tasks = await trx
          .selectFrom('laboratory_tasks')
          .selectAll()
          .orderBy('order_index')
          .orderBy('id')
          .execute();
        const byLaboratory = Map.groupBy(tasks, (task) => task.laboratory_id);
        return laboratories.map((laboratory) => withTasks(laboratory, byLaboratory.get(laboratory.id) ?? []));
      });
  }

  /** @throws NotFound without such a section, Conflict when it has a laboratory already */
  async create(actorId: number, laboratory: NewLaboratory): Promise<Laboratory> {
    return await this.#change(async (trx) => {
      const slug = await newSlug(trx, 'laboratories', laboratory.title);
      const values = { ...laboratory, slug };
      const row = await trx.insertInto('laboratories').values(values).returningAll().executeTakeFirstOrThrow();
      await logActivity(trx, { actorId, type: 'admin_laboratory_create', ...entityOf(row) });
      await checkRoom(trx, 'laboratories', this.#limits);
      return withTasks(row, []);
    });
  }

  /** @returns whether there is such a laboratory @throws as create; Conflict also where it would become active: that is for publishing */
  async update(actorId: number, id: number, change: LaboratoryChange): Promise<boolean> {
    return await this.#change(async (trx) => {
      const row = await lock(trx, id);
      if (!row) return false;
      if (change.is_active === true && !row.is_active)
        throw new Conflict('publish_required', 'Publish the laboratory to make it active: its checks are tried then');
      const details = differences(row, change);
      if (!details) return true;
      await trx.updateTable('laboratories').set(change).where('id', '=', id).execute();
      await logActivity(trx, { actorId, type: 'admin_laboratory_update', ...entityOf(row), details });
      return true;
    });
  }

  /** Deletes a laboratory that nobody has attempted, and retires one with attempts. @returns undefined without such a one */
  async remove(actorId: number, id: number): Promise<'deleted' | 'retired' | undefined> {
    return await this.#change(async (trx) => {
      // An attempt that begins meanwhile waits for the lock, because it refers to the row.
      const row = await lock(trx, id);
      if (!row) return undefined;
      const attempt = await trx.selectFrom('attempts').select('id').where('laboratory_id', '=', id).executeTakeFirst();
      if (attempt) await trx.updateTable('laboratories').set({ is_active: false }).where('id', '=', id).execute();
      else await trx.deleteFrom('laboratories').where('id', '=', id).execute();
      const outcome = attempt ? 'retired' : 'deleted';
      await logActivity(trx, { actorId, type: 'admin_laboratory_delete', ...entityOf(row), details: { outcome } });
      return outcome;
    });
  }

  /** @returns undefined without such a laboratory */
  async addTask(actorId: number, laboratoryId: number, task: NewTask): Promise<LaboratoryTaskRow | undefined> {
    return await this.#change(async (trx) => {
      // The lock gives tasks that are added at once an order of their own.
      if (!(await lock(trx, laboratoryId))) return undefined;
      const last = await trx
        .selectFrom('laboratory_tasks')
        .select((eb) => eb.fn.max('order_index').as('order_index'))
        .where('laboratory_id', '=', laboratoryId)
        .executeTakeFirst();
      const order_index = task.order_index ?? (last?.order_index ?? -1) + 1;
      const parent = { column: 'laboratory_id', id: laboratoryId } as const;
      const slug = await newSlug(trx, 'laboratory_tasks', task.title, parent);
      const row = await trx
        .insertInto('laboratory_tasks')
        .values({ ...task, slug, laboratory_id: laboratoryId, order_index })
        .returningAll()
        .executeTakeFirstOrThrow();
      await logActivity(trx, { actorId, type: 'admin_laboratory_task_create', ...taskOf(row) });
      await checkTaskRoom(trx, 'laboratory_tasks', laboratoryId, this.#limits);
      return row;
    });
  }

  /** @returns undefined where the laboratory has no such task */
  async updateTask(
    actorId: number,
    laboratoryId: number,
    id: number,
    change: TaskChange,
  ): Promise<LaboratoryTaskRow | undefined> {
    return await this.#change(async (trx) => {
      const row = await trx
        .selectFrom('laboratory_tasks')
        .selectAll()
        .where('id', '=', id)
        .where('laboratory_id', '=', laboratoryId)
        .forUpdate()
        .executeTakeFirst();
      const details = row && differences(row, change);
      if (!details) return row;
      await logActivity(trx, { actorId, type: 'admin_laboratory_task_update', ...taskOf(row), details });
      return await trx
        .updateTable('laboratory_tasks')
        .set(change)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow();
    });
  }

  /** Results of the task stay. @returns whether the laboratory had it */
  async removeTask(actorId: number, laboratoryId: number, id: number): Promise<boolean> {
    return await this.#change(async (trx) => {
      const row = await trx
        .deleteFrom('laboratory_tasks')
        .where('id', '=', id)
        .where('laboratory_id', '=', laboratoryId)
        .returningAll()
        .executeTakeFirst();
      if (row) await logActivity(trx, { actorId, type: 'admin_laboratory_task_delete', ...taskOf(row) });
      return row !== undefined;
    });
  }

  /** Gives the tasks the order of this list. @throws Invalid unless it names each of them once; @returns false without the laboratory */
  async reorderTasks(actorId: number, id: number, taskIds: readonly number[]): Promise<boolean> {
    return await this.#change(async (trx) => {
      const laboratory = await lock(trx, id);
      if (!laboratory) return false;
      const tasks = trx.selectFrom('laboratory_tasks').select('id').where('laboratory_id', '=', id);
      const before = (await tasks.orderBy('order_index').orderBy('id').execute()).map((task) => task.id);
      await orderTasks(trx, 'laboratory', before, taskIds);
      const details = { old: { task_ids: before }, new: { task_ids: taskIds } };
      await logActivity(trx, { actorId, type: 'admin_laboratory_task_reorder', ...entityOf(laboratory), details });
      return true;
    });
  }

  async #change<T>(work: (trx: Transaction<Tables>) => Promise<T>): Promise<T> {
    try {
      return await this.#db.transaction().execute(work);
    } catch (error) {
      const constraint = violatedConstraint(error);
      if (constraint === 'laboratories_section')
        throw new Conflict('section_has_laboratory', 'The section has a laboratory already');
      if (constraint === 'laboratories_section_id_fkey') throw new NotFound('not_found', 'Section not found');
      throw error;
    }
  }
}

const lock = async (trx: Transaction<Tables>, id: number) =>
  await trx.selectFrom('laboratories').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();

const entityOf = ({ id, title }: Selectable<LaboratoriesTable>) => ({
  entityType: 'laboratory',
  entityId: id,
  title,
});

const taskOf = ({ id, title, laboratory_id }: LaboratoryTaskRow) => ({
  entityType: 'laboratory_task',
  entityId: id,
  title,
  details: { laboratory_id },
});

function withTasks(laboratory: Selectable<LaboratoriesTable>, tasks: LaboratoryTaskRow[]): Laboratory {
  const max_score = tasks.reduce((sum, { points }) => sum + points, 0);
  return { ...laboratory, tasks, task_count: tasks.length, max_score };
}
