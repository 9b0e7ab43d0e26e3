import type { FastifyBaseLogger } from 'fastify';
import { type ContainerEngine, NoSuchContainer } from '../../ports/container-engine.ts';
import type { DiskStore, DiskUse, UsedContainer } from './disk-store.ts';

export type DiskGuardParts = {
  engine: Pick<ContainerEngine, 'filesInUse' | 'fileCounts' | 'layerSizes' | 'stop'>;
  store: Pick<DiskStore, 'usedByRef' | 'setFull'>;
  /** What the own layer of a container may have. */
  limits: Required<DiskUse>;
  /** Tells whoever has a terminal there that the disk is nearly full. */
  warn: (containerId: number) => void;
  log: FastifyBaseLogger;
};

type Use = DiskUse & { ref: string };

/** What the last count of files has found. */
type Counted = {
  /** Files that the storage had when those of every container were known last, or fewer since. */
  inUse: number | undefined;
  /** How many more there may be before one container can be near its limit. */
  room: number;
  restUntil: number;
};

/** Of the limit, from which on the container's user is warned. */
const warnAt = 0.8;
/** Of the limit, from which on nothing is waited for. */
const stopAt = 2;
/** Of the limit of files: how many more all containers together may have made before each one's are counted again, at least. */
const leastRoom = 0.1;
/** A look that found nobody over a limit is not repeated before so many times as long as it took: many files make it long. */
const restFactor = 10;

/**
 * Keeps containers from filling the engine's disk, with bytes where its storage cannot limit them, or with files, which few storages limit: looks
 * how large they are, warns, and stops those that stay beyond the limit until the next look. A container that was stopped so stays stopped.
 */
export class DiskGuard {
  readonly #parts: DiskGuardParts;
  readonly #now: () => number;
  /** Those that were over a limit at the last look. */
  #large: ReadonlySet<number> = new Set();
  #many: ReadonlySet<number> = new Set();
  #counted: Counted | undefined;
  #restUntil = 0;

  constructor(parts: DiskGuardParts, now = () => performance.now()) {
    this.#parts = parts;
    this.#now = now;
  }

  /** One look at all. @throws Unavailable */
  async look(): Promise<void> {
    // Files first: where they are too many, the sizes of all containers are not had in time.
    await this.#lookAtFiles();
    if (this.#now() >= this.#restUntil) await this.#lookAtSizes();
  }

  async #lookAtSizes(): Promise<void> {
    const begun = this.#now();
    let isCalm = true;
    try {
      this.#large = await this.#judge(this.#large, await this.#parts.engine.layerSizes());
      isCalm = this.#large.size === 0;
    } finally {
      this.#restUntil = this.#restAfter(begun, isCalm);
    }
  }

  async #lookAtFiles(): Promise<void> {
    const { engine, limits } = this.#parts;
    const inUse = await engine.filesInUse();
    if (inUse === 'unlimited') return;
    const more = this.#moreThanCounted(inUse);
    if (!this.#isCountDue(more)) return;
    const begun = this.#now();
    const counts = await engine.fileCounts(stopAt * limits.files);
    // One that does not let its files be counted while there are so many more is taken for the one that makes them.
    const hidden = more !== undefined && more >= limits.files ? limits.files + 1 : 0;
    const uses = counts.map(({ ref, files = hidden }) => ({ ref, files }));
    this.#many = await this.#judge(this.#many, uses);
    const most = Math.max(0, ...uses.map(({ files }) => files));
    const isWhole = counts.every(({ files }) => files !== undefined);
    this.#counted = {
      inUse: isWhole ? inUse : (this.#counted?.inUse ?? inUse),
      room: Math.max(warnAt * limits.files - most, leastRoom * limits.files),
      restUntil: this.#restAfter(begun, this.#many.size === 0),
    };
  }

  /** How many files more the storage has than at the last count; what was deleted since is no room for new ones. */
  #moreThanCounted(inUse: number | undefined): number | undefined {
    const counted = this.#counted;
    if (inUse === undefined || counted?.inUse === undefined) return undefined;
    counted.inUse = Math.min(counted.inUse, inUse);
    return inUse - counted.inUse;
  }

  /** Counting is a lot of work, so it waits until all containers together have made so many files that one can be near its limit. */
  #isCountDue(more: number | undefined): boolean {
    const counted = this.#counted;
    if (!counted || this.#many.size > 0) return true;
    const hasRested = this.#now() >= counted.restUntil;
    if (more === undefined) return hasRested;
    // Nobody gains a longer while by making a count long.
    return more >= this.#parts.limits.files || (hasRested && more >= counted.room);
  }

  #restAfter(begun: number, isCalm: boolean): number {
    const now = this.#now();
    return isCalm ? now + restFactor * (now - begun) : now;
  }

  /** @param before the containers that were over a limit at the last look. @returns those that are over it now */
  async #judge(before: ReadonlySet<number>, uses: readonly Use[]): Promise<Set<number>> {
    const { store, limits, warn, log } = this.#parts;
    const shareOf = ({ bytes = 0, files = 0 }: DiskUse) => Math.max(bytes / limits.bytes, files / limits.files);
    const large = uses.filter((use) => shareOf(use) > warnAt);
    const used = await store.usedByRef(large.map(({ ref }) => ref));
    const over = new Set<number>();
    for (const { ref, ...use } of large) {
      const container = used.get(ref);
      if (!container) continue;
      const { id, name, full_at } = container;
      const share = shareOf(use);
      if (share > 1) over.add(id);
      if (full_at !== null || share >= stopAt || (share > 1 && before.has(id))) {
        await this.#stop(container, ref, use).catch((err: unknown) =>
          log.warn({ err, container: name }, 'a container that is too large could not be stopped'),
        );
      } else warn(id);
    }
    return over;
  }

  /** It is recorded first: whatever its end tells a terminal, the reason is there. */
  async #stop({ id, name }: UsedContainer, ref: string, use: DiskUse): Promise<void> {
    const { engine, store, log } = this.#parts;
    if (!(await store.setFull(id, use))) return;
    log.warn({ container: name, ...use }, 'a container is too large and is stopped');
    await engine.stop(ref).catch((error: unknown) => {
      if (!(error instanceof NoSuchContainer)) throw error;
    });
  }
}
