import type { Transaction } from 'kysely';
import pg from 'pg';
import type { Tables } from '../tables.ts';
import type { Database } from './connect.ts';

const attempts = 4;

/**
 * A transaction that is repeated where PostgreSQL ended it because of a deadlock. Two that write rows with the same unique values in
 * different orders meet one, and the second finds the values of the first.
 * @param work has no effects outside the transaction
 */
export async function repeatedTransaction<T>(db: Database, work: (trx: Transaction<Tables>) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      if (attempt === attempts || !(error instanceof pg.DatabaseError) || error.code !== '40P01') throw error;
    }
  }
}
