import { sql } from 'kysely';
import { statusSql } from '../../database/attempt-status.ts';
import type { Database } from '../../database/connection/connect.ts';
import { pauseOf } from '../../database/exam-session-rules.ts';
import type { TaskMark } from '../../database/tables.ts';
import { ForbiddenError } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import type { Variant } from '../../values/variant.ts';
import { controllableSession } from '../exam-sessions/access-store.ts';
import { logSession } from '../exam-sessions/session-log-store.ts';
import { isOpen, notRunning } from './control-store.ts';

/** An attempt whose tasks are checked silently now. */
export type Look = {
  attempt_id: number;
  session_id: number;
  revision_id: number | null;
  variant: Variant | null;
  /** It also tells this look from a later one of the attempt. */
  began_at: Date;
  /** The reference of its container. */
  ref: string;
};

/** Maximum seconds of one look. It is over before the next one can begin, because the shortest interval is 3 minutes. */
export const lookSeconds = 120;
/** Minutes without a watched room, after which the silent checks of a session end: a supervisor went for a moment, or for good. */
const unwatchedMinutes = 10;
/** Hours after which they end although somebody watches: a page that was left open. */
const longestHours = 8;

const now = sql<Date>`now()`;

/** Which sessions are checked silently, and what the newest look at each attempt has found. Nothing else reads it. */
export class SilentCheckStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** @throws NotFoundError, ForbiddenError also for students who supervise, ConflictError unless the session is open */
  async begin(caller: Caller, sessionId: number, interval_minutes: number): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      const own = await controllableSession(trx, caller, sessionId);
      checkIsStaff(caller);
      if (!(await isOpen(trx, sessionId))) throw notRunning();
      await trx
        .insertInto('silent_checks')
        .values({ session_id: sessionId, interval_minutes })
        .onConflict((conflict) =>
          conflict.column('session_id').doUpdateSet({ interval_minutes, started_at: now, watched_at: now }),
        )
        .execute();
      await logSession(trx, caller, 'exam_session_silent_checks', own, { minutes: interval_minutes });
    });
  }

  /** @throws NotFoundError, ForbiddenError also for students who supervise */
  async end(caller: Caller, sessionId: number): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      const own = await controllableSession(trx, caller, sessionId);
      checkIsStaff(caller);
      const ended = await trx.deleteFrom('silent_checks').where('session_id', '=', sessionId).executeTakeFirst();
      if (ended.numDeletedRows > 0n)
        await logSession(trx, caller, 'exam_session_silent_checks', own, { minutes: null });
    });
  }

  /** Reports that a member of staff watches the room of a session. */
  async watched(sessionId: number): Promise<void> {
    await this.#db
      .updateTable('silent_checks')
      .set({ watched_at: now })
      .where('session_id', '=', sessionId)
      .where('watched_at', '<', sql<Date>`now() - interval '1 minute'`)
      .execute();
  }

  /** Ends those that nobody watches, those that have run for too long, and those whose session is closed with no attempt left in it. */
  async endOver(): Promise<void> {
    await sql`delete from silent_checks as checks using exam_sessions as s where s.id = checks.session_id and (
      watched_at < ${now} - make_interval(mins => ${unwatchedMinutes})
      or started_at < ${now} - make_interval(hours => ${longestHours})
      or (${now} >= s.closes_at + ${sql.raw(pauseOf('s', 'now()'))}
        and not exists (select from attempts where attempts.session_id = s.id and attempts.user_id > 0 and ${statusSql.isUnfinished('attempts')})))`.execute(
      this.#db,
    );
  }

  /** The gradings that run or wait, in all processes. */
  async gradings(): Promise<number> {
    const { rows } = await sql<{
      count: number;
    }>`select count(*)::int as count from attempts where status = 'grading'`.execute(this.#db);
    return rows[0]?.count ?? 0;
  }

  /**
   * Begins the look that has been due for longest. A grading that begins at the same moment waits for it, or prevents it. An attempt whose
   * clock is stopped or about to end is not due.
   * @param except attempts whose last look has not ended in this process
   */
  async next(except: readonly number[]): Promise<Look | undefined> {
    return await this.#db.transaction().execute(async (trx) => {
      const { rows } = await sql<Look>`
        with due as (
          select attempts.id, attempts.session_id, attempts.revision_id, attempts.variant, container.engine_ref
          from silent_checks as checks
          join attempts on attempts.session_id = checks.session_id and attempts.user_id > 0
          join containers as container on container.attempt_id = attempts.id and container.status = 'running'
            and container.engine_ref is not null and container.lost_at is null
          left join silent_looks as look on look.attempt_id = attempts.id
          where attempts.status = 'in_progress' and attempts.paused_at is null
            and attempts.expires_at > ${now} + interval '1 minute' and attempts.id <> all(${[...except]}::int[])
            and (look.began_at is null or look.began_at <= ${now} - make_interval(mins => checks.interval_minutes))
          order by look.began_at nulls first, attempts.id
          limit 1 for no key update of attempts skip locked for key share of checks skip locked
        ), begun as (
          insert into silent_looks as look (attempt_id, session_id, began_at)
          select id, session_id, ${now} from due
          on conflict (attempt_id) do update set began_at = excluded.began_at, ended_at = null
            where look.began_at <= ${now} - (select make_interval(mins => interval_minutes) from silent_checks as checks
              where checks.session_id = excluded.session_id)
          returning attempt_id, session_id, began_at
        )
        select begun.*, due.revision_id, due.variant, due.engine_ref as ref from begun join due on due.id = begun.attempt_id`.execute(
        trx,
      );
      return rows[0];
    });
  }

  /** Whether a look may go on: its attempt is in progress with a running clock, and its session is still checked silently. */
  async mayGoOn({ attempt_id, began_at }: Look): Promise<boolean> {
    const look = this.#db
      .selectFrom('silent_looks')
      .innerJoin('attempts', 'attempts.id', 'attempt_id')
      .select('attempt_id')
      .where('attempt_id', '=', attempt_id)
      .where('began_at', '=', began_at)
      .where('status', '=', 'in_progress')
      .where('paused_at', 'is', null);
    return (await look.executeTakeFirst()) !== undefined;
  }

  /** Ends a look. @param marks undefined where it was broken off: those of before stay */
  async finish({ attempt_id, began_at }: Look, marks?: readonly TaskMark[]): Promise<void> {
    const found = marks === undefined ? null : JSON.stringify(marks);
    await sql`with ended as (
        update silent_looks set ended_at = ${now}, marks = coalesce(${found}::jsonb, marks),
          checked_at = case when ${found}::jsonb is null then checked_at else ${now} end,
          marks_changed_at = case when ${found}::jsonb is distinct from marks and ${found}::jsonb is not null then ${now} else marks_changed_at end
        where attempt_id = ${attempt_id} and began_at = ${began_at} returning attempt_id
      )
      select pg_notify('exam_session', session_id || ':' || user_id) from ended join attempts on attempts.id = ended.attempt_id`.execute(
      this.#db,
    );
  }

  /** Whether a look at an attempt runs. Not one whose process died so long ago that it would have ended. */
  async isLookedAt(attemptId: number): Promise<boolean> {
    const look = this.#db
      .selectFrom('silent_looks')
      .select('attempt_id')
      .where('attempt_id', '=', attemptId)
      .where('ended_at', 'is', null)
      .where('began_at', '>', sql<Date>`now() - make_interval(secs => ${lookSeconds})`);
    return (await look.executeTakeFirst()) !== undefined;
  }
}

/** Marks are results that their students do not have, so students who supervise get none. @throws ForbiddenError */
function checkIsStaff({ role }: Caller): void {
  if (role === 'student')
    throw new ForbiddenError('forbidden', 'Only instructors and administrators check an exam session silently');
}
