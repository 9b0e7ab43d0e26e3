import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../../http/access/access.ts';
import { membershipsOf } from '../exam-session-rules.ts';
import type { ClassRole } from '../tables.ts';
import { userMatches } from './user-search.ts';

declare const decided: unique symbol;
/**
 * Whose data a caller may see in the role of staff. A list demands one, so that no list can omit the restriction. Only `studentScope`
 * creates them.
 */
export type StudentScope = (
  | { readonly of: 'everybody' }
  | { readonly of: 'nobody' }
  | { readonly of: 'classes'; readonly supervisor: number }
) & { readonly [decided]: true };

/** The roles in a class with which an instructor sees its students. */
const supervisors: readonly ClassRole[] = ['assistant', 'instructor'];

/** A role in a class alone is not sufficient: the data outside the pages of a class is for instructors. */
export function studentScope({ id, role, scope }: Caller): StudentScope {
  if (role === 'student') return { of: 'nobody' } as StudentScope;
  return (scope === 'all' ? { of: 'everybody' } : { of: 'classes', supervisor: id }) as StudentScope;
}

/**
 * The students of a supervisor's classes, possibly more than once, by the index of the classes of a user. Colleagues are none of them,
 * whatever their role in a class.
 */
function studentsOf(supervisor: number, search: string | undefined): RawBuilder<unknown> {
  const found = search === undefined ? sql`` : sql`and ${userMatches(search)}`;
  return sql`select student.user_id from class_members as own
    join class_members as student on student.class_id = own.class_id and student.role = 'student'
    join users on users.id = student.user_id and users.role = 'student' ${found}
    where own.user_id = ${supervisor} and own.role = any(${supervisors}::text[])`;
}

type Test = (students: RawBuilder<unknown>) => RawBuilder<boolean>;

/** Test students are in no scope. */
function condition(
  scope: StudentScope,
  userId: RawBuilder<unknown>,
  search: string | undefined,
  test: Test,
): RawBuilder<boolean> {
  if (scope.of === 'nobody') return sql<boolean>`false`;
  if (scope.of === 'everybody') return sql<boolean>`${userId} > 0`;
  return test(studentsOf(scope.supervisor, search));
}

/** Whether the user of one row is in a scope. */
export const inScope = (scope: StudentScope, userId: RawBuilder<unknown>): RawBuilder<boolean> =>
  condition(scope, userId, undefined, (students) => sql<boolean>`${userId} in (${students})`);

/**
 * Whether a caller sees one attempt, of the table `attempts`: of a student in the scope, or in a session that the caller supervises. Its
 * student may have left the class.
 */
export function seesAttempt(caller: Caller): RawBuilder<boolean> {
  const scope = studentScope(caller);
  const ofStudent = inScope(scope, sql.ref('attempts.user_id'));
  if (scope.of !== 'classes') return ofStudent;
  return sql<boolean>`(${ofStudent} or attempts.session_id in (${supervisedSessions(caller.id)})
    and attempts.user_id > 0 and exists (select from users as taker where taker.id = attempts.user_id and taker.role = 'student'))`;
}

/** Whether it is the caller's own or one that the caller sees as staff, with a personal token only where that is one for grades. */
export const readsAttempt = (caller: Caller): RawBuilder<boolean> =>
  sql<boolean>`(attempts.user_id = ${caller.id} or ${caller.tokenScopes?.includes('grades') === false ? sql`false` : seesAttempt(caller)})`;

/** Whether a caller may change the work of a student, and not only see it. Assistants of a class see only. */
export const instructs = ({ id, role, scope }: Caller, userId: RawBuilder<unknown>): RawBuilder<boolean> => {
  if (role === 'student') return sql<boolean>`false`;
  if (role === 'admin' || scope === 'all') return sql<boolean>`true`;
  return sql<boolean>`exists (select from class_members as own
    join class_members as student on student.class_id = own.class_id and student.role = 'student'
    where own.user_id = ${id} and own.role = 'instructor' and student.user_id = ${userId})`;
};

