import { sql, type Transaction } from 'kysely';
import { statusSql } from '../../database/attempt-status.ts';
import type { Database } from '../../database/connection/connect.ts';
import { pauseOf } from '../../database/exam-session-rules.ts';
import type { Tables } from '../../database/tables.ts';
import { afterAllTokens, lockTokens } from '../../database/token-times.ts';
import { ConflictError, NotFoundError } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import { endBreaks, followDeadlines, isBreakOver } from '../attempts/clock-store.ts';
import { changeableSession, controllableSession, type OwnSession } from '../exam-sessions/access-store.ts';
import { isRunning, type MovedAttempt, moveDeadlines } from '../exam-sessions/deadline-store.ts';
import { logSession } from '../exam-sessions/session-log-store.ts';

/** Changes of a session while students are in it. Each is one transaction, and no attempt starts in between. */
export class SessionControlStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Students see the results from now on. @throws NotFoundError, ForbiddenError, ConflictError for a session that never shows them */
  async release(caller: Caller, id: number): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      const own = await changeableSession(trx, caller, id);
      if (own.session.results_visible === 'never')
        throw new ConflictError('conflict', 'The exam session never shows results');
      if (own.session.released_at !== null) return;
      await trx.updateTable('exam_sessions').set({ released_at: now }).where('id', '=', id).execute();
      await logSession(trx, caller, 'exam_session_release', own, {});
    });
  }

  /** The clocks of all attempts stop, and nobody starts. @throws NotFoundError, ForbiddenError, ConflictError unless it is open */
  async pause(caller: Caller, id: number): Promise<void> {
    await this.#control(caller, id, async (trx, own) => {
      if (own.session.paused_at !== null || !(await isOpen(trx, id))) throw notRunning();
      await endBreaks(trx, sql<boolean>`attempts.session_id = ${id} and ${isBreakOver}`, { reason: 'time' });
      await trx.updateTable('exam_sessions').set({ paused_at: now }).where('id', '=', id).execute();
      // The clocks of those on a break are stopped already.
      const { rows } = await sql<MovedAttempt>`update attempts set paused_at = coalesce(paused_at, ${now})
        where session_id = ${id} and ${isRunning} and (expires_at > ${now} or paused_at is not null)
        returning *`.execute(trx);
      await followDeadlines(trx, rows);
      await logSession(trx, caller, 'exam_session_pause', own, { attempts: rows.length });
    });
  }

  /**
   * The clocks continue, and so do breaks. The time of the pause is added to the attempts, and moves the close of the session.
   * @returns the attempts whose deadline has moved @throws NotFoundError, ForbiddenError, ConflictError unless it is paused
   */
  async resume(caller: Caller, id: number): Promise<MovedAttempt[]> {
    return await this.#control(caller, id, async (trx, own) => {
      if (own.session.paused_at === null)
        throw new ConflictError('session_not_paused', 'The exam session is not paused');
      await moveCloses(trx, id, sql`${now} - ${own.session.paused_at}::timestamptz`);
      await trx.updateTable('exam_sessions').set({ paused_at: null }).where('id', '=', id).execute();
      // A break that began before the pause continues as if it had begun later.
      const paused = sql`(${now} - case when break_ends_at is null then paused_at else ${own.session.paused_at}::timestamptz end)`;
      const { rows } = await sql<MovedAttempt>`update attempts set break_ends_at = break_ends_at + ${paused},
          paused_at = case when break_ends_at is not null then paused_at + ${paused} end,
          extra_seconds = extra_seconds + extract(epoch from ${paused}), expires_at = expires_at + ${paused}
        where session_id = ${id} and paused_at is not null returning *`.execute(trx);
      await moveDeadlines(trx, id);
      const ids = rows.map((row) => row.id);
      const resumed = trx
        .selectFrom('attempts')
        .selectAll()
        .where('id', 'in', [0, ...ids]);
      const moved = await resumed.where(statusSql.isRunning()).execute();
      await followDeadlines(trx, moved);
      await logSession(trx, caller, 'exam_session_resume', own, { attempts: moved.length });
      return moved;
    });
  }

  /**
   * Adds minutes to the attempts that run, and to the time until the session closes.
   * @param userId undefined for everybody
   * @returns the attempts whose deadline has moved
   * @throws NotFoundError for the session or a user without an attempt that runs, ForbiddenError, ConflictError unless it is open
   */
  async extend(caller: Caller, id: number, minutes: number, userId?: number): Promise<MovedAttempt[]> {
    return await this.#control(caller, id, async (trx, own) => {
      if (userId === undefined && !(await isOpen(trx, id))) throw notRunning();
      const { rows } = await sql<MovedAttempt>`update attempts set extra_seconds = extra_seconds + ${minutes * 60},
          ended_at = null, ended_by = null
        where session_id = ${id} and ${isRunning} and ${ofUser(userId)} returning *`.execute(trx);
      if (userId === undefined) await moveCloses(trx, id, sql`make_interval(mins => ${minutes})`);
      else if (rows.length === 0) throw noAttempt();
      else
        await sql`insert into exam_accommodations as own (session_id, user_id, closes_at)
          select id, ${userId}::int, closes_at + make_interval(mins => ${minutes}) from exam_sessions where id = ${id}
          on conflict (session_id, user_id) do update
            set closes_at = coalesce(own.closes_at + make_interval(mins => ${minutes}), excluded.closes_at)`.execute(
          trx,
        );
      const moved = await moveDeadlines(trx, id, userId);
      await logSession(trx, caller, 'exam_session_extend', own, {
        ...{ minutes, attempts: moved.length },
        ...(userId === undefined ? {} : { userId }),
      });
      return moved;
    });
  }

  /**
   * The login of a student is locked no more, and all tokens become invalid. The next login locks it again.
   * @throws NotFoundError for the session or a user without an attempt that locks the login, ForbiddenError
   */
  async unlock(caller: Caller, id: number, userId: number): Promise<void> {
    await this.#control(caller, id, async (trx, own) => {
      const attempt = trx
        .selectFrom('attempts')
        .select('id')
        .where('session_id', '=', id)
        .where('user_id', '=', userId);
      const locking = attempt.where('is_locked_down', '=', true).where(statusSql.isUnfinished());
      const locked = await locking.executeTakeFirst();
      if (!locked) throw noAttempt();
      await trx.updateTable('attempts').set({ login_refused_at: null }).where('id', '=', locked.id).execute();
      await lockTokens(trx, userId);
      await trx
        .updateTable('users')
        .set({ locked_login: null, tokens_valid_from: afterAllTokens })
        .where('id', '=', userId)
        .execute();
      await logSession(trx, caller, 'exam_session_unlock', own, { userId });
    });
  }

  /**
   * Ends the break of a student.
   * @returns the attempt, whose clock continues unless the session is paused
   * @throws NotFoundError for the session or a user without an attempt that runs, ForbiddenError, ConflictError unless the user is on a break
   */
  async endBreak(caller: Caller, id: number, userId: number): Promise<MovedAttempt[]> {
    return await this.#control(caller, id, async (trx) => {
      const which = sql<boolean>`session_id = ${id} and user_id = ${userId}`;
      const ended = await endBreaks(trx, which, { reason: 'instructor', actorId: caller.id });
      if (ended.length > 0) return ended;
      const { rows } = await sql`select from attempts where ${which} and ${isRunning}`.execute(trx);
      throw rows.length > 0 ? new ConflictError('not_on_break', 'The user is not on a break') : noAttempt();
    });
  }

  /**
   * The time of attempts that run is over now, and those that wait in the queue leave it. Without a user, the session closes as well.
   * @returns the attempts that are to be graded
   * @throws NotFoundError for the session or a user without an attempt, ForbiddenError, ConflictError unless it is open, and while the user's attempt starts
   */
  async end(caller: Caller, id: number, userId?: number): Promise<MovedAttempt[]> {
    return await this.#control(caller, id, async (trx, own) => {
      if (userId === undefined) {
        if (!(await isOpen(trx, id))) throw notRunning();
        await closeNow(trx, id);
      }
      const { rows } =
        await sql<MovedAttempt>`update attempts set paused_at = null, break_ends_at = null, expires_at = least(expires_at, ${now}),
          ended_at = case when ${isEarly} then ${now} else ended_at end,
          ended_by = case when ${isEarly} then ${caller.id}::int else ended_by end
        where session_id = ${id} and ${isRunning} and ${ofUser(userId)} returning *`.execute(trx);
      const left = await leaveQueue(trx, caller, id, userId);
      if (userId !== undefined && rows.length === 0 && left === 0) throw await notEnded(trx, id, userId);
      await followDeadlines(trx, rows);
      await logSession(trx, caller, 'exam_session_end', own, {
        attempts: rows.length + left,
        ...(userId === undefined ? {} : { userId }),
      });
      return rows;
    });
  }

  async #control<Result>(
    caller: Caller,
    id: number,
    work: (trx: Transaction<Tables>, own: OwnSession) => Promise<Result>,
  ): Promise<Result> {
    return await this.#db
      .transaction()
      .execute(async (trx) => await work(trx, await controllableSession(trx, caller, id)));
  }
}

