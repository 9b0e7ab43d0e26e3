import type { Config } from '../../config.ts';
import type { ContainerStatus, Role, StopReason, StudentAccount } from '../../database/tables.ts';
import { ConflictError, NotFoundError, UnavailableError } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import { type ContainerEngine, NoSuchContainerError } from '../../ports/container-engine.ts';
import { type Creations, creatorOf } from '../capacity/creations.ts';
import type { HoldStore } from '../capacity/hold-store.ts';
import type { InstallationStore } from '../capacity/installation-store.ts';
import type { LostContainers } from '../capacity/lost-containers.ts';
import type { Provisioner } from '../capacity/provisioner.ts';
import type { ContainerRemovals } from '../capacity/removals.ts';
import type { ReservationStore } from '../capacity/reservation-store.ts';
import type { ContainerRow, ContainerStore } from '../capacity/store.ts';
import type { TemplateRow, TemplateStore } from '../capacity/template-store.ts';
import type { WatchStore } from './watch-store.ts';

export type { ContainerRow } from '../capacity/store.ts';

export type ContainerParts = {
  engine: ContainerEngine;
  store: ContainerStore;
  reservations: ReservationStore;
  templates: TemplateStore;
  watches: WatchStore;
  holdStore: Pick<HoldStore, 'held' | 'isLockedDown'>;
  installation: Pick<InstallationStore, 'now'>;
  provisioner: Provisioner;
  removals: ContainerRemovals;
  creations: Pick<Creations, 'run'>;
  lost: Pick<LostContainers, 'replaces' | 'report'>;
  config: Config['containers'];
};

/** Each role includes the rights of those before it. */
const roles: readonly Role[] = ['student', 'instructor', 'admin'];

const noSuchContainer = () => new NotFoundError('not_found', 'Container not found');

const beingReplaced = () =>
  new UnavailableError('engine_unavailable', 'The machine of this sandbox was lost; it is being replaced', {
    retryAfter: 10,
  });

const resetFailed = (cause: unknown) =>
  new UnavailableError('reset_failed', 'The sandbox was deleted, but the new one could not be created', { cause });

/** Sandboxes: a user's own containers. */
export class ContainerService {
  readonly #parts: ContainerParts;

  constructor(parts: ContainerParts) {
    this.#parts = parts;
  }

  /** What is left of a sandbox that is stopped: all its files, or its home folder only. */
  get keptWhenStopped(): 'all' | 'home' {
    return this.#parts.engine.homes ? 'home' : 'all';
  }

  /** The sandboxes that a user can have at a time, stopped ones included. */
  get sandboxesPerUser(): number {
    return this.#parts.config.sandboxesPerUser;
  }

  /** @throws NotFoundError without such a template for the caller, ConflictError over the quota, TooManyRequestsError, UnavailableError without engine or room */
  async create(caller: Caller, templateId: number | undefined): Promise<ContainerRow> {
    return await this.#inTurn(caller, () => this.#create(caller, templateId));
  }

