import { type RawBuilder, type Selectable, sql, type Transaction } from 'kysely';
import { logActivity } from '../../database/activity-log.ts';
import { statusSql } from '../../database/attempt-status.ts';
import { recordState } from '../../database/catalogue/revisions.ts';
import type { Database } from '../../database/connection/connect.ts';
import { decidesAbout, seesAttempt } from '../../database/lists/student-scope.ts';
import type {
  AttemptKind,
  AttemptsTable,
  Graded,
  RegradesTable,
  StudentAccount,
  Tables,
} from '../../database/tables.ts';
import { ConflictError, ForbiddenError, found, NotFoundError } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import { changeableSession } from '../exam-sessions/access-store.ts';

/** What is graded again. */
export type RegradeScope = { attemptId: number } | { sessionId: number } | { kind: AttemptKind; assessmentId: number };
export type RegradeRow = Selectable<RegradesTable>;
type AttemptRow = Selectable<AttemptsTable>;
export type RegradeItem = {
  regrade: RegradeRow;
  attempt: AttemptRow;
  image: string;
  account: StudentAccount;
  /** The revision to grade by, and whether it is the attempt's own. */
  revisionId: number;
  isOwn: boolean;
};
/** A result that no person has given. `graded_at` is exact, as text. */
export type GradedTask = Graded & { task_id: number; points: number; graded_at: string };
export type Difference = {
  task_id: number;
  before: Graded & { graded_at?: string };
  after: Graded;
  is_deterministic: boolean;
  /** The result stays: its check depends on processes, which are not restored as they were. */
  needs_processes: boolean;
};

const now = sql<Date>`now()`;
/** Of one regrade, and unfinished ones of one person. */
const maxAttempts = 5000;
const maxRunning = 3;
const maxTries = 3;

