import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Database } from '../connection/connect.ts';
import type { Role, UsersTable } from '../tables.ts';
import { boundedCount, cut, isBackward, type Listed, type Order, type Page, rowsToRead } from './keyset.ts';
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
  'password_hash' | 'bio' | 'tokens_valid_from' | 'locked_login' | 'ended_logins' | 'search_text'
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
  const all: RawBuilder<unknown>[] = [sql`true`];
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
