import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedServer } from '../packages/embedded-postgres/embedded-server.ts';
import { setUpEngine } from '../src/adapters/docker/engine-setup.ts';
import { connectDatabase } from '../src/database/connection/connect.ts';
import { migrate } from '../src/database/migrate.ts';
import { addressOf, createDatabase, templateName } from '../test/database.ts';

/**
 * A PostgreSQL with the settings of the service (every commit is on disk before it is acknowledged), and the engine of this
 * machine.
 * @param settings further settings of PostgreSQL
 */
export async function prepareEnvironment(
  settings: Record<string, string> = {},
): Promise<AsyncDisposable & { databasePid: number }> {
  await using cleanup = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), 'platform-bench-'));
  cleanup.defer(() => rm(dataDir, { recursive: true, force: true }));
  const server = cleanup.use(await startEmbeddedServer({ dataDir, settings }));
  process.env['TEST_DATABASE_URL'] = server.connectionString;
  await createDatabase(templateName);
  const { db } = connectDatabase({
    address: addressOf(templateName),
    maxConnections: 1,
    statementTimeout: 60_000,
    acquireTimeout: 10_000,
    onError: () => {},
  });
  await migrate(db);
  await db.destroy();
  const engine = await setUpEngine({
    install: false,
    dockerHost: process.env['DOCKER_HOST'],
    dataDir,
    progress: () => {},
  });
  if ('reason' in engine) throw new Error(`The benchmarks need a container engine: ${engine.reason}`);
  process.env['DOCKER_HOST'] = engine.address;
  const held = cleanup.move();
  return { databasePid: server.pid, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN;
}

/** Milliseconds that some work takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

/** One line of the table in README.md: ours, the reference, their ratio and the bound it is held to. */
export function report(name: string, ours: number, reference: number, unit: string, bound: string): void {
  const ratio = ours / reference;
  process.stdout.write(
    `| ${name} | ${ours.toFixed(1)} ${unit} | ${reference.toFixed(1)} ${unit} | ${ratio.toFixed(2)} | ${bound} |\n`,
  );
}
