import { sql } from 'kysely';
import type { ListedStatus } from '../../values/attempt-status.ts';
import type { Database } from '../connection/connect.ts';
import type { AttemptKind } from '../tables.ts';
import {
  type Access,
  type AttemptSelection,
  attemptsInOrder,
  attemptsOfAnybody,
  isOfUsers,
  type Start,
  someAttempts,
  statesOf,
} from './attempt-source.ts';
import { countedRows, countRows, cut, isBackward, type Listed, type Order, type Page, rowsToRead } from './keyset.ts';
import { type AttemptSort, sortedAttempts } from './sorted-attempts.ts';
import { leftAttempts, type StudentScope } from './student-scope.ts';
import { usersMatching } from './user-search.ts';

export type AttemptFilter = {
  kind?: AttemptKind;
  exam_id?: number;
  laboratory_id?: number;
  /** The course of the exam, or of the laboratory's section. */
  course_id?: number;
  user_id?: number;
  status?: ListedStatus;
  passed?: boolean;
  /** Case-insensitive substring of the username, the full name or the address. */
  search?: string;
  /** Range of `started_at`: `from` is inclusive, `to` is exclusive. */
  from?: Date;
  to?: Date;
};
type Prepared = {
  selection: AttemptSelection;
  /** Up to one more than `countedRows`. */
  total: number;
  /** How all of the selection are found. */
  access: Access;
  /** How a page of it is found. Of the many attempts of some users, the first ones are found sooner in the order of the list. */
  pageAccess: Access;
};

const newestFirst: Order<AttemptSort> = { by: 'started_at', isDescending: true };

/** A search that matches more users looks at the text of each user instead of their ids. */
const manyUsers = 5000;

/**
 * Lists of attempts by any filter, newest first or in another order, of the students of a scope. The cost of a page does not grow with the
 * number of attempts: in the order of their starts it follows indexes, in other orders their number is limited.
 */
export class AttemptList {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** The ids of a page. @throws ConflictError if there are too many attempts for an order without an index */
  async page(
    scope: StudentScope,
    filter: AttemptFilter,
    page: Page,
    { by, isDescending }: Order<AttemptSort> = newestFirst,
  ): Promise<Listed<number>> {
    const prepared = await this.#prepare(scope, filter);
    if (prepared === undefined) return { rows: [], total: 0, hasPrevious: page.offset > 0, hasNext: false };
    const { selection, access, pageAccess, total } = prepared;
    if (by !== 'started_at') return await sortedAttempts(this.#db, selection, access, page, { by, isDescending });
    const [, started_at, id] = page.cursor?.key ?? [];
    const { rows } = await attemptsInOrder(selection, pageAccess, {
      beyond: page.cursor && { started_at: String(started_at), id: Number(id) },
      isDescending: isDescending !== isBackward(page),
      offset: page.offset,
      limit: rowsToRead(page),
    }).execute(this.#db);
    return {
      ...cut(
        rows.map(({ id: found }) => found),
        page,
      ),
      total,
    };
  }

  /** The whole list in parts, newest first. The filter is looked up once for all parts. */
  async *ids(scope: StudentScope, filter: AttemptFilter, limit: number): AsyncGenerator<number[]> {
    const prepared = await this.#prepare(scope, filter);
    if (prepared === undefined) return;
    const { selection, pageAccess } = prepared;
    for (let beyond: Start | undefined; ; ) {
      const scan = { beyond, isDescending: true, limit };
      const { rows } = await attemptsInOrder(selection, pageAccess, scan).execute(this.#db);
      if (rows.length > 0) yield rows.map(({ id }) => id);
      if (rows.length < limit) return;
      beyond = rows.at(-1);
    }
  }

  /** @returns undefined if the filter selects nothing */
  async #prepare(scope: StudentScope, filter: AttemptFilter): Promise<Prepared | undefined> {
    const selection = await this.#select(scope, filter);
    if (selection === undefined || statesOf(selection).length === 0) return undefined;
    const most = countedRows + 1;
    const ofAnybody = await countRows(this.#db, attemptsOfAnybody(selection, most));
    if (ofAnybody === 0) return undefined;
    if (!isOfUsers(selection)) return { selection, total: ofAnybody, access: 'inOrder', pageAccess: 'inOrder' };
    const access = ofAnybody <= countedRows ? 'inOrder' : 'ofEachUser';
    const total = await countRows(this.#db, someAttempts(selection, access, most));
    if (total === 0) return undefined;
    return { selection, total, access, pageAccess: total <= countedRows ? access : 'inOrder' };
  }

  /** Looks up what the filter names. @returns undefined if it contradicts itself */
  async #select(scope: StudentScope, filter: AttemptFilter): Promise<AttemptSelection | undefined> {
    const { exam_id, laboratory_id, course_id, user_id: user, search, ...rest } = filter;
    const selection: AttemptSelection = { ...rest, scope };
    if (course_id !== undefined) selection.assessments = await this.#assessmentsOf(course_id);
    if (exam_id !== undefined || laboratory_id !== undefined) {
      if (exam_id !== undefined && laboratory_id !== undefined) return undefined;
      const [kind, id] =
        exam_id === undefined ? ['laboratory' as const, laboratory_id ?? 0] : ['exam' as const, exam_id];
      const isIn = selection.assessments?.some((one) => one.kind === kind && one.id === id) ?? true;
      selection.assessments = isIn ? [{ kind, id }] : [];
    }
    if (user !== undefined) selection.user = user;
    if (search !== undefined) {
      selection.search = search;
      const isOfAll = scope.of === 'everybody' && user === undefined;
      const found = isOfAll ? await usersMatching(this.#db, search, manyUsers) : undefined;
      if (found !== undefined) selection.found = found;
    }
    selection.left = await this.#leftOf(scope, user, search);
    return selection;
  }

  /** The attempts that a scope has besides those of its students. */
  async #leftOf(scope: StudentScope, userId: number | undefined, search: string | undefined): Promise<number[]> {
    const left = leftAttempts(scope, search);
    if (left === undefined) return [];
    const ofUser = userId === undefined ? sql`` : sql`and attempts.user_id = ${userId}`;
    return (await sql<{ id: number }>`${left} ${ofUser}`.execute(this.#db)).rows.map(({ id }) => id);
  }

  async #assessmentsOf(courseId: number) {
    const { rows } = await sql<{ kind: AttemptKind; id: number }>`
      select kind, assessments.id from assessments left join sections on sections.id = section_id
      where coalesce(assessments.course_id, sections.course_id) = ${courseId}`.execute(this.#db);
    return rows;
  }
}
