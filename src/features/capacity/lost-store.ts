import { type Selectable, sql } from 'kysely';
import { logActivity } from '../../database/activity-log.ts';
import { statusSql } from '../../database/attempt-status.ts';
import type { Database } from '../../database/connection/connect.ts';
import { keepDeadline } from '../../database/exam-session-rules.ts';
import type { AttemptsTable } from '../../database/tables.ts';
import { type ContainerRow, entityOf } from './store.ts';
import type { TemplateRow } from './template-store.ts';

/** A container that is being replaced: its record has a new identifier, and the reference of the lost one. */
export type Replacing = { row: ContainerRow; lostRef: string; template: TemplateRow | undefined };

/** An attempt whose deadline has moved. */
export type MovedAttempt = Selectable<AttemptsTable>;

const now = sql<Date>`now()`;

/** Records of containers that were lost with their machines, and of those that replace them. */
export class LostStore {
  readonly #db: Database;
  readonly #processId: number;

  /** @param processId of the process that replaces containers: after its death another one does */
  constructor(db: Database, processId: number) {
    this.#db = db;
    this.#processId = processId;
  }

  /** The record of a container, if it belongs to a user, should run and can be replaced. */
  async find(ref: string): Promise<ContainerRow | undefined> {
    return await this.#db
      .selectFrom('containers')
      .selectAll()
      .where('engine_ref', '=', ref)
      .where('user_id', 'is not', null)
      .where('kind', 'in', ['sandbox', 'exam', 'laboratory'])
      .where('status', '=', 'running')
      .where('lost_uid', 'is', null)
      .executeTakeFirst();
  }

  /**
   * Takes the replacement of a lost container for this process. Its record gets a new identifier, so both containers can exist until one
   * of them is removed.
   * @returns undefined if another process has taken it, or it is given up
   */
  async claim({ id, uid, engine_ref, template_id }: ContainerRow): Promise<Replacing | undefined> {
    const row = await this.#db
      .updateTable('containers')
      .set({
        ...{ uid: sql<string>`gen_random_uuid()`, lost_uid: uid, status: 'creating', process_id: this.#processId },
        lost_at: sql<Date>`coalesce(lost_at, now())`,
      })
      .where('id', '=', id)
      .where('uid', '=', uid)
      .where('status', '=', 'running')
      .returningAll()
      .executeTakeFirst();
    if (!row || engine_ref === null) return undefined;
    const templates = this.#db
      .selectFrom('sandbox_templates')
      .selectAll()
      .where('id', '=', template_id ?? 0);
    return { row, lostRef: engine_ref, template: await templates.executeTakeFirst() };
  }

  /** A replacement by this process has failed: the record is that of the lost container again. */
  async releaseOwn(ref: string): Promise<void> {
    const query = this.#db.selectFrom('containers').select(['id', 'uid']).where('engine_ref', '=', ref);
    const own = query.where('status', '=', 'creating').where('process_id', '=', this.#processId);
    for (const row of await own.execute()) await this.release(row);
  }

  /** The record of a replacement that does not happen is that of the lost container again. */
  async release({ id, uid }: Pick<ContainerRow, 'id' | 'uid'>): Promise<void> {
    await this.#db
      .updateTable('containers')
      .set({ uid: sql<string>`lost_uid`, lost_uid: null, status: 'running' })
      .where('id', '=', id)
      .where('uid', '=', uid)
      .where('status', '=', 'creating')
      .where('lost_uid', 'is not', null)
      .execute();
  }

  /**
   * The replacement runs. Its attempt gets back the time since the state that it continues from. That is the time of its home folder, or
   * the start of the container if there was more to lose.
   * @returns the attempt if its deadline has moved. Undefined where the container was given up in the meantime
   */
  async setReplaced(
    { id, uid }: ContainerRow,
    { ref, hasHome, isHomeAll }: { ref: string; hasHome: boolean; isHomeAll: boolean },
  ): Promise<{ moved: MovedAttempt | undefined } | undefined> {
    return await this.#db.transaction().execute(async (trx) => {
      const query = trx.selectFrom('containers').selectAll().where('id', '=', id).where('uid', '=', uid);
      const lost = await query.where('status', '=', 'creating').forUpdate().executeTakeFirst();
      if (!lost) return undefined;
      const keptAt = hasHome ? lost.home_saved_at : null;
      const since = isHomeAll ? (keptAt ?? lost.replaced_at) : lost.replaced_at;
      const moved = await trx
        .updateTable('attempts')
        .set({ expires_at: sql<Date>`expires_at + ${lostTime(since)}` })
        .where('id', '=', lost.attempt_id)
        .where(statusSql.isRunning())
        .where('expires_at', 'is not', null)
        .returningAll()
        .returning(sql<number>`extract(epoch from ${lostTime(since)})::float8`.as('seconds'))
        .executeTakeFirst();
      if (moved) await keepDeadline(trx, moved, moved.seconds);
      await trx
        .updateTable('containers')
        .set({
          ...{ engine_ref: ref, status: 'running', started_at: now, replaced_at: now, lost_at: null },
          ...{ home_kept_at: keptAt, home_saved_at: hasHome ? now : null, home_due_at: null, home_mark: null },
          ...(moved ? { expires_at: moved.paused_at === null ? moved.expires_at : null } : {}),
        })
        .where('id', '=', id)
        .execute();
      await logActivity(trx, {
        ...{ ...entityOf(lost), userId: lost.user_id, type: 'container_replace' },
        details: { lost_at: lost.lost_at, home_kept_at: keptAt, expires_at: moved?.expires_at },
      });
      return { moved };
    });
  }

  /** The lost container is removed. */
  async setRemoved({ id, uid }: Pick<ContainerRow, 'id' | 'uid'>): Promise<void> {
    await this.#db
      .updateTable('containers')
      .set({ lost_uid: null })
      .where('id', '=', id)
      .where('uid', '=', uid)
      .execute();
  }
}

/** Of an attempt. A resume gives the time of its pause back. */
const lostTime = (since: Date | null) =>
  sql`greatest(interval '0', coalesce(paused_at, now()) - coalesce(${since}::timestamptz, started_at))`;
