import { type RawBuilder, sql } from 'kysely';

/** How a user is called: by the full name, or else by the username. @param users the alias of the table */
export const shownName = (users = 'users'): RawBuilder<string> =>
  sql`coalesce(nullif(${sql.ref(`${users}.full_name`)}, ''), ${sql.ref(`${users}.username`)})`;
