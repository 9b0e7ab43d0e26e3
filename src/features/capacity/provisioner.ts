import type { FastifyBaseLogger } from 'fastify';
import { ConcurrencyLimiter, type Load } from '../../../packages/limits/concurrency-limiter.ts';
import type { Config } from '../../config.ts';
import { overloaded, UnavailableError } from '../../errors.ts';
import { type ContainerEngine, type ContainerSpec, NoSuchContainerError } from '../../ports/container-engine.ts';
import { type ContainerSetup, type Setup, SetupFailedError } from './container-setup.ts';
import { creatorOf } from './creations.ts';
import type { Replacing } from './lost-store.ts';
import type { ContainerRemovals } from './removals.ts';
import type { ReservationStore, Reserved } from './reservation-store.ts';
import type { SetupStore, StoredSetup } from './setup-store.ts';
import type { ShellPool } from './shell-pool.ts';
import type { ContainerRow, ContainerStore } from './store.ts';
import type { TemplateRow } from './template-store.ts';
import type { WarmKind, WarmStore } from './warm-store.ts';

export type ProvisionerParts = {
  engine: ContainerEngine;
  store: ContainerStore;
  reservations: ReservationStore;
  warm: WarmStore;
  removals: ContainerRemovals;
  shells: ShellPool;
  setups: SetupStore;
  setup: ContainerSetup;
  config: Pick<Config, 'containers' | 'engine'>;
  log: FastifyBaseLogger;
};

/** Creates containers together with their records, for sandboxes and attempts alike. */
export class Provisioner {
  readonly #parts: ProvisionerParts;
  readonly #starts: ConcurrencyLimiter;

  constructor(parts: ProvisionerParts) {
    this.#parts = parts;
    const refused = overloaded('Too many containers are being created; try again soon');
    this.#starts = new ConcurrencyLimiter(parts.config.containers.starts, refused);
  }

  /** Containers that are being created, and those that wait for it. */
  load(): Load {
    return this.#starts.load();
  }

