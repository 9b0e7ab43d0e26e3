import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { itLong } from '../../test/rounds.ts';
import { type EmbeddedServer, type EmbeddedServerOptions, startEmbeddedServer } from './embedded-server.ts';

const isRoot = process.getuid?.() === 0;

describe('embedded server', () => {
  let root: string;
  let dataDir: string;
  let cleanups: (() => void | Promise<void>)[];
  /** A data folder with a new cluster, for tests of an existing one. */
  let prepared: string;

  before(async () => {
    prepared = await mkdtemp(join(tmpdir(), 'embedded-server-'));
    await using _server = await startEmbeddedServer({ dataDir: prepared, settings: { fsync: 'off' } });
  });
  after(() => rm(prepared, { recursive: true, force: true }));

  beforeEach(async () => {
    // Only its owner may enter this folder. If that is root, the server's user must still be able to traverse it.
    root = await mkdtemp(join(tmpdir(), 'embedded-server-'));
    dataDir = join(root, 'data');
    cleanups = [];
  });
  afterEach(async () => {
    for (const cleanup of cleanups.reverse()) await cleanup();
    await rm(root, { recursive: true, force: true });
  });

  async function start(options: Partial<EmbeddedServerOptions> = {}) {
    const server = await startEmbeddedServer({ dataDir, settings: { fsync: 'off' }, ...options });
    cleanups.push(async () => await server[Symbol.asyncDispose]());
    return server;
  }

  /** Copies with `cp`, which preserves file owners. */
  const copyPrepared = () => void execFileSync('cp', ['-a', prepared, dataDir]);

  /** A service in a separate process, which prints the server's process id and keeps running until the test kills it. */
  async function startElsewhere(waitFor: 'ready' | 'making'): Promise<{ service: ChildProcess; pid: number }> {
    const script = `
      const { startEmbeddedServer } = await import(${JSON.stringify(new URL('embedded-server.ts', import.meta.url).href)});
      const progress = (line) => console.log(line.split(' ')[0]);
      const server = await startEmbeddedServer({ dataDir: ${JSON.stringify(dataDir)}, progress, settings: { fsync: 'off' } });
      console.log('ready', server.pid);
      setInterval(() => {}, 1000);`;
    const service = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    cleanups.push(() => void service.kill('SIGKILL'));
    for await (const line of createInterface({ input: service.stdout })) {
      if (line.startsWith(waitFor)) return { service, pid: Number(line.split(' ')[1]) };
    }
    throw new Error('the service ended early');
  }

  async function kill(process: ChildProcess): Promise<void> {
    process.kill('SIGKILL');
    await once(process, 'exit');
  }

  it('keeps its data after a stop, and starts without a recovery', async () => {
    const lines: string[] = [];
    const first = await start({ progress: (line) => lines.push(line) });
    assert.equal(first.isAdopted, false);
    assert.match(lines.join(), /^making a PostgreSQL 18/);
    await query(first, 'CREATE TABLE kept (n int)');
    await query(first, 'INSERT INTO kept VALUES (42)');
    await first[Symbol.asyncDispose]();
    await assert.rejects(query(first, 'SELECT 1'), /ENOENT|ECONNREFUSED/);

    const second = await start();
    const log = await readFile(join(dataDir, 'postgres.log'), 'utf8');
    assert.match(log, /database system was shut down at/);
    assert.doesNotMatch(log, /not properly shut down|recovery/);
    assert.deepEqual(await query(second, 'SELECT n FROM kept'), [{ n: 42 }]);
  });

  itLong('uses UTF-8, UTC and page checksums, and listens only on a private socket', async () => {
    const server = await start({ settings: {} });
    const names = ['server_encoding', 'TimeZone', 'data_checksums', 'listen_addresses', 'fsync', 'synchronous_commit'];
    const shown = await Promise.all(
      names.map(async (name) => Object.values((await query(server, `SHOW "${name}"`))[0] ?? {})[0]),
    );
    assert.deepEqual(shown, ['UTF8', 'UTC', 'on', '', 'on', 'on']);
    const cluster = await stat(join(dataDir, 'postgres'));
    assert.equal(cluster.mode & 0o777, 0o700);
    assert.equal(cluster.uid === 0, false);
    assert.equal((await stat(dataDir)).mode & 0o007, 0);
    const bySocketUrl = new pg.Client({ connectionString: server.connectionString });
    await bySocketUrl.connect();
    await bySocketUrl.end();
  });

  it('adopts the server of a killed service, and stops it at the end', async () => {
    copyPrepared();
    const { service, pid } = await startElsewhere('ready');
    await kill(service);
    const server = await start();
    assert.equal(server.isAdopted, true);
    assert.equal(server.pid, pid);
    assert.deepEqual(await query(server, 'SELECT 1 AS one'), [{ one: 1 }]);
    await server[Symbol.asyncDispose]();
    assert.match(await readFile(join(dataDir, 'postgres.log'), 'utf8'), /received smart shutdown request/);
    await assert.rejects(stat(join(dataDir, 'postgres', 'postmaster.pid')), { code: 'ENOENT' });
  });

  it('recovers what was committed before the server was killed', async () => {
    copyPrepared();
    const { service, pid } = await startElsewhere('ready');
    const other = await start({ isShared: true });
    await query(other, 'CREATE TABLE committed AS SELECT 7 AS n');
    await kill(service);
    process.kill(pid, 'SIGKILL');
    const server = await start();
    assert.equal(server.isAdopted, false);
    assert.deepEqual(await query(server, 'SELECT n FROM committed'), [{ n: 7 }]);
  });

  it('restarts a crashed server at the same address', async () => {
    copyPrepared();
    const lines: string[] = [];
    const server = await start({ progress: (line) => lines.push(line) });
    await query(server, 'CREATE TABLE committed AS SELECT 7 AS n');
    const before = server.pid;
    process.kill(before, 'SIGKILL');
    await waitFor(() => server.pid !== before);
    assert.deepEqual(await query(server, 'SELECT n FROM committed'), [{ n: 7 }]);
    assert.match(lines.at(-1) ?? '', /ended unexpectedly/);
  });

  it('refuses a second service on the same folder and reports the first', async () => {
    copyPrepared();
    await start();
    await assert.rejects(
      startEmbeddedServer({ dataDir }),
      new RegExp(`already running on .* \\(process ${process.pid}\\)`),
    );
    const { service } = await startElsewhere('ready').then(
      () => assert.fail('a second service started'),
      () => ({ service: undefined }),
    );
    assert.equal(service, undefined);
  });

  itLong('shares a running server with commands, which leave it running', async () => {
    copyPrepared();
    const server = await start();
    const shared = await startEmbeddedServer({ dataDir, isShared: true });
    assert.equal(shared.pid, server.pid);
    await shared[Symbol.asyncDispose]();
    assert.deepEqual(await query(server, 'SELECT 1 AS one'), [{ one: 1 }]);
  });

  itLong('leaves no partial cluster after a killed first start', async () => {
    const { service } = await startElsewhere('making');
    await kill(service);
    const server = await start();
    assert.deepEqual(await query(server, 'SELECT 1 AS one'), [{ one: 1 }]);
    assert.deepEqual(
      (await readdir(dataDir)).filter((name) => name.startsWith('postgres.new')),
      [],
    );
  });

  itLong('works in a path with spaces and quotes, and in one too long for a socket', async () => {
    const spaced = await start({ dataDir: join(root, `with space, "quotes" and 'more' ü`) });
    assert.deepEqual(await query(spaced, 'SELECT 1 AS one'), [{ one: 1 }]);
    const long = await start({ dataDir: join(root, 'long'.repeat(30)) });
    assert.deepEqual(await query(long, 'SELECT 1 AS one'), [{ one: 1 }]);
    assert.equal((await stat(long.address.host)).mode & 0o777, 0o700);
    cleanups.unshift(() => rm(long.address.host, { recursive: true, force: true }));
  });

  itLong('detects that a process id was reused', async () => {
    copyPrepared();
    const server = await start();
    await server[Symbol.asyncDispose]();
    const pidFile = join(dataDir, 'postgres', 'postmaster.pid');
    await writeFile(
      pidFile,
      `${process.pid}\n${join(dataDir, 'postgres')}\n0\n5432\n${join(dataDir, 'postgres')}\n\n\nready   \n`,
    );
    const again = await start();
    assert.equal(again.isAdopted, false);
  });

  it('reports both versions and the solution for data of another PostgreSQL version', async () => {
    copyPrepared();
    const server = await start();
    await server[Symbol.asyncDispose]();
    await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '17\n');
    await assert.rejects(
      startEmbeddedServer({ dataDir }),
      /created by PostgreSQL 17. This release includes PostgreSQL 18.*DATABASE_URL/s,
    );
  });

  itLong("reports the server's output when it cannot start", async () => {
    copyPrepared();
    const server = await start();
    await server[Symbol.asyncDispose]();
    await rm(join(dataDir, 'postgres', 'global'), { recursive: true });
    await assert.rejects(startEmbeddedServer({ dataDir }), /could not be started[\s\S]*pg_control|pg_filenode/);
    // The failed start has released the folder.
    await assert.rejects(startEmbeddedServer({ dataDir }), /could not be started/);
  });

  it('reports a full disk', { skip: !isRoot && 'mounting a small disk takes root' }, async () => {
    await mkdir(dataDir);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m,mode=0700', 'tmpfs', dataDir]);
    cleanups.push(() => void execFileSync('umount', [dataDir]));
    await assert.rejects(startEmbeddedServer({ dataDir }), /disk is full/);
  });
});

async function query(server: EmbeddedServer, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(server.address);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

async function waitFor(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 90_000;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error('the condition did not come true in time');
    await delay(20);
  }
}
