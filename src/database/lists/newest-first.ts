import type { SelectQueryBuilder } from 'kysely';
import type { Tables } from '../tables.ts';
import { cursorId, isBackward, type Page, rowsToRead } from './keyset.ts';

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
