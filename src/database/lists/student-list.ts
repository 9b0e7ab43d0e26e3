import { type RawBuilder, sql } from 'kysely';
import { statusSql } from '../attempt-status.ts';
import { assessmentTables } from '../catalogue/assessment-tables.ts';
import type { Database } from '../connection/connect.ts';
import type { AttemptKind } from '../tables.ts';
import { countedRows, cut, fromTheEnd, isBackward, isWhole, type Listed, type Page, rowsToRead } from './keyset.ts';
import { ofScope, type StudentScope } from './student-scope.ts';
import { shareOfUsers, userMatches, usersMatching } from './user-search.ts';

/** A search that matches more users tests each student of the assessment instead. */
const maxUsers = 1000;
/** Of an assessment with fewer students, all of them are sorted. */
const fewStudents = 2000;

type Chosen = { kind: AttemptKind; id: number; search: string | undefined; isDescending: boolean };

/** The students of a scope who have attempted an assessment, by username. */
export class StudentList {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** The ids of a page. The key of a cursor is the username in lower case, and the id. */
  async page(scope: StudentScope, chosen: Chosen, page: Page): Promise<Listed<number>> {
    return scope.of === 'everybody' ? await this.#ofAll(chosen, page) : await this.#ofScope(scope, chosen, page);
  }

  /** All students of the scope are sorted. */
  async #ofScope(scope: StudentScope, chosen: Chosen, page: Page): Promise<Listed<number>> {
    const { kind, id, search, isDescending } = chosen;
    const where = sql`${ofScope(scope, sql.ref('users.id'), search)} and ${attempted(kind, id, true)}`;
    const shown = await this.#fromTheStart(where, page, isDescending);
    if (isWhole(page, shown)) return { ...shown, total: shown.rows.length };
    const { rows } = await sql<{ total: number }>`select count(*)::int as total from users where ${where}`.execute(
      this.#db,
    );
    return { ...shown, total: rows[0]?.total ?? 0 };
  }

  async #ofAll({ kind, id, search, isDescending }: Chosen, page: Page): Promise<Listed<number>> {
    const all = await this.#total(kind, id);
    const found = search === undefined ? undefined : await usersMatching(this.#db, search, maxUsers);
    const where = sql`${attempted(kind, id, all > fewStudents && found === undefined)} and ${matching(search, found)}`;
    const isFar = search === undefined && page.offset > all / 2 && page.cursor === undefined;
    const shown = isFar
      ? await fromTheEnd(page, all, (size, skipped) => this.#read(where, !isDescending, size, skipped))
      : await this.#fromTheStart(where, page, isDescending);
    if (isWhole(page, shown)) return { ...shown, total: shown.rows.length };
    if (search === undefined) return { ...shown, total: all };
    const estimate = found === undefined ? all * (await shareOfUsers(this.#db, search)) : 0;
    // A list that is not much longer than what is counted may be shorter than its estimate.
    if (estimate > 2 * countedRows) return { ...shown, total: Math.round(estimate) };
    return { ...shown, total: await this.#count(kind, id, search, found) };
  }

  async #fromTheStart(where: RawBuilder<unknown>, page: Page, isDescending: boolean) {
    const isReverse = isBackward(page) !== isDescending;
    const [name, user] = page.cursor?.key ?? [];
    const after = sql`(lower(users.username), users.id) ${sql.raw(isReverse ? '<' : '>')} (${name}, ${user}::int)`;
    const all = page.cursor === undefined ? where : sql`${where} and ${after}`;
    return cut(await this.#read(all, isReverse, rowsToRead(page), page.offset), page);
  }

  async #read(where: RawBuilder<unknown>, isDescending: boolean, limit: number, offset: number): Promise<number[]> {
    const way = sql.raw(isDescending ? 'desc' : 'asc');
    const { rows } = await sql<{ id: number }>`select users.id from users where ${where}
      order by lower(users.username) ${way}, users.id ${way} limit ${limit} offset ${offset}`.execute(this.#db);
    return rows.map(({ id }) => id);
  }

  async #total(kind: AttemptKind, id: number): Promise<number> {
    const { rows } = await sql<{ total: number }>`select coalesce(sum(count), 0)::int as total from (
      select kind, subject_id, count from student_counts union all
      select kind, subject_id, students from attempt_count_changes
    ) as counts where kind = ${kind} and subject_id = ${id}`.execute(this.#db);
    return rows[0]?.total ?? 0;
  }

  /** Starts at the students or at the users that were found, whichever are fewer. */
  async #count(kind: AttemptKind, id: number, search: string, found: readonly number[] | undefined): Promise<number> {
    const own = sql`attempts.${sql.ref(assessmentTables[kind].column)} = ${id} and ${statusSql.isListed('attempts')}`;
    const query =
      found === undefined
        ? sql<{ total: number }>`select count(*)::int as total from (
            select distinct user_id from attempts where ${own}
          ) as students where (select ${userMatches(search)} from users where users.id = students.user_id)`
        : sql<{ total: number }>`select count(distinct user_id)::int as total from attempts
            where ${own} and user_id = any(${found}::int[])`;
    return (await query.execute(this.#db)).rows[0]?.total ?? 0;
  }
}

/** @param isUsual whether it is tested for each user, because many have attempted it or few users are left to test */
function attempted(kind: AttemptKind, id: number, isUsual: boolean): RawBuilder<unknown> {
  const own = sql`from attempts where attempts.${sql.ref(assessmentTables[kind].column)} = ${id}
    and attempts.user_id = users.id and ${statusSql.isListed('attempts')}`;
  return isUsual ? sql`(select true ${own} limit 1)` : sql`exists (select ${own})`;
}

function matching(search: string | undefined, found: readonly number[] | undefined): RawBuilder<unknown> {
  if (found !== undefined) return sql`users.id = any(${found}::int[])`;
  return search === undefined ? sql`true` : userMatches(search);
}
