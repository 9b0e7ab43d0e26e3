import { type RawBuilder, sql } from 'kysely';
import { type StatusQuestion, statusesThat } from '../values/attempt-status.ts';

type Condition = (table?: string) => RawBuilder<boolean>;

/** As text. `isListed` is written as the indexes have it. @param table or its alias, where the statement has several */
export function statusText(question: StatusQuestion, table?: string): string {
  const column = table === undefined ? 'status' : `${table}.status`;
  if (question === 'isListed') return `${column} <> 'starting'`;
  return `${column} in (${statusesThat[question].map((status) => `'${status}'`).join(', ')})`;
}

/** The questions of `statusesThat` in SQL. */
export const statusSql = Object.fromEntries(
  Object.keys(statusesThat).map((question) => {
    const condition: Condition = (table) => sql<boolean>`${sql.raw(statusText(question as StatusQuestion, table))}`;
    return [question, condition];
  }),
) as Record<StatusQuestion, Condition>;

/** Seconds since the last request of its owner after which a queued attempt lets others pass. It keeps its place. */
export const presenceSeconds = 90;

/** Whether the owner of a queued attempt still asks for it. Browsers let a page in the background ask once a minute. */
export const isPresent = sql<boolean>`attempts.asked_at > now() - make_interval(secs => ${sql.lit(presenceSeconds)})`;

/** The attempts that wait for a container. One with a process is being started. */
export const isWaiting = sql<boolean>`attempts.status = 'queued' and attempts.process_id is null and ${isPresent}`;

const locksDown = (userId: RawBuilder<unknown>, question: 'isUnfinished' | 'isRunning'): RawBuilder<boolean> =>
  sql<boolean>`exists (select from attempts as exam where exam.user_id = ${userId}
  and exam.kind = 'exam' and ${statusSql[question]('exam')} and exam.is_locked_down)`;

/** Whether a user takes an exam that leaves them one login and no other containers. It may still wait for its container. */
export const isLockedDown = (userId: RawBuilder<unknown>): RawBuilder<boolean> => locksDown(userId, 'isUnfinished');

/** The same once its clock has started. */
export const worksLockedDown = (userId: RawBuilder<unknown>): RawBuilder<boolean> => locksDown(userId, 'isRunning');

/**
 * Whether nobody works in the container of an attempt of the table `attempts` now: its clock is stopped, or it is a laboratory, and an
 * exam locks its user down.
 */
export const isHeld: RawBuilder<boolean> = sql<boolean>`(${statusSql.isRunning('attempts')} and (
  attempts.paused_at is not null or attempts.kind = 'laboratory' and ${worksLockedDown(sql.ref('attempts.user_id'))}))`;
