import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../connection/connect.ts';
import { plannedRows } from './planned-rows.ts';

/** Matches a text anywhere, with its special characters escaped. */
const likePattern = (text: string): string => `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;

/** Whether the username, the address or the full name contains a text, in any case. The expression is that of the index `users_text`. */
export const userMatches = (text: string): RawBuilder<boolean> => sql<boolean>`
  lower(users.username || E'\n' || users.email || E'\n' || coalesce(users.full_name, '')) like ${likePattern(text)}`;

/** The users whom a text matches; undefined if there are more than `limit`. */
export async function usersMatching(db: Database, text: string, limit: number): Promise<number[] | undefined> {
  const { rows } = await sql<{
    id: number;
  }>`select id from users where ${userMatches(text)} limit ${limit + 1}`.execute(db);
  return rows.length > limit ? undefined : rows.map(({ id }) => id);
}

/** The part of all users that a text matches, as PostgreSQL expects it. */
export async function shareOfUsers(db: Database, text: string): Promise<number> {
  const all = await plannedRows(db, sql`select from users`);
  const found = await plannedRows(db, sql`select from users where ${userMatches(text)}`);
  return Math.min(1, found / Math.max(1, all));
}
