import { chmod, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedServer, startEmbeddedServer } from '../../packages/embedded-postgres/embedded-server.ts';
import { lockDataFolder } from '../../packages/embedded-postgres/service-lock.ts';
import { connectDatabase, type DatabaseAddress } from '../../src/database/connection/connect.ts';
import { migrate } from '../../src/database/migrate.ts';

/** A separate PostgreSQL with the schema of the service, which a test can stop, kill and freeze. */
export class OwnDatabase implements AsyncDisposable {
  readonly dataDir: string;
  readonly #settings: Record<string, string>;
  readonly #folder: string;
  readonly #lock: Disposable | undefined;
  #server: EmbeddedServer | undefined;
  #frozen: number[] = [];

  private constructor(parts: {
    dataDir: string;
    settings: Record<string, string>;
    folder: string;
    lock: Disposable | undefined;
  }) {
    this.dataDir = parts.dataDir;
    this.#settings = parts.settings;
    this.#folder = parts.folder;
    this.#lock = parts.lock;
  }

  /** @param dataDir an empty folder. By default a new one is created */
  static async start(options: { dataDir?: string; settings?: Record<string, string> } = {}): Promise<OwnDatabase> {
    const folder = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'learning-platform-tests-')));
    // Locked: otherwise another test run would remove the folder while the server is stopped.
    const lock = options.dataDir === undefined ? lockDataFolder(folder) : undefined;
    const dataDir = options.dataDir ?? join(folder, 'data');
    if (lock) {
      await mkdir(dataDir, { mode: 0o700 });
      // The account of the server must be able to enter.
      await chmod(folder, 0o711);
    }
    const database = new OwnDatabase({ dataDir, settings: options.settings ?? {}, folder, lock });
    try {
      await database.start();
      const { db } = connectDatabase({
        address: database.address,
        maxConnections: 1,
        statementTimeout: 60_000,
        acquireTimeout: 10_000,
        onError: () => {},
      });
      try {
        await migrate(db);
      } finally {
        await db.destroy();
      }
      return database;
    } catch (error) {
      await database[Symbol.asyncDispose]();
      throw error;
    }
  }

  get address(): DatabaseAddress {
    return { connectionString: this.#running.connectionString };
  }

  async start(): Promise<void> {
    this.#server = await startEmbeddedServer({ dataDir: this.dataDir, settings: this.#settings });
  }

  /** A regular stop: connections are closed, and everything is on disk. */
  async stop(): Promise<void> {
    await this.#server?.[Symbol.asyncDispose]();
    this.#server = undefined;
  }

  /** SIGKILL for its first process. The others end themselves. The supervisor restarts it immediately. */
  kill(): void {
    process.kill(this.#running.pid, 'SIGKILL');
  }

  /** Stops all its processes: connections stay open, the kernel accepts new ones, and there is no answer. */
  async freeze(): Promise<void> {
    const { pid } = this.#running;
    process.kill(pid, 'SIGSTOP');
    // A stopped process creates no children.
    this.#frozen = [pid, ...(await childrenOf(pid))];
    for (const one of this.#frozen) signal(one, 'SIGSTOP');
  }

  /** Stops the process of one connection. The others answer. @param pid as in `pg_stat_activity` */
  freezeConnection(pid: number): void {
    this.#frozen = [pid];
    signal(pid, 'SIGSTOP');
  }

  thaw(): void {
    for (const pid of this.#frozen.toReversed()) signal(pid, 'SIGCONT');
    this.#frozen = [];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.thaw();
    await this.stop();
    await rm(this.#folder, { recursive: true, force: true });
    this.#lock?.[Symbol.dispose]();
  }

  get #running(): EmbeddedServer {
    if (!this.#server) throw new Error('The database was stopped');
    return this.#server;
  }
}

async function childrenOf(parent: number): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const parents = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')));
  // After the name, which is in parentheses and can contain anything: the state, then the parent.
  return pids.filter((_, index) => Number(parents[index]?.split(') ').at(-1)?.split(' ')[1]) === parent).map(Number);
}

function signal(pid: number, name: 'SIGSTOP' | 'SIGCONT'): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has already ended.
  }
}
