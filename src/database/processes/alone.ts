import type pg from 'pg';
import { type LockName, lockKey } from '../locks.ts';

/**
 * Runs work in one of the processes that share the database: the holder of the advisory lock. The others do nothing. The lock is
 * released with its connection, including that of a killed process.
 * @returns false if another process is running it
 */
export async function runAlone(pool: pg.Pool, name: LockName, work: () => Promise<void>): Promise<boolean> {
  const client = await pool.connect();
  let error: Error | undefined;
  try {
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
      lockKey(name),
    ]);
    if (!rows[0]?.locked) return false;
    try {
      await work();
    } finally {
      await client.query('select pg_advisory_unlock($1)', [lockKey(name)]);
    }
    return true;
  } catch (cause) {
    error = cause instanceof Error ? cause : new Error(String(cause));
    throw error;
  } finally {
    // A failed connection is not reused: it may still hold the lock.
    client.release(error);
  }
}
