import { setTimeout as delay } from 'node:timers/promises';
import { startEmbeddedServer } from '../../packages/embedded-postgres/embedded-server.ts';
import type { Config } from '../config.ts';
import {
  connectDatabase,
  type Database,
  type DatabaseAddress,
  databaseUnavailable,
  newClient,
} from '../database/connection/connect.ts';
import { migrate } from '../database/migrate.ts';
import type { CommandContext } from './run-command.ts';
import { type Report, secondsSince, toOutput } from './steps.ts';

const patience = 30_000;
/** What the bundled server allows in any case. */
const usualConnections = 100;
const migrationTimeout = 60 * 60_000;

export type OpenDatabase = AsyncDisposable & { address: DatabaseAddress };

export type DatabaseOpening = {
  report: Report;
  /** Whether a server that a running service holds is acceptable. */
  isShared: boolean;
  stop: AbortSignal;
  /** The connections that a bundled server must allow. */
  connections?: number;
  /** Called when nothing remains but to wait for the server. */
  onLaunch?: () => void;
};

/**
 * Returns the configured database once it answers. Without one, starts the bundled server if it is not running.
 */
export async function openDatabase(
  { database, dataDir }: Config,
  { report, isShared, stop, connections = 0, onLaunch = () => {} }: DatabaseOpening,
): Promise<OpenDatabase> {
  const begin = performance.now();
  if (database.url !== undefined) {
    const address = { connectionString: database.url };
    onLaunch();
    const version = await waitForDatabase(address, report, stop);
    report('database', `PostgreSQL ${version} at ${withoutSecrets(database.url)}`);
    return { address, [Symbol.asyncDispose]: async () => {} };
  }
  const settings = connections > usualConnections ? { settings: { max_connections: `${connections}` } } : {};
  const progress = (line: string) => report('database', line);
  const server = await startEmbeddedServer({ dataDir, isShared, progress, onLaunch, ...settings });
  const how = server.isAdopted ? 'running already' : `ready in ${secondsSince(begin)}`;
  report('database', `PostgreSQL ${server.version} of our own in ${dataDir}/postgres, ${how}`);
  return { address: server.address, [Symbol.asyncDispose]: async () => await server[Symbol.asyncDispose]() };
}

/** Migrates and reports what was done. */
export async function bringUpToDate(address: DatabaseAddress, report: Report): Promise<void> {
  const begin = performance.now();
  await withDatabase(address, async (db) => {
    const applied = await migrate(db);
    report('migrations', applied.length > 0 ? `${applied.join(', ')} in ${secondsSince(begin)}` : 'up to date');
  });
}

/** Brings the configured database up to date, and works on it. A service may be running on it. */
export async function withCurrentDatabase<T>(
  { config, stop }: CommandContext,
  work: (db: Database, address: DatabaseAddress) => Promise<T>,
): Promise<T> {
  await using database = await openDatabase(config, { report: toOutput, isShared: true, stop });
  await bringUpToDate(database.address, toOutput);
  return await withDatabase(database.address, (db) => work(db, database.address));
}

/** Holds a few connections for the duration of some work. */
export async function withDatabase<T>(address: DatabaseAddress, work: (db: Database) => Promise<T>): Promise<T> {
  const { db } = connectDatabase({
    address,
    maxConnections: 2,
    statementTimeout: migrationTimeout,
    acquireTimeout: 10_000,
    onError: () => {},
  });
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}

/** Waits for a database that starts at the same time as this process. @returns its version */
async function waitForDatabase(address: DatabaseAddress, report: Report, stop: AbortSignal): Promise<string> {
  // From the first failure on: a start that loads its modules on a slow machine can use up the time of the first attempt itself.
  let deadline: number | undefined;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await askVersion(address);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      deadline ??= Date.now() + patience;
      if (databaseUnavailable(error) === undefined || Date.now() > deadline) {
        throw new Error(`The database of DATABASE_URL cannot be used: ${reason || 'no connection'}`, { cause: error });
      }
      if (attempt === 0) report('database', `waiting for the database of DATABASE_URL (${reason || 'no connection'})`);
      await delay(500, undefined, { signal: stop });
    }
  }
}

export async function askVersion(address: DatabaseAddress): Promise<string> {
  const client = newClient(address);
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ server_version: string }>('SHOW server_version');
    return rows[0]?.server_version ?? '';
  } finally {
    await client.end();
  }
}

/** The URL for display, without password and parameters. */
export function withoutSecrets(url: string): string {
  if (!URL.canParse(url)) return 'the server of DATABASE_URL';
  const { host, pathname } = new URL(url);
  return `${decodeURIComponent(host) || 'localhost'}${pathname}`;
}
