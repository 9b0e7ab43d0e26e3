import { setTimeout as delay } from 'node:timers/promises';
import { RowCache } from '../../database/processes/cache.ts';
import type { ChangeFeed } from '../../database/processes/change-feed.ts';
import { Conflict, NotFound } from '../../errors.ts';
import type { Caller } from '../../http/access.ts';
import type { AttemptMachine, GradedAttempt, StartedAttempt } from '../attempts/machine.ts';
import type { AttemptStore } from '../attempts/store.ts';
import type {
  Laboratory,
  LaboratoryChange,
  LaboratoryStore,
  LaboratoryTaskRow,
  NewLaboratory,
  NewTask,
  TaskChange,
} from './store.ts';

export type LaboratoryParts = {
  store: LaboratoryStore;
  attempts: AttemptStore;
  machine: AttemptMachine;
  feed: ChangeFeed;
};

/** An attempt that a start made, or that it found. */
export type Start = StartedAttempt & { isNew: boolean };

/** Milliseconds that another process has to finish a start, and between two looks at it. */
const startPatience = 30_000;
const startPause = 50;

const noSuchLaboratory = () => new NotFound('not_found', 'Laboratory not found');
const noSuchTask = () => new NotFound('not_found', 'Task not found');

/** Laboratories, for those who practise in them and those who make them. */
export class LaboratoryService {
  readonly #parts: LaboratoryParts;
  readonly #cache: RowCache<'all', Laboratory[]>;
  /** Starts under way, by user and laboratory. */
  readonly #starting = new Map<string, Promise<Start>>();

