import { sql } from 'kysely';

/** From this time on every token issued so far is refused, including one of the same millisecond. */
export const afterAllTokens = sql<Date>`greatest(date_trunc('milliseconds', clock_timestamp()), tokens_valid_from)
  + interval '1 millisecond'`;
