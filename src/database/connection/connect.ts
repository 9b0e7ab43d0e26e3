import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { NotFound, Unauthorized, Unavailable } from '../../errors.ts';
import type { Tables } from '../tables.ts';
import { GatedPool } from './gated-pool.ts';

export type Database = Kysely<Tables>;

/** Where PostgreSQL is: a connection string, or the socket folder of a server of our own. */
export type DatabaseAddress = { connectionString: string } | { host: string; user: string; database: string };

export type ConnectOptions = {
  address: DatabaseAddress;
  /** Most connections this process holds. */
  maxConnections: number;
  /** Milliseconds that one statement may run, and that a caller waits for a connection. */
  statementTimeout: number;
  acquireTimeout: number;
  onError: (error: Error) => void;
};

const pgConfig = (address: DatabaseAddress): pg.PoolConfig => ({ ...address, application_name: 'learning-platform' });

/** Opens a pool; nothing connects until the first query. `-infinity` arrives as the number -Infinity, by pg's own rule. */
export function connectDatabase(options: ConnectOptions): { db: Database; pool: GatedPool } {
  const pool = new GatedPool({
    ...pgConfig(options.address),
    max: options.maxConnections,
    connectionTimeoutMillis: options.acquireTimeout,
    idleTimeoutMillis: 60_000,
    statement_timeout: options.statementTimeout,
    // A server that hangs ends no statement itself. While somebody listens for its pulse (`ChangeFeed`) the pool is shut sooner.
    query_timeout: options.statementTimeout + 1000,
    keepAlive: true,
  });
  // An idle connection that breaks is the pool's affair; without a listener it would end the process.
  pool.on('error', options.onError);
  // So would one that breaks while somebody holds it; the holder is told by its own statements.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return { db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }), pool };
}

/** One connection outside the pool, for LISTEN. */
export function newClient(address: DatabaseAddress): pg.Client {
  return new pg.Client({ ...pgConfig(address), keepAlive: true, connectionTimeoutMillis: 5_000 });
}

/** The name of the constraint or unique index that a failed statement ran into, if that is why it failed. */
export function violatedConstraint(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError && error.code?.startsWith('23') ? error.constraint : undefined;
}

const lostCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN']);

/**
 * The 503 that a failing database is to a client: connection lost, server starting or stopping (class 57P), out of
 * connections or disk (class 53), time over; undefined where the error is something else, that is, a mistake of ours.
 */
export function databaseUnavailable(error: unknown): Unavailable | undefined {
  // The pool's own refusal.
  if (error instanceof Unavailable) return error;
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const isLost =
    lostCodes.has(code) ||
    // A server's socket that is not there; a file that is not there is no affair of the database.
    (code === 'ENOENT' && 'syscall' in error && error.syscall === 'connect') ||
    /^(08|53|57P|58)/.test(code) ||
    code === '57014' ||
    /^Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error/.test(
      error.message,
    );
  // ENOSPC, as PostgreSQL tells it.
  const detail =
    code === '53100' ? 'The database has no room left; nothing was saved' : 'The database is not available';
  return isLost ? new Unavailable('database_unavailable', detail, { retryAfter: 5, cause: error }) : undefined;
}

/**
 * What a client is told when a row that a statement referred to was deleted at the same moment: 401 where that row is the user,
 * whose token is worth nothing now, otherwise 404; undefined for any other error.
 */
export function deletedMeanwhile(error: unknown): Unauthorized | NotFound | undefined {
  if (!(error instanceof pg.DatabaseError) || error.code !== '23503') return undefined;
  const isUser = /_(user|actor)_id_fkey$/.test(error.constraint ?? '');
  return isUser
    ? new Unauthorized('unauthorized', 'Could not validate credentials')
    : new NotFound('not_found', 'Not Found');
}
