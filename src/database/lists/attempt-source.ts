import { type RawBuilder, sql } from 'kysely';
import { type AttemptStatus, isGraded, type ListedStatus, statusesThat } from '../../values/attempt-status.ts';
import { statusSql } from '../attempt-status.ts';
import type { AttemptKind } from '../tables.ts';
import { eachOf, type StudentScope, testedForScope } from './student-scope.ts';
import { userMatches } from './user-search.ts';

/** Which attempts a list contains, with the users and assessments of its filter looked up. */
export type AttemptSelection = {
  /** Only attempts of its students. */
  scope: StudentScope;
  /** Attempts that it has besides, if the other filters select them. */
  left?: readonly number[];
  kind?: AttemptKind;
  status?: ListedStatus;
  passed?: boolean;
  assessments?: readonly { kind: AttemptKind; id: number }[];
  user?: number;
  /** A text that the names of their users contain. */
  search?: string;
  /** The users whom the text matches, unless they are too many. */
  found?: readonly number[];
  /** Range of `started_at`: `from` is inclusive, `to` is exclusive. */
  from?: Date;
  to?: Date;
};

/** How attempts are found: in the order of their starts, where each is tested for its user, or those of each user. */
export type Access = 'inOrder' | 'ofEachUser';
/** The place of an attempt in the order of the starts. */
export type Start = { started_at: Date | string; id: number };
export type Scan = {
  /** Attempts beyond this place only, in the direction of the scan. */
  beyond?: Start | undefined;
  isDescending: boolean;
  offset?: number;
  limit: number;
};

/** Whether the users of attempts matter. */
export const isOfUsers = ({ scope, user, search }: AttemptSelection): boolean =>
  scope.of !== 'everybody' || user !== undefined || search !== undefined;

/** A statement for the selected attempts in the order of their starts. Each part of it follows one index, and stops there after `limit` rows. */
export function attemptsInOrder(selection: AttemptSelection, access: Access, scan: Scan): RawBuilder<Start> {
  const { beyond, isDescending, offset = 0, limit } = scan;
  const way = sql.raw(isDescending ? 'desc' : 'asc');
  const sign = sql.raw(isDescending ? '<' : '>');
  const place =
    beyond && sql`(attempts.started_at, attempts.id) ${sign} (${beyond.started_at}::timestamptz, ${beyond.id}::int)`;
  const end = sql`order by attempts.started_at ${way}, attempts.id ${way} limit ${offset + limit}`;
  return sql`select id, started_at from (${parts(selection, access, place ?? sql`true`, end)}) as found
    order by started_at ${way}, id ${way} limit ${limit} offset ${offset}`;
}

/** A statement for the same attempts in no order. */
export const someAttempts = (selection: AttemptSelection, access: Access, limit: number): RawBuilder<Start> =>
  sql`select id, started_at from (${parts(selection, access, sql`true`, sql`limit ${limit}`)}) as found limit ${limit}`;

/** A statement for attempts that the other filters select, whoever their user is. */
export const attemptsOfAnybody = (selection: AttemptSelection, limit: number): RawBuilder<unknown> =>
  sql`select from (${unionOf(ranges(selection, ownConditions(selection), sql`limit ${limit}`))}) as found limit ${limit}`;

