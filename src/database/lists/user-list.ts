import { type Selectable, sql } from 'kysely';
import type { Database } from '../connection/connect.ts';
import type { UsersTable } from '../tables.ts';
import { countedRows, cursorId, cut, isBackward, type Listed, type Page, rowsToRead } from './keyset.ts';
import { plannedRows } from './planned-rows.ts';
import { facetConditions, type UserFacets, userCounts } from './user-counts.ts';
import { userMatches, userSearch } from './user-search.ts';

export type UserFilter = UserFacets & {
  /** Substring of the username, the e-mail address or the full name. */
  q?: string;
};
/** What lists show of a user. */
export type ListedUser = Omit<
  Selectable<UsersTable>,
  'password_hash' | 'bio' | 'tokens_valid_from' | 'login_locked_at' | 'login_locked_token' | 'search_text'
>;

const columns = sql`users.id, users.username, users.email, users.role, users.full_name, users.avatar_key, users.is_active,
  users.created_at, users.last_login_at`;

const conditions = ({ q, ...facets }: UserFilter) =>
  q === undefined || q === '' ? facetConditions(facets) : sql`${facetConditions(facets)} and ${userSearch(q)}`;

/** Rows far into the list are skipped in an index alone. */
function pageOf(filter: UserFilter, page: Page) {
  const isBack = isBackward(page);
  const cursor = cursorId(page);
  const after = cursor === undefined ? sql`` : sql`and users.id ${sql.raw(isBack ? '<' : '>')} ${cursor}`;
  const order = sql`order by users.id ${sql.raw(isBack ? 'desc' : 'asc')}`;
  const place = sql`where ${conditions(filter)} ${after} ${order} limit ${rowsToRead(page)}`;
  if (page.offset === 0) return sql`select ${columns} from users ${place}`;
  return sql`select ${columns} from users
    join (select id from users ${place} offset ${page.offset}) as place on place.id = users.id ${order}`;
}

/** A page without the total, in the order of ids. */
export async function usersAt(db: Database, filter: UserFilter, page: Page) {
  const { rows } = await sql<ListedUser>`${pageOf(filter, page)}`.execute(db);
  return cut(rows, page);
}

/** A page in the order of ids, with the total, in one statement. The total of a long search is an estimate. */
export async function userPage(db: Database, filter: UserFilter, page: Page): Promise<Listed<ListedUser>> {
  const isSearch = filter.q !== undefined && filter.q !== '';
  const total = isSearch
    ? sql`select count(*)::int as total from (
        select from users where ${conditions(filter)} limit ${countedRows + 1}) as found`
    : sql`select coalesce(sum(count), 0)::int as total from ${userCounts} as counts where ${facetConditions(filter)}`;
  // A page without rows has its total in a row without a user.
  const { rows } = await sql<ListedUser & { total: number }>`select counted.total, shown.* from (${total}) as counted
    left join (${pageOf(filter, page)}) as shown on true
    order by shown.id ${sql.raw(isBackward(page) ? 'desc' : 'asc')}`.execute(db);
  const shown = cut(
    rows.filter(({ id }) => id !== null),
    page,
  );
  const counted = rows[0]?.total ?? 0;
  if (!isSearch || counted <= countedRows) return { ...shown, total: counted };
  const planned = await plannedRows(
    db,
    sql`select from users where ${facetConditions(filter)} and ${userMatches(filter.q ?? '')}`,
  );
  return { ...shown, total: Math.max(counted, planned), isEstimated: true };
}
