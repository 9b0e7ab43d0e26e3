import { NotFound } from '../../errors.ts';
import type { Caller } from '../../http/access.ts';
import type { Page } from '../../http/paging.ts';
import type { ExamAdminStore, ExamChange, TaskChange } from './exam-admin-store.ts';
import type { ExamService } from './service.ts';
import type { Exam, ExamTaskRow } from './store.ts';

/** Exams for those who change and retire them. */
export class ExamAdminService {
  readonly #store: ExamAdminStore;
  readonly #exams: Pick<ExamService, 'forget'>;

  constructor({ store, exams }: { store: ExamAdminStore; exams: Pick<ExamService, 'forget'> }) {
    this.#store = store;
    this.#exams = exams;
  }

  async list(page: Page): Promise<{ rows: Exam[]; total: number }> {
    return await this.#store.list(page);
  }

  /** @throws NotFound */
  async get(id: number): Promise<Exam> {
    return await this.#store.byId(id);
  }

  /** @throws NotFound without the exam or its new course, Conflict where it would become active: that is for publishing */
  async update(caller: Caller, id: number, change: ExamChange): Promise<Exam> {
    await this.#store.update(caller.id, id, change);
    this.#exams.forget();
    return await this.#store.byId(id);
  }

  /** @throws NotFound */
  async delete(caller: Caller, id: number): Promise<'deleted' | 'retired'> {
    const outcome = await this.#store.remove(caller.id, id);
    this.#exams.forget();
    return outcome;
  }

  /** @throws NotFound */
  async task(examId: number, id: number): Promise<ExamTaskRow> {
    const task = (await this.#store.byId(examId)).tasks.find((candidate) => candidate.id === id);
    if (!task) throw new NotFound('not_found', 'Task not found');
    return task;
  }

  /** @throws NotFound */
  async updateTask(caller: Caller, examId: number, id: number, change: TaskChange): Promise<ExamTaskRow> {
    const task = await this.#store.updateTask(caller.id, examId, id, change);
    this.#exams.forget();
    return task;
  }

  /** @throws NotFound */
  async deleteTask(caller: Caller, examId: number, id: number): Promise<void> {
    await this.#store.removeTask(caller.id, examId, id);
    this.#exams.forget();
  }

  /** @throws NotFound, Invalid unless the list names each task of the exam once */
  async reorderTasks(caller: Caller, id: number, taskIds: readonly number[]): Promise<ExamTaskRow[]> {
    await this.#store.reorder(caller.id, id, taskIds);
    this.#exams.forget();
    return (await this.#store.byId(id)).tasks;
  }
}
