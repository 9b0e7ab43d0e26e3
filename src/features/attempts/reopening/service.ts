import { ConflictError, ServiceError, UnavailableError } from '../../../errors.ts';
import type { Caller } from '../../../http/access/access.ts';
import type { ContainerEngine } from '../../../ports/container-engine.ts';
import type { Provisioner } from '../../capacity/provisioner.ts';
import type { ContainerRemovals } from '../../capacity/removals.ts';
import type { Reserved } from '../../capacity/reservation-store.ts';
import type { ContainerRow } from '../../capacity/store.ts';
import type { EvidenceKeeper } from '../../evidence/keeper.ts';
import { restoreLayer } from '../../evidence/layer.ts';
import type { AttemptRow } from '../store.ts';
import type { ReopenStore } from './store.ts';

export type ReopeningParts = {
  store: ReopenStore;
  evidence: Pick<EvidenceKeeper, 'layer'>;
  provisioner: Pick<Provisioner, 'make'>;
  removals: Pick<ContainerRemovals, 'remove'>;
  engine: Pick<ContainerEngine, 'openCommand' | 'restart'>;
  /** Schedules the end of the attempt at its deadline. */
  onReopen: (attempt: AttemptRow) => void;
};

/**
 * Gives an ended attempt back to its student: a new container of the same image with the files that the attempt had left. Processes are not
 * restored: the container starts as a machine boots from its disk. Until the last step, the attempt has its results, and what fails or
 * dies leaves a container that the reconciler removes.
 */
export class Reopening {
  readonly #parts: ReopeningParts;

  constructor(parts: ReopeningParts) {
    this.#parts = parts;
  }

  /** @param minutes undefined: the time that was left. @throws see ReopenStore; UnavailableError where the container could not be made */
  async reopen(
    caller: Caller,
    id: number,
    minutes?: number,
  ): Promise<{ attempt: AttemptRow; containerId: number | null }> {
    const { store, removals, onReopen } = this.#parts;
    const reserved = await store.reserve(caller, id, minutes);
    const container = reserved && (await this.#restore(reserved, id));
    try {
      const attempt = await store.begin(caller, id, container?.id, minutes);
      onReopen(attempt);
      return { attempt, containerId: container?.id ?? null };
    } catch (error) {
      if (container) await removals.remove(container);
      throw error;
    }
  }

  /** Makes the container of an attempt with what it had left. @throws ConflictError, UnavailableError */
  async #restore(reserved: Reserved, id: number): Promise<ContainerRow> {
    const { evidence, provisioner, engine } = this.#parts;
    const prepare = async (ref: string) => void (await restoreLayer(engine, ref, await evidence.layer(id)));
    return await provisioner.make(reserved, { isUrgent: true, prepare }).catch((error: unknown) => {
      if (error instanceof ServiceError && ['image_missing', 'evidence_gone'].includes(error.code))
        throw new ConflictError(
          'evidence_gone',
          'The image of the machine, or what the attempt left on it, is not kept any more',
        );
      if (error instanceof ServiceError) throw error;
      throw new UnavailableError('setup_failed', 'The machine could not be restored', { retryAfter: 10, cause: error });
    });
  }
}
