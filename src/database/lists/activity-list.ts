import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../connection/connect.ts';
import { blockBits } from './attempt-counts.ts';
import { countedRows, cursorId, cut, isBackward, isWhole, type Listed, type Page, rowsToRead } from './keyset.ts';
import { plannedRows } from './planned-rows.ts';

export type ActivityFilter = {
  user_id?: number;
  actor_id?: number;
  type?: string;
  entity_type?: string;
  entity_id?: number;
};

/** From this row on, a page starts at the block of ids in which it lies. */
const manyRows = 5000;

/** Lists of the activity log by any filter, newest or oldest first. The cost of a page does not grow with the number of entries. */
export class ActivityList {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** The ids of a page. @param isOldestFirst turns the order of the list round */
  async page(filter: ActivityFilter, page: Page, isOldestFirst = false): Promise<Listed<number>> {
    const groups = await activityGroups(this.#db, filter);
    const isAscending = isBackward(page) !== isOldestFirst;
    const place = await this.#place(filter, page.offset, isOldestFirst);
    const edge = cursorId(page) ?? place?.edge;
    const skipped = place?.skipped ?? page.offset;
    const where = edge === undefined ? sql`true` : sql`id ${sql.raw(isAscending ? '>' : '<')} ${edge}`;
    const way = sql.raw(isAscending ? 'asc' : 'desc');
    const end = sql`order by id ${way} limit ${skipped + rowsToRead(page)}`;
    const { rows } = await sql<{ id: number }>`select id::float8 from (${source(filter, groups, where, end)}) as page
      order by page.id ${way} limit ${rowsToRead(page)} offset ${skipped}`.execute(this.#db);
    const shown = cut(
      rows.map(({ id }) => id),
      page,
    );
    if (isWhole(page, shown)) return { ...shown, total: shown.rows.length };
    return { ...shown, ...(await this.#total(filter, groups)) };
  }

  /** Where a page far into the list starts: beyond an id in the direction of the list, after some more rows. */
  async #place(
    filter: ActivityFilter,
    offset: number,
    isOldestFirst: boolean,
  ): Promise<{ edge: number; skipped: number } | undefined> {
    if (offset < manyRows || !isCounted(filter)) return undefined;
    let left = offset;
    const blocks = await activityBlocks(this.#db, filter);
    for (const { block, count } of isOldestFirst ? blocks.reverse() : blocks) {
      const edge = isOldestFirst ? block * 2 ** blockBits - 1 : (block + 1) * 2 ** blockBits;
      if (left < count) return { edge, skipped: left };
      left -= count;
    }
    return { edge: isOldestFirst ? Number.MAX_SAFE_INTEGER : 0, skipped: 0 };
  }

  /** Exact, except for long lists that are filtered by more than what is counted. */
  async #total(filter: ActivityFilter, groups: readonly ActivityGroup[]): Promise<{ total: number }> {
    if (isCounted(filter)) return { total: groups.reduce((sum, { count }) => sum + count, 0) };
    const some = source(filter, groups, sql`true`, sql`limit ${countedRows + 1}`);
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from (select from (${some}) as found limit ${countedRows + 1}) as counted`.execute(
      this.#db,
    );
    const counted = rows[0]?.count ?? 0;
    if (counted <= countedRows) return { total: counted };
    const planned = await plannedRows(this.#db, sql`select from activity_log where ${conditions(filter)}`);
    return { total: Math.max(counted, planned) };
  }
}

const isCounted = ({ user_id, actor_id, entity_id }: ActivityFilter): boolean =>
  user_id === undefined && actor_id === undefined && entity_id === undefined;

function conditions(filter: ActivityFilter): RawBuilder<unknown> {
  const names = ['user_id', 'actor_id', 'type', 'entity_type', 'entity_id'] as const;
  const given = names.flatMap((name) => (filter[name] === undefined ? [] : [sql`${sql.ref(name)} = ${filter[name]}`]));
  return sql.join([sql`true`, ...given], sql` and `);
}

/**
 * The ids of the filter's entries in order, each part of it along one index. The log has few types, and few of them are about each type of
 * entity, so a filter without the first column of an index looks into the index once for each of its values.
 */
function source(
  filter: ActivityFilter,
  groups: readonly ActivityGroup[],
  where: RawBuilder<unknown>,
  end: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const all = sql`${conditions(filter)} and ${where}`;
  const { user_id, actor_id, type, entity_type, entity_id } = filter;
  const isDirect =
    user_id !== undefined || actor_id !== undefined || (entity_type !== undefined && entity_id !== undefined);
  const each = (column: 'type' | 'entity_type') => {
    const values = [...new Set(groups.map((group) => group[column]))];
    return sql`select found.id from unnest(${values}::text[]) as given (value) cross join lateral (
      select id from activity_log where ${sql.ref(column)} = given.value and ${all} ${end}) as found`;
  };
  if (!isDirect && entity_id !== undefined) return each('entity_type');
  if (!isDirect && entity_type !== undefined && type === undefined) return each('type');
  return sql`select id from activity_log where ${all} ${end}`;
}

/** What is counted of the activity log: filters of these fields have exact totals at any size. */
type ActivityFacets = { type?: string | undefined; entity_type?: string | undefined };
/** Entries of one type about one type of entity; '' for those about none. */
type ActivityGroup = { type: string; entity_type: string; count: number };
type ActivityBlock = { block: number; count: number };

/** Stands for the whole table. */
const allBlocks = -1;

function matching({ type, entity_type }: ActivityFacets): RawBuilder<boolean> {
  const conditions = [sql`true`];
  if (type !== undefined) conditions.push(sql`type = ${type}`);
  if (entity_type !== undefined) conditions.push(sql`entity_type = ${entity_type}`);
  return sql`${sql.join(conditions, sql` and `)}`;
}

async function activityGroups(db: Database, facets: ActivityFacets): Promise<ActivityGroup[]> {
  const { rows } = await sql<ActivityGroup>`
    select type, entity_type, sum(count)::int as count from (
      select type, entity_type, count from activity_counts where block = ${allBlocks}
      union all select type, entity_type, count from activity_count_changes
    ) as counts
    where ${matching(facets)} group by 1, 2 having sum(count) > 0`.execute(db);
  return rows;
}

/** The blocks of ids with such entries, newest first. */
async function activityBlocks(db: Database, facets: ActivityFacets): Promise<ActivityBlock[]> {
  const { rows } = await sql<ActivityBlock>`
    select block, sum(count)::int as count from (
      select block, type, entity_type, count from activity_counts where block <> ${allBlocks}
      union all select block, type, entity_type, count from activity_count_changes
    ) as counts
    where ${matching(facets)} group by block having sum(count) > 0 order by block desc`.execute(db);
  return rows;
}
