import { type RawBuilder, sql, type Transaction } from 'kysely';
import { logActivity } from '../../database/activity-log.ts';
import { statusSql } from '../../database/attempt-status.ts';
import type { Tables } from '../../database/tables.ts';

/** Whether a class has an instructor besides these users. Programs, and students who supervise it, do not count. */
export const hasOtherInstructor = (classId: number, userIds: readonly number[]): RawBuilder<boolean> =>
  sql<boolean>`exists (select from class_members as other join users on users.id = other.user_id
    where other.class_id = ${classId} and other.user_id <> all(${[...userIds]}::integer[]) and other.role = 'instructor'
      and users.id > 0 and users.role <> 'student')`;

/**
 * Ends memberships that a provider of logins or a platform has brought and does not name any more: not in an archived class, not during an
 * exam of it, and not where no instructor would be left. Those end the next time. Attempts are kept.
 */
export async function endMemberships(
  trx: Transaction<Tables>,
  classId: number,
  userIds: readonly number[],
): Promise<void> {
  if (userIds.length === 0) return;
  // Changes of roles and removals hold the class, so that two of them see each other.
  await sql`select from classes where id = ${classId} for no key update`.execute(trx);
  // A start of an exam holds its session: it is seen here, or finds that the user is no member.
  await sql`select from exam_sessions where class_id = ${classId} order by id for no key update`.execute(trx);
  const { rows } = await sql<{ user_id: number; name: string }>`
    delete from class_members as member using classes
    where classes.id = member.class_id and classes.id = ${classId} and member.user_id = any(${[...userIds]}::integer[]) and not classes.is_archived
      and not exists (select from attempts join exam_sessions as s on s.id = attempts.session_id
        where s.class_id = classes.id and attempts.user_id = member.user_id and ${statusSql.isUnfinished('attempts')})
      and (member.role <> 'instructor' or ${hasOtherInstructor(classId, userIds)})
    returning member.user_id, classes.name`.execute(trx);
  const act = { type: 'class_leave', entityType: 'class', entityId: classId };
  await logActivity(
    trx,
    ...rows.map(({ user_id, name }) => ({ ...act, actorId: user_id, userId: user_id, title: name })),
  );
}