  /**
   * Creates and prepares the container of a reserved row. A failure leaves neither.
   * @param isUrgent it is created before others that wait
   * @param setup in place of the stored one
   * @param prepare in place of any set-up
   * @throws UnavailableError; SetupFailedError, which is one
   */
  async make(
    { row, yielded }: Reserved,
    {
      template,
      isUrgent = false,
      prepare,
      ...given
    }: { template?: TemplateRow; isUrgent?: boolean; setup?: Setup; prepare?: (ref: string) => Promise<void> } = {},
  ): Promise<ContainerRow> {
    const { engine, store, removals, setups, setup: preparation, log } = this.#parts;
    let ref: string | undefined;
    let isBegun = false;
    try {
      // Needed only when the container exists.
      const reading: Promise<StoredSetup | undefined> =
        given.setup || prepare ? Promise.resolve(undefined) : setups.of(row);
      reading.catch(() => undefined);
      await this.#checkAccount(row);
      await this.#stopYielded(yielded);
      let imageId: string | undefined;
      const create = async () => {
        isBegun = true;
        imageId = row.image_id ?? (await engine.imageId(row.image));
        return await engine.create({ ...this.#spec(row, template), imageId });
      };
      ref = await this.#starts.run(create, { isUrgent, client: clientOf(row) });
      const stored = await reading;
      const setup = given.setup ?? stored;
      if (setup) await preparation.apply(ref, row.name, setup);
      await prepare?.(ref);
      const status = row.status === 'warming' ? 'warm' : 'running';
      const made = await store.setMade(row, ref, {
        ...{ status, setup_key: stored?.key ?? null, image_id: imageId ?? null },
      });
      if (!made) throw new UnavailableError('cancelled', 'The container was removed while it was being created');
      return made;
    } catch (error) {
      log.warn({ err: error, container: row.name }, 'a container could not be created');
      // Refused before the engine received the request, so the engine needs no lookup. Refusals come in large numbers.
      if (!isBegun && (await this.#isForgotten(row.id))) throw error;
      await store.setRemoving(row.id).catch(() => undefined);
      removals.inBackground({ ...row, engine_ref: ref ?? null });
      throw error;
    }
  }

  /**
   * Prepares the reserved container of an attempt: renames a warm one, or creates a new one. A failure leaves neither.
   * @throws NoSuchContainerError where the warm one was lost, UnavailableError
   */
  async provide(reserved: Reserved): Promise<ContainerRow> {
    const { engine, removals, shells, config, log } = this.#parts;
    const { row } = reserved;
    if (row.status === 'creating') {
      const made = await this.make(reserved, { isUrgent: true });
      shells.warm(made.engine_ref ?? '');
      return made;
    }
    const ref = row.engine_ref ?? '';
    try {
      await this.#checkAccount(row);
      await engine.rename(ref, config.engine.namePrefix + row.name);
      shells.warm(ref);
      return row;
    } catch (error) {
      log.warn({ err: error, container: row.name }, 'a warm container could not be used');
      await removals.remove(row);
      throw error;
    }
  }

  /** Creates one warm container with an open connection, unless there are as many as wanted. @throws UnavailableError */
  async warmUp(kind: WarmKind, need: { wanted: number; isExpected: boolean }): Promise<void> {
    const reserved = await this.#parts.warm.reserveWarm(kind, need);
    if (!reserved) return;
    const made = await this.make(reserved);
    await this.#parts.shells
      .get(made.engine_ref ?? '')
      .catch((error: unknown) => this.#parts.log.warn({ err: error }, 'no shell in a warm container'));
  }

  /**
   * Creates a container in place of a lost one, see `HomeKeeper.replace`. Attempts come before sandboxes. Its set-up runs again, and does
   * not change a home folder that was kept.
   * @throws UnavailableError
   */
  async replace({ row, lostRef, template }: Replacing): Promise<{ ref: string; hasHome: boolean }> {
    const { homes } = this.#parts.engine;
    if (!homes) throw new NoSuchContainerError(lostRef);
    const spec = { ...this.#spec(row, template), imageId: row.image_id ?? undefined };
    const create = () => homes.replace(lostRef, spec);
    const setup = await this.#parts.setups.of(row);
    const created = await this.#starts.run(create, { isUrgent: row.kind !== 'sandbox', client: clientOf(row) });
    if (!setup) return created;
    try {
      await this.#parts.setup.apply(created.ref, row.name, setup, { keepsHome: created.hasHome });
      return created;
    } catch (error) {
      await this.#parts.engine.remove(created.ref);
      throw error;
    }
  }

  /**
   * Starts a stopped sandbox, if there is room for it.
   * @returns undefined where it is no longer stopped
   * @throws NoSuchContainerError, UnavailableError
   */
  async startAgain({ id, stop_reason }: ContainerRow): Promise<ContainerRow | undefined> {
    const { engine, store, reservations } = this.#parts;
    const reserved = await reservations.reserveStart(id);
    if (!reserved) return undefined;
    try {
      await this.#stopYielded(reserved.yielded);
      const start = () => engine.start(reserved.row.engine_ref ?? '');
      await this.#starts.run(start, { client: clientOf(reserved.row) });
    } catch (error) {
      await store.setRunning(id, false, stop_reason);
      throw error;
    }
    // Set again: before it ran, the reconciler may have recorded it as stopped.
    return (await store.setRunning(id, true)) ?? reserved.row;
  }

  async #isForgotten(id: number): Promise<boolean> {
    return await this.#parts.store.forget(id).then(
      () => true,
      () => false,
    );
  }

  /**
   * Frees on the engine what the records have already given up. The reconciler frees what takes too long, and no request is refused for
   * that.
   */
  async #stopYielded(yielded: readonly ContainerRow[]): Promise<void> {
    const { engine, removals, log } = this.#parts;
    const free = async (row: ContainerRow): Promise<void> => {
      if (row.status === 'stopped') await engine.stop(row.engine_ref ?? '');
      else if (row.kind === 'sandbox') await removals.discard(row);
      else await removals.finish(row);
    };
    await Promise.all(
      yielded.map((row) =>
        free(row).catch((error: unknown) =>
          log.warn({ err: error, container: row.name }, 'a container could not be stopped to free its capacity'),
        ),
      ),
    );
  }

  /** Checks of an image that does not grant root rely on what only root can change. @throws SetupFailedError, UnavailableError */
  async #checkAccount({ account, image }: ContainerRow): Promise<void> {
    if (account !== 'root' || (await this.#parts.engine.grantsRoot(image))) return;
    const problem = `the user is root, and the image ${image} does not grant root (\`platform.privileges=sudo\`)`;
    throw new SetupFailedError({ problem_code: 'no_root', problem }, '');
  }

  #spec(row: ContainerRow, template: TemplateRow | undefined): ContainerSpec {
    const { containers, engine } = this.#parts.config;
    return {
      name: engine.namePrefix + row.name,
      uid: row.uid,
      image: row.image,
      memoryMb: template?.memory_mb ?? containers.memoryMb,
      cpus: template?.cpus ?? containers.cpus,
      processes: containers.processes,
      diskMb: containers.diskMb,
      hasInternet: template?.has_internet ?? false,
    };
  }
}

/** Creations take turns by the users of the containers. */
const clientOf = ({ user_id: id }: ContainerRow): string | undefined => (id === null ? undefined : creatorOf({ id }));
