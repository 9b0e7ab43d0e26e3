import { type RawBuilder, type Selectable, sql, type Transaction } from 'kysely';
import { logActivity } from '../../database/activity-log.ts';
import { statusSql } from '../../database/attempt-status.ts';
import { ownClose, termsOf } from '../../database/exam-session-rules.ts';
import type { AttemptsTable, Tables } from '../../database/tables.ts';

type AttemptRow = Selectable<AttemptsTable>;

/** Sets the deadlines of the containers of attempts. That of a paused one is not known yet. */
export async function followDeadlines(trx: Transaction<Tables>, moved: readonly { id: number }[]): Promise<void> {
  const ids = moved.map(({ id }) => id);
  await sql`update containers set expires_at = case when attempts.paused_at is null then attempts.expires_at end
    from attempts where attempts.id = containers.attempt_id and attempts.id = any(${ids}::int[])`.execute(trx);
}

/** The seconds of breaks that an attempt of the table `attempts` has left, besides a break that is running. Null without breaks. */
export const breakSecondsLeft: RawBuilder<number | null> = sql<number | null>`(
  select case when own.break_minutes is not null then greatest(0, 60 * own.break_minutes - attempts.break_seconds) end
  from exam_sessions as sessions cross join ${termsOf('sessions', sql`attempts.user_id`)} as own
  where sessions.id = attempts.session_id)`;

/** When a break ends that began then: when its time is used up, or when the session closes. A break does not move the close. */
export const breakEnd = (since: RawBuilder<unknown>): RawBuilder<Date> => sql<Date>`least(
  greatest(now(), ${since} + make_interval(secs => coalesce(${breakSecondsLeft}, 0))), ${ownClose})`;

/** Whether the time of a break is over. A break continues after a pause of its session. */
export const isBreakOver = sql<boolean>`attempts.break_ends_at <= now() and not exists (
  select from exam_sessions as paused where paused.id = attempts.session_id and paused.paused_at is not null)`;

/**
 * Seconds that a break takes of those that are left, at least. The student ends it at any time, but many short ones are no way to stop the clock
 * while the machine is still stopping.
 */
const shortestBreak = 60;

/**
 * Ends breaks: the clocks continue, or stay stopped for the pause of the session. A break counts until it was to end, at the latest, and does
 * not count during a pause. It adds the time for which the machine stood still. Where there is no machine, that is all of it. A machine that
 * the engine could not stop is no loss for a student on a break of some length: the terminals were held. The caller holds a lock of the session.
 * @param which of the attempts that are on a break @param actorId who ends them; their users by default
 */
export async function endBreaks(
  trx: Transaction<Tables>,
  which: RawBuilder<boolean>,
  { reason, actorId }: { reason: 'student' | 'instructor' | 'time'; actorId?: number },
): Promise<AttemptRow[]> {
  const until = sql`least(now(), attempts.break_ends_at, sessions.paused_at)`;
  const seconds = (since: RawBuilder<unknown>) => sql`greatest(0, extract(epoch from ${until} - ${since})::float8)`;
  const held = sql`case
    when not exists (select from containers where attempt_id = attempts.id and status = 'running' and engine_ref is not null)
      then attempts.paused_at
    when attempts.held_at is not null then greatest(attempts.held_at, attempts.paused_at)
    when ${until} - attempts.paused_at < make_interval(secs => ${shortestBreak}) then ${until}
    else attempts.paused_at end`;
  const least = reason === 'student' ? shortestBreak : 0;
  const { rows } = await sql<AttemptRow & { seconds: number }>`with ending as (
      select attempts.id, ${seconds(held)} as seconds, greatest(${least}::float8, ${seconds(sql`attempts.paused_at`)}) as taken, sessions.paused_at as session_paused_at, ${ownClose} as closes_at
      from attempts left join exam_sessions as sessions on sessions.id = attempts.session_id
      where attempts.break_ends_at is not null and ${statusSql.isRunning('attempts')} and (${which})
      for update of attempts
    )
    update attempts set paused_at = session_paused_at, break_ends_at = null, held_at = null, break_seconds = break_seconds + taken,
      extra_seconds = extra_seconds + seconds,
      expires_at = least(expires_at + make_interval(secs => seconds), closes_at)
    from ending where ending.id = attempts.id returning attempts.*, seconds`.execute(trx);
  await followDeadlines(trx, rows);
  for (const { seconds, ...attempt } of rows)
    await logBreak(trx, attempt, 'exam_break_end', {
      actorId: actorId ?? attempt.user_id,
      details: { reason, seconds: Math.round(seconds) },
    });
  return rows;
}

/** An entry of the activity log about a break. */
export async function logBreak(
  trx: Transaction<Tables>,
  { user_id: userId, title, assessment_id }: AttemptRow,
  type: 'exam_break_start' | 'exam_break_end',
  { actorId, details }: { actorId: number; details: Record<string, unknown> },
): Promise<void> {
  await logActivity(trx, { actorId, userId, type, title, entityType: 'exam', entityId: assessment_id, details });
}
