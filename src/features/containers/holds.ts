import type { FastifyBaseLogger } from 'fastify';
import { type ContainerEngine, ContainerNotRunning, NoSuchContainer } from '../../ports/container-engine.ts';
import type { HoldStore } from './hold-store.ts';

export type ContainerHoldsParts = {
  engine: Pick<ContainerEngine, 'freeze' | 'start' | 'list'>;
  store: Pick<HoldStore, 'frozen'>;
  log: FastifyBaseLogger;
};

/** Engine calls at once. */
const concurrency = 8;

/**
 * Freezes the processes of containers while the clock of their attempt stands still, and lets them go on afterwards. The records decide;
 * a process that dies in between leaves the rest to the next round of the reconciler.
 */
export class ContainerHolds {
  readonly #parts: ContainerHoldsParts;
  #round: Promise<void> = Promise.resolve();

  constructor(parts: ContainerHoldsParts) {
    this.#parts = parts;
  }

  /** The same in the background. */
  followSoon(): void {
    this.follow().catch((error: unknown) =>
      this.#parts.log.warn({ err: error }, 'containers could not be frozen or released; the reconciler tries again'),
    );
  }

  /** Compares the engine with the records. Rounds of this process follow one another. @throws Unavailable */
  async follow(): Promise<void> {
    this.#round = this.#round.catch(() => undefined).then(() => this.#follow());
    await this.#round;
  }

  async #follow(): Promise<void> {
    const { engine, store } = this.#parts;
    const wanted = await store.frozen();
    const there = await engine.list();
    const toFreeze = there.filter(({ ref, isRunning, isFrozen }) => isRunning && !isFrozen && wanted.has(ref));
    await this.#each(toFreeze, (ref) => engine.freeze(ref));
    // The clocks may have been started again meanwhile, by another process.
    const now = await store.frozen();
    const frozen = [...there.filter(({ isFrozen }) => isFrozen), ...toFreeze];
    await this.#each(
      frozen.filter(({ ref }) => !now.has(ref)),
      (ref) => engine.start(ref),
    );
  }

  /** A container that fails does not block the others. */
  async #each(containers: readonly { ref: string; name: string }[], work: (ref: string) => Promise<void>) {
    const left = [...containers];
    const next = async (): Promise<void> => {
      for (let one = left.shift(); one; one = left.shift()) {
        const { ref, name } = one;
        await work(ref).catch((error: unknown) => {
          // It has ended meanwhile.
          if (error instanceof NoSuchContainer || error instanceof ContainerNotRunning) return;
          this.#parts.log.warn({ err: error, container: name }, 'a container could not be frozen or released');
        });
      }
    };
    await Promise.all(Array.from({ length: concurrency }, next));
  }
}
