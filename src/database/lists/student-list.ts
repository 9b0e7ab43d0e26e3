import { type RawBuilder, sql } from 'kysely';
import { subjectTables } from '../catalogue/subject-tables.ts';
import type { Database } from '../connection/connect.ts';
import type { AttemptKind } from '../tables.ts';
import { countedRows, cut, isBackward, type Listed, type Page, rowsToRead } from './keyset.ts';
import { plannedRows } from './planned-rows.ts';
import { userMatches, usersMatching } from './user-search.ts';

/** A search that matches more users tests each student of the subject instead. */
const maxUsers = 1000;

/** The students who have attempted a subject, by username. */
export class StudentList {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** The ids of a page. The key of a cursor is the username in lower case, and the id. */
  async page(kind: AttemptKind, id: number, search: string | undefined, page: Page): Promise<Listed<number>> {
    const found = search === undefined ? undefined : await usersMatching(this.#db, search, maxUsers);
    const conditions = [attempted(kind, id)];
    if (found !== undefined) conditions.push(sql`users.id = any(${found}::int[])`);
    else if (search !== undefined) conditions.push(userMatches(search));
    const isBack = isBackward(page);
    const [name, user] = page.cursor?.key ?? [];
    const after =
      page.cursor === undefined
        ? sql`true`
        : sql`(lower(users.username), users.id) ${sql.raw(isBack ? '<' : '>')} (${name}, ${user}::int)`;
    const way = sql.raw(isBack ? 'desc' : 'asc');
    const where = sql.join(conditions, sql` and `);
    const { rows } = await sql<{ id: number }>`select users.id from users where ${where} and ${after}
      order by lower(users.username) ${way}, users.id ${way} limit ${rowsToRead(page)} offset ${page.offset}`.execute(
      this.#db,
    );
    const shown = cut(
      rows.map((row) => row.id),
      page,
    );
    if (page.offset === 0 && page.cursor === undefined && !shown.hasNext) return { ...shown, total: shown.rows.length };
    const all = await this.#total(kind, id);
    if (search === undefined) return { ...shown, total: all };
    if (found !== undefined || all <= countedRows) return { ...shown, total: await this.#count(where) };
    const share = await this.#share(search);
    return { ...shown, total: Math.round(all * share), isEstimated: true };
  }

  async #total(kind: AttemptKind, id: number): Promise<number> {
    const { rows } = await sql<{ total: number }>`select coalesce(sum(count), 0)::int as total from (
      select kind, subject_id, count from student_counts union all
      select kind, subject_id, students from attempt_count_changes
    ) as counts where kind = ${kind} and subject_id = ${id}`.execute(this.#db);
    return rows[0]?.total ?? 0;
  }

  async #count(where: RawBuilder<unknown>): Promise<number> {
    const { rows } = await sql<{ total: number }>`
      select count(*)::int as total from users where ${where}`.execute(this.#db);
    return rows[0]?.total ?? 0;
  }

  /** The part of all users that a text matches, as PostgreSQL expects it. */
  async #share(search: string): Promise<number> {
    const all = await plannedRows(this.#db, sql`select from users`);
    return Math.min(
      1,
      (await plannedRows(this.#db, sql`select from users where ${userMatches(search)}`)) / Math.max(1, all),
    );
  }
}

const attempted = (kind: AttemptKind, id: number) => sql`exists (select from attempts
  where attempts.${sql.ref(subjectTables[kind].column)} = ${id} and attempts.user_id = users.id and attempts.status <> 'starting')`;
