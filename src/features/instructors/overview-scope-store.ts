import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../../http/access/access.ts';

/** The classes that are not archived and whose instructor or assistant the caller is. */
export const ownClasses = ({ id }: Pick<Caller, 'id'>): RawBuilder<unknown> => sql`
  select classes.id from class_members as mine join classes on classes.id = mine.class_id
  where mine.user_id = ${id} and mine.role in ('assistant', 'instructor') and not classes.is_archived`;

/** Whether a class is among those of the caller. Administrators: any that is not archived. */
export const isOwnClass = (caller: Caller, classId: RawBuilder<unknown>): RawBuilder<boolean> =>
  caller.role === 'admin'
    ? sql<boolean>`not exists (select from classes where classes.id = ${classId} and classes.is_archived)`
    : sql<boolean>`${classId} in (${ownClasses(caller)})`;

/** Whether a user is a student of those classes. Administrators: any user. */
export const isOwnStudent = (caller: Caller, userId: RawBuilder<unknown>): RawBuilder<boolean> =>
  caller.role === 'admin'
    ? sql<boolean>`true`
    : sql<boolean>`${userId} in (select student.user_id from class_members as student
        where student.role = 'student' and student.class_id in (${ownClasses(caller)}))`;
