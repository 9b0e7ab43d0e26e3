import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../connection/connect.ts';
import {
  countedRows,
  countRows,
  cursorId,
  cut,
  isBackward,
  isWhole,
  type Listed,
  type Page,
  rowsToRead,
} from './keyset.ts';

export type ActivityFilter = {
  user_id?: number;
  actor_id?: number;
  type?: string;
  entity_type?: string;
  entity_id?: number;
};

/** Lists of the activity log by any filter, newest or oldest first. The cost of a page does not grow with the number of entries. */
export class ActivityList {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** The ids of a page. @param isOldestFirst turns the order of the list round */
  async page(filter: ActivityFilter, page: Page, isOldestFirst = false): Promise<Listed<number>> {
    const isAscending = isBackward(page) !== isOldestFirst;
    const edge = cursorId(page);
    const where = edge === undefined ? sql`true` : sql`id ${sql.raw(isAscending ? '>' : '<')} ${edge}`;
    const way = sql.raw(isAscending ? 'asc' : 'desc');
    const end = sql`order by id ${way} limit ${page.offset + rowsToRead(page)}`;
    const { rows } = await sql<{ id: number }>`select id::float8 from (${source(filter, where, end)}) as page
      order by page.id ${way} limit ${rowsToRead(page)} offset ${page.offset}`.execute(this.#db);
    const shown = cut(
      rows.map(({ id }) => id),
      page,
    );
    if (isWhole(page, shown)) return { ...shown, total: shown.rows.length };
    const all = source(filter, sql`true`, sql`limit ${countedRows + 1}`);
    return { ...shown, total: await countRows(this.#db, all) };
  }
}

function conditions(filter: ActivityFilter): RawBuilder<unknown> {
  const names = ['user_id', 'actor_id', 'type', 'entity_type', 'entity_id'] as const;
  const given = names.flatMap((name) => (filter[name] === undefined ? [] : [sql`${sql.ref(name)} = ${filter[name]}`]));
  return sql.join([sql`true`, ...given], sql` and `);
}

/**
 * The ids of the filter's entries in order, each part of it along one index. The log has few types, and few of them are about each type of
 * entity, so a filter without the first column of an index looks into the index once for each of its values.
 */
function source(filter: ActivityFilter, where: RawBuilder<unknown>, end: RawBuilder<unknown>): RawBuilder<unknown> {
  const all = sql`${conditions(filter)} and ${where}`;
  const { user_id, actor_id, type, entity_type, entity_id } = filter;
  const isDirect =
    user_id !== undefined || actor_id !== undefined || (entity_type !== undefined && entity_id !== undefined);
  const each = (column: 'type' | 'entity_type') =>
    sql`select found.id from (${valuesOf(column)}) as given cross join lateral (
      select id from activity_log where ${sql.ref(column)} = given.value and ${all} ${end}) as found`;
  if (!isDirect && entity_id !== undefined) return each('entity_type');
  if (!isDirect && entity_type !== undefined && type === undefined) return each('type');
  return sql`select id from activity_log where ${all} ${end}`;
}

/** The different values of a column, each by one look into its index. */
const valuesOf = (column: 'type' | 'entity_type'): RawBuilder<unknown> => sql`with recursive known (value) as (
  (select min(${sql.ref(column)}) from activity_log)
  union all
  select (select min(${sql.ref(column)}) from activity_log where ${sql.ref(column)} > known.value) from known where known.value is not null
) select value from known where value is not null`;
