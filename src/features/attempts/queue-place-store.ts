import { sql } from 'kysely';
import { isPresent, statusSql } from '../../database/attempt-status.ts';
import type { Database } from '../../database/connection/connect.ts';

/** The place of a queued attempt: 1 is the next to start. */
export type QueuePlace = { position: number; estimated_seconds: number };

/** Recent starts that estimates are derived from: at most so many, of the last hour. */
const recentStarts = 20;
/** Seconds that a start is estimated to take before any was measured. */
const unmeasured = 2;

/** Places in the queue of starts, with the estimated seconds until the start. */
export class QueuePlaceStore {
  readonly #db: Database;
  readonly #maxContainers: number;

  constructor(db: Database, maxContainers: number) {
    this.#db = db;
    this.#maxContainers = maxContainers;
  }

  /**
   * The estimate is the place times the measured seconds between recent starts: since the one before, or since the request where that was
   * later. Without room it is the time until enough running attempts have reached their deadlines, because nobody knows when students submit.
   * @returns the places of those that are still queued
   */
  async of(attemptIds: readonly number[]): Promise<Map<number, QueuePlace>> {
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
