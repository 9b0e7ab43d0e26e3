import { sql } from 'kysely';
import type { ListedStatus } from '../../values/attempt-status.ts';
import type { Database } from '../connection/connect.ts';
import type { AttemptKind } from '../tables.ts';
import { type AttemptBlock, type AttemptGroup, attemptBlocks, attemptGroups, blockBits } from './attempt-counts.ts';
import { type AttemptSelection, attemptCount, attemptIds, type IdRange, scopedCount } from './attempt-source.ts';
import {
  countedRows,
  cursorId,
  cut,
  fromTheEnd,
  isBackward,
  isWhole,
  type Listed,
  type Order,
  type Page,
  rowsToRead,
} from './keyset.ts';
import { type AttemptSort, checkSortable, sortedAttempts } from './sorted-attempts.ts';
import { leftAttempts, ofScope, type StudentScope } from './student-scope.ts';
import { shareOfAllUsers, shareOfUsers, usersMatching, usersWhere } from './user-search.ts';

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
  groups: AttemptGroup[];
  /** Of the groups, whatever the other filters. */
  total: number;
  /** The blocks of a range of time, newest first, and the ids in them. */
  blocks: AttemptBlock[] | undefined;
  bounds: IdRange;
};

const newestFirst: Order<AttemptSort> = { by: 'started_at', isDescending: true };

/** Of a search or a scope that has at most so many users, the attempts of each are looked up. */
const fewUsers = 300;
/** A search that matches more users tests the user of each attempt for the text. */
const manyUsers = 5000;
/** From this row on, a page starts at the block of ids in which it lies. */
const manyRows = 5000;

