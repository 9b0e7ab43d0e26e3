import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Database } from '../connection/connect.ts';
import type { Tables } from '../tables.ts';

/** A place in a list: the key of a row, and whether the page follows or precedes it. */
export type Cursor = { way: 'after' | 'before'; key: readonly (string | number)[] };

/** The rows that a request asks for: by their number, or next to a row. With a cursor, `offset` is 0. */
export type Page = { limit: number; offset: number; cursor?: Cursor };

/** The order of a list: the field that it is sorted by, and the direction. Rows with equal values are in the order of their ids. */
export type Order<Field extends string> = { by: Field; isDescending: boolean };

/** A page of a list, in its order. */
export type Listed<Row> = {
  rows: Row[];
  /** The rows of the whole list; of a longer one than `countedRows` at least one more than these. */
  total: number;
  hasPrevious: boolean;
  hasNext: boolean;
};

/** Lists of at most this many rows have an exact total. Counting so many entries of an index takes about a millisecond. */
export const countedRows = 10_000;

/** The number of rows, where more than `countedRows` are not counted. @param rows a statement */
export const boundedCount = (rows: RawBuilder<unknown>): RawBuilder<{ total: number }> =>
  sql`select count(*)::int as total from (select from (${rows}) as rows limit ${countedRows + 1}) as counted`;

/** The same, as it is now. */
export async function countRows(db: Database, rows: RawBuilder<unknown>): Promise<number> {
  return (await boundedCount(rows).execute(db)).rows[0]?.total ?? 0;
}

/** A list with all its conditions, and its order, in which no two rows are equal. */
export type ListParts = Record<'columns' | 'from' | 'order', RawBuilder<unknown>>;

/** Reads a page of a list, and counts all its rows: for lists that stay short. */
export async function readList<Row>(
  db: Database,
  { columns, from, order }: ListParts,
  { limit, offset }: Page,
): Promise<{ rows: Row[]; total: number }> {
  const { rows } = await sql<Row>`select ${columns} from ${from}
    order by ${order} limit ${limit} offset ${offset}`.execute(db);
  const counted = await sql<{ total: number }>`select count(*)::int as total from ${from}`.execute(db);
  return { rows, total: counted.rows[0]?.total ?? 0 };
}

/** A page is read with one row more, which shows whether there is a next page. */
export const rowsToRead = (page: Page): number => page.limit + 1;

/** Whether rows are read against the order of the list, from the cursor back. */
export const isBackward = (page: Page): boolean => page.cursor?.way === 'before';

/** Drops the additional row of `rowsToRead`. @param read rows in the order in which they were read */
export function cut<Row>(read: readonly Row[], page: Page): Omit<Listed<Row>, 'total'> {
  const rows = read.slice(0, page.limit);
  const hasMore = read.length > page.limit;
  if (isBackward(page)) return { rows: rows.reverse(), hasPrevious: hasMore, hasNext: true };
  return { rows, hasPrevious: page.cursor !== undefined || page.offset > 0, hasNext: hasMore };
}

/** Whether a page is the whole list, whose total is then known. */
export const isWhole = (page: Page, { hasNext }: { hasNext: boolean }): boolean =>
  page.offset === 0 && page.cursor === undefined && !hasNext;

/** The id in a cursor of a list in the order of ids. */
export const cursorId = (page: Page): number | undefined =>
  page.cursor === undefined ? undefined : Number(page.cursor.key[0]);

/** Selects a page of rows, newest first: the highest ids. `cut` makes the page of what this reads. */
export function inOrderOfIds<From extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, From, Row>,
  id: 'attempts.id' | 'activity_log.id',
  page: Page,
): SelectQueryBuilder<Tables, From, Row> {
  // The compiler cannot know that the tables of the query contain the column.
  const rows = query as unknown as SelectQueryBuilder<Tables, 'attempts', Row>;
  const column = id as 'attempts.id';
  const isBack = isBackward(page);
  const read = rows
    .$if(page.cursor !== undefined, (all) => all.where(column, isBack ? '>' : '<', cursorId(page) ?? 0))
    .orderBy(column, isBack ? 'asc' : 'desc')
    .limit(rowsToRead(page))
    .offset(page.offset);
  return read as unknown as SelectQueryBuilder<Tables, From, Row>;
}