/**
 * Whether a caller decides about the result of an attempt, of the table `attempts`: who may change its session, or without one whoever
 * instructs its student. Nobody but administrators decides about an own attempt.
 */
export function decidesAbout(caller: Caller): RawBuilder<boolean> {
  if (caller.role !== 'instructor') return sql<boolean>`${sql.lit(caller.role === 'admin')}`;
  return sql<boolean>`(attempts.user_id <> ${caller.id} and case when attempts.session_id is null
    then ${instructs(caller, sql.ref('attempts.user_id'))}
    else attempts.session_id in (select session_id from ${membershipsOf(caller.id)} as own where own.role = 'instructor') end)`;
}

/**
 * Whether a caller grades what people grade in an attempt, of the table `attempts`, and decides about nothing else: an assistant of the class
 * of its session, or without one of a class of its student, which lets assistants grade. Students are none, whatever their role in a class:
 * they see no withheld results.
 */
export function gradesIn({ id, role }: Caller): RawBuilder<boolean> {
  if (role !== 'instructor') return sql<boolean>`false`;
  return sql<boolean>`(attempts.user_id <> ${id} and case when attempts.session_id is null
    then exists (select from class_members as own join classes on classes.id = own.class_id and classes.has_assistant_graders
      join class_members as student on student.class_id = own.class_id and student.role = 'student'
      where own.user_id = ${id} and own.role = 'assistant' and student.user_id = attempts.user_id)
    else attempts.session_id in (select own.session_id from ${membershipsOf(id)} as own
      join exam_sessions as graded on graded.id = own.session_id and graded.has_assistant_graders where own.role = 'assistant') end)`;
}

const supervisedSessions = (supervisor: number) => sql`select session_id from ${membershipsOf(supervisor)} as own
  where own.role = any(${supervisors}::text[])`;

/**
 * A statement for the attempts that a scope has besides those of its students: in sessions that the supervisor supervises, of students who
 * have left the class, or never were in one.
 * @returns undefined where there are none
 */
export function leftAttempts(scope: StudentScope, search: string | undefined): RawBuilder<{ id: number }> | undefined {
  if (scope.of !== 'classes') return undefined;
  const found = search === undefined ? sql`` : sql`and ${userMatches(search)}`;
  return sql`select attempts.id from attempts
    join users on users.id = attempts.user_id and users.role = 'student' ${found}
    where attempts.user_id > 0 and attempts.session_id = any(array(${supervisedSessions(scope.supervisor)}))
      and not ${testedForScope(scope, sql.ref('attempts.user_id'))}`;
}

/**
 * The same for rows of all users in the scope. They are looked up by an index of the users, whatever PostgreSQL expects of the scope.
 * @param search a text that the users must match besides
 */
export const ofScope = (scope: StudentScope, userId: RawBuilder<unknown>, search?: string): RawBuilder<boolean> =>
  condition(scope, userId, search, (students) => sql<boolean>`${userId} = any(array(${students}))`);

/**
 * The users of a scope, each once and without those whom a search does not match: `each.user_id` of a query that looks up the rows of each
 * of them. Everybody is nobody there, because the lists of all users have other queries.
 */
export const eachOf = (scope: StudentScope, search?: string): RawBuilder<unknown> => {
  const students = scope.of === 'classes' ? studentsOf(scope.supervisor, search) : sql`select 0 as user_id where false`;
  return sql`(select distinct user_id from (${students}) as students) as each`;
};

/** The same for rows that are read in the order of another index. The scope is read once, and each row is tested for it. */
export const testedForScope = (scope: StudentScope, userId: RawBuilder<unknown>): RawBuilder<boolean> =>
  condition(scope, userId, undefined, (students) => sql<boolean>`(${userId} in (${students})) is true`);