/** What is graded again, and what comes of it. */
export class RegradeStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * Begins a regrade of the attempts in the scope that have results.
   * @param isAllowed the caller may grade all attempts of the assessment
   * @throws NotFoundError, ForbiddenError, ConflictError without such an attempt, and for too many
   */
  async begin(
    caller: Caller,
    scope: RegradeScope,
    { revision, reason }: { revision?: number | undefined; reason: string },
  ): Promise<number> {
    if ('sessionId' in scope) await changeableSession(this.#db, caller, scope.sessionId);
    return await this.#db.transaction().execute(async (trx) => {
      const { rows } = await sql<
        Pick<AttemptRow, 'id' | 'kind' | 'assessment_id'> & { decides: boolean; is_graded: boolean }
      >`
        select attempts.id, kind, assessment_id, ${'assessmentId' in scope ? sql`true` : decidesAbout(caller)} as decides,
          ${statusSql.isGraded('attempts')} as is_graded
        from attempts where ${inScope(caller, scope)} order by attempts.id limit ${maxAttempts + 1}`.execute(trx);
      const [first] = rows;
      if ('attemptId' in scope) {
        const attempt = found(first, 'Attempt');
        if (!attempt.decides)
          throw new ForbiddenError('forbidden', 'Only instructors of the class and administrators may do this');
      }
      const chosen = rows.filter(({ decides, is_graded }) => decides && is_graded);
      const [kind, assessment_id] = [chosen[0]?.kind, chosen[0]?.assessment_id ?? null];
      if (kind === undefined) throw new ConflictError('attempt_not_graded', 'There is no attempt with results');
      if (chosen.length > maxAttempts)
        throw new ConflictError('conflict', `At most ${maxAttempts} attempts are graded again at once`);
      // Held for a change: of two that begin the last one, the second counts that of the first.
      await sql`select from users where id = ${caller.id} for no key update`.execute(trx);
      const running = await trx
        .selectFrom('regrades')
        .select('id')
        .where('requested_by', '=', caller.id)
        .where('status', '=', 'running')
        .execute();
      if (running.length >= maxRunning)
        throw new ConflictError('conflict', `You have ${maxRunning} regrades already that are not ready`);
      if (revision !== undefined) await this.#checkRevision(trx, { kind, assessment_id, revision });
      const { id } = await trx
        .insertInto('regrades')
        .values({
          ...{ kind, assessment_id, reason, revision: revision ?? null, requested_by: caller.id },
          session_id: 'sessionId' in scope ? scope.sessionId : null,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      await sql`insert into regrade_attempts (regrade_id, attempt_id)
        select ${id}::int, unnest(${chosen.map((attempt) => attempt.id)}::int[])`.execute(trx);
      await log(trx, caller.id, id, 'admin_regrade', { kind, assessment_id, attempts: chosen.length, reason });
      return id;
    });
  }

  /** @throws NotFoundError for a revision that does not exist, or that nothing has recorded */
  async #checkRevision(
    trx: Transaction<Tables>,
    { kind, assessment_id, revision }: { kind: AttemptKind; assessment_id: number | null; revision: number },
  ): Promise<void> {
    const { rows } = await sql`
      select from assessments where kind = ${kind} and id = ${assessment_id} and revision = ${revision}
      union all select from assessment_revisions where kind = ${kind} and assessment_id = ${assessment_id} and revision = ${revision}`.execute(
      trx,
    );
    if (rows.length === 0) throw new NotFoundError('not_found', 'Revision not found');
  }

  /** The next attempts to grade, of the oldest regrades. */
  async waiting(limit: number, without: readonly string[]): Promise<RegradeItem[]> {
    const items = await this.#db
      .selectFrom('regrade_attempts as item')
      .innerJoin('regrades', 'regrades.id', 'item.regrade_id')
      .select(['item.regrade_id', 'item.attempt_id'])
      .where('item.status', '=', 'waiting')
      .where('regrades.status', '=', 'running')
      .where(sql<boolean>`item.regrade_id || ':' || item.attempt_id <> all(${without}::text[])`)
      .orderBy('item.regrade_id')
      .orderBy('item.attempt_id')
      .limit(limit)
      .execute();
    const found: RegradeItem[] = [];
    for (const { regrade_id, attempt_id } of items) {
      const item = await this.#item(regrade_id, attempt_id);
      if (item) found.push(item);
      else await this.#skip(regrade_id, attempt_id);
    }
    return found;
  }

  async #item(regradeId: number, attemptId: number): Promise<RegradeItem | undefined> {
    const regrade = await this.#db.selectFrom('regrades').selectAll().where('id', '=', regradeId).executeTakeFirst();
    const attempt = await this.#db
      .selectFrom('attempts')
      .selectAll()
      .where('id', '=', attemptId)
      .where(statusSql.isGraded())
      .executeTakeFirst();
    if (!regrade || !attempt || attempt.revision_id === null) return undefined;
    const own = await this.#revision(attempt.revision_id);
    const isOwn = regrade.revision === null || regrade.revision === attempt.revision;
    const revisionId = isOwn ? attempt.revision_id : await this.#numbered(attempt, regrade.revision ?? 0);
    return own && revisionId !== undefined ? { regrade, attempt, ...own, revisionId, isOwn } : undefined;
  }

  async #revision(id: number): Promise<{ image: string; account: StudentAccount } | undefined> {
    const { rows } = await sql<{ image: string; account: StudentAccount }>`
      select container_image as image, coalesce(content->>'user', 'student') as account from assessment_revisions where id = ${id}`.execute(
      this.#db,
    );
    return rows[0];
  }

  /** The present one may not have been recorded by a start. */
  async #numbered({ kind, assessment_id }: AttemptRow, revision: number): Promise<number | undefined> {
    if (assessment_id === null) return undefined;
    const find = async () =>
      await this.#db
        .selectFrom('assessment_revisions')
        .select('id')
        .where('kind', '=', kind)
        .where('assessment_id', '=', assessment_id)
        .where('revision', '=', revision)
        .executeTakeFirst();
    const recorded = await find();
    if (recorded) return recorded.id;
    await recordState(this.#db, kind, assessment_id);
    return (await find())?.id;
  }

  /** The results of an attempt that the service gave: what people have decided, or are going to, stays. */
  async results(attemptId: number): Promise<GradedTask[]> {
    return await this.#db
      .selectFrom('task_results')
      .select([
        'task_id',
        'points',
        'passed',
        'points_earned',
        'output',
        'remark',
        'remark_codes',
        'has_partial_credit',
      ])
      .select(sql<string>`graded_at::text`.as('graded_at'))
      .where('attempt_id', '=', attemptId)
      .where('revision', '=', 0)
      .where('is_awaiting_grading', '=', false)
      .orderBy('order_index')
      .execute();
  }

  /** Writes what would change. The regrade is ready with its last attempt. */
  async finish(
    regradeId: number,
    attemptId: number,
    status: 'done' | 'evidence_gone',
    differences: readonly Difference[],
  ): Promise<void> {
    await this.#end(regradeId, attemptId, status, async (trx) => {
      for (const { before, after, ...difference } of differences)
        await trx
          .insertInto('regrade_differences')
          .values({
            ...{ regrade_id: regradeId, attempt_id: attemptId, ...difference },
            ...{ before: JSON.stringify(before), after: JSON.stringify(after) },
          })
          .execute();
    });
  }

  async #skip(regradeId: number, attemptId: number): Promise<void> {
    await this.#end(regradeId, attemptId, 'failed', async () => {});
  }

  /** It is tried again, a few times. */
  async retry(regradeId: number, attemptId: number): Promise<void> {
    const tried = await this.#db
      .updateTable('regrade_attempts')
      .set((eb) => ({ tries: eb('tries', '+', 1) }))
      .where('regrade_id', '=', regradeId)
      .where('attempt_id', '=', attemptId)
      .returning('tries')
      .executeTakeFirst();
    if ((tried?.tries ?? maxTries) >= maxTries) await this.#skip(regradeId, attemptId);
  }

  async #end(
    regradeId: number,
    attemptId: number,
    status: 'done' | 'evidence_gone' | 'failed',
    work: (trx: Transaction<Tables>) => Promise<void>,
  ): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      // Those that end at the same time follow one another, so that the last one finds none that waits.
      const running = trx
        .selectFrom('regrades')
        .select('id')
        .where('id', '=', regradeId)
        .where('status', '=', 'running');
      if (!(await running.forUpdate().executeTakeFirst())) return;
      const ended = await trx
        .updateTable('regrade_attempts')
        .set({ status })
        .where('regrade_id', '=', regradeId)
        .where('attempt_id', '=', attemptId)
        .where('status', '=', 'waiting')
        .executeTakeFirst();
      if (ended.numUpdatedRows > 0n) await work(trx);
      await sql`update regrades set status = 'ready' where id = ${regradeId} and status = 'running' and not exists (
        select from regrade_attempts where regrade_id = ${regradeId} and status = 'waiting')`.execute(trx);
    });
  }

  /**
   * Gives the results of a regrade that is ready. What somebody has decided meanwhile stays, what another regrade has changed, and what was
   * submitted later in an attempt that was reopened.
   * @throws NotFoundError, ConflictError unless it is ready
   */
  async apply(caller: Caller, id: number): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      const regrade = await this.#decide(trx, caller, id, 'applied');
      // Attempts are locked in the order of their ids, and before their results, as by decisions.
      await sql`select from attempts where id in (select attempt_id from regrade_differences where regrade_id = ${id})
        order by id for update`.execute(trx);
      const { rows } = await sql<{ attempt_id: number }>`
        with applied as (
          update task_results as result set passed = (after->>'passed')::boolean, points_earned = (after->>'points_earned')::numeric,
            output = after->>'output', remark = after->>'remark', remark_codes = nullif(after->'remark_codes', 'null'),
            has_partial_credit = (after->>'has_partial_credit')::boolean, graded_at = now()
          from regrade_differences as difference join attempts on attempts.id = difference.attempt_id
          where difference.regrade_id = ${id} and not needs_processes and ${statusSql.isGraded('attempts')} and result.attempt_id = difference.attempt_id
            and result.task_id = difference.task_id and result.revision = 0
            and result.points_earned = (before->>'points_earned')::numeric and result.passed = (before->>'passed')::boolean
            and result.graded_at = coalesce((before->>'graded_at')::timestamptz, result.graded_at)
          returning result.attempt_id, result.task_id),
        marked as (
          update regrade_differences as difference set is_applied = true from applied
          where regrade_id = ${id} and difference.attempt_id = applied.attempt_id and difference.task_id = applied.task_id)
        select distinct attempt_id from applied`.execute(trx);
      const ids = rows.map(({ attempt_id }) => attempt_id);
      await sql`update attempts set score = total, passed = total >= passing_score
        from (select attempt_id, sum(points_earned) as total from task_results where attempt_id = any(${ids}::int[]) group by attempt_id) as graded
        where id = graded.attempt_id and status in ('finished', 'expired') and score is not null`.execute(trx);
      await sql`insert into notifications (user_id, key, kind, attempt_id)
        select user_id, 'grade:' || id, 'grade', id from attempts where id = any(${ids}::int[])
        on conflict (user_id, key) do update set created_at = now(), read_at = null`.execute(trx);
      const { kind, reason } = regrade;
      await logActivity(
        trx,
        ...(
          await trx
            .selectFrom('attempts')
            .select(['id', 'user_id', 'title'])
            .where('id', 'in', [...ids, 0])
            .execute()
        ).map((attempt) => ({
          ...{ actorId: caller.id, userId: attempt.user_id, type: 'admin_attempt_regrade', title: attempt.title },
          ...{ entityType: 'attempt', entityId: attempt.id, details: { kind, regrade: id, reason } },
        })),
      );
      await log(trx, caller.id, id, 'admin_regrade_apply', { kind, attempts: ids.length, reason });
    });
  }

  /** Nothing of it is applied. One that runs ends. @throws NotFoundError, ConflictError once it was applied or dropped */
  async drop(caller: Caller, id: number): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      const { kind, reason } = await this.#decide(trx, caller, id, 'dropped');
      await log(trx, caller.id, id, 'admin_regrade_drop', { kind, reason });
    });
  }

  async #decide(
    trx: Transaction<Tables>,
    caller: Caller,
    id: number,
    status: 'applied' | 'dropped',
  ): Promise<RegradeRow> {
    const regrade = await own(trx, caller, id, sql`for update`);
    const isOpen = regrade.status === 'ready' || (status === 'dropped' && regrade.status === 'running');
    if (!isOpen) throw new ConflictError('regrade_not_ready', `The regrade is ${regrade.status}`);
    await trx
      .updateTable('regrades')
      .set({ status, decided_by: caller.id, decided_at: now })
      .where('id', '=', id)
      .execute();
    return regrade;
  }
}

