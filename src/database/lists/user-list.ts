import { type RawBuilder, type Selectable, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { Batch } from '../connection/batch.ts';
import type { Database } from '../connection/connect.ts';
import { PreparedStatement, type StatementPool } from '../connection/prepared-statement.ts';
import type { Role, UsersTable } from '../tables.ts';
import {
  boundedCount,
  countedRows,
  cursorId,
  cut,
  isBackward,
  type Listed,
  type Order,
  type Page,
  rowsToRead,
} from './keyset.ts';
import { userSearch } from './user-search.ts';

export type UserFilter = {
  role?: Role;
  is_active?: boolean;
  /** Substring of the username, the e-mail address or the full name. */
  q?: string;
};
/** What lists show of a user. */
export type ListedUser = Omit<
  Selectable<UsersTable>,
  'password_hash' | 'bio' | 'tokens_valid_from' | 'locked_login' | 'ended_logins' | 'has_second_factor' | 'search_text'
>;

/** Of `users`. */
export const listedColumns = `users.id, users.username, users.email, users.role, users.full_name, users.avatar_key, users.is_active,
  users.created_at, users.last_login_at`;
const columns = sql.raw(listedColumns);

export type UserSort = 'id' | 'username' | 'last_login_at';
export type UserOrder = Order<UserSort>;
const byId: UserOrder = { by: 'id', isDescending: false };

/** The expressions of indexes, whose second column is the id. */
const sortedBy: Record<UserSort, (table: string) => string> = {
  id: (table) => `${table}.id`,
  username: (table) => `lower(${table}.username)`,
  last_login_at: (table) => `coalesce(${table}.last_login_at, '-infinity'::timestamptz)`,
};

function conditions({ q, role, is_active }: UserFilter): RawBuilder<unknown> {
  const all: RawBuilder<unknown>[] = [sql`users.id > 0`];
  if (role !== undefined) all.push(sql`role = ${role}`);
  if (is_active !== undefined) all.push(sql`is_active = ${is_active}`);
  if (q !== undefined && q !== '') all.push(userSearch(q));
  return sql.join(all, sql` and `);
}

/** The rows of a table in an order, or against it. */
function orderBy(table: string, { by, isDescending }: UserOrder, isBack: boolean): RawBuilder<unknown> {
  const way = isDescending === isBack ? 'asc' : 'desc';
  const columns = [...(by === 'id' ? [] : [sortedBy[by](table)]), `${table}.id`];
  return sql.raw(`order by ${columns.map((column) => `${column} ${way}`).join(', ')}`);
}

/** The rows after the cursor, or before it. */
function beyond({ cursor }: Page, { by, isDescending }: UserOrder): RawBuilder<unknown> {
  if (cursor === undefined) return sql``;
  const sign = sql.raw(isDescending === (cursor.way === 'before') ? '>' : '<');
  const id = Number(cursor.key.at(-1));
  if (by === 'id') return sql`and users.id ${sign} ${id}`;
  const value = by === 'username' ? sql`lower(${cursor.key[1]}::text)` : sql`${cursor.key[1]}::timestamptz`;
  return sql`and (${sql.raw(sortedBy[by]('users'))}, users.id) ${sign} (${value}, ${id}::int)`;
}

/** Rows far into the list are skipped in an index alone. */
function pageOf(filter: UserFilter, page: Page, order: UserOrder) {
  const sorted = orderBy('users', order, isBackward(page));
  const place = sql`where ${conditions(filter)} ${beyond(page, order)} ${sorted} limit ${rowsToRead(page)}`;
  if (page.offset === 0) return sql`select ${columns} from users ${place}`;
  return sql`select ${columns} from users
    join (select id from users ${place} offset ${page.offset}) as place on place.id = users.id ${sorted}`;
}

/** A page without the total, in the order of ids. */
export async function usersAt(db: Database, filter: UserFilter, page: Page) {
  const { rows } = await sql<ListedUser>`${pageOf(filter, page, byId)}`.execute(db);
  return cut(rows, page);
}

/** A page in an order, with the total, in one statement. */
export async function userPage(
  db: Database,
  filter: UserFilter,
  page: Page,
  order: UserOrder = byId,
): Promise<Listed<ListedUser>> {
  const counted = boundedCount(sql`select from users where ${conditions(filter)}`);
  // A page without rows has its total in a row without a user.
  const { rows } = await sql<ListedUser & { total: number }>`select counted.total, shown.* from (${counted}) as counted
    left join (${pageOf(filter, page, order)}) as shown on true
    ${orderBy('shown', order, isBackward(page))}`.execute(db);
  const shown = cut(
    rows.filter(({ id }) => id !== null),
    page,
  );
  return { ...shown, total: rows[0]?.total ?? 0 };
}

/** Pages in a statement. A page has up to 100 rows, and skips up to `countedRows` in an index alone. */
const maxPages = 10;
/** Pages that are kept, of up to 100 users, less than a kilobyte each. A whole list is none of them. */
const maxKept = 100;
const maxRows = 100;

type Key = { after: number; size: number; skipped: number };
type Read = { total: number; state: string; rows: readonly ListedUser[]; hasNext: boolean };
type PageRow = ListedUser & { place: number; total: number; state: string };
type Asked = [after: number[], sizes: number[], skipped: number[]];

const asked = `unnest($1::integer[], $2::integer[], $3::integer[]) with ordinality as asked (after, size, skipped, place)
  cross join (select count(*)::integer as total from (select from users where id > 0 limit ${countedRows + 1}) as first_rows) as counted`;
const rows = (columns: string): string => `(
  select row.* from (
    select users.id from users where users.id > asked.after order by users.id limit asked.size offset asked.skipped
  ) as place cross join lateral (select ${columns} from users where users.id = place.id offset 0) as row
)`;
/** Of the ids of a page and the transactions that have written their rows last, which identify the content of the rows. */
const state = `(select concat_ws(' ', count(*), sum(hash_record_extended((shown.id, shown.xmin), 0)))
  from ${rows('users.id, users.xmin')} as shown (id, xmin)) as state`;

const readStates = new PreparedStatement<Asked, { place: number; total: number; state: string }>(
  'states_of_users',
  `select asked.place::integer, counted.total, ${state} from ${asked}`,
);

/** For each page of the batch the total and the rows. A page without rows has its total in a row without a user. */
const readPages = new PreparedStatement<Asked, PageRow>(
  'pages_of_users',
  `select asked.place::integer, counted.total, ${state}, shown.*
  from ${asked} left join lateral ${rows(listedColumns)} as shown on true order by asked.place, shown.id`,
);

/**
 * Pages of all users in the order of their ids. Concurrent requests share a statement, and those for the same page its rows. Planning such
 * a statement takes longer than running it, so it is prepared. Pages are kept: what a request reads first is the state of its page. The
 * rows of a page that has not changed are the same array again.
 */
export class UserPages {
  readonly #pool: StatementPool;
  readonly #pages: Batch<Key, Read>;
  readonly #kept = new LRUCache<string, Read>({ max: maxKept });

  constructor(pool: StatementPool) {
    this.#pool = pool;
    this.#pages = new Batch(async (keys) => {
      const different = new Map(keys.map((key) => [textOf(key), key]));
      const pages = await this.#known([...different.values()]);
      const unknown = [...different.values()].filter((key) => !pages.has(textOf(key)));
      if (unknown.length > 0) for (const [text, page] of await this.#read(unknown)) pages.set(text, page);
      return keys.map((key) => pages.get(textOf(key)) as Read);
    }, maxPages);
  }

  /** Undefined for a page of another list, for one that is far into the list, and for a whole list. */
  of(filter: UserFilter, page: Page, order: UserOrder): Promise<Listed<ListedUser>> | undefined {
    const isOfAll = !filter.q && filter.role === undefined && filter.is_active === undefined;
    const isInOrder = order.by === 'id' && !order.isDescending && !isBackward(page);
    const isNear = page.offset <= countedRows && page.limit <= maxRows;
    return isOfAll && isInOrder && isNear ? this.#page(page) : undefined;
  }

  async #page(page: Page): Promise<Listed<ListedUser>> {
    const key = { after: cursorId(page) ?? 0, size: rowsToRead(page), skipped: page.offset };
    const { rows: shown, total, hasNext } = await this.#pages.get(key);
    return { rows: shown as ListedUser[], total, hasNext, hasPrevious: cut([], page).hasPrevious };
  }

  /** The kept pages that have not changed, with their present totals. */
  async #known(keys: readonly Key[]): Promise<Map<string, Read>> {
    const pages = new Map<string, Read>();
    for (const { place, total, state: now } of await readStates.run(this.#pool, ...valuesOf(keys))) {
      const text = textOf(keys[place - 1] as Key);
      const known = this.#kept.get(text);
      if (known?.state === now) pages.set(text, { ...known, total });
    }
    return pages;
  }

  async #read(keys: readonly Key[]): Promise<Map<string, Read>> {
    const pages = new Map<string, Read>();
    const read = Map.groupBy(await readPages.run(this.#pool, ...valuesOf(keys)), ({ place }) => place);
    for (const [index, key] of keys.entries()) {
      const found = read.get(index + 1) ?? [];
      // A page without rows has its total in a row without a user.
      const users = found.flatMap(({ place: _place, total: _total, state: _state, ...user }) =>
        user.id === null ? [] : [Object.freeze(user)],
      );
      const { total = 0, state: now = '' } = found[0] ?? {};
      const shown = Object.freeze(users.slice(0, key.size - 1));
      const page = { total, state: now, rows: shown, hasNext: users.length === key.size };
      this.#kept.set(textOf(key), page);
      pages.set(textOf(key), page);
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
