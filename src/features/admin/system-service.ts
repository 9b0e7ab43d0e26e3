import { statfs } from 'node:fs/promises';
import type { Load } from '../../../packages/limits/concurrency-limiter.ts';
import type { EngineFacts } from '../../ports/container-engine.ts';
import type { SystemStore } from './system-store.ts';

export type SystemServiceParts = {
  store: SystemStore;
  /** The version of the service. */
  version: string;
  /** The data folder, whose disk usage is measured. */
  dataDir: string;
  engine: { about: () => Promise<EngineFacts>; problem: () => string | undefined };
  warmPool: { level: () => Promise<{ wanted: number; ready: number }> };
  grading: { load: () => Load };
  starts: { load: () => Load };
  terminals: { readonly openTerminals: number };
  presence: { living: () => Promise<number> };
  networkLimits: {
    /** The networks that had to wait last. */
    newest: () => Promise<{ network: string; limit_met: string; times: number; first_at: Date; last_at: Date }[]>;
  };
};

/** The state of the service, for administrators. State local to a process is that of the process that answers. */
export class SystemService {
  readonly #parts: SystemServiceParts;

  constructor(parts: SystemServiceParts) {
    this.#parts = parts;
  }

  async state() {
    const { version, store, warmPool, grading, starts, terminals, presence, networkLimits } = this.#parts;
    const [engine, database, backups, disk, warm, processes, networks] = await Promise.all([
      this.#engine(),
      store.facts(),
      store.backups(),
      this.#disk(),
      warmPool.level(),
      presence.living(),
      networkLimits.newest(),
    ]);
    return {
      service: {
        version,
        node_version: process.versions.node,
        uptime_seconds: Math.floor(process.uptime()),
        memory_bytes: process.memoryUsage.rss(),
        processes,
      },
      engine,
      database,
      backups,
      disk,
      warm_pool: warm,
      grading: grading.load(),
      container_starts: starts.load(),
      open_terminals: terminals.openTerminals,
      network_limits: networks,
    };
  }

  /** An engine that does not answer is a valid result. */
  async #engine() {
    try {
      return { is_reachable: true, problem: null, ...(await this.#parts.engine.about()) };
    } catch {
      const problem = this.#parts.engine.problem() ?? 'The container engine cannot be reached';
      return { is_reachable: false, problem, name: null, version: null };
    }
  }

  async #disk() {
    const { bsize, blocks, bavail } = await statfs(this.#parts.dataDir);
    return { total_bytes: bsize * blocks, free_bytes: bsize * bavail };
  }
}