  async #create(caller: Caller, templateId: number | undefined): Promise<ContainerRow> {
    await this.#checkExam(caller);
    const { reservations, provisioner, config } = this.#parts;
    const templates = await this.templates(caller);
    const template = templateId === undefined ? templates[0] : templates.find(({ id }) => id === templateId);
    if (!template) throw new NotFoundError('not_found', 'Sandbox template not found');
    const { sandboxesPerUser, sandboxMaxHours } = config;
    const reserved = await reservations.reserveSandbox(caller.id, sandboxesPerUser, template, sandboxMaxHours);
    return await provisioner.make(reserved, { template });
  }

  async sandboxes(caller: Caller): Promise<ContainerRow[]> {
    return await this.#parts.store.sandboxesOf(caller.id);
  }

  /** The templates that the caller can create sandboxes from. Without a token, those of students. */
  async templates(caller: Pick<Caller, 'role'> | undefined): Promise<TemplateRow[]> {
    const rank = roles.indexOf(caller?.role ?? 'student');
    const active = await this.#parts.templates.active();
    return active.filter(({ minimum_role }) => roles.indexOf(minimum_role) <= rank);
  }

  /** @throws NotFoundError for another user's container */
  async get(caller: Caller, id: number): Promise<ContainerRow> {
    const row = await this.#parts.store.byId(id);
    if (!row || row.user_id !== caller.id) throw noSuchContainer();
    return row;
  }

  /** @throws NotFoundError, ConflictError for a container of an attempt or one that has filled its disk, UnavailableError */
  async start(caller: Caller, id: number): Promise<ContainerRow> {
    return await this.#inTurn(caller, () => this.#setRunning(caller, id, true));
  }

  /** @throws NotFoundError, ConflictError for a container of an attempt, UnavailableError */
  async stop(caller: Caller, id: number): Promise<ContainerRow> {
    return await this.#inTurn(caller, () => this.#setRunning(caller, id, false));
  }

  /** @throws NotFoundError, ConflictError for a container of an attempt */
  async delete(caller: Caller, id: number): Promise<void> {
    await this.#parts.removals.remove(await this.#sandbox(caller, id), caller.id);
  }

  /**
   * Replaces a sandbox by a new one of its template, with the same id, name and place. Its files and shells are lost.
   * @throws NotFoundError, ConflictError, UnavailableError; nothing has changed then, unless its code is `reset_failed`: the sandbox is gone
   */
  async reset(caller: Caller, id: number): Promise<ContainerRow> {
    return await this.#inTurn(caller, () => this.#reset(caller, id));
  }

  async #reset(caller: Caller, id: number): Promise<ContainerRow> {
    const { engine, reservations, provisioner, removals, config } = this.#parts;
    const row = await this.#sandbox(caller, id);
    await this.#checkExam(caller);
    if (row.lost_at !== null) throw beingReplaced();
    const template = (await this.templates(caller)).find((one) => one.id === row.template_id);
    if (!template) throw new ConflictError('template_gone', 'The template of the sandbox is not available any more');
    // Refused while nothing has changed. Without an image there is no new sandbox.
    await engine.imageId(template.image);
    const reserved = await reservations.reserveReset(id, template, config.sandboxMaxHours);
    if (!reserved) throw new ConflictError('container_creating', 'The container is still being created');
    try {
      // The former one goes first, so that there is never one more than counted.
      await removals.finish(reserved.former);
    } catch (error) {
      removals.inBackground(reserved.former);
      await removals.remove(reserved.row);
      throw resetFailed(error);
    }
    return await provisioner.make(reserved, { template }).catch((error: unknown) => {
      throw resetFailed(error);
    });
  }

  /**
   * The data that the terminal needs about the caller's own container. Instructors and administrators can get the container of a student
   * whom they see, whose `user_id` is not theirs. The container of another instructor or administrator is never returned.
   * @throws NotFoundError
   */
  async forTerminal(
    caller: Caller,
    id: number,
  ): Promise<{
    id: number;
    ref: string;
    account: StudentAccount;
    status: ContainerStatus;
    user_id: number;
    expires_at: Date | null;
    exam_attempt_id: number | null;
    is_of_attempt: boolean;
    is_full: boolean;
    is_held: boolean;
    stop_reason: StopReason | null;
    is_replaced_when_lost: boolean;
    is_being_replaced: boolean;
    replaced: { home_kept_at: Date | null } | undefined;
  }> {
    const { store, watches, lost } = this.#parts;
    const row = await store.byId(id);
    if (!row || row.user_id === null) throw noSuchContainer();
    const { engine_ref, account, status, user_id, expires_at, kind, attempt_id, full_at, stop_reason, home_kept_at } =
      row;
    if (user_id !== caller.id && !(await watches.mayWatch(caller, user_id, id))) throw noSuchContainer();
    const exam_attempt_id = kind === 'exam' ? attempt_id : null;
    const { isBegun, isHeld } =
      attempt_id === null ? { isBegun: true, isHeld: false } : await store.stateOfAttempt(attempt_id);
    return {
      ...{ id, ref: engine_ref ?? '', account, status: isBegun ? status : 'creating', user_id, exam_attempt_id },
      ...{ is_of_attempt: kind !== 'sandbox', is_full: full_at !== null, stop_reason, is_held: isHeld },
      expires_at: expires_at && (await this.#toLocalClock(expires_at)),
      is_replaced_when_lost: lost.replaces(row),
      is_being_replaced: row.lost_at !== null,
      replaced: row.replaced_at === null ? undefined : { home_kept_at },
    };
  }

  /** The container's end as recorded now. Undefined where the container no longer exists. */
  async deadline(id: number): Promise<Date | null | undefined> {
    const expiresAt = (await this.#parts.store.byId(id))?.expires_at;
    return expiresAt && (await this.#toLocalClock(expiresAt));
  }

  /** Of these containers, those in which nobody works now. */
  async held(ids: readonly number[]): Promise<Set<number>> {
    return await this.#parts.holdStore.held(ids);
  }

  /** Starts a container that has stopped by itself. @throws NoSuchContainerError, UnavailableError */
  async revive(ref: string): Promise<void> {
    await this.#parts.engine.start(ref);
  }

  /**
   * A time of the database, converted to this process's clock. The database's clock decides. A difference under two seconds counts as
   * none.
   */
  async #toLocalClock(moment: Date): Promise<Date> {
    const ahead = Date.now() - (await this.#parts.installation.now()).getTime();
    return Math.abs(ahead) < 2000 ? moment : new Date(moment.getTime() + Math.round(ahead / 2000) * 2000);
  }

  /** Whether the caller may watch the terminals of another user's container. */
  async mayWatch(caller: Caller, userId: number, containerId: number): Promise<boolean> {
    return await this.#parts.watches.mayWatch(caller, userId, containerId);
  }

  /** The names of a caller and of the user of a container, where the caller may type along in its terminals now. */
  async typingAlong(caller: Caller, userId: number, containerId: number) {
    return await this.#parts.watches.typingAlong(caller, userId, containerId);
  }

  /** Records that an instructor or administrator watches a student's terminal, or what the watcher does there. */
  async logWatch(watcher: Caller, id: number, type = 'terminal_watch', details: object = {}): Promise<void> {
    await this.#parts.watches.logWatch(watcher.id, id, type, details);
  }

  /** Whether an exam keeps the user from starting anything else. */
  async isLockedDown(userId: number): Promise<boolean> {
    return await this.#parts.holdStore.isLockedDown(userId);
  }

  async touch(id: number, typedAt?: Date): Promise<void> {
    await this.#parts.store.touch(id, typedAt);
  }

  async #setRunning(caller: Caller, id: number, isRunning: boolean): Promise<ContainerRow> {
    const { engine, store, provisioner, removals, lost } = this.#parts;
    const row = await this.#sandbox(caller, id);
    if (isRunning) await this.#checkExam(caller);
    if (row.engine_ref === null || row.status === 'creating')
      throw new ConflictError('container_creating', 'The container is still being created');
    if (isRunning && row.full_at !== null)
      throw new ConflictError('sandbox_disk_full', 'The disk of this sandbox was full, so it stays stopped; delete it');
    try {
      if (isRunning && row.status === 'stopped')
        return (await provisioner.startAgain(row)) ?? (await this.get(caller, id));
      await (isRunning ? engine.start(row.engine_ref) : engine.stop(row.engine_ref));
    } catch (error) {
      if (!(error instanceof NoSuchContainerError)) throw error;
      if (row.status === 'running' && lost.replaces(row)) {
        lost.report(row.engine_ref);
        throw beingReplaced();
      }
      await removals.remove(row);
      throw noSuchContainer();
    }
    if (row.status === (isRunning ? 'running' : 'stopped')) return row;
    return (await store.setRunning(id, isRunning)) ?? (await this.get(caller, id));
  }

  /** @throws ConflictError while the caller takes an exam that allows no sandboxes. The reconciler stops those that start at the same moment */
  async #checkExam({ id }: Caller): Promise<void> {
    if (await this.#parts.holdStore.isLockedDown(id))
      throw new ConflictError('exam_locked_down', 'During this exam you cannot start sandboxes');
  }

  /** @throws TooManyRequestsError */
  async #inTurn<T>(caller: Caller, work: () => Promise<T>): Promise<T> {
    return await this.#parts.creations.run(creatorOf(caller), work);
  }

  async #sandbox(caller: Caller, id: number): Promise<ContainerRow> {
    const row = await this.get(caller, id);
    if (row.kind !== 'sandbox')
      throw new ConflictError('container_of_attempt', `This container belongs to an attempt and is removed with it`);
    return row;
  }
}
