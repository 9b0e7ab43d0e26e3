import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../connection/connect.ts';
import type { Role } from '../tables.ts';

/** What is counted of users. */
export type UserFacets = { role?: Role; is_active?: boolean };

export function facetConditions({ role, is_active }: UserFacets): RawBuilder<boolean> {
  const conditions = [sql`true`];
  if (role !== undefined) conditions.push(sql`role = ${role}`);
  if (is_active !== undefined) conditions.push(sql`is_active = ${is_active}`);
  return sql`${sql.join(conditions, sql` and `)}`;
}

/** The counts as they are kept, and the changes that are not yet added to them. */
export const userCounts = sql`
  (select role, is_active, count from user_counts union all select role, is_active, count from user_count_changes)`;

export async function userGroups(db: Database, facets: UserFacets): Promise<{ role: Role; count: number }[]> {
  const { rows } = await sql<{ role: Role; count: number }>`
    select role, sum(count)::int as count from ${userCounts} as counts
    where ${facetConditions(facets)} group by role`.execute(db);
  return rows;
}
