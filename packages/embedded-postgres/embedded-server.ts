import { lstat, mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { chooseServerAccount, commandsOf } from './account.ts';
import { findEmbeddedBinaries } from './binaries.ts';
import { admitAccount, checkClusterVersion, chooseSocketFolder, createCluster } from './cluster.ts';
import {
  type EmbeddedAddress,
  findPostmaster,
  isPostmasterOf,
  type LaunchOptions,
  launchPostmaster,
  type Postmaster,
  stopPostmaster,
} from './postmaster.ts';
import { ServerPrograms } from './programs.ts';
import { lockDataFolder, ServiceRunningError } from './service-lock.ts';

export type EmbeddedServerOptions = {
  /** Absolute. The cluster is in its subfolder `postgres`. */
  dataDir: string;
  /** Called for slow steps and for a restart of the server. */
  progress?: (line: string) => void;
  /** Overrides of the server settings, such as `fsync: 'off'` in tests. */
  settings?: Record<string, string>;
  /** Use the server of a service that runs on this data folder instead of refusing. */
  isShared?: boolean;
  /** Called when a server was launched, before it answers. */
  onLaunch?: () => void;
};

export type EmbeddedServer = AsyncDisposable & {
  readonly address: EmbeddedAddress;
  /** The address as a URL, for `pg` and `psql`. */
  readonly connectionString: string;
  readonly version: string;
  readonly pid: number;
  /** Whether it was already running. */
  readonly isAdopted: boolean;
};

const defaultSettings = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '100',
  shared_buffers: '128MB',
  fsync: 'on',
  synchronous_commit: 'on',
  timezone: 'UTC',
  log_timezone: 'UTC',
};

/**
 * An embedded PostgreSQL from npm, as a child process that listens only on a private Unix socket. Creates the cluster at the first
 * start, adopts a server left by a killed service, and restarts a server that dies. Disposing stops it.
 * @throws ServiceRunningError if another process uses the data folder; any other Error has the remedy
 */
export async function startEmbeddedServer(options: EmbeddedServerOptions): Promise<EmbeddedServer> {
  const progress = options.progress ?? (() => {});
  await mkdir(options.dataDir, { recursive: true, mode: 0o700 }).catch((error: Error) => {
    throw new Error(`The data folder ${options.dataDir} cannot be made: ${error.message}`, { cause: error });
  });
  const dataDir = await realpath(options.dataDir);
  const clusterDir = join(dataDir, 'postgres');
  using acquired = new DisposableStack();
  try {
    acquired.use(lockDataFolder(dataDir));
  } catch (error) {
    const running =
      options.isShared && error instanceof ServiceRunningError ? await findPostmaster(clusterDir) : undefined;
    if (!running) throw error;
    return { ...describe(running), pid: running.pid, isAdopted: true, [Symbol.asyncDispose]: async () => {} };
  }

  const account = await chooseServerAccount(clusterDir);
  await admitAccount(dataDir, account);
  const binaries = await findEmbeddedBinaries(join(dataDir, 'postgres-lib'));
  const programs = new ServerPrograms(
    join(binaries.root, 'bin'),
    await commandsOf(account, binaries.environment, [join(binaries.root, 'bin', 'postgres'), dataDir]),
  );
  if (await exists(clusterDir)) {
    await checkClusterVersion(clusterDir, binaries.version);
  } else {
    progress(`making a PostgreSQL ${binaries.version} database in ${clusterDir}`);
    await createCluster(clusterDir, account, programs, { sync: options.settings?.fsync !== 'off' });
  }

  let running = await findPostmaster(clusterDir);
  if (running && running.version !== binaries.version) {
    progress(`PostgreSQL ${running.version} was left running; starting ${binaries.version} in its place`);
    await stopPostmaster(running.pid, clusterDir);
    running = undefined;
  }
  const socketDir = running?.address.host ?? (await chooseSocketFolder(clusterDir, account));
  const unix_socket_directories = `"${socketDir.replaceAll('"', '""')}"`;
  const launch = {
    clusterDir,
    socketDir,
    logPath: join(dataDir, 'postgres.log'),
    programs,
    settings: { ...defaultSettings, unix_socket_directories, ...options.settings },
  };
  const { onLaunch = () => {} } = options;
  const postmaster = running ?? (await launchPostmaster({ ...launch, onLaunch }));
  const supervisor = new Supervisor(postmaster, launch, progress);
  const held = acquired.move();
  return {
    ...describe(postmaster),
    get pid() {
      return supervisor.pid;
    },
    isAdopted: running !== undefined,
    [Symbol.asyncDispose]: async () => {
      await supervisor[Symbol.asyncDispose]();
      held.dispose();
    },
  };
}

function describe({ address, version }: Postmaster) {
  const connectionString = `postgresql://${address.user}@${encodeURIComponent(address.host)}:${address.port}/${address.database}`;
  return { address, connectionString, version };
}

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

const lookInterval = 500;

/**
 * Keeps a server running until disposal, which stops it. It polls the process, because an adopted server is not a child process
 * whose exit would be reported.
 */
class Supervisor implements AsyncDisposable {
  readonly #options: LaunchOptions;
  readonly #progress: (line: string) => void;
  readonly #abort = new AbortController();
  readonly #loop: Promise<void>;
  #pid: number;

  constructor(postmaster: Postmaster, options: LaunchOptions, progress: (line: string) => void) {
    this.#options = options;
    this.#progress = progress;
    this.#pid = postmaster.pid;
    this.#loop = this.#watch();
  }

  get pid(): number {
    return this.#pid;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#abort.abort();
    await this.#loop;
    await stopPostmaster(this.#pid, this.#options.clusterDir);
  }

  async #watch(): Promise<void> {
    const { signal } = this.#abort;
    while (!signal.aborted) {
      await delay(lookInterval, undefined, { signal, ref: false }).catch(() => {});
      if (signal.aborted || (await isPostmasterOf(this.#pid, this.#options.clusterDir))) continue;
      this.#progress(
        `PostgreSQL (process ${this.#pid}) has ended unexpectedly, starting it again; see ${this.#options.logPath}`,
      );
      try {
        this.#pid = (await launchPostmaster(this.#options)).pid;
      } catch (error) {
        this.#progress(error instanceof Error ? error.message : String(error));
        await delay(1_500, undefined, { signal, ref: false }).catch(() => {});
      }
    }
  }
}
