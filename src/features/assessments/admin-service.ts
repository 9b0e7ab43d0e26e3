import type { AttemptKind } from '../../database/tables.ts';
import { found, InvalidError, UnavailableError } from '../../errors.ts';
import type { Order, Page } from '../../http/lists/paging.ts';
import type { ContainerEngine } from '../../ports/container-engine.ts';
import { refusedField } from '../../values/coded-problem.ts';
import { kinds } from './kinds.ts';
import type { RevisionListStore } from './revision-list-store.ts';
import type {
  AssessmentCopy,
  AssessmentSort,
  AssessmentStore,
  AssessmentWithTasks,
  NewAssessment,
  NewTask,
  TaskRow,
} from './store.ts';

type AssessmentAdminParts = {
  kind: AttemptKind;
  store: AssessmentStore;
  revisions: RevisionListStore;
  engine: Pick<ContainerEngine, 'grantsRoot'>;
  /** Called after each change: cached copies are out of date. */
  forget: () => void;
};

/** Creates, changes and retires the assessments of one kind. */
export class AssessmentAdminService {
  readonly kind: AttemptKind;
  readonly revisions: RevisionListStore;
  readonly #store: AssessmentStore;
  readonly #engine: AssessmentAdminParts['engine'];
  readonly #forget: () => void;

  constructor(parts: AssessmentAdminParts) {
    this.kind = parts.kind;
    this.#store = parts.store;
    this.revisions = parts.revisions;
    this.#engine = parts.engine;
    this.#forget = parts.forget;
  }

  async list(
    page: Page,
    wanted: { courseId?: number | undefined; order?: Order<AssessmentSort> | undefined },
  ): Promise<{ rows: AssessmentWithTasks[]; total: number }> {
    return await this.#store.list(page, wanted);
  }

  async byId(id: number): Promise<AssessmentWithTasks | undefined> {
    return await this.#store.byId(id);
  }

  /** @throws see AssessmentStore.create; InvalidError where the image does not grant root */
  async create(actorId: number, assessment: NewAssessment): Promise<AssessmentWithTasks> {
    await this.#checkUser(assessment);
    return await this.#change(this.#store.create(actorId, assessment));
  }

  /** @throws see AssessmentStore.update; InvalidError where the image does not grant root */
  async update(actorId: number, id: number, change: Partial<NewAssessment>): Promise<AssessmentWithTasks | undefined> {
    if (change.user !== undefined || change.container_image !== undefined) {
      const stored = await this.#store.byId(id);
      if (stored) await this.#checkUser({ ...stored, ...change });
    }
    return await this.#change(this.#store.update(actorId, id, change));
  }

  /** @throws NotFoundError; see AssessmentStore.copy */
  async copy(actorId: number, id: number, change: AssessmentCopy): Promise<AssessmentWithTasks> {
    return found(await this.#change(this.#store.copy(actorId, id, change)), this.#name);
  }

  async delete(actorId: number, id: number): Promise<'deleted' | 'retired' | undefined> {
    return await this.#change(this.#store.delete(actorId, id));
  }

  /** @throws NotFoundError */
  async tasks(id: number): Promise<TaskRow[]> {
    return found(await this.#store.byId(id), this.#name).tasks;
  }

  /** @throws NotFoundError */
  async task(id: number, taskId: number): Promise<TaskRow> {
    const tasks = await this.tasks(id);
    return found(
      tasks.find((task) => task.id === taskId),
      'Task',
    );
  }

  /** @throws see AssessmentStore.addTask */
  async addTask(actorId: number, id: number, task: NewTask): Promise<TaskRow> {
    return await this.#change(this.#store.addTask(actorId, id, task));
  }

  /** @throws NotFoundError */
  async updateTask(actorId: number, id: number, taskId: number, change: Partial<NewTask>): Promise<TaskRow> {
    return found(await this.#change(this.#store.updateTask(actorId, id, taskId, change)), 'Task');
  }

  /** @throws NotFoundError */
  async deleteTask(actorId: number, id: number, taskId: number): Promise<void> {
    found(await this.#change(this.#store.deleteTask(actorId, id, taskId)), 'Task');
  }

  /** @throws NotFoundError, InvalidError unless the list names each task of the assessment once */
  async reorderTasks(actorId: number, id: number, taskIds: readonly number[]): Promise<TaskRow[]> {
    return found(await this.#change(this.#store.reorderTasks(actorId, id, taskIds)), this.#name);
  }

  /** An image that the engine does not know yet is checked at the start of an attempt. @throws InvalidError */
  async #checkUser({ user, container_image }: Pick<NewAssessment, 'user' | 'container_image'>): Promise<void> {
    if (user !== 'root') return;
    const isGranted = await this.#engine.grantsRoot(container_image).catch((error: unknown) => {
      if (error instanceof UnavailableError) return true;
      throw error;
    });
    if (isGranted) return;
    throw new InvalidError([refusedField(['body', 'user'], 'root_not_granted', { image: container_image })]);
  }

  get #name(): string {
    return kinds[this.kind].name;
  }

  async #change<T>(change: Promise<T>): Promise<T> {
    const result = await change;
    this.#forget();
    return result;
  }
}
