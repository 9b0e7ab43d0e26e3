import { LRUCache } from 'lru-cache';
import { Batch } from '../connection/batch.ts';
import { PreparedStatement, type StatementPool } from '../connection/prepared-statement.ts';
import { cursorId, cut, isBackward, type Listed, type Page, rowsToRead } from './keyset.ts';
import { type ListedUser, listedColumns, type UserFilter, type UserOrder } from './user-list.ts';

/** Rows that are skipped, in an index alone. A statement for many pages must not skip more. */
const mostSkipped = 10_000;
/** Pages in a statement. A page has up to 100 rows. */
const maxPages = 10;
/** Users that are kept, less than a kilobyte each. */
const maxKept = 5000;

type Key = { after: number; size: number; skipped: number };
type Read = { total: number; rows: ListedUser[] };
type PageRow = ListedUser & { place: number; total: number; version: string };
type Asked = [after: number[], sizes: number[], skipped: number[]];

/** The ids of a page in their order, each with the transaction that has written its row last, which identifies the content of the row. */
const pageOf = (
  columns: string,
): string => `unnest($1::integer[], $2::integer[], $3::integer[]) with ordinality as asked (after, size, skipped, place)
  cross join (select coalesce(sum(count), 0)::int as total from (
    select count from user_counts union all select count from user_count_changes
  ) as counts) as counted
  left join lateral (
    select row.* from (
      select users.id from users where users.id > asked.after order by users.id limit asked.size offset asked.skipped
    ) as place cross join lateral (select ${columns} from users where users.id = place.id offset 0) as row
  ) as shown on true`;

const readVersions = new PreparedStatement<Asked, { place: number; total: number; versions: string | null }>(
  'versions_of_users',
  `select asked.place::integer, counted.total, string_agg(shown.id || ' ' || shown.version, ',' order by shown.id) as versions
  from ${pageOf('users.id, users.xmin as version')} group by 1, 2`,
);

/** For each page of the batch the total and the rows. A page without rows has its total in a row without a user. */
const readPages = new PreparedStatement<Asked, PageRow>(
  'pages_of_users',
  `select asked.place::integer, counted.total, shown.*
  from ${pageOf(`${listedColumns}, users.xmin::text as version`)} order by asked.place, shown.id`,
);

/**
 * Pages of all users in the order of their ids. Concurrent requests share a statement, and those for the same page its rows. Planning such
 * a statement takes longer than running it, so it is prepared. Rows are kept: what a request reads first is which rows the page has, and
 * which transaction has written each of them. A row that has not changed is the same object again.
 */
export class UserPages {
  readonly #pool: StatementPool;
  readonly #pages: Batch<Key, Read>;
  /** By id and version. */
  readonly #kept = new LRUCache<string, ListedUser>({ max: maxKept });

  constructor(pool: StatementPool) {
    this.#pool = pool;
    this.#pages = new Batch(async (keys) => {
      const different = new Map(keys.map((key) => [textOf(key), key]));
      const known = await this.#known([...different.values()]);
      const unknown = [...different.values()].filter((_, index) => known[index] === undefined);
      const read = unknown.length > 0 ? await this.#read(unknown) : [];
      const pages = new Map([...different.keys()].map((text, index) => [text, known[index] ?? (read.shift() as Read)]));
      return keys.map((key) => pages.get(textOf(key)) as Read);
    }, maxPages);
  }

  /** Undefined for a page of another list, and for one that is far into the list. */
  of(filter: UserFilter, page: Page, order: UserOrder): Promise<Listed<ListedUser>> | undefined {
    const isOfAll = !filter.q && filter.role === undefined && filter.is_active === undefined;
    const isInOrder = order.by === 'id' && !order.isDescending && !isBackward(page);
    return isOfAll && isInOrder && page.offset <= mostSkipped ? this.#page(page) : undefined;
  }

  async #page(page: Page): Promise<Listed<ListedUser>> {
    const key = { after: cursorId(page) ?? 0, size: rowsToRead(page), skipped: page.offset };
    const { rows, total } = await this.#pages.get(key);
    return { ...cut(rows, page), total };
  }

  /** Undefined for pages with rows that are not kept. */
  async #known(keys: readonly Key[]): Promise<(Read | undefined)[]> {
    const pages: (Read | undefined)[] = [];
    for (const { place, total, versions } of await readVersions.run(this.#pool, ...valuesOf(keys))) {
      const rows = versions === null ? [] : versions.split(',').map((version) => this.#kept.get(version));
      if (rows.every((row) => row !== undefined)) pages[place - 1] = { total, rows };
    }
    return pages;
  }

  async #read(keys: readonly Key[]): Promise<Read[]> {
    const pages = keys.map((): Read => ({ total: 0, rows: [] }));
    for (const { place, total, version, ...user } of await readPages.run(this.#pool, ...valuesOf(keys))) {
      const page = pages[place - 1];
      if (page === undefined) continue;
      page.total = total;
      if (user.id === null) continue;
      page.rows.push(Object.freeze(user));
      this.#kept.set(`${user.id} ${version}`, user);
    }
    return pages;
  }
}

const textOf = ({ after, size, skipped }: Key): string => `${after} ${size} ${skipped}`;
const valuesOf = (keys: readonly Key[]): Asked => [
  keys.map(({ after }) => after),
  keys.map(({ size }) => size),
  keys.map(({ skipped }) => skipped),
];
