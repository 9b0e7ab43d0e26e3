import { type RawBuilder, type Selectable, sql } from 'kysely';
import { ConflictError } from '../../errors.ts';
import type { Database } from '../connection/connect.ts';
import type { AttemptsTable } from '../tables.ts';
import { type Access, type AttemptSelection, someAttempts } from './attempt-source.ts';
import { cut, isBackward, type Listed, type Order, type Page, rowsToRead } from './keyset.ts';

export type AttemptSort = 'started_at' | 'username' | 'title' | 'status' | 'score';
/** The fields without an index. */
type SortedField = Exclude<AttemptSort, 'started_at'>;

/** A list with more rows is not sorted by a field without an index. */
export const sortedRows = 20_000;

/** @throws ConflictError for so many rows */
export function checkSortable(rows: number): void {
  if (rows <= sortedRows) return;
  const help = 'choose fewer by a filter, or the usual order';
  throw new ConflictError(
    'too_long_to_sort',
    `A list of more than ${sortedRows} rows cannot be sorted by this field; ${help}`,
  );
}

/** Characters of a title that are compared. A cursor has them. */
const titleLength = 100;
/** An attempt without a score is below all others. */
export const noScore = -1;

const expressions: Record<SortedField, RawBuilder<unknown>> = {
  username: sql`lower(users.username)`,
  title: sql`lower(left(attempts.title, ${sql.lit(titleLength)}))`,
  status: sql`attempts.status`,
  score: sql`coalesce(attempts.score, ${sql.lit(noScore)})`,
};

type Sortable = Pick<Selectable<AttemptsTable>, 'id' | 'started_at' | 'title' | 'status' | 'score'> & {
  username: string;
};

/** The values of attempts in cursors. */
const values: Record<AttemptSort, (row: Sortable) => string | number> = {
  started_at: ({ started_at }) => started_at.toISOString(),
  username: ({ username }) => username,
  title: ({ title }) => Array.from(title).slice(0, titleLength).join(''),
  status: ({ status }) => status,
  score: ({ score }) => score ?? noScore,
};

/** The key of an attempt in the cursors of its list. */
export const attemptKey =
  (by: AttemptSort) =>
  (row: Sortable): (string | number)[] => [by, values[by](row), row.id];

/** The attempts after the cursor, or before it. */
function beyond({ cursor }: Page, { by, isDescending }: Order<SortedField>): RawBuilder<unknown> {
  if (cursor === undefined) return sql`true`;
  const sign = sql.raw(isDescending === (cursor.way === 'before') ? '>' : '<');
  const [, value, id] = cursor.key;
  const place =
    by === 'score' ? sql`${value}::numeric` : by === 'status' ? sql`${value}::text` : sql`lower(${value}::text)`;
  return sql`(${expressions[by]}, attempts.id) ${sign} (${place}, ${id}::int)`;
}

/**
 * A page of a selection in another order than that of the starts. All of its attempts are read, so their number is limited.
 * @throws ConflictError if they are too many
 */
export async function sortedAttempts(
  db: Database,
  selection: AttemptSelection,
  access: Access,
  page: Page,
  order: Order<SortedField>,
): Promise<Listed<number>> {
  const all = someAttempts(selection, access, sortedRows + 1);
  const names = order.by === 'username' ? sql`join users on users.id = attempts.user_id` : sql``;
  const way = sql.raw(order.isDescending === isBackward(page) ? 'asc' : 'desc');
  const { rows } = await sql<{ total: number; ids: number[] }>`with selected as materialized (${all})
    select (select count(*) from selected)::int as total, array(
      select attempts.id from selected join attempts on attempts.id = selected.id ${names} where ${beyond(page, order)}
      order by ${expressions[order.by]} ${way}, attempts.id ${way} limit ${rowsToRead(page)} offset ${page.offset}
    ) as ids`.execute(db);
  const { total = 0, ids = [] } = rows[0] ?? {};
  checkSortable(total);
  return { ...cut(ids, page), total };
}
