import { sql } from 'kysely';
import { isPresent, presenceSeconds, statusSql } from '../../../database/attempt-status.ts';
import type { Database } from '../../../database/connection/connect.ts';
import { isSessionClosed } from '../../../database/exam-session-rules.ts';
import type { AttemptKind } from '../../../database/tables.ts';
import { type AttemptRow, logAttempt } from '../store.ts';

/** The place of a queued attempt: 1 is the next to start. */
export type QueuePlace = { position: number; estimated_seconds: number };

/** Recent starts that estimates are derived from: at most so many, of the last hour. */
const recentStarts = 20;
/** Seconds that a start is estimated to take before any was measured. */
const unmeasured = 2;

/** The notification that a container may be free, or that somebody waits for one. */
export const queueChannel = 'start_queue';

export const notifyQueue = sql`select pg_notify(${queueChannel}, '')`;

/** The attempts that wait for a container. `StartStore` adds them, and takes the first one out. One that is being started has the number of its process. */
export class QueueStore {
  readonly #db: Database;
  readonly #processId: number;
  readonly #maxContainers: number;

  constructor(db: Database, processId: number, maxContainers: number) {
    this.#db = db;
    this.#processId = processId;
    this.#maxContainers = maxContainers;
  }

  /** Returns an attempt whose start failed to its place. @param processId of the process that was to start it */
  async release(id: number, processId = this.#processId): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      await trx
        .updateTable('attempts')
        .set({ process_id: null })
        .where('id', '=', id)
        .where('status', '=', 'queued')
        .where('process_id', '=', processId)
        .execute();
      await notifyQueue.execute(trx);
    });
  }

  /** The queued attempts that dead processes were to start. */
  async interrupted(gone: readonly number[]): Promise<(AttemptRow & { process_id: number })[]> {
    const rows = await this.#db
      .selectFrom('attempts')
      .selectAll()
      .where('status', '=', 'queued')
      .where('process_id', 'in', [...gone, 0])
      .execute();
    return rows.map((row) => ({ ...row, process_id: row.process_id ?? 0 }));
  }

  /** Records that a user asks for the queued attempts of one kind. One that let others pass takes its turn again. */
  async ask(userId: number, kind: AttemptKind): Promise<void> {
    await sql`with before as (
        select id, asked_at from attempts where user_id = ${userId} and kind = ${kind} and status = 'queued'
          and asked_at < now() - make_interval(secs => ${presenceSeconds / 6}) for update
      ), asked as (
        update attempts set asked_at = now() from before where attempts.id = before.id and attempts.status = 'queued'
      )
      select pg_notify(${queueChannel}, '') from before where asked_at < now() - make_interval(secs => ${presenceSeconds})
      `.execute(this.#db);
  }

  /** Abandons queued attempts whose owners have not asked for so long, or whose assessment was deleted or session closed. @returns how many */
  async abandonAbsent(minutes: number): Promise<number> {
    return await this.#db.transaction().execute(async (trx) => {
      const abandoned = await trx
        .updateTable('attempts')
        .set({ status: 'abandoned' })
        .where('status', '=', 'queued')
        .where('process_id', 'is', null)
        .where((eb) =>
          eb.or([
            eb('asked_at', '<', sql<Date>`now() - make_interval(mins => ${minutes})`),
            eb('assessment_id', 'is', null),
            isSessionClosed,
          ]),
        )
        .returningAll()
        .execute();
      for (const attempt of abandoned) await logAttempt(trx, attempt, `${attempt.kind}_abandon`);
      return abandoned.length;
    });
  }

  /**
   * The estimate is the place times the measured seconds between recent starts: since the one before, or since the request where that was
   * later. Without room it is the time until enough running attempts have reached their deadlines, because nobody knows when students submit.
   * @returns the places of those that are still queued
   */
  async placesOf(attemptIds: readonly number[]): Promise<Map<number, QueuePlace>> {
    if (attemptIds.length === 0) return new Map();
    const { rows } = await sql<QueuePlace & { id: number }>`
      with newest as (
        select id, created_at, started_at from attempts where not ${statusSql.awaitsContainer()}
        order by id desc limit ${recentStarts}
      ), intervals as (
        select extract(epoch from started_at - greatest(created_at, lag(started_at) over (order by started_at))) as seconds
        from newest where started_at > now() - interval '1 hour'
      ), pace as (
        select coalesce(avg(greatest(seconds, 0)), ${unmeasured}) as seconds from intervals
      ), room as (
        select count(*) >= ${this.#maxContainers} as is_full from containers where status <> 'stopped'
      ), deadlines as (
        select extract(epoch from expires_at - now()) as seconds, row_number() over (order by expires_at) as number
        from containers where kind in ('exam', 'laboratory') and status = 'running' and expires_at is not null
      ), places as (
        select own.id, 1 + (
          select count(*) from attempts where status = 'queued' and (process_id is not null or ${isPresent}) and attempts.id < own.id
        ) as position
        from attempts as own where own.id = any(${attemptIds}::int[]) and own.status = 'queued'
      )
      select id, position::int, greatest(1, ceil(greatest(position * pace.seconds, case when is_full then coalesce(
        (select seconds from deadlines where number = position), (select max(seconds) from deadlines)) end)))::int as estimated_seconds
      from places cross join pace cross join room`.execute(this.#db);
    return new Map(rows.map(({ id, ...place }) => [id, place]));
  }
}
