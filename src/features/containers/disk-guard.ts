import type { FastifyBaseLogger } from 'fastify';
import { type ContainerEngine, NoSuchContainer } from '../../ports/container-engine.ts';
import type { ContainerStore, UsedContainer } from './store.ts';

export type DiskGuardParts = {
  engine: Pick<ContainerEngine, 'layerSizes' | 'stop'>;
  store: Pick<ContainerStore, 'usedByRef' | 'setFull'>;
  /** Bytes that the own layer of a container may have. */
  limit: number;
  /** Tells whoever has a terminal there that the disk is nearly full. */
  warn: (containerId: number) => void;
  log: FastifyBaseLogger;
};

/** Of the limit, from which on the container's user is warned. */
const warnAt = 0.8;
/** Of the limit, from which on nothing is waited for. */
const stopAt = 2;
/** The guard rests at least so many times as long as a look took: a container with a million files makes it long. */
const restFactor = 10;

/**
 * Keeps containers from filling the engine's disk where its storage cannot limit them: looks how large they are, warns, and stops
 * those that stay beyond the limit until the next look. A container that was stopped so stays stopped.
 */
export class DiskGuard {
  readonly #parts: DiskGuardParts;
  #over = new Set<number>();
  #restUntil = 0;

  constructor(parts: DiskGuardParts) {
    this.#parts = parts;
  }

  /** One look at all. @throws Unavailable */
  async look(): Promise<void> {
    const begun = performance.now();
    if (begun < this.#restUntil) return;
    try {
      await this.#look();
    } finally {
      const end = performance.now();
      this.#restUntil = end + restFactor * (end - begun);
    }
  }

  async #look(): Promise<void> {
    const { engine, store, limit, warn, log } = this.#parts;
    const large = (await engine.layerSizes()).filter(({ bytes }) => bytes > warnAt * limit);
    const over = new Set<number>();
    const used = await store.usedByRef(large.map(({ ref }) => ref));
    for (const { ref, bytes } of large) {
      const container = used.get(ref);
      if (!container) continue;
      const { id, name, full_at } = container;
      if (bytes > limit) over.add(id);
      const isStubborn = this.#over.has(id) || bytes > stopAt * limit;
      if (full_at !== null || (bytes > limit && isStubborn)) {
        await this.#stop(container, ref, bytes).catch((err: unknown) =>
          log.warn({ err, container: name }, 'a container that is too large could not be stopped'),
        );
      } else warn(id);
    }
    this.#over = over;
  }

  /** It is recorded first: whatever its end tells a terminal, the reason is there. */
  async #stop({ id, name }: UsedContainer, ref: string, bytes: number): Promise<void> {
    const { engine, store, log } = this.#parts;
    if (!(await store.setFull(id, bytes))) return;
    log.warn({ container: name, bytes }, 'a container is too large and is stopped');
    await engine.stop(ref).catch((error: unknown) => {
      if (!(error instanceof NoSuchContainer)) throw error;
    });
  }
}
