import type { FastifyBaseLogger } from 'fastify';
import { type ContainerEngine, NoSuchContainerError } from '../../ports/container-engine.ts';
import type { DiskStore, DiskUse, UsedContainer } from './disk-store.ts';

export type DiskGuardParts = {
  engine: Pick<ContainerEngine, 'filesInUse' | 'fileCounts' | 'layerSizes' | 'stop'>;
  store: Pick<DiskStore, 'usedByRef' | 'setFull'>;
  /** The limits of a container's own layer. */
  limits: Required<DiskUse>;
  /** Warns the users with a terminal in the container that the disk is nearly full. */
  warn: (containerId: number) => void;
  log: FastifyBaseLogger;
};

type Use = DiskUse & { ref: string };

/** The result of the last count of files. */
type Counted = {
  /** The lowest number of files that the storage had since the last count of every container's files. */
  inUse: number | undefined;
  /** The number of new files before one container can be near its limit. */
  room: number;
  restUntil: number;
};

/** The share of the limit from which the container's user is warned. */
const warnAt = 0.8;
/** The multiple of the limit from which a container is stopped at once. */
const stopAt = 2;
/** The minimum total of new files in all containers, as a share of the file limit, before each container is counted again. */
const leastRoom = 0.1;
/** A measurement that found no container over a limit is followed by a pause of this many times its duration. Many files make it slow. */
const restFactor = 10;

/**
 * Keeps containers from filling the engine's disk. It limits bytes where the engine's storage cannot, and files, which few storages limit.
 * It measures the containers, warns their users, and stops containers that stay over the limit until the next measurement. A container
 * stopped this way stays stopped.
 */
export class DiskGuard {
  readonly #parts: DiskGuardParts;
  readonly #now: () => number;
  /** Containers over a limit at the last measurement. */
  #large: ReadonlySet<number> = new Set();
  #many: ReadonlySet<number> = new Set();
  #counted: Counted | undefined;
  #restUntil = 0;

  constructor(parts: DiskGuardParts, now = () => performance.now()) {
    this.#parts = parts;
    this.#now = now;
  }

  /** One complete measurement. @throws UnavailableError */
  async check(): Promise<void> {
    // Files first: where there are too many, measuring the sizes of all containers does not finish in time.
    await this.#checkFiles();
    if (this.#now() >= this.#restUntil) await this.#checkSizes();
  }

  async #checkSizes(): Promise<void> {
    const begun = this.#now();
    let isCalm = true;
    try {
      this.#large = await this.#judge(this.#large, await this.#parts.engine.layerSizes());
      isCalm = this.#large.size === 0;
    } finally {
      this.#restUntil = this.#restAfter(begun, isCalm);
    }
  }

  async #checkFiles(): Promise<void> {
    const { engine, limits } = this.#parts;
    const inUse = await engine.filesInUse();
    if (inUse === 'unlimited') return;
    const more = this.#moreThanCounted(inUse);
    if (!this.#isCountDue(more)) return;
    const begun = this.#now();
    const counts = await engine.fileCounts(stopAt * limits.files);
    // While there are that many new files, a container whose files cannot be counted is assumed to have created them.
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

  /** How many more files the storage has than at the last count. Files deleted since then do not offset new ones. */
  #moreThanCounted(inUse: number | undefined): number | undefined {
    const counted = this.#counted;
    if (inUse === undefined || counted?.inUse === undefined) return undefined;
    counted.inUse = Math.min(counted.inUse, inUse);
    return inUse - counted.inUse;
  }

  /** Counting is expensive. It waits until all containers together have created so many files that one can be near its limit. */
  #isCountDue(more: number | undefined): boolean {
    const counted = this.#counted;
    if (!counted || this.#many.size > 0) return true;
    const hasRested = this.#now() >= counted.restUntil;
    if (more === undefined) return hasRested;
    // A container cannot extend the pause by making a count slow.
    return more >= this.#parts.limits.files || (hasRested && more >= counted.room);
  }

  #restAfter(begun: number, isCalm: boolean): number {
    const now = this.#now();
    return isCalm ? now + restFactor * (now - begun) : now;
  }

  /** @param before the containers that were over a limit at the last measurement. @returns those that are over it now */
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

  /** Records the stop first, so that the reason is available when the terminal ends. */
  async #stop({ id, name }: UsedContainer, ref: string, use: DiskUse): Promise<void> {
    const { engine, store, log } = this.#parts;
    if (!(await store.setFull(id, use))) return;
    log.warn({ container: name, ...use }, 'a container is too large and is stopped');
    await engine.stop(ref).catch((error: unknown) => {
      if (!(error instanceof NoSuchContainerError)) throw error;
    });
  }
}
