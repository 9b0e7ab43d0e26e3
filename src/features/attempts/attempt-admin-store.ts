import { sql } from 'kysely';
import { logActivity } from '../../database/activity-log.ts';
import type { Database } from '../../database/connection/connect.ts';
import { keepDeadline } from '../../database/exam-session-rules.ts';
import { type AttemptFilter, AttemptList } from '../../database/lists/attempt-list.ts';
import type { Listed, Page } from '../../database/lists/keyset.ts';
import { studentScope } from '../../database/lists/student-scope.ts';
import type { Caller } from '../../http/access/access.ts';
import type { AttemptRow } from './store.ts';

export type ListedAttempt = AttemptRow & { container_id: number | null };

export type MoreTime = { whole: number } | { added: number };

/** Attempts of all users, for administrators. */
export class AttemptAdminStore {
  readonly #db: Database;
  readonly #list: AttemptList;

  constructor(db: Database) {
    this.#db = db;
    this.#list = new AttemptList(db);
  }

  /** Newest first. */
  async list(caller: Caller, filter: AttemptFilter, page: Page): Promise<Listed<ListedAttempt>> {
    const listed = await this.#list.page(studentScope(caller), filter, page);
    const rows = await this.#db
      .selectFrom('attempts')
      .leftJoin('containers', (join) =>
        join.onRef('containers.attempt_id', '=', 'attempts.id').on('containers.status', '<>', 'removing'),
      )
      .selectAll('attempts')
      .select('containers.id as container_id')
      .where('attempts.id', 'in', [0, ...listed.rows])
      .orderBy(sql`array_position(${listed.rows}::int[], attempts.id)`)
      .execute();
    return { ...listed, rows };
  }

  /**
   * Moves the deadline of an attempt in progress, and its container's deadline with it. The deadline never moves to an earlier time.
   * @param time the minutes from its start, or those that are added
   * @returns undefined where that would not extend it
   */
  async extend(actorId: number, id: number, time: MoreTime): Promise<AttemptRow | undefined> {
    return await this.#db.transaction().execute(async (trx) => {
      const before = await trx
        .selectFrom('attempts')
        .select('expires_at')
        .where('id', '=', id)
        .where('status', '=', 'in_progress')
        .forUpdate()
        .executeTakeFirst();
      if (!before) return undefined;
      const deadline =
        'whole' in time
          ? sql<Date>`started_at + make_interval(mins => ${time.whole})`
          : sql<Date>`expires_at + make_interval(mins => ${time.added})`;
      const attempt = await trx
        .updateTable('attempts')
        .set({ expires_at: deadline, ended_at: null, ended_by: null })
        .where('id', '=', id)
        .where('expires_at', '<', deadline)
        .where(deadline, '>', sql<Date>`now()`)
        .returningAll()
        .executeTakeFirst();
      if (!attempt) return undefined;
      const { expires_at, user_id, title, kind } = attempt;
      const seconds = ((expires_at?.getTime() ?? 0) - (before.expires_at?.getTime() ?? 0)) / 1000;
      await keepDeadline(trx, attempt, seconds);
      const until = attempt.paused_at === null ? expires_at : null;
      await trx.updateTable('containers').set({ expires_at: until }).where('attempt_id', '=', id).execute();
      await logActivity(trx, {
        actorId,
        userId: user_id,
        type: 'admin_attempt_extend',
        title,
        entityType: 'attempt',
        entityId: id,
        details: { kind, old: before, new: { expires_at } },
      });
      return attempt;
    });
  }

  /** Logs that an attempt is graded again, whatever the result. @returns false unless its grading has failed */
  async logGrading(actorId: number, id: number): Promise<boolean> {
    return await this.#db.transaction().execute(async (trx) => {
      const attempt = await trx
        .selectFrom('attempts')
        .selectAll()
        .where('id', '=', id)
        .where('status', '=', 'in_progress')
        .where('grading_error', 'is not', null)
        .forUpdate()
        .executeTakeFirst();
      if (!attempt) return false;
      const { user_id, title, kind, grading_error } = attempt;
      await logActivity(trx, {
        actorId,
        userId: user_id,
        type: 'admin_attempt_grade',
        title,
        entityType: 'attempt',
        entityId: id,
        details: { kind, grading_error },
      });
      return true;
    });
  }
}