const inScope = (caller: Caller, scope: RegradeScope): RawBuilder<boolean> => {
  // Nothing is left to grade of an attempt whose answers were deleted.
  const listed = sql<boolean>`${statusSql.isListed('attempts')} and attempts.user_id > 0 and attempts.work_removed_at is null`;
  if ('attemptId' in scope) return sql`attempts.id = ${scope.attemptId} and ${listed} and ${seesAttempt(caller)}`;
  if ('sessionId' in scope) return sql`attempts.session_id = ${scope.sessionId} and ${listed}`;
  return sql`attempts.kind = ${scope.kind} and attempts.assessment_id = ${scope.assessmentId} and ${listed}`;
};

async function own(db: Database, { id: callerId, role }: Caller, id: number, lock = sql``): Promise<RegradeRow> {
  const { rows } = await sql<RegradeRow>`select * from regrades
    where id = ${id} and (requested_by = ${callerId} or ${role === 'admin'}) ${lock}`.execute(db);
  return found(rows[0], 'Regrade');
}

async function log(
  trx: Transaction<Tables>,
  actorId: number,
  entityId: number,
  type: string,
  details: Record<string, unknown>,
) {
  await logActivity(trx, { actorId, type, title: String(details['reason']), entityType: 'regrade', entityId, details });
}
