import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../../http/access.ts';
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

/** The students of a supervisor's classes, possibly more than once, by the index of the classes of a user. */
function studentsOf(supervisor: number, search: string | undefined): RawBuilder<unknown> {
  const found = search === undefined ? sql`` : sql`join users on users.id = student.user_id and ${userMatches(search)}`;
  return sql`select student.user_id from class_members as own
    join class_members as student on student.class_id = own.class_id and student.role = 'student' ${found}
    where own.user_id = ${supervisor} and own.role = any(${supervisors}::text[])`;
}

/**
 * Whether a user is in a scope. PostgreSQL chooses where it starts: at the users, or at the scope.
 * @param search a text that the user must match besides
 */
export function inScope(scope: StudentScope, userId: RawBuilder<unknown>, search?: string): RawBuilder<boolean> {
  if (scope.of === 'nobody') return sql<boolean>`false`;
  if (scope.of === 'everybody') return sql<boolean>`true`;
  return sql<boolean>`${userId} in (${studentsOf(scope.supervisor, search)})`;
}

/** The same for rows that are read in the order of another index. The scope is read once, and each row is tested for it. */
export const testedForScope = (scope: StudentScope, userId: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`(${inScope(scope, userId)}) is true`;
