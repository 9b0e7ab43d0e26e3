import type pg from 'pg';

/**
 * Runs work in one process at a time, however many share the database: whoever holds the advisory lock works, the others do
 * nothing. The lock goes with its connection, so that of a killed process too.
 * @param key one number for each kind of work
 * @returns false where somebody else is at it
 */
export async function runAlone(pool: pg.Pool, key: number, work: () => Promise<void>): Promise<boolean> {
  const client = await pool.connect();
  let error: Error | undefined;
  try {
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [key]);
    if (!rows[0]?.locked) return false;
    try {
      await work();
    } finally {
      await client.query('select pg_advisory_unlock($1)', [key]);
    }
    return true;
  } catch (cause) {
    error = cause instanceof Error ? cause : new Error(String(cause));
    throw error;
  } finally {
    // A connection that failed is not given back: the lock may still be on it.
    client.release(error);
  }
}
