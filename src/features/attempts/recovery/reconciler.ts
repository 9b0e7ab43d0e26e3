import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { ContainerEngine } from '../../../ports/container-engine.ts';
import type { ContainerHolds } from '../../capacity/holds.ts';
import type { InstallationStore } from '../../capacity/installation-store.ts';
import type { LostContainers } from '../../capacity/lost-containers.ts';
import type { ContainerRemovals } from '../../capacity/removals.ts';
import type { ContainerRow, ContainerStore } from '../../capacity/store.ts';
import type { WarmPool } from '../../capacity/warm-pool.ts';
import type { BreakService } from '../breaks/service.ts';
import type { RevisionStore } from '../revision-store.ts';
import type { StartQueue } from '../starts/queue.ts';
import type { QueueStore } from '../starts/queue-store.ts';
import type { StartStore } from '../starts/store.ts';
import type { AttemptStore } from '../store.ts';
import type { Deadlines } from './deadlines.ts';
import type { RecoveryStore } from './store.ts';

export type ReconcilerParts = {
  engine: ContainerEngine;
  containers: ContainerStore;
  installation: Pick<InstallationStore, 'now'>;
  removals: ContainerRemovals;
  lost: Pick<LostContainers, 'replaces' | 'report' | 'finish'>;
  holds: Pick<ContainerHolds, 'follow'>;
  attempts: Pick<AttemptStore, 'settled'>;
  starts: Pick<StartStore, 'drop'>;
  queue: Pick<StartQueue, 'wake'>;
  queueStore: Pick<QueueStore, 'interrupted' | 'release' | 'abandonAbsent'>;
  recovery: RecoveryStore;
  states: Pick<RevisionStore, 'pinAll'>;
  breaks: Pick<BreakService, 'endOver'>;
  deadlines: Pick<Deadlines, 'expireOverdue'>;
  pool: WarmPool;
  limits: { setupSeconds: number; sandboxIdleMinutes: number; sandboxMaxHours: number; queueAbsenceMinutes: number };
  log: FastifyBaseLogger;
  /** Runs the work in one process at a time. Elsewhere it does nothing. */
  alone: (work: () => Promise<void>) => Promise<boolean>;
  /** The dead processes that left work unfinished. */
  gone: () => Promise<number[]>;
};

/** Seconds after which an unfinished creation counts as abandoned by a dead process, besides its set-up. */
const makingSeconds = 60;
/** Milliseconds that a round waits for its overdue attempts. Slower ones continue in the background. */
const expiryPatience = 20_000;

/** Compares records with the engine in both directions, and finishes or removes what a crash has left. Every step is idempotent. */
export class Reconciler {
  readonly #parts: ReconcilerParts;

  constructor(parts: ReconcilerParts) {
    this.#parts = parts;
  }