const now = sql<Date>`now()`;
/** The clock has not ended the attempt already. */
const isEarly = sql`(paused_at is not null or expires_at > ${now})`;
export const notRunning = () => new ConflictError('session_not_running', 'The exam session is not open');
const noAttempt = () => new NotFoundError('no_active_attempt', 'The user has no running attempt in the exam session');
const ofUser = (userId: number | undefined) =>
  sql`(${userId ?? null}::int is null or user_id = ${userId ?? null}::int)`;

/** Abandons attempts that wait in the queue. One that is being started is no longer there. @returns how many */
async function leaveQueue(
  trx: Transaction<Tables>,
  caller: Caller,
  id: number,
  userId: number | undefined,
): Promise<number> {
  const { rows } = await sql`update attempts set status = 'abandoned', ended_at = ${now}, ended_by = ${caller.id}
    where session_id = ${id} and status = 'queued' and process_id is null and ${ofUser(userId)} returning id`.execute(
    trx,
  );
  return rows.length;
}

/** Why the attempt of a user cannot be ended. */
async function notEnded(trx: Transaction<Tables>, id: number, userId: number): Promise<ConflictError | NotFoundError> {
  const starting = trx.selectFrom('attempts').select('id').where('session_id', '=', id).where('user_id', '=', userId);
  return (await starting.where(statusSql.awaitsContainer()).executeTakeFirst())
    ? new ConflictError('attempt_queued', 'The attempt is being started; try again in a moment')
    : noAttempt();
}

