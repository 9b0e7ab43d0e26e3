import { type Selectable, sql } from 'kysely';
import { statusSql } from '../../database/attempt-status.ts';
import type { Database } from '../../database/connection/connect.ts';
import { seesAttempt } from '../../database/lists/student-scope.ts';
import type { RecordingsTable } from '../../database/tables.ts';
import type { Caller } from '../../http/access/access.ts';
import type { Page } from '../../http/lists/paging.ts';
import { mayBeRecorded } from './consent-store.ts';

export type RecordingRow = Selectable<RecordingsTable>;

/** Records of the recorded terminals of exam attempts. */
export class RecordingStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** @returns undefined when the exam attempt no longer exists, or its user has not agreed, which is noted */
  async begin(
    attemptId: number,
    recording: { key: string; cols: number; rows: number; started_at: Date },
  ): Promise<{ id: number; title: string } | undefined> {
    const { key, cols, rows, started_at } = recording;
    const isAgreed = mayBeRecorded(sql.ref('attempts.user_id'));
    const { rows: found } = await sql<{ id: number; title: string }>`
      with attempt as (select id, title from attempts where id = ${attemptId} and kind = 'exam' and ${isAgreed}),
      unrecorded as (
        update attempts set has_unrecorded_terminals = true where id = ${attemptId} and kind = 'exam' and not has_unrecorded_terminals and not ${isAgreed}
      ),
      recording as (
        insert into recordings (attempt_id, key, cols, rows, started_at)
        select id, ${key}, ${cols}, ${rows}, ${started_at} from attempt returning id
      )
      select recording.id, attempt.title from recording, attempt`.execute(this.#db);
    return found[0];
  }

  /** @returns false when the recording was removed in the meantime */
  async end(id: number, end: { ended_at: Date; bytes: number; is_truncated?: boolean }): Promise<boolean> {
    const { numUpdatedRows } = await this.#db
      .updateTable('recordings')
      .set(end)
      .where('id', '=', id)
      .where('ended_at', 'is', null)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  /** Ordered by start. @returns undefined unless it is an exam attempt that the caller sees */
  async ofAttempt(
    caller: Caller,
    attemptId: number,
    page: Page,
  ): Promise<{ rows: RecordingRow[]; total: number } | undefined> {
    const attempt = this.#db.selectFrom('attempts').select('id').where('id', '=', attemptId).where('kind', '=', 'exam');
    const seen = seesAttempt(caller);
    if (!(await attempt.where(seen).executeTakeFirst())) return undefined;
    const query = this.#db.selectFrom('recordings').where('attempt_id', '=', attemptId);
    const rows = await query.selectAll().orderBy('id').limit(page.limit).offset(page.offset).execute();
    const { total } = await query.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow();
    return { rows, total };
  }

  /** Includes its number among its attempt's recordings, from 1. @returns undefined for one that the caller does not see */
  async byId(caller: Caller, id: number): Promise<(RecordingRow & { number: number }) | undefined> {
    const number = sql<number>`(select count(*)::int from recordings other
      where other.attempt_id = recordings.attempt_id and other.id <= recordings.id)`;
    return await this.#db
      .selectFrom('recordings')
      .innerJoin('attempts', 'attempts.id', 'recordings.attempt_id')
      .selectAll('recordings')
      .select(number.as('number'))
      .where('recordings.id', '=', id)
      .where(seesAttempt(caller))
      .executeTakeFirst();
  }

  /** Recordings without an end although their attempt is over. The process that wrote them may have died. */
  async leftOpen(): Promise<{ id: number; key: string; started_at: Date }[]> {
    return await this.#db
      .selectFrom('recordings')
      .innerJoin('attempts', 'attempts.id', 'recordings.attempt_id')
      .select(['recordings.id', 'recordings.key', 'recordings.started_at'])
      .where('recordings.ended_at', 'is', null)
      .where(statusSql.isOver('attempts'))
      .execute();
  }

  /** Deletes the recordings that ended before a given time. @returns the keys of their files */
  async removeOlderThan(moment: Date): Promise<string[]> {
    const removed = await this.#db.deleteFrom('recordings').where('ended_at', '<', moment).returning('key').execute();
    return removed.map(({ key }) => key);
  }

  /** Recordings that began before a given time, with higher ids than the given one, in the order of their ids. */
  async keysBefore(moment: Date, afterId: number, limit: number): Promise<{ id: number; key: string }[]> {
    const query = this.#db.selectFrom('recordings').select(['id', 'key']).where('started_at', '<', moment);
    return await query.where('id', '>', afterId).orderBy('id').limit(limit).execute();
  }

  async remove(ids: readonly number[]): Promise<void> {
    if (ids.length > 0) await this.#db.deleteFrom('recordings').where('id', 'in', ids).execute();
  }

  /** Of these keys, those without a recording. */
  async unusedKeys(keys: readonly string[]): Promise<string[]> {
    const { rows } = await sql<{ key: string }>`
      select key from unnest(${keys}::text[]) as given (key)
      where not exists (select from recordings where recordings.key = given.key)`.execute(this.#db);
    return rows.map(({ key }) => key);
  }
}
