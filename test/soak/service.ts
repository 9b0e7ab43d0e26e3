import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import Docker from 'dockerode';
import pg from 'pg';
import { WebSocket } from 'ws';
import { findPostmaster } from '../../packages/embedded-postgres/postmaster.ts';
import { findEngine } from '../../src/adapters/docker/find-engine.ts';
import { freePort } from '../free-port.ts';
import { serviceProgram } from '../service-program.ts';

/** How many descriptors a process has of each kind, by the name of the kind: socket, pipe, eventpoll, ... */
export type Kinds = Record<string, number>;

/** What the service holds at one moment. */
export type Sample = {
  rssMb: number;
  heapMb: number;
  /** Open descriptors, without those of connections to the database, as their pool keeps some for a while, and those of threads. */
  descriptors: number;
  /** All open descriptors. */
  kinds: Kinds;
  /** Threads with an event loop. Those of password hashes and of screens are started when they are first needed. */
  threads: number;
  connections: number;
  /** On the engine, of this installation. */
  containers: number;
  containerRows: number;
  jobs: number;
  /** Milliseconds: the event loop's 99th percentile. */
  lag: number;
};

export const admin = { username: 'admin', email: 'admin@platform.example.com', password: 'the soak runs at night' };

/** The service as an operator runs it: a process, a data folder and a PostgreSQL of its own, on loopback. */
export class SoakedService implements AsyncDisposable {
  readonly base: string;
  readonly #child: ChildProcess;
  readonly #inspector: string;
  readonly #database: pg.Client;
  readonly #docker: Docker;
  readonly #prefix: string;
  readonly #dataDir: string;

  private constructor(parts: {
    base: string;
    child: ChildProcess;
    inspector: string;
    database: pg.Client;
    docker: Docker;
    prefix: string;
    dataDir: string;
  }) {
    this.base = parts.base;
    this.#child = parts.child;
    this.#inspector = parts.inspector;
    this.#database = parts.database;
    this.#docker = parts.docker;
    this.#prefix = parts.prefix;
    this.#dataDir = parts.dataDir;
  }

  /** @param containers the maximum number of containers */
  static async start(containers: number): Promise<SoakedService> {
    const engine = await findEngine({ dockerHost: process.env['DOCKER_HOST'] });
    if ('reason' in engine) throw new Error(`The soak needs a container engine: ${engine.reason}`);
    const dataDir = await mkdtemp(join(tmpdir(), 'platform-soak-'));
    const prefix = `soak${process.pid}-`;
    const settings = {
      DATA_DIR: dataDir,
      DATABASE_URL: '',
      PORT: `${await freePort()}`,
      ADMIN_PASSWORD: admin.password,
      CONTAINERS_MAX: `${containers}`,
      CONTAINER_NAME_PREFIX: prefix,
      CONTAINER_MEMORY_MB: '128',
      BCRYPT_COST: '10',
      // All come from one network.
      PEOPLE_PER_ADDRESS: '1000000',
      LOG_LEVEL: 'warn',
      TERMINAL_RESUME_SECONDS: '5',
    };
    const args = ['--inspect=127.0.0.1:0', serviceProgram, 'start', '--no-install'];
    const child = spawn(process.execPath, args, {
      env: { ...process.env, ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        output += chunk;
      });
    while (!/^ready .*http/m.test(output)) {
      if (child.exitCode !== null) throw new Error(`The service did not start:\n${output}`);
      await delay(50);
    }
    const base = /^ready .*(http\S+)/m.exec(output)?.[1] ?? '';
    const inspector = /ws:\/\/\S+/.exec(output)?.[0] ?? '';
    const postmaster = await findPostmaster(join(dataDir, 'postgres'));
    const database = new pg.Client({ ...postmaster?.address, application_name: 'soak' });
    await database.connect();
    return new SoakedService({ base, child, inspector, database, docker: new Docker(engine.options), prefix, dataDir });
  }

  /** @param collect whether garbage is collected first, so that only what is held counts */
  async sample(collect = false): Promise<Sample> {
    const { pid } = this.#child;
    if (collect) await this.#collectGarbage();
    const metrics = await download(`${this.base}/metrics`);
    const metric = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(metrics)?.[1]);
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    const { rows } = await this.#database.query<{ connections: number; rows: number; jobs: number }>(`select
      (select count(*)::int from pg_stat_activity where application_name = 'learning-platform' and backend_type = 'client backend') as connections,
      (select count(*)::int from containers) as rows, (select count(*)::int from jobs.job) as jobs`);
    const [counts] = rows;
    const kinds = await descriptorsByKind(pid ?? 0);
    const { loops, others } = withoutThreads(kinds);
    return {
      rssMb: Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024,
      heapMb: metric('nodejs_heap_size_used_bytes') / 1024 / 1024,
      descriptors: others - (counts?.connections ?? 0),
      kinds,
      threads: loops,
      connections: counts?.connections ?? 0,
      containers: (await this.#containers()).length,
      containerRows: counts?.rows ?? 0,
      jobs: counts?.jobs ?? 0,
      lag: 1000 * metric('nodejs_eventloop_lag_p99_seconds'),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#database.end();
    if (this.#child.exitCode === null) {
      this.#child.kill('SIGTERM');
      await once(this.#child, 'exit');
    }
    for (const { Id } of await this.#containers()) {
      await this.#docker
        .getContainer(Id)
        .remove({ force: true, v: true })
        .catch(() => undefined);
    }
    await rm(this.#dataDir, { recursive: true, force: true });
  }

  async #containers(): Promise<{ Id: string }[]> {
    return await this.#docker.listContainers({ all: true, filters: { name: [this.#prefix] } });
  }

  async #collectGarbage(): Promise<void> {
    const socket = new WebSocket(this.#inspector);
    await once(socket, 'open');
    socket.send(JSON.stringify({ id: 1, method: 'HeapProfiler.collectGarbage' }));
    await once(socket, 'message');
    socket.close();
    await once(socket, 'close');
  }
}

async function descriptorsByKind(pid: number): Promise<Kinds> {
  const folder = `/proc/${pid}/fd`;
  const targets = await Promise.all(
    // A descriptor can be closed between the two calls.
    (await readdir(folder)).map((name) => readlink(join(folder, name)).catch(() => undefined)),
  );
  const kinds: Kinds = {};
  for (const target of targets) {
    if (target === undefined) continue;
    const kind = /^anon_inode:\[(.+)\]$/.exec(target)?.[1] ?? /^(\w+):\[\d+\]$/.exec(target)?.[1] ?? target;
    kinds[kind] = (kinds[kind] ?? 0) + 1;
  }
  return kinds;
}

/** Each event loop has an epoll instance, an io_uring, an event and a pipe with two ends. */
function withoutThreads(kinds: Kinds): { loops: number; others: number } {
  const loops = kinds['eventpoll'] ?? 0;
  const all = Object.values(kinds).reduce((sum, count) => sum + count, 0);
  return { loops, others: all - 5 * loops };
}

/** On a connection of its own, which ends with it. */
async function download(url: string): Promise<string> {
  const [answer] = (await once(get(url, { agent: false }), 'response')) as [IncomingMessage];
  return await text(answer);
}
