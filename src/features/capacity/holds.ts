import type { FastifyBaseLogger } from 'fastify';
import { CoalescingRunner } from '../../../packages/limits/coalescing-runner.ts';
import type { Peers } from '../../database/processes/peers.ts';
import { type ContainerEngine, ContainerNotRunningError, NoSuchContainerError } from '../../ports/container-engine.ts';
import type { HoldStore } from './hold-store.ts';
import type { ContainerStore } from './store.ts';

export type ContainerHoldsParts = {
  engine: Pick<ContainerEngine, 'freeze' | 'settle' | 'start' | 'stop' | 'list'>;
  store: Pick<HoldStore, 'frozen' | 'forbidden' | 'recordHeld'>;
  containers: Pick<ContainerStore, 'setRunning'>;
  peers: Pick<Peers, 'ask' | 'answer'>;
  log: FastifyBaseLogger;
};

/** Engine calls at once. */
const concurrency = 8;
const topic = 'settle-containers';
/** References in one question to the other processes, and milliseconds for their answers. */
const questions = { size: 100, patience: 6000 };

/**
 * Freezes the processes of containers in which nobody works now, and lets them continue afterwards. Stops the sandboxes of users whose exam
 * allows none. The records decide; a process that dies in between leaves the rest to the next round of the reconciler.
 */
export class ContainerHolds {
  readonly #parts: ContainerHoldsParts;
  readonly #rounds = new CoalescingRunner(() => this.#follow());

  constructor(parts: ContainerHoldsParts) {
    this.#parts = parts;
    parts.peers.answer(topic, async (refs) => {
      await parts.engine.settle(refs.split(' '));
      return 'settled';
    });
  }

  /** The same in the background. */
  followSoon(): void {
    this.follow().catch((error: unknown) =>
      this.#parts.log.warn({ err: error }, 'containers could not be frozen or released; the reconciler tries again'),
    );
  }

  /** Compares the engine with the records. Rounds of this process follow one another. @throws UnavailableError */
  async follow(): Promise<void> {
    await this.#rounds.run();
  }

  async #follow(): Promise<void> {
    const { engine, store, containers } = this.#parts;
    await this.#each(await store.forbidden(), async ({ id, ref }) => {
      await engine.stop(ref);
      await containers.setRunning(id, false, 'exam');
    });
    const wanted = await store.frozen();
    const there = await engine.list();
    const toFreeze = there.filter(({ ref, isRunning, isFrozen }) => isRunning && !isFrozen && wanted.has(ref));
    await this.#settleOthers(toFreeze.map(({ ref }) => ref));
    await this.#each(toFreeze, async ({ ref }) => {
      await engine.freeze(ref);
      await store.recordHeld([ref]);
    });
    // The process that froze it may have died before it recorded it.
    const standing = there.filter(({ ref, isFrozen }) => isFrozen && wanted.has(ref)).map(({ ref }) => ref);
    if (standing.length > 0) await store.recordHeld(standing);
    // The clocks may have been started again meanwhile, by another process.
    const now = await store.frozen();
    const frozen = [...there.filter(({ isFrozen }) => isFrozen), ...toFreeze];
    await this.#each(
      frozen.filter(({ ref }) => !now.has(ref)),
      ({ ref }) => engine.start(ref),
    );
  }

  /** No other process is starting a program in these containers now. One that does not answer in time is not waited for. */
  async #settleOthers(refs: readonly string[]): Promise<void> {
    for (let first = 0; first < refs.length; first += questions.size) {
      const some = refs.slice(first, first + questions.size);
      await this.#parts.peers.ask(topic, some.join(' '), questions.patience);
    }
  }

  /** A container that fails does not block the others. */
  async #each<One extends { name: string }>(containers: readonly One[], work: (one: One) => Promise<void>) {
    const left = [...containers];
    const next = async (): Promise<void> => {
      for (let one = left.shift(); one; one = left.shift()) {
        const { name } = one;
        await work(one).catch((error: unknown) => {
          // It has ended meanwhile.
          if (error instanceof NoSuchContainerError || error instanceof ContainerNotRunningError) return;
          this.#parts.log.warn({ err: error, container: name }, 'a container could not be frozen or released');
        });
      }
    };
    await Promise.all(Array.from({ length: concurrency }, next));
  }
}