/**
 * Lists of attempts by any filter, newest first or in another order, of the students of a scope. The cost of a page does not grow with the number of attempts:
 * in the order of their starts it follows indexes, in other orders their number is limited.
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
    if (by !== 'started_at') {
      const { selection, groups, total, bounds } = prepared;
      if (isCounted(selection)) checkSortable(total);
      return await sortedAttempts(this.#db, selection, groups, bounds, page, { by, isDescending });
    }
    const isFar = page.offset >= manyRows && isCounted(prepared.selection);
    const shown = !isDescending
      ? await this.#oldestFirst(prepared, page, isFar)
      : isFar && page.offset > prepared.total / 2
        ? await this.#fromTheEnd(prepared, page)
        : await this.#fromTheStart(prepared, page);
    return { ...shown, ...(isWhole(page, shown) ? { total: shown.rows.length } : await this.#total(prepared)) };
  }

  async #fromTheStart(prepared: Prepared, page: Page) {
    const { bounds } = prepared;
    const place = await this.#place(prepared, page.offset);
    const edge = cursorId(page) ?? place?.below;
    const range = isBackward(page) ? { ...bounds, above: edge } : { ...bounds, below: edge ?? bounds.below };
    const skipped = place?.skipped ?? page.offset;
    return cut(await this.#read(prepared, range, isBackward(page) ? 'asc' : 'desc', skipped, rowsToRead(page)), page);
  }

  async #oldestFirst(prepared: Prepared, page: Page, isFar: boolean) {
    const { bounds } = prepared;
    const place = isFar ? await this.#placeFromTheEnd(prepared, page.offset) : undefined;
    const edge = cursorId(page) ?? place?.above;
    const range = isBackward(page) ? { ...bounds, below: edge } : { ...bounds, above: edge ?? bounds.above };
    const skipped = place?.skipped ?? page.offset;
    return cut(await this.#read(prepared, range, isBackward(page) ? 'desc' : 'asc', skipped, rowsToRead(page)), page);
  }

  /** A page in the second half is read from the oldest attempt on. */
  async #fromTheEnd(prepared: Prepared, page: Page) {
    return await fromTheEnd(page, prepared.total, async (size, skipped) => {
      const place = await this.#placeFromTheEnd(prepared, skipped);
      return await this.#read(prepared, { above: place?.above }, 'asc', place?.skipped ?? skipped, size);
    });
  }

  async #read({ selection, groups }: Prepared, range: IdRange, order: 'asc' | 'desc', skipped: number, size: number) {
    const scan = { range, order, limit: skipped + size };
    const { rows } = await sql<{ id: number }>`
      select id from (${attemptIds(selection, groups, scan)}) as page
      order by id ${sql.raw(order)} offset ${skipped}`.execute(this.#db);
    return rows.map(({ id }) => id);
  }

  /** A part of the list, newest first, of the attempts before the given one. The filter is looked up once for all parts. */
  async *ids(scope: StudentScope, filter: AttemptFilter, limit: number): AsyncGenerator<number[]> {
    const prepared = await this.#prepare(scope, filter);
    if (prepared === undefined) return;
    const { selection, groups, bounds } = prepared;
    for (let { below } = bounds; ; ) {
      const scan = { range: { ...bounds, below }, order: 'desc', limit } as const;
      const { rows } = await attemptIds(selection, groups, scan).execute(this.#db);
      const ids = rows.map(({ id }) => id);
      if (ids.length > 0) yield ids;
      if (ids.length < limit) return;
      below = ids.at(-1);
    }
  }

  /** @returns undefined if the filter selects nothing */
  async #prepare(scope: StudentScope, filter: AttemptFilter): Promise<Prepared | undefined> {
    const { exam_id, laboratory_id, course_id, user_id, search, ...rest } = filter;
    const selection: AttemptSelection = { ...rest, scope };
    if (course_id !== undefined) selection.assessments = await this.#assessmentsOf(course_id);
    if (exam_id !== undefined || laboratory_id !== undefined) {
      const isIn = (kind: 'exams' | 'laboratories', id: number) => selection.assessments?.[kind].includes(id) ?? true;
      if (exam_id !== undefined && laboratory_id !== undefined) return undefined;
      selection.assessments = {
        exams: exam_id !== undefined && isIn('exams', exam_id) ? [exam_id] : [],
        laboratories: laboratory_id !== undefined && isIn('laboratories', laboratory_id) ? [laboratory_id] : [],
      };
    }
    if (user_id !== undefined) selection.users = [user_id];
    const found = user_id === undefined ? await this.#usersOf(scope, search) : undefined;
    if (found !== undefined && found.length <= fewUsers) selection.users = found;
    else if (search !== undefined && found !== undefined) selection.amongUsers = found;
    else if (search !== undefined) selection.search = search;
    selection.left = await this.#leftOf(scope, user_id, search);
    const groups = await attemptGroups(this.#db, selection);
    const total = groups.reduce((sum, { count }) => sum + count, 0);
    if (total === 0 || (selection.users?.length === 0 && selection.left.length === 0)) return undefined;
    const { from, to, users, assessments } = selection;
    if ((!from && !to) || users !== undefined) return { selection, groups, total, blocks: undefined, bounds: {} };
    const inTime = (await attemptBlocks(this.#db, selection)).filter(
      ({ earliest, latest }) => (!from || latest >= from) && (!to || earliest < to),
    );
    const [newest, oldest] = [inTime[0], inTime.at(-1)];
    if (newest === undefined || oldest === undefined) return undefined;
    const bounds = { above: rangeOf(oldest).above, below: rangeOf(newest).below };
    // Blocks are of all assessments.
    const blocks = assessments === undefined ? inTime : undefined;
    return { selection, groups, total, blocks, bounds };
  }

  /** The attempts that a scope has besides those of its students. */
  async #leftOf(scope: StudentScope, userId: number | undefined, search: string | undefined): Promise<number[]> {
    const left = leftAttempts(scope, search);
    if (left === undefined) return [];
    const ofUser = userId === undefined ? sql`` : sql`and attempts.user_id = ${userId}`;
    return (await sql<{ id: number }>`${left} ${ofUser}`.execute(this.#db)).rows.map(({ id }) => id);
  }

  /** The users of a scope and a search; undefined if they are too many, or all. */
  async #usersOf(scope: StudentScope, search: string | undefined): Promise<number[] | undefined> {
    if (scope.of === 'everybody')
      return search === undefined ? undefined : await usersMatching(this.#db, search, manyUsers);
    const seen = ofScope(scope, sql.ref('users.id'), search);
    return await usersWhere(this.#db, seen, search === undefined ? fewUsers : manyUsers);
  }

  async #assessmentsOf(courseId: number) {
    const { rows } = await sql<{ exams: number[]; laboratories: number[] }>`select
      array(select id from exams where course_id = ${courseId}) as exams,
      array(select laboratories.id from laboratories join sections on sections.id = section_id
        where course_id = ${courseId}) as laboratories`.execute(this.#db);
    return rows[0] ?? { exams: [], laboratories: [] };
  }

  /** Where a page far into the list starts: below an id, after some more rows. */
  async #place(
    { selection, groups, blocks }: Prepared,
    offset: number,
  ): Promise<{ below: number; skipped: number } | undefined> {
    const { users, assessments, from, to } = selection;
    if (offset < manyRows || users !== undefined || assessments !== undefined || isTested(selection)) return undefined;
    let left = offset;
    for (const block of blocks ?? (await attemptBlocks(this.#db, selection))) {
      const isInside = (!from || block.earliest >= from) && (!to || block.latest < to);
      const range = rangeOf(block);
      const count = isInside ? block.count : await this.#count(selection, groups, { range, limit: block.count });
      if (left < count) return { below: range.below, skipped: left };
      left -= count;
    }
    return { below: 0, skipped: 0 };
  }

  /** The same from the oldest attempt on: above an id, after some more rows. */
  async #placeFromTheEnd({ selection }: Prepared, offset: number) {
    if (offset < manyRows || selection.assessments !== undefined) return undefined;
    let left = offset;
    for (const block of (await attemptBlocks(this.#db, selection)).reverse()) {
      if (left < block.count) return { above: rangeOf(block).above, skipped: left };
      left -= block.count;
    }
    return undefined;
  }

  /** Exact, except for long lists that are filtered by more than what is counted. */
  async #total({ selection, groups, total, blocks, bounds }: Prepared): Promise<{ total: number }> {
    if (isCounted(selection)) return { total };
    // The attempts of users are read from an index alone.
    if (selection.users !== undefined)
      return { total: await this.#count(selection, groups, { range: bounds, limit: total }) };
    // An estimate derives from the attempts of all students.
    if (selection.scope.of !== 'everybody') {
      const { rows } = await scopedCount(selection, bounds).execute(this.#db);
      return { total: rows[0]?.count ?? 0 };
    }
    const estimate = await this.#estimate(selection, total, blocks);
    // Each attempt is tested for a search. A list that is not much longer than what is counted may be shorter than its estimate.
    if (isTested(selection) && estimate > 2 * countedRows) return { total: estimate };
    const counted = await this.#count(selection, groups, { range: bounds, limit: countedRows + 1 });
    return counted <= countedRows ? { total: counted } : { total: Math.max(counted, estimate) };
  }

  async #estimate(selection: AttemptSelection, total: number, blocks: AttemptBlock[] | undefined): Promise<number> {
    const { from, to } = selection;
    const searched = total * (await this.#searchedShare(selection));
    if (!from && !to) return Math.round(searched);
    // Of a selection of assessments, the distribution over time is expected to be that of all.
    const all = blocks ?? (await attemptBlocks(this.#db, selection));
    const whole = blocks ? total : all.reduce((sum, { count }) => sum + count, 0);
    return Math.round((searched * inRange(all, from, to)) / whole);
  }

  /** The part of all users that the search selects, if the attempts are tested for it. */
  async #searchedShare({ amongUsers, search }: AttemptSelection): Promise<number> {
    if (amongUsers !== undefined) return await shareOfAllUsers(this.#db, amongUsers.length);
    return search === undefined ? 1 : await shareOfUsers(this.#db, search);
  }

  async #count(...[selection, groups, scan]: Parameters<typeof attemptCount>): Promise<number> {
    return (await attemptCount(selection, groups, scan).execute(this.#db)).rows[0]?.count ?? 0;
  }
}

/** Whether the counts are those of the selection, so that its total is known. */
const isCounted = (selection: AttemptSelection): boolean =>
  selection.users === undefined && !isTested(selection) && !selection.from && !selection.to;

/** Whether the user of each attempt is tested for the scope or the search. */
const isTested = ({ scope, amongUsers, search }: AttemptSelection): boolean =>
  scope.of !== 'everybody' || amongUsers !== undefined || search !== undefined;

const rangeOf = ({ block }: AttemptBlock) => ({
  above: block * 2 ** blockBits - 1,
  below: (block + 1) * 2 ** blockBits,
});

/** Estimates how many of the attempts in the blocks started in a range of time. */
const inRange = (blocks: readonly AttemptBlock[], from?: Date, to?: Date): number =>
  blocks.reduce((sum, { count, earliest, latest }) => {
    const begin = Math.max(earliest.getTime(), from?.getTime() ?? Number.NEGATIVE_INFINITY);
    const end = Math.min(latest.getTime(), to?.getTime() ?? Number.POSITIVE_INFINITY);
    return sum + (count * Math.max(0, end - begin)) / Math.max(1, latest.getTime() - earliest.getTime());
  }, 0);
