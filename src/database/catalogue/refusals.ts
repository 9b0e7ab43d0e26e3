import type { Transaction } from 'kysely';
import { ConflictError } from '../../errors.ts';
import { type Database, violatedConstraint } from '../connection/connect.ts';
import type { Tables } from '../tables.ts';

/** Maps the name of a violated constraint to the error to throw. */
export type Refusals = Readonly<Record<string, () => Error>>;

/** Of what names a container image. */
export const imageRefusals: Refusals = {
  container_image_usable: () =>
    new ConflictError('image_not_usable', 'The container image was removed, or has not passed its examination'),
};

/** Runs work in a transaction. @throws the error mapped to a violated constraint */
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
