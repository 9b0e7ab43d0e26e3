import { type Selectable, sql, type Transaction } from 'kysely';
import { logActivity } from '../../database/activity-log.ts';
import { statusSql } from '../../database/attempt-status.ts';
import { ofAssessment } from '../../database/catalogue/assessments.ts';
import type { Database } from '../../database/connection/connect.ts';
import { withheld } from '../../database/exam-session-rules.ts';
import { cut, inOrderOfIds, type Listed, type Page } from '../../database/lists/keyset.ts';
import { readsAttempt } from '../../database/lists/student-scope.ts';
import type { AttemptKind, AttemptsTable, Tables, TaskResultsTable } from '../../database/tables.ts';
import type { Caller } from '../../http/access/access.ts';

export type AttemptRow = Selectable<AttemptsTable>;
/** `read_at`: the database's time of the reading. */
export type ReadAttempt = AttemptRow & { read_at: Date };
export type AttemptMessage = { id: number; text: string; created_at: Date };
export type Withheld = { id: number; withheld: 'results' | 'output' | null };
export type TaskResultRow = Selectable<TaskResultsTable>;

export { lostReason } from '../../database/exam-session-rules.ts';

const databaseTime = sql<Date>`clock_timestamp()`.as('read_at');

/** The newest messages that an attempt shows. */
const maxMessages = 20;

/** Reads attempts and their results. The other stores of this folder change them. */
export class AttemptStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async byId(id: number): Promise<AttemptRow | undefined> {
    return await this.#db
      .selectFrom('attempts')
      .selectAll()
      .where('id', '=', id)
      .where(statusSql.isListed())
      .executeTakeFirst();
  }

  /** The messages of instructors to the user of an attempt in progress, the oldest first. */
  async messages({ session_id, user_id, started_at, status }: AttemptRow): Promise<AttemptMessage[]> {
    if (session_id === null || status !== 'in_progress') return [];
    const newest = await this.#db
      .selectFrom('exam_messages')
      .select(['id', 'text', 'created_at'])
      .where('session_id', '=', session_id)
      .where('created_at', '>=', started_at)
      .where((eb) => eb.or([eb('user_id', 'is', null), eb('user_id', '=', user_id)]))
      .orderBy('id', 'desc')
      .limit(maxMessages)
      .execute();
    return newest.toReversed();
  }

  /** The caller's own, or one that the caller sees as staff. */
  async seenBy(caller: Caller, id: number): Promise<ReadAttempt | undefined> {
    return await this.#db
      .selectFrom('attempts')
      .selectAll()
      .select(databaseTime)
      .where('id', '=', id)
      .where(statusSql.isListed())
      .where(readsAttempt(caller))
      .executeTakeFirst();
  }

  async results(attemptId: number): Promise<TaskResultRow[]> {
    return await this.#db
      .selectFrom('task_results')
      .selectAll()
      .where('attempt_id', '=', attemptId)
      .orderBy('order_index')
      .orderBy('task_id')
      .execute();
  }

  /** The text at the end of the exam or laboratory, as it was at the start of the attempt. */
  async conclusion({ id }: Pick<AttemptRow, 'id'>): Promise<string | null> {
    const row = await this.#db
      .selectFrom('attempts')
      .leftJoin('assessment_revisions as revision', 'revision.id', 'revision_id')
      .leftJoin('assessments', (join) =>
        join.onRef('assessments.kind', '=', 'attempts.kind').onRef('assessments.id', '=', 'attempts.assessment_id'),
      )
      .select(({ fn }) =>
        fn.coalesce(sql<string | null>`revision.content ->> 'conclusion'`, 'assessments.conclusion').as('conclusion'),
      )
      .where('attempts.id', '=', id)
      .executeTakeFirst();
    return row?.conclusion ?? null;
  }

  /** The name of who ended an attempt before its time, other than its user. Null as well once that account is deleted. */
  async endedBy({ ended_by }: Pick<AttemptRow, 'ended_by'>): Promise<string | null> {
    if (ended_by === null) return null;
    const user = this.#db.selectFrom('users').select(['username', 'full_name']).where('id', '=', ended_by);
    const row = await user.executeTakeFirst();
    return row ? row.full_name || row.username : null;
  }

  /** A user's active attempts, newest first: at most one of exams, and one of each laboratory. */
  async active(userId: number, kind: AttemptKind): Promise<ReadAttempt[]> {
    return await this.#db
      .selectFrom('attempts')
      .selectAll()
      .select(databaseTime)
      .where('user_id', '=', userId)
      .where('kind', '=', kind)
      .where(statusSql.isActive())
      .orderBy('id', 'desc')
      .execute();
  }

  async activeFor(userId: number, kind: AttemptKind, assessmentId: number): Promise<AttemptRow | undefined> {
    return await this.#db
      .selectFrom('attempts')
      .selectAll()
      .where('user_id', '=', userId)
      .where(ofAssessment(kind, assessmentId))
      .where(statusSql.isActive())
      .executeTakeFirst();
  }

  /** Whether a user's attempt of a laboratory is being started, in any process. */
  async isStarting(userId: number, laboratoryId: number): Promise<boolean> {
    const starting = await this.#db
      .selectFrom('attempts')
      .select('id')
      .where('user_id', '=', userId)
      .where(ofAssessment('laboratory', laboratoryId))
      .where('status', '=', 'starting')
      .executeTakeFirst();
    return starting !== undefined;
  }

  async ofUser(userId: number, kind: AttemptKind, page: Page): Promise<Listed<AttemptRow>> {
    const query = this.#db
      .selectFrom('attempts')
      .where('user_id', '=', userId)
      .where('kind', '=', kind)
      .where(statusSql.isListed());
    const [read, { total }] = await Promise.all([
      inOrderOfIds(query.selectAll(), 'attempts.id', page).execute(),
      query.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow(),
    ]);
    return { ...cut(read, page), total };
  }

  /** What the sessions of these attempts withhold from their users. An attempt that does not exist any more is missing. */
  async withheld(ids: readonly number[]): Promise<Withheld[]> {
    if (ids.length === 0) return [];
    const query = this.#db.selectFrom('attempts').select('id').where('id', 'in', ids);
    return await query.select(sql<Withheld['withheld']>`${sql.raw(withheld)}`.as('withheld')).execute();
  }

  /** Whether an attempt's deadline passed at least that many minutes ago. */
  async isLongOver(id: number, minutes: number): Promise<boolean> {
    const query = this.#db
      .selectFrom('attempts')
      .select('id')
      .where('id', '=', id)
      .where('expires_at', '<', sql<Date>`now() - make_interval(mins => ${minutes})`)
      .where('paused_at', 'is', null);
    return (await query.executeTakeFirst()) !== undefined;
  }

  /** Of these attempts, those that no longer need a container. */
  async settled(ids: readonly number[]): Promise<Set<number>> {
    if (ids.length === 0) return new Set();
    const rows = await this.#db
      .selectFrom('attempts')
      .select('id')
      .where('id', 'in', ids)
      .where(statusSql.isUnfinished())
      .execute();
    const active = new Set(rows.map(({ id }) => id));
    return new Set(ids.filter((id) => !active.has(id)));
  }
}

/** An entry of the activity log about an attempt. */
export async function logAttempt(trx: Transaction<Tables>, attempt: AttemptRow, type: string): Promise<void> {
  const { user_id, title, kind, assessment_id } = attempt;
  await logActivity(trx, {
    ...{ actorId: user_id, userId: user_id, type, title },
    ...{ entityType: kind, entityId: assessment_id },
  });
}
