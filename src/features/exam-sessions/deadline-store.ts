import { type Selectable, sql, type Transaction } from 'kysely';
import { sessionDeadline } from '../../database/exam-session-rules.ts';
import type { AttemptsTable, Tables } from '../../database/tables.ts';

export type MovedAttempt = Selectable<AttemptsTable>;

/** The attempts of a session whose clocks have started and whose time is not over. */
export const isRunning = sql<boolean>`attempts.status in ('in_progress', 'grading')
  and (attempts.submitted_at is null or attempts.submitted_at < attempts.expires_at)`;

/**
 * Sets the deadlines of running attempts as the session and the accommodations are now, and those of their containers, which terminals
 * follow. The caller holds the lock of the session.
 * @param userId undefined for all
 * @returns the attempts that have moved
 */
export async function moveDeadlines(
  trx: Transaction<Tables>,
  sessionId: number,
  userId?: number,
): Promise<MovedAttempt[]> {
  const deadline = sessionDeadline(sql`attempts.started_at`, sql`attempts.time_limit_minutes`);
  const { rows } = await sql<MovedAttempt>`update attempts set expires_at = ${deadline}
    where session_id = ${sessionId} and ${isRunning} and (${userId ?? null}::int is null or user_id = ${userId ?? null}::int)
      and expires_at is distinct from ${deadline} returning *`.execute(trx);
  await followDeadlines(trx, rows);
  return rows;
}

/** Sets the deadlines of the containers of attempts. That of a paused one is not known yet. */
export async function followDeadlines(trx: Transaction<Tables>, moved: readonly MovedAttempt[]): Promise<void> {
  const ids = moved.map(({ id }) => id);
  await sql`update containers set expires_at = case when attempts.paused_at is null then attempts.expires_at end
    from attempts where attempts.id = containers.attempt_id and attempts.id = any(${ids}::int[])`.execute(trx);
}