/** Whether it is open to any student. */
export async function isOpen(trx: Transaction<Tables>, id: number): Promise<boolean> {
  const { rows } = await sql<{ is_open: boolean }>`
    select ${now} >= s.opens_at and ${now} < s.closes_at + ${sql.raw(pauseOf('s'))} or exists (
        select from exam_accommodations as own where own.session_id = s.id and ${now} >= coalesce(own.opens_at, s.opens_at)
          and ${now} < coalesce(own.closes_at, s.closes_at) + ${sql.raw(pauseOf('s'))}
      ) as is_open
    from exam_sessions as s where s.id = ${id}`.execute(trx);
  return rows[0]?.is_open ?? false;
}

/** The close of the session, and those of single students, that are not in the past. */
async function moveCloses(trx: Transaction<Tables>, id: number, by: ReturnType<typeof sql>): Promise<void> {
  await sql`update exam_accommodations as own set closes_at = own.closes_at + (${by}) from exam_sessions as s
    where s.id = own.session_id and s.id = ${id} and own.closes_at > coalesce(s.paused_at, ${now})`.execute(trx);
  await sql`update exam_sessions set closes_at = closes_at + (${by})
    where id = ${id} and closes_at > coalesce(paused_at, ${now})`.execute(trx);
}

/** Ends the pause as well. Students whose own window opens later keep it. */
async function closeNow(trx: Transaction<Tables>, id: number): Promise<void> {
  await sql`update exam_accommodations as own set closes_at = ${now} from exam_sessions as s
    where s.id = own.session_id and s.id = ${id} and coalesce(own.opens_at, s.opens_at) < ${now}
      and own.closes_at > ${now}`.execute(trx);
  await sql`update exam_sessions set paused_at = null,
      closes_at = case when opens_at < ${now} then least(closes_at, ${now}) else closes_at end where id = ${id}`.execute(
    trx,
  );
}
