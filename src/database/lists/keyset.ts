/** A place in a list: the key of a row, and whether the page follows or precedes it. */
export type Cursor = { way: 'after' | 'before'; key: readonly (string | number)[] };

/** The rows that a request asks for: by their number, or next to a row. With a cursor, `offset` is 0. */
export type Page = { limit: number; offset: number; cursor?: Cursor };

/** A page of a list, in its order. */
export type Listed<Row> = {
  rows: Row[];
  /** The rows of the whole list. */
  total: number;
  /** Whether `total` is an estimate. An estimate is only given where there are more rows than `countedRows`. */
  isEstimated?: boolean;
  hasPrevious: boolean;
  hasNext: boolean;
};

/** Lists of at most this many rows always have an exact total. */
export const countedRows = 10_000;

/** A page is read with one row more, which shows whether there is a next page. */
export const rowsToRead = (page: Page): number => page.limit + 1;

/** Whether rows are read against the order of the list, from the cursor back. */
export const isBackward = (page: Page): boolean => page.cursor?.way === 'before';

/** Drops the additional row of `rowsToRead`. @param read rows in the order in which they were read */
export function cut<Row>(read: readonly Row[], page: Page): Omit<Listed<Row>, 'total' | 'isEstimated'> {
  const rows = read.slice(0, page.limit);
  const hasMore = read.length > page.limit;
  if (isBackward(page)) return { rows: rows.reverse(), hasPrevious: hasMore, hasNext: true };
  return { rows, hasPrevious: page.cursor !== undefined || page.offset > 0, hasNext: hasMore };
}

/** The id in a cursor of a list in the order of ids. */
export const cursorId = (page: Page): number | undefined =>
  page.cursor === undefined ? undefined : Number(page.cursor.key[0]);
