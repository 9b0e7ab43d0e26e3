import { type RawBuilder, sql } from 'kysely';

/**
 * Whether a user takes an exam that leaves them one login and no other containers, from the start on.
 * @param states of the attempt; without them, it may still wait for its container
 */
export const isLockedDown = (
  userId: RawBuilder<unknown>,
  states = sql`('queued', 'starting', 'in_progress', 'grading')`,
): RawBuilder<boolean> => sql<boolean>`exists (select from attempts as exam where exam.user_id = ${userId}
  and exam.kind = 'exam' and exam.status in ${states} and exam.is_locked_down)`;

/** The same once its clock has started. */
export const worksLockedDown = (userId: RawBuilder<unknown>): RawBuilder<boolean> =>
  isLockedDown(userId, sql`('in_progress', 'grading')`);

/**
 * Whether nobody works in the container of an attempt of the table `attempts` now: its clock is stopped, or it is a laboratory, and an
 * exam locks its user down.
 */
export const isHeld: RawBuilder<boolean> = sql<boolean>`(attempts.status in ('in_progress', 'grading') and (
  attempts.paused_at is not null or attempts.kind = 'laboratory' and ${worksLockedDown(sql.ref('attempts.user_id'))}))`;
