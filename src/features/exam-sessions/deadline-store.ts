import { type Selectable, sql, type Transaction } from 'kysely';
import { statusSql } from '../../database/attempt-status.ts';
import { sessionDeadline } from '../../database/exam-session-rules.ts';
import type { AttemptsTable, Tables } from '../../database/tables.ts';
import { breakEnd, followDeadlines } from '../attempts/clock-store.ts';

export type MovedAttempt = Selectable<AttemptsTable>;

/** The attempts of a session whose clocks have started and whose time is not over. */
export const isRunning = sql<boolean>`${statusSql.isRunning('attempts')}
  and (attempts.submitted_at is null or attempts.submitted_at < attempts.expires_at)`;

/**
 * Sets the deadlines of running attempts, and the ends of breaks, as the session and the accommodations are now, and those of their containers, which terminals
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
  const which = sql`session_id = ${sessionId} and ${isRunning}
    and (${userId ?? null}::int is null or user_id = ${userId ?? null}::int)`;
  const { rows: breaks } = await sql<MovedAttempt>`update attempts set break_ends_at = ${breakEnd(sql`paused_at`)}
    where ${which} and break_ends_at > now() and break_ends_at is distinct from ${breakEnd(sql`paused_at`)}
    returning *`.execute(trx);
  const { rows } = await sql<MovedAttempt>`update attempts set expires_at = ${deadline}
    where ${which} and expires_at is distinct from ${deadline} returning *`.execute(trx);
  await followDeadlines(trx, rows);
  return [...rows, ...breaks.filter(({ id }) => rows.every((row) => row.id !== id))];
}
