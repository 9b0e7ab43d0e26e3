import { sql, type Transaction } from 'kysely';
import type { Tables } from './tables.ts';

/**
 * Locks a user before the tokens of that user are revoked. A token that is issued at the same time is then either older than
 * `afterAllTokens`, or not issued: its transaction shares the lock.
 */
export async function lockTokens(trx: Transaction<Tables>, userId: number): Promise<void> {
  await trx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
}

/** From this time on every token issued so far is refused, including one of the same millisecond. */
export const afterAllTokens = sql<Date>`greatest(date_trunc('milliseconds', clock_timestamp()), tokens_valid_from)
  + interval '1 millisecond'`;
