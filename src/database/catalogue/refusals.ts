import type { Transaction } from 'kysely';
import { type Database, violatedConstraint } from '../connection/connect.ts';
import type { Tables } from '../tables.ts';

/** What to throw where a statement violates a constraint, by the constraint's name. */
export type Refusals = Readonly<Record<string, () => Error>>;

/** Does work in a transaction. @throws the error that stands for a constraint that it violates */
export async function inTransaction<T>(
  db: Database,
  refusals: Refusals,
  work: (trx: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  try {
    return await db.transaction().execute(work);
  } catch (error) {
    throw refusals[violatedConstraint(error) ?? '']?.() ?? error;
  }
}
