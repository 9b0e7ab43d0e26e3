import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { ContainerEngine } from '../../ports/container-engine.ts';
import type { LostStore, MovedAttempt } from './lost-store.ts';
import type { Provisioner } from './provisioner.ts';
import type { ShellPool } from './shell-pool.ts';
import type { ContainerRow } from './store.ts';

export type LostContainersParts = {
  engine: Pick<ContainerEngine, 'homes' | 'inspect' | 'list' | 'remove' | 'grantsRoot'>;
  store: LostStore;
  provisioner: Pick<Provisioner, 'replace'>;
  shells: Pick<ShellPool, 'close' | 'warm'>;
  /** Called with each attempt whose deadline has moved, to schedule its expiry. */
  onMoved: (attempt: MovedAttempt) => void;
  /** Milliseconds within which the service stops. */
  stopTimeout: number;
  log: FastifyBaseLogger;
};

/** Milliseconds before a failed replacement is repeated. Each further failure doubles it. */
const pauses = { first: 1000, longest: 15_000 };
/** How often, and after how many milliseconds, a container that was reported as lost and still runs is looked at again. */
const doubt = { looks: 3, pause: 2000 };

/**
 * Replaces containers of users that were lost with their machines, on an engine that has saved their home folders. The new container runs
 * before the lost one is removed: without room for it nothing has changed, and the machine may come back.
 */
export class LostContainers implements AsyncDisposable {
  readonly #parts: LostContainersParts;
  readonly #underWay = new Map<string, Promise<void>>();
  readonly #stop = new AbortController();

  constructor(parts: LostContainersParts) {
    this.#parts = parts;
    parts.engine.homes?.onLost((ref) => this.report(ref));
  }

  /** Whether a container of this kind is replaced when it is lost. */
  replaces({ kind, status }: Pick<ContainerRow, 'kind' | 'status'>): boolean {
    return this.#parts.engine.homes !== undefined && kind !== 'trial' && status !== 'warm' && status !== 'warming';
  }

  /** Replaces a container in the background, if it is lost and should run. Repeats it until it succeeds or the container is given up. */
  report(ref: string): void {
    if (!this.#parts.engine.homes || this.#stop.signal.aborted || this.#underWay.has(ref)) return;
    const work = this.#replace(ref).finally(() => this.#underWay.delete(ref));
    this.#underWay.set(ref, work);
  }

  /** Finishes what an interrupted replacement has left. @param gone the dead processes. @throws UnavailableError */
  async finish(row: ContainerRow, gone: ReadonlySet<number>): Promise<void> {
    const { engine, store } = this.#parts;
    if (row.status === 'running') return await this.#removeLost(row);
    if (row.status !== 'creating' || !gone.has(row.process_id ?? 0)) return;
    const created = (await engine.list()).find(({ uid }) => uid === row.uid);
    if (created) await engine.remove(created.ref);
    await store.release(row);
    this.report(row.engine_ref ?? '');
  }

  /** Waits for half of the service's shutdown time. Another process or the next one does the rest. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    const patience = delay(this.#parts.stopTimeout / 2, undefined, { ref: false });
    await Promise.race([Promise.allSettled(this.#underWay.values()), patience]);
  }

  async #replace(ref: string): Promise<void> {
    const { signal } = this.#stop;
    let pause = pauses.first;
    let looks = doubt.looks;
    while (!signal.aborted) {
      let wait = pause;
      try {
        await this.#parts.store.releaseOwn(ref);
        const row = await this.#parts.store.find(ref);
        if (!row) return;
        const found = await this.#parts.engine.inspect(ref);
        // Stopped: it keeps its home folder. Running: its machine is back, or the clock of the cluster is late.
        if (found && (!found.isRunning || looks === 0)) return;
        if (!found) return await this.#replaceRow(row);
        looks -= 1;
        wait = doubt.pause;
      } catch (error) {
        this.#parts.log.warn({ err: error, ref }, 'a lost container could not be replaced yet');
        pause = Math.min(2 * pause, pauses.longest);
      }
      await delay(wait, undefined, { signal }).catch(() => undefined);
    }
  }

  async #replaceRow(lost: ContainerRow): Promise<void> {
    const { engine, store, provisioner, shells, onMoved, log } = this.#parts;
    const replacing = await store.claim(lost);
    if (!replacing) return;
    const { row, lostRef } = replacing;
    // Where students can be root, their work can be outside their home folder.
    const isHomeAll = !(await engine.grantsRoot(row.image_id ?? row.image));
    const created = await provisioner.replace(replacing);
    // If this fails, it may have succeeded nevertheless. A container without a record is removed by the reconciler.
    const replaced = await store.setReplaced(row, { ...created, isHomeAll });
    if (!replaced) return await engine.remove(created.ref);
    log.warn({ container: row.name, hasHome: created.hasHome }, 'a lost container was replaced');
    if (replaced.moved) onMoved(replaced.moved);
    if (row.attempt_id !== null) shells.warm(created.ref);
    const rest = this.#removeLost(row).catch((error: unknown) =>
      log.warn({ err: error, container: row.name }, 'a lost container could not be removed yet'),
    );
    await Promise.all([shells.close(lostRef), rest]);
  }

  /** Removes the lost container from the engine, with its saved home folder. */
  async #removeLost(row: ContainerRow): Promise<void> {
    const { engine, store } = this.#parts;
    if (row.lost_uid === null) return;
    const left = (await engine.list()).find(({ uid }) => uid === row.lost_uid);
    if (left) await engine.remove(left.ref);
    await engine.homes?.forget(row.lost_uid);
    await store.setRemoved(row);
  }
}