const unionOf = (parts: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
  sql.join(
    parts.map((part) => sql`(${part})`),
    sql` union all `,
  );

function parts(selection: AttemptSelection, access: Access, place: RawBuilder<unknown>, end: RawBuilder<unknown>) {
  const where = sql`${ownConditions(selection)} and ${place}`;
  const tested = sql`${where} and ${testedUsers(selection)}`;
  const all = access === 'inOrder' ? ranges(selection, tested, end) : [ofEachUser(selection, where, end)];
  if (selection.left?.length) all.push(leftPart(selection, where, end));
  return unionOf(all);
}

/** The conditions that need no other table. */
function ownConditions({ kind, status, passed, from, to }: AttemptSelection): RawBuilder<unknown> {
  // Not those of test students.
  const all: RawBuilder<unknown>[] = [statusSql.isListed('attempts'), sql`attempts.user_id > 0`];
  if (kind !== undefined) all.push(sql`attempts.kind = ${kind}`);
  if (status !== undefined) all.push(sql`attempts.status = ${status}`);
  if (passed !== undefined) all.push(sql`attempts.passed = ${passed}`);
  if (from) all.push(sql`attempts.started_at >= ${from}`);
  if (to) all.push(sql`attempts.started_at < ${to}`);
  return sql.join(all, sql` and `);
}

function ofAssessments({ assessments }: AttemptSelection): RawBuilder<unknown> {
  if (assessments === undefined) return sql`true`;
  return sql`(attempts.kind, attempts.assessment_id) in (select * from ${unnested(assessments)})`;
}

/** Each row is tested for its user. */
function testedUsers({ scope, user, search, found }: AttemptSelection): RawBuilder<unknown> {
  const all: RawBuilder<unknown>[] = [sql`true`];
  const userId = sql.ref('attempts.user_id');
  if (scope.of !== 'everybody') all.push(testedForScope(scope, userId));
  if (user !== undefined) all.push(sql`attempts.user_id = ${user}`);
  if (found !== undefined) all.push(sql`attempts.user_id = any(${found}::int[])`);
  else if (search !== undefined)
    // A scalar for each row: as a join, all users could be searched for a page.
    all.push(sql`(select ${userMatches(search)} from users where users.id = attempts.user_id)`);
  return sql.join(all, sql` and `);
}

const selected = sql`select attempts.id, attempts.started_at from attempts`;

const unnested = (assessments: readonly { kind: AttemptKind; id: number }[]) =>
  sql`unnest(${assessments.map(({ kind }) => kind)}::text[], ${assessments.map(({ id }) => id)}::int[])`;

/** One range of an index each: of the assessments, of the states that the filter selects, or of all attempts. */
function ranges(selection: AttemptSelection, where: RawBuilder<unknown>, end: RawBuilder<unknown>) {
  const { assessments, kind, status, passed } = selection;
  if (assessments !== undefined)
    // For each of them the first attempts, which an index has in order.
    return [
      sql`select found.* from ${unnested(assessments)} as given (kind, id) cross join lateral (
        ${selected} where attempts.kind = given.kind and attempts.assessment_id = given.id and ${where} ${end}) as found`,
    ];
  if (kind === undefined && status === undefined && passed === undefined)
    return [sql`${selected} where ${where} ${end}`];
  return statesOf(selection).map(
    (state) => sql`${selected} where attempts.kind = ${state.kind} and attempts.status = ${state.status}
      and attempts.passed ${state.passed === null ? sql`is null` : sql`= ${state.passed}`} and ${where} ${end}`,
  );
}

type State = { kind: AttemptKind; status: AttemptStatus; passed: boolean | null };

/** Attempts with results have passed or not. */
export const statesOf = ({ kind, status, passed }: AttemptSelection): State[] =>
  (['exam', 'laboratory'] as const)
    .flatMap((of) => statusesThat.isListed.map((is) => ({ kind: of, status: is })))
    .flatMap((state) => (isGraded(state) ? [true, false, null] : [null]).map((has) => ({ ...state, passed: has })))
    .filter((state) => (kind ?? state.kind) === state.kind && (status ?? state.status) === state.status)
    .filter((state) => (passed ?? state.passed) === state.passed);

/** The attempts of each user. */
function ofEachUser(selection: AttemptSelection, where: RawBuilder<unknown>, end: RawBuilder<unknown>) {
  return sql`select own.* from ${usersOf(selection)} cross join lateral (
    ${selected} where attempts.user_id = each.user_id and ${where} and ${ofAssessments(selection)} ${end}) as own`;
}

function usersOf({ scope, user, search, found }: AttemptSelection): RawBuilder<unknown> {
  if (scope.of !== 'everybody') {
    const one = user === undefined ? sql`` : sql`where each.user_id = ${user}`;
    return sql`(select each.user_id from ${eachOf(scope, search)} ${one}) as each`;
  }
  const text = search === undefined ? sql`true` : userMatches(search);
  if (user !== undefined) return sql`(select id as user_id from users where id = ${user} and ${text}) as each`;
  if (found !== undefined) return sql`unnest(${found}::int[]) as each (user_id)`;
  return sql`(select id as user_id from users where ${text}) as each`;
}

/** The attempts that a scope has besides those of its students. The user and the text were looked up with them. */
function leftPart(selection: AttemptSelection, where: RawBuilder<unknown>, end: RawBuilder<unknown>) {
  const { left = [] } = selection;
  return sql`${selected} where attempts.id = any(${left}::int[]) and ${where} and ${ofAssessments(selection)} ${end}`;
}
