import { type RawBuilder, sql } from 'kysely';
import { statusSql } from '../attempt-status.ts';
import type { AttemptFacets, AttemptGroup } from './attempt-counts.ts';
import { eachOf, type StudentScope, testedForScope } from './student-scope.ts';
import { userMatches } from './user-search.ts';

/** Which attempts a list contains, with the users and assessments of its filter looked up. */
export type AttemptSelection = AttemptFacets & {
  /** Only attempts of its students. */
  scope: StudentScope;
  /** Attempts that it has besides, if the other filters select them. */
  left?: readonly number[];
  /** The users, if they are few. */
  users?: readonly number[];
  /** The users, if they are so many that each attempt is tested for them. */
  amongUsers?: readonly number[];
  /** A text that matches so many users that the user of each attempt is tested for it. */
  search?: string;
  /** Range of `started_at`: `from` is inclusive, `to` is exclusive. */
  from?: Date;
  to?: Date;
};
/** A range of ids, exclusive. */
export type IdRange = { above?: number | undefined; below?: number | undefined };
type Order = 'asc' | 'desc';
type Scan = { range: IdRange; order: Order; limit: number };

/** All filters but the one that its index starts with. */
function conditions(selection: AttemptSelection, range: IdRange): RawBuilder<unknown> {
  const { scope, search } = selection;
  const all = ownConditions(selection, range);
  if (scope.of !== 'everybody') all.push(testedForScope(scope, sql.ref('attempts.user_id')));
  if (search !== undefined)
    // A scalar for each row: as a join, all users could be searched for a page.
    all.push(sql`(select ${userMatches(search)} from users where users.id = attempts.user_id)`);
  return sql.join(all, sql` and `);
}

/** Those that need no other table. */
function ownConditions(selection: AttemptSelection, { above, below }: IdRange): RawBuilder<unknown>[] {
  const { kind, status, passed, amongUsers, from, to } = selection;
  const all: RawBuilder<unknown>[] = [statusSql.isListed('attempts')];
  if (kind !== undefined) all.push(sql`attempts.kind = ${kind}`);
  if (status !== undefined) all.push(sql`attempts.status = ${status}`);
  if (passed !== undefined) all.push(sql`attempts.passed = ${passed}`);
  if (from) all.push(sql`attempts.started_at >= ${from}`);
  if (to) all.push(sql`attempts.started_at < ${to}`);
  if (above !== undefined) all.push(sql`attempts.id > ${above}`);
  if (below !== undefined) all.push(sql`attempts.id < ${below}`);
  if (amongUsers !== undefined) all.push(sql`attempts.user_id = any(${amongUsers}::int[])`);
  return all;
}

const ofAssessments = ({ exams, laboratories }: NonNullable<AttemptFacets['assessments']>) => sql`
  (attempts.exam_id = any(${exams}::int[]) or attempts.laboratory_id = any(${laboratories}::int[]))`;

const ordered = (order: Order, limit: number) => sql`order by attempts.id ${sql.raw(order)} limit ${limit}`;

/** For each value of a column the first attempts of it, which an index has in order. */
const each = (
  column: 'user_id' | 'exam_id' | 'laboratory_id',
  ids: readonly number[],
  where: RawBuilder<unknown>,
  end: RawBuilder<unknown>,
) => sql`
  select found.id from unnest(${ids}::int[]) as given (value) cross join lateral (
    select attempts.id from attempts where attempts.${sql.ref(column)} = given.value and ${where} ${end}
  ) as found`;

/**
 * A statement for the ids of the selected attempts, in order and at most `limit`. Each part of it follows one index and stops there after
 * that many ids: no part reads the attempts that the list does not show.
 * @param groups those that there are of the selection: one range of an index each
 */
