import { Batch } from '../connection/batch.ts';
import { PreparedStatement, type StatementPool } from '../connection/prepared-statement.ts';
import { cursorId, cut, isBackward, type Listed, type Page, rowsToRead } from './keyset.ts';
import { type ListedUser, listedColumns, type UserFilter, type UserOrder } from './user-list.ts';

/** Rows that are skipped in the table. Further ones are skipped in an index alone, by another statement. */
const mostSkipped = 1000;
/** Pages in a statement. A page has up to 100 rows. */
const maxPages = 10;

type Key = { after: number; size: number; skipped: number };
type Read = { total: number; rows: ListedUser[] };
type PageRow = ListedUser & { place: number; total: number };

/** For each page of the batch the total and the rows. A page without rows has its total in a row without a user. */
const readPages = new PreparedStatement<[after: number[], sizes: number[], skipped: number[]], PageRow>(
  'pages_of_users',
  `select asked.place::integer, counted.total, shown.*
  from unnest($1::integer[], $2::integer[], $3::integer[]) with ordinality as asked (after, size, skipped, place)
  cross join (select coalesce(sum(count), 0)::int as total from (
    select count from user_counts union all select count from user_count_changes
  ) as counts) as counted
  left join lateral (
    select ${listedColumns} from users where users.id > asked.after order by users.id limit asked.size offset asked.skipped
  ) as shown on true
  order by asked.place, shown.id`,
);

/**
 * Pages of all users in the order of their ids. Concurrent requests share a statement, and those for the same page its rows. Planning such
 * a statement takes longer than running it, so it is prepared.
 */
export class UserPages {
  readonly #pages: Batch<Key, Read>;

  constructor(pool: StatementPool) {
    this.#pages = new Batch((keys) => read(pool, keys), maxPages);
  }

  /** Undefined for a page of another list, and for one that is far into the list. */
  of(filter: UserFilter, page: Page, order: UserOrder): Promise<Listed<ListedUser>> | undefined {
    const isOfAll = !filter.q && filter.role === undefined && filter.is_active === undefined;
    const isInOrder = order.by === 'id' && !order.isDescending && !isBackward(page);
    return isOfAll && isInOrder && page.offset <= mostSkipped ? this.#read(page) : undefined;
  }

  async #read(page: Page): Promise<Listed<ListedUser>> {
    const key = { after: cursorId(page) ?? 0, size: rowsToRead(page), skipped: page.offset };
    const { rows, total } = await this.#pages.get(key);
    return { ...cut(rows, page), total };
  }
}

async function read(pool: StatementPool, keys: readonly Key[]): Promise<Read[]> {
  const textOf = ({ after, size, skipped }: Key) => `${after} ${size} ${skipped}`;
  const different = [...new Map(keys.map((key) => [textOf(key), key])).values()];
  const valuesOf = (name: keyof Key) => different.map((key) => key[name]);
  const rows = await readPages.run(pool, valuesOf('after'), valuesOf('size'), valuesOf('skipped'));
  const pages = new Map<string, Read>(different.map((key) => [textOf(key), { total: 0, rows: [] }]));
  const inOrder = [...pages.values()];
  for (const row of rows) {
    const page = inOrder[row.place - 1];
    if (page === undefined) continue;
    page.total = row.total;
    if (row.id !== null) page.rows.push(row);
  }
  return keys.map((key) => pages.get(textOf(key)) ?? { total: 0, rows: [] });
}