  /** @returns false where another round is running, in any process */
  async run(): Promise<boolean> {
    return await this.#parts.alone(async () => {
      let gone: number[] = [];
      await this.#step('processes', async () => {
        gone = await this.#parts.gone();
      });
      await this.#step('states of attempts', async () => void (await this.#parts.states.pinAll()));
      await this.#step('attempts', () => this.#recoverAttempts(gone));
      await this.#step('queue of starts', () => this.#recoverQueue(gone));
      await this.#step('engine', () => this.#compare(new Set(gone)));
      await this.#step('breaks', () => this.#parts.breaks.endOver());
      await this.#step('held containers', () => this.#parts.holds.follow());
      await this.#step('overdue attempts', () => this.#expireOverdue());
      await this.#step('sandboxes', () => this.#endSandboxes());
      await this.#step('replaced images', () => this.#parts.pool.dropReplacedImages());
      await this.#step('warm pool', () => this.#parts.pool.refill());
    });
  }

  /** A step that fails does not block the others. */
  async #step(name: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#parts.log.warn({ err: error }, `reconciling failed: ${name}`);
    }
  }

  async #recoverAttempts(gone: readonly number[]): Promise<void> {
    const { recovery, starts, containers, removals, log } = this.#parts;
    const { regraded, reservations } = await recovery.recover(gone, this.#makingSeconds);
    if (regraded > 0)
      log.warn({ attempts: regraded }, 'attempts with an interrupted grading were returned to progress');
    for (const { id } of reservations) {
      const container = await containers.byAttempt(id);
      // An attempt that has begun after all keeps its container.
      if ((await starts.drop(id)) && container) await removals.remove(container);
    }
  }

  /** Returns the starts of dead processes to their places. Some conditions for a start change with time alone, so the queue is woken. */
  async #recoverQueue(gone: readonly number[]): Promise<void> {
    const { queue, queueStore, containers, removals, limits, log } = this.#parts;
    for (const { id, process_id } of await queueStore.interrupted(gone)) {
      const container = await containers.byAttempt(id);
      if (container) await removals.remove(container);
      await queueStore.release(id, process_id);
    }
    const abandoned = await queueStore.abandonAbsent(limits.queueAbsenceMinutes);
    if (abandoned > 0) log.info({ attempts: abandoned }, 'queued attempts of absent users were abandoned');
    queue.wake();
  }

  async #compare(gone: ReadonlySet<number>): Promise<void> {
    const { engine, containers, installation, removals, lost, attempts, log } = this.#parts;
    // The engine is read first. A row is written before its container, so a container that has no row afterwards will never have one.
    const there = await engine.list();
    const rows = await containers.all();
    const now = (await installation.now()).getTime();
    const known = new Set(rows.flatMap(({ uid, lost_uid }) => [uid, lost_uid]));
    for (const container of there) {
      if (known.has(container.uid)) continue;
      log.warn({ container: container.name }, 'a container without a record is removed');
      await this.#each(container.name, () => engine.remove(container.ref));
    }
    const engineByUid = new Map(there.map((container) => [container.uid, container]));
    const settled = await attempts.settled(rows.flatMap((row) => (row.attempt_id === null ? [] : [row.attempt_id])));
    // What their attempts left is kept before, which takes a moment for each.
    const removing = rows.filter(({ status }) => status === 'removing');
    const removed = Promise.all(removing.map((row) => this.#each(row.name, () => removals.finish(row))));
    for (const row of rows) {
      if (row.status === 'removing') continue;
      await this.#each(row.name, async () => {
        if (this.#isGivenUp(row, { gone, settled, now })) await removals.removeUnused(row);
        else {
          if (row.lost_uid !== null) await lost.finish(row, gone);
          if (row.status !== 'creating') await this.#compareRow(row, engineByUid.get(row.uid));
        }
      });
    }
    await removed;
  }

  /** A container that fails does not block the others. */
  async #each(name: string, work: () => Promise<void>): Promise<void> {
    await work().catch((error: unknown) =>
      this.#parts.log.warn({ err: error, container: name }, 'a container could not be reconciled'),
    );
  }

  get #makingSeconds(): number {
    return makingSeconds + this.#parts.limits.setupSeconds;
  }

  #isGivenUp(
    row: ContainerRow,
    { gone, settled, now }: { gone: ReadonlySet<number>; settled: ReadonlySet<number>; now: number },
  ): boolean {
    if (row.kind === 'trial' && (row.expires_at?.getTime() ?? 0) < now) return true;
    // A container that replaces a lost one is not given up, because its attempt continues.
    const isBeingMade = (row.status === 'creating' && row.lost_uid === null) || row.status === 'warming';
    if ((isBeingMade || row.kind === 'trial') && gone.has(row.process_id ?? 0)) return true;
    if (isBeingMade) return now - row.created_at.getTime() > this.#makingSeconds * 1000;
    if (row.kind === 'sandbox' || row.kind === 'trial' || row.status === 'warm') return row.status === 'failed';
    return row.attempt_id === null || settled.has(row.attempt_id);
  }

  async #compareRow(row: ContainerRow, container: { ref: string; isRunning: boolean } | undefined): Promise<void> {
    const { engine, containers, removals, lost } = this.#parts;
    if (row.engine_ref === null || (container?.isRunning && row.status !== 'stopped')) return;
    // The list is a moment old, and shows containers that are just being created, started or stopped in their earlier state. Ask again.
    const current = await engine.inspect(row.engine_ref);
    if (current?.isRunning) {
      // A container that has filled its disk runs only while it is graded.
      if (row.status !== 'stopped' || row.full_at !== null) return;
      if (row.stop_reason === 'room') {
        // The process that was to stop it died first. Its user may have restarted it since.
        if ((await containers.byId(row.id))?.stop_reason === 'room') await engine.stop(current.ref);
        return;
      }
      // The process that started it died before it recorded that. Finish the start: otherwise nothing would stop it when it is idle.
      await engine.start(current.ref);
      await containers.setRunning(row.id, true);
      return;
    }
    if (!current) {
      if (row.status === 'running' && lost.replaces(row)) return lost.report(row.engine_ref);
      // An attempt without its container is settled when it is graded.
      const isOfAttempt = (row.kind === 'exam' || row.kind === 'laboratory') && row.status !== 'warm';
      if (!isOfAttempt) await removals.removeUnused(row);
    } else if (row.status === 'running' && row.kind === 'sandbox') {
      await containers.setRunning(row.id, false);
    } else if (row.status === 'running' || row.status === 'warm') {
      await engine.start(current.ref);
    }
  }

  async #expireOverdue(): Promise<void> {
    const { recovery, deadlines, limits } = this.#parts;
    await recovery.endForgotten(limits.sandboxMaxHours);
    // However many there are, no other step waits as long for them.
    await Promise.race([deadlines.expireOverdue(), delay(expiryPatience, undefined, { ref: false })]);
  }

  async #endSandboxes(): Promise<void> {
    const { containers, removals, engine, limits } = this.#parts;
    const { idle, old } = await containers.outdatedSandboxes(limits.sandboxIdleMinutes);
    for (const row of old) await this.#each(row.name, () => removals.remove(row));
    for (const row of idle) {
      await this.#each(row.name, async () => {
        await engine.stop(row.engine_ref ?? '');
        await containers.setRunning(row.id, false, 'idle');
      });
    }
  }
}
