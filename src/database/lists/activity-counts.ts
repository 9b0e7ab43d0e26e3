import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../connection/connect.ts';

/** What is counted of the activity log: filters of these fields have exact totals at any size. */
export type ActivityFacets = { type?: string | undefined; entity_type?: string | undefined };
/** Entries of one type about one type of entity; '' for those about none. */
export type ActivityGroup = { type: string; entity_type: string; count: number };
export type ActivityBlock = { block: number; count: number };

/** Stands for the whole table. */
const allBlocks = -1;

function matching({ type, entity_type }: ActivityFacets): RawBuilder<boolean> {
  const conditions = [sql`true`];
  if (type !== undefined) conditions.push(sql`type = ${type}`);
  if (entity_type !== undefined) conditions.push(sql`entity_type = ${entity_type}`);
  return sql`${sql.join(conditions, sql` and `)}`;
}

export async function activityGroups(db: Database, facets: ActivityFacets): Promise<ActivityGroup[]> {
  const { rows } = await sql<ActivityGroup>`
    select type, entity_type, sum(count)::int as count from (
      select type, entity_type, count from activity_counts where block = ${allBlocks}
      union all select type, entity_type, count from activity_count_changes
    ) as counts
    where ${matching(facets)} group by 1, 2 having sum(count) > 0`.execute(db);
  return rows;
}

/** The blocks of ids with such entries, newest first. */
export async function activityBlocks(db: Database, facets: ActivityFacets): Promise<ActivityBlock[]> {
  const { rows } = await sql<ActivityBlock>`
    select block, sum(count)::int as count from (
      select block, type, entity_type, count from activity_counts where block <> ${allBlocks}
      union all select block, type, entity_type, count from activity_count_changes
    ) as counts
    where ${matching(facets)} group by block having sum(count) > 0 order by block desc`.execute(db);
  return rows;
}