  constructor(parts: LaboratoryParts) {
    this.#parts = parts;
    this.#cache = new RowCache<'all', Laboratory[]>({
      feed: parts.feed,
      channel: 'catalogue_changed',
      max: 1,
      keyOf: () => undefined,
    });
  }

  /** A retired laboratory is there for administrators, and for who is in the middle of it. @throws NotFound */
  async get(caller: Pick<Caller, 'id' | 'role'> | undefined, id: number): Promise<Laboratory> {
    const laboratory = (await this.all()).find((candidate) => candidate.id === id);
    if (!laboratory) throw noSuchLaboratory();
    if (laboratory.is_active || caller?.role === 'admin') return laboratory;
    if (!caller || !(await this.#parts.attempts.activeFor(caller.id, 'laboratory', id))) throw noSuchLaboratory();
    return laboratory;
  }

  /** @throws NotFound where the section has none */
  async ofSection(sectionId: number): Promise<Laboratory> {
    const laboratory = (await this.all()).find(({ section_id, is_active }) => is_active && section_id === sectionId);
    if (!laboratory) throw noSuchLaboratory();
    return laboratory;
  }

  /**
   * Starts an attempt, or gives back the active one: also to calls that come while the first is still starting it.
   * @throws NotFound, Conflict without tasks or while another process starts one, Unavailable without a container
   */
  async start(caller: Caller, id: number): Promise<Start> {
    const key = `${caller.id} ${id}`;
    const underWay = this.#starting.get(key);
    if (underWay) return { ...(await underWay), isNew: false };
    const start = this.#start(caller, id).finally(() => this.#starting.delete(key));
    this.#starting.set(key, start);
    return await start;
  }

  /** @throws NotFound without an active attempt; see AttemptMachine.check */
  async check(caller: Caller, id: number): Promise<GradedAttempt & { containerId: number | null }> {
    const { machine } = this.#parts;
    const checked = await machine.check(caller, 'laboratory', id);
    return { ...checked, containerId: (await machine.container(checked.attempt.id))?.id ?? null };
  }

  /** @throws NotFound without an active attempt; see AttemptMachine.submit */
  async submit(caller: Caller, id: number): Promise<GradedAttempt> {
    return await this.#parts.machine.submit(caller, 'laboratory', id);
  }

  /** All of them, retired ones too. */
  async all(): Promise<Laboratory[]> {
    return await this.#cache.get('all', () => this.#parts.store.all());
  }

  /** @throws NotFound without such a section, Conflict when it has a laboratory already */
  async create(caller: Caller, laboratory: NewLaboratory): Promise<Laboratory> {
    const created = await this.#parts.store.create(caller.id, laboratory);
    this.#cache.forget();
    return created;
  }

  /** @throws NotFound, Conflict as create */
  async update(caller: Caller, id: number, change: LaboratoryChange): Promise<Laboratory> {
    if (!(await this.#parts.store.update(caller.id, id, change))) throw noSuchLaboratory();
    this.#cache.forget();
    return await this.get(caller, id);
  }

  /** What has attempts is retired: it is gone for students, and its results stay. @throws NotFound */
  async delete(caller: Caller, id: number): Promise<'deleted' | 'retired'> {
    const outcome = await this.#parts.store.remove(caller.id, id);
    if (!outcome) throw noSuchLaboratory();
    this.#cache.forget();
    return outcome;
  }

  /** @throws NotFound */
  async task(caller: Caller, id: number, taskId: number): Promise<LaboratoryTaskRow> {
    const task = (await this.get(caller, id)).tasks.find((candidate) => candidate.id === taskId);
    if (!task) throw noSuchTask();
    return task;
  }

  /** @throws NotFound without such a laboratory */
  async addTask(caller: Caller, id: number, task: NewTask): Promise<LaboratoryTaskRow> {
    const created = await this.#parts.store.addTask(caller.id, id, task);
    if (!created) throw noSuchLaboratory();
    this.#cache.forget();
    return created;
  }

  /** @throws NotFound */
  async updateTask(caller: Caller, id: number, taskId: number, change: TaskChange): Promise<LaboratoryTaskRow> {
    const task = await this.#parts.store.updateTask(caller.id, id, taskId, change);
    if (!task) throw noSuchTask();
    this.#cache.forget();
    return task;
  }

  /** @throws NotFound */
  async deleteTask(caller: Caller, id: number, taskId: number): Promise<void> {
    if (!(await this.#parts.store.removeTask(caller.id, id, taskId))) throw noSuchTask();
    this.#cache.forget();
  }

  /** @throws NotFound, Invalid unless the list names each task of the laboratory once */
  async reorderTasks(caller: Caller, id: number, taskIds: readonly number[]): Promise<LaboratoryTaskRow[]> {
    if (!(await this.#parts.store.reorderTasks(caller.id, id, taskIds))) throw noSuchLaboratory();
    this.#cache.forget();
    return (await this.get(caller, id)).tasks;
  }

  /** Laboratories are read again: somebody else has changed them. */
  forget(): void {
    this.#cache.forget();
  }

  async #start(caller: Caller, id: number): Promise<Start> {
    const laboratory = await this.get(caller, id);
    const active = await this.#active(caller, id);
    if (active) return active;
    if (laboratory.task_count === 0) throw new Conflict('no_tasks', 'This laboratory has no tasks yet');
    try {
      return { ...(await this.#parts.machine.start(caller, { ...laboratory, kind: 'laboratory' })), isNew: true };
    } catch (error) {
      const quicker = error instanceof Conflict ? await this.#startedElsewhere(caller, id) : undefined;
      if (!quicker) throw error;
      return quicker;
    }
  }

  /** Another process may have been quicker, and be at it still; where it fails there is none in the end. */
  async #startedElsewhere(caller: Caller, id: number): Promise<Start | undefined> {
    const deadline = performance.now() + startPatience;
    for (;;) {
      const active = await this.#active(caller, id);
      if (active || performance.now() > deadline || !(await this.#parts.attempts.isStarting(caller.id, id)))
        return active ?? (await this.#active(caller, id));
      await delay(startPause);
    }
  }

  async #active(caller: Caller, id: number): Promise<Start | undefined> {
    const { attempts, machine } = this.#parts;
    const attempt = await attempts.activeFor(caller.id, 'laboratory', id);
    const container = attempt && (await machine.container(attempt.id));
    return attempt && container ? { attempt, container, isNew: false } : undefined;
  }
}
