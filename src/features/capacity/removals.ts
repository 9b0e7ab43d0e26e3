import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { asService } from '../../../packages/limits/request-client.ts';
import type { Config } from '../../config.ts';
import type { ContainerEngine } from '../../ports/container-engine.ts';
import type { ShellPool } from './shell-pool.ts';
import type { ContainerRow, ContainerStore, Removal } from './store.ts';

export type RemovalParts = {
  engine: Pick<ContainerEngine, 'rename' | 'list' | 'remove'>;
  store: Pick<ContainerStore, 'setRemoving' | 'forget'>;
  shells: Pick<ShellPool, 'close'>;
  /** Awaited before a container is removed. @returns false while another process does it. @throws UnavailableError */
  keep: (container: Pick<ContainerRow, 'id' | 'engine_ref'>) => Promise<boolean>;
  config: Pick<Config, 'engine' | 'stopTimeout'>;
  log: FastifyBaseLogger;
};

/** Removes containers together with their records: at once for their users, in the background on the engine. */
export class ContainerRemovals implements AsyncDisposable {
  readonly #parts: RemovalParts;
  readonly #underWay = new Set<Promise<void>>();

  constructor(parts: RemovalParts) {
    this.#parts = parts;
  }

  /** Gives a container up. Its user no longer sees it at once, and the engine removes it soon. @param actorId logs who deleted it */
  async remove(row: ContainerRow, actorId?: number): Promise<void> {
    await this.#remove(row.id, actorId === undefined ? {} : { actorId });
  }

  /** Does the same for a container that seems unused, only if it was not taken into use since the row was read. */
  async removeUnused(row: ContainerRow): Promise<void> {
    await this.#remove(row.id, { known: row });
  }

  async #remove(id: number, how: Removal): Promise<void> {
    const removing = await this.#parts.store.setRemoving(id, how);
    if (removing) await this.discard(removing);
  }

  /** Removes a container whose record is already given up. */
  async discard(removing: ContainerRow): Promise<void> {
    if (removing.kind === 'sandbox' && removing.engine_ref !== null) {
      // Its name is free for the user's next container, which need not wait for the engine.
      const { engine, config } = this.#parts;
      await engine.rename(removing.engine_ref, config.engine.namePrefix + removing.name).catch(() => undefined);
    }
    this.inBackground(removing);
  }

  /**
   * Removes containers from the engine in the background after their records were given up. A container that is still being created is
   * removed by its creator.
   */
  removeGivenUp(rows: readonly Pick<ContainerRow, 'id' | 'uid' | 'name' | 'engine_ref'>[]): void {
    for (const row of rows) if (row.engine_ref !== null) this.inBackground(row);
  }

  /**
   * Removes a given-up container from the engine, once what its attempt left is kept. The record is deleted last.
   * @throws UnavailableError
   */
  async finish(row: Pick<ContainerRow, 'id' | 'uid' | 'engine_ref'>): Promise<void> {
    const { engine, store, shells } = this.#parts;
    // Without a reference, its creation may still have reached the engine. Its label identifies it.
    const ref = row.engine_ref ?? (await engine.list()).find((container) => container.uid === row.uid)?.ref;
    if (ref) {
      if (!(await this.#parts.keep({ id: row.id, engine_ref: ref }))) return;
      await Promise.all([shells.close(ref), engine.remove(ref)]);
    }
    await store.forget(row.id);
  }

  /** Waits for half of the service's shutdown time. The next process removes what is left. */
  async [Symbol.asyncDispose](): Promise<void> {
    const patience = delay(this.#parts.config.stopTimeout / 2, undefined, { ref: false });
    await Promise.race([Promise.allSettled(this.#underWay), patience]);
  }

  /** Removes a given-up container from the engine in the background. Failures are left to the reconciler. */
  inBackground(row: Pick<ContainerRow, 'id' | 'uid' | 'name' | 'engine_ref'>): void {
    const removal = asService(() => this.finish(row))
      .catch((error: unknown) =>
        this.#parts.log.warn({ err: error, container: row.name }, 'a container could not be removed yet'),
      )
      .finally(() => this.#underWay.delete(removal));
    this.#underWay.add(removal);
  }
}
