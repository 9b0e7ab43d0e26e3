import { type RawBuilder, sql, type Transaction } from 'kysely';
import { statusSql } from '../../../database/attempt-status.ts';
import type { Database } from '../../../database/connection/connect.ts';
import type { Tables } from '../../../database/tables.ts';
import { ConflictError, NotFoundError } from '../../../errors.ts';
import type { Caller } from '../../../http/access/access.ts';
import { breakEnd, breakSecondsLeft, endBreaks, followDeadlines, isBreakOver, logBreak } from '../clock-store.ts';
import type { AttemptRow } from '../store.ts';

const endedAtOnce = 200;

/** Breaks in which the clock of an exam is stopped, for students whose accommodation allows them. */
export class BreakStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** What is left of its breaks. @returns null where its user has none, or it is not in progress */
  async secondsLeft({ id, session_id, status }: AttemptRow): Promise<number | null> {
    if (session_id === null || status !== 'in_progress') return null;
    return await secondsLeft(this.#db, id);
  }

  /**
   * The clock of the caller's attempt stops now. A break that is running continues.
   * @returns the attempt @throws NotFoundError, ConflictError
   */
  async start(caller: Caller, id: number): Promise<AttemptRow> {
    return await this.#change(caller, id, async (trx, attempt, isPaused) => {
      if (isPaused) throw new ConflictError('session_paused', 'The exam session is paused');
      if (attempt.break_ends_at !== null) return attempt;
      const left = (await secondsLeft(trx, id)) ?? 0;
      if (left === 0) throw new ConflictError('no_break_left', 'No time for breaks is left in this attempt');
      const { rows } =
        await sql<AttemptRow>`update attempts set paused_at = now(), held_at = null, break_ends_at = ${breakEnd(sql`now()`)}
        where id = ${id} returning *`.execute(trx);
      await followDeadlines(trx, rows);
      const [started = attempt] = rows;
      await logBreak(trx, started, 'exam_break_start', { actorId: caller.id, details: { seconds_left: left } });
      return started;
    });
  }

  /** The clock of the caller's attempt continues, unless its session is paused. @returns the attempt @throws NotFoundError, ConflictError */
  async end(caller: Caller, id: number): Promise<AttemptRow> {
    return await this.#change(caller, id, async (trx) => {
      const [ended] = await endBreaks(trx, sql<boolean>`attempts.id = ${id}`, { reason: 'student' });
      if (!ended) throw new ConflictError('not_on_break', 'No break is running');
      return ended;
    });
  }

  /** Ends breaks whose time is over, of one attempt or of a bounded number. @returns the attempts whose clocks continue */
  async endOver(attemptId?: number): Promise<AttemptRow[]> {
    const { rows } = await sql<{ id: number; session_id: number }>`select id, session_id from attempts
      where break_ends_at is not null and ${isBreakOver} and (${attemptId ?? null}::int is null or id = ${attemptId ?? null}::int)
      order by break_ends_at limit ${endedAtOnce}`.execute(this.#db);
    const ended: AttemptRow[] = [];
    for (const { id, session_id } of rows)
      await this.#db.transaction().execute(async (trx) => {
        await lockSession(trx, session_id);
        ended.push(...(await endBreaks(trx, isOver(id), { reason: 'time' })));
      });
    return ended;
  }

  /** No pause or change of the session happens meanwhile. */
  async #change(
    caller: Caller,
    id: number,
    work: (trx: Transaction<Tables>, attempt: AttemptRow, isPaused: boolean) => Promise<AttemptRow>,
  ): Promise<AttemptRow> {
    return await this.#db.transaction().execute(async (trx) => {
      const own = trx.selectFrom('attempts').select('session_id').where('id', '=', id).where('kind', '=', 'exam');
      const found = await own.where('user_id', '=', caller.id).where(statusSql.isListed()).executeTakeFirst();
      if (!found) throw new NotFoundError('not_found', 'Attempt not found');
      const isPaused = await lockSession(trx, found.session_id);
      const { rows } = await sql<AttemptRow>`select * from attempts where id = ${id} and status = 'in_progress'
        and (paused_at is not null or expires_at is null or expires_at > now()) for update`.execute(trx);
      const [attempt] = rows;
      if (!attempt) throw new ConflictError('attempt_not_in_progress', 'The attempt is not in progress');
      return await work(trx, attempt, isPaused);
    });
  }
}

const isOver = (id: number): RawBuilder<boolean> => sql<boolean>`attempts.id = ${id} and ${isBreakOver}`;

/** @returns whether the session is paused */
async function lockSession(trx: Transaction<Tables>, id: number | null): Promise<boolean> {
  const { rows } = await sql<{ is_paused: boolean }>`select paused_at is not null as is_paused from exam_sessions
    where id = ${id} for share`.execute(trx);
  return rows[0]?.is_paused ?? false;
}

async function secondsLeft(db: Database, id: number): Promise<number | null> {
  const { rows } = await sql<{ seconds: number | null }>`
    select case when total is not null then floor(greatest(0, total - used))::int end as seconds from (
      select ${breakSecondsLeft} as total, case when break_ends_at is null then 0 else extract(epoch from
        least(now(), (select s.paused_at from exam_sessions as s where s.id = session_id)) - paused_at) end as used
      from attempts where id = ${id}
    ) as breaks`.execute(db);
  return rows[0]?.seconds ?? null;
}
