import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { NotFoundError, UnauthorizedError, UnavailableError } from '../../errors.ts';
import type { Tables } from '../tables.ts';
import { GatedPool } from './gated-pool.ts';
import { NamedStatements } from './named-statements.ts';

// Points have at most ten digits, two of them decimals: a number holds them exactly enough to print them.
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number);

export type Database = Kysely<Tables>;

/** The address of PostgreSQL: a connection string, or the socket folder of the embedded server. */
export type DatabaseAddress = { connectionString: string } | { host: string; user: string; database: string };

export type ConnectOptions = {
  address: DatabaseAddress;
  /** Maximum connections of this process. */
  maxConnections: number;
  /** Timeouts, in milliseconds, of one statement and of acquiring a connection. */
  statementTimeout: number;
  acquireTimeout: number;
  onError: (error: Error) => void;
};

const pgConfig = (address: DatabaseAddress): pg.PoolConfig => ({ ...address, application_name: 'learning-platform' });

/** Opens a pool. It connects at the first query. pg returns `-infinity` as the number -Infinity. */
export function connectDatabase(options: ConnectOptions): { db: Database; pool: GatedPool } {
  const pool = new GatedPool({
    ...pgConfig(options.address),
    max: options.maxConnections,
    connectionTimeoutMillis: options.acquireTimeout,
    idleTimeoutMillis: 60_000,
    statement_timeout: options.statementTimeout,
    // A hanging server does not enforce its own timeouts. With an active `ChangeFeed`, the pool is shut sooner.
    query_timeout: options.statementTimeout + 1000,
    keepAlive: true,
  });
  // The pool handles broken idle connections. Without a listener the error would end the process.
  pool.on('error', options.onError);
  // The same applies to a connection in use. Its holder gets the error from its statements.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const dialect = new PostgresDialect({ pool: new NamedStatements().over(pool) });
  return { db: new Kysely<Tables>({ dialect }), pool };
}

/** One connection outside the pool, for LISTEN. */
export function newClient(address: DatabaseAddress): pg.Client {
  return new pg.Client({ ...pgConfig(address), keepAlive: true, connectionTimeoutMillis: 5_000 });
}

/** The name of the constraint or unique index that a failed statement violated, if any. */
export function violatedConstraint(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError && error.code?.startsWith('23') ? error.constraint : undefined;
}

const lostCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN']);

/**
 * Maps a database failure to 503: connection lost, server starting or stopping (class 57P), out of connections or disk (class 53),
 * timeout. Undefined for any other error, which is a bug.
 */
export function databaseUnavailable(error: unknown): UnavailableError | undefined {
  // Thrown by the pool itself.
  if (error instanceof UnavailableError) return error;
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const isLost =
    lostCodes.has(code) ||
    // The server's socket does not exist. Other missing files are not database failures.
    (code === 'ENOENT' && 'syscall' in error && error.syscall === 'connect') ||
    /^(08|53|57P|58)/.test(code) ||
    code === '57014' ||
    // `timeout expired` is that of a single connection. A process that is busy for seconds meets it as well, such as one that starts.
    /^Connection terminated|^timeout expired$|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error/.test(
      error.message,
    );
  // PostgreSQL's code for ENOSPC.
  const detail =
    code === '53100' ? 'The database has no room left; nothing was saved' : 'The database is not available';
  return isLost ? new UnavailableError('database_unavailable', detail, { retryAfter: 5, cause: error }) : undefined;
}

/**
 * The error for a row that was deleted concurrently while a statement referred to it: 401 for the user, whose token is now invalid,
 * otherwise 404; undefined for any other error.
 */
export function deletedMeanwhile(error: unknown): UnauthorizedError | NotFoundError | undefined {
  if (!(error instanceof pg.DatabaseError) || error.code !== '23503') return undefined;
  const isUser = /_(user|actor)_id_fkey$/.test(error.constraint ?? '');
  return isUser
    ? new UnauthorizedError('unauthorized', 'Could not validate credentials')
    : new NotFoundError('not_found', 'Not Found');
}