export function attemptIds(
  selection: AttemptSelection,
  groups: readonly AttemptGroup[],
  { range, order, limit }: Scan,
): RawBuilder<{ id: number }> {
  const parts = sourceParts(selection, groups, range, ordered(order, limit));
  return sql`select id from (${sql.join(
    parts.map((part) => sql`(${part})`),
    sql` union all `,
  )}) as found
    order by id ${sql.raw(order)} limit ${limit}`;
}

/** A statement for the number of the selected attempts, at most `limit`. */
export function attemptCount(
  selection: AttemptSelection,
  groups: readonly AttemptGroup[],
  { range, limit }: Omit<Scan, 'order'>,
): RawBuilder<{ count: number }> {
  const parts = sourceParts(selection, groups, range, sql`limit ${limit}`);
  return sql`select count(*)::int as count from (
    select from (${sql.join(
      parts.map((part) => sql`(${part})`),
      sql` union all `,
    )}) as found limit ${limit}) as counted`;
}

/** A statement for the number of the selected attempts of a scope of classes, which counts those of each of its students. */
export function scopedCount(selection: AttemptSelection, range: IdRange): RawBuilder<{ count: number }> {
  return sql`select (coalesce(sum(own.count), 0) + (select count(*) from (${leftPart(selection, range, sql``)}) as found))::int as count
    from ${ofEach(selection, range, sql`count(*)`)}`;
}

/** A statement for the ids of the selected attempts of a scope of classes, in no order. */
export function scopedIds(selection: AttemptSelection, range: IdRange, limit: number): RawBuilder<{ id: number }> {
  return sql`select own.id from ${ofEach(selection, range, sql`attempts.id`)}
    union all (${leftPart(selection, range, sql``)}) limit ${limit}`;
}

/** The attempts that a scope has besides those of its students. The user and the text were looked up with them. */
function leftPart(selection: AttemptSelection, range: IdRange, end: RawBuilder<unknown>): RawBuilder<unknown> {
  const { left = [], assessments, amongUsers: _users, ...rest } = selection;
  const all = ownConditions(rest, range);
  if (assessments !== undefined) all.push(ofAssessments(assessments));
  return sql`select attempts.id from attempts where attempts.id = any(${left}::int[]) and ${sql.join(all, sql` and `)} ${end}`;
}

/** The attempts of each student of a scope, as `own`. */
function ofEach(selection: AttemptSelection, range: IdRange, columns: RawBuilder<unknown>): RawBuilder<unknown> {
  const { scope, search, assessments } = selection;
  const all = ownConditions(selection, range);
  if (assessments !== undefined) all.push(ofAssessments(assessments));
  return sql`${eachOf(scope, search)} cross join lateral (
    select ${columns} from attempts where user_id = each.user_id and ${sql.join(all, sql` and `)}) as own`;
}

function sourceParts(...[selection, groups, range, end]: Parameters<typeof scopeParts>): RawBuilder<unknown>[] {
  const parts = scopeParts(selection, groups, range, end);
  return selection.left?.length ? [...parts, leftPart(selection, range, end)] : parts;
}

function scopeParts(
  selection: AttemptSelection,
  groups: readonly AttemptGroup[],
  range: IdRange,
  end: RawBuilder<unknown>,
): RawBuilder<unknown>[] {
  const { users, assessments, kind, status, passed } = selection;
  const where = conditions(selection, range);
  if (users !== undefined) {
    const own = assessments === undefined ? where : sql`${where} and ${ofAssessments(assessments)}`;
    return [each('user_id', users, own, end)];
  }
  if (assessments !== undefined)
    return [
      each('exam_id', assessments.exams, where, end),
      each('laboratory_id', assessments.laboratories, where, end),
    ];
  if (kind === undefined && status === undefined && passed === undefined)
    return [sql`select attempts.id from attempts where ${where} ${end}`];
  return groups.map(
    (
      group,
    ) => sql`select attempts.id from attempts where attempts.kind = ${group.kind} and attempts.status = ${group.status}
      and attempts.passed ${group.passed === null ? sql`is null` : sql`= ${group.passed}`} and ${where} ${end}`,
  );
}
