import { sql, type Transaction } from 'kysely';
import type { Static } from 'typebox';
import { logActivity } from '../../../database/activity-log.ts';
import { statusSql } from '../../../database/attempt-status.ts';
import { type Database, violatedConstraint } from '../../../database/connection/connect.ts';
import { keepDeadline, membersOf } from '../../../database/exam-session-rules.ts';
import { type Page, readList } from '../../../database/lists/keyset.ts';
import { shownName } from '../../../database/lists/shown-name.ts';
import { decidesAbout, seesAttempt } from '../../../database/lists/student-scope.ts';
import type { Tables } from '../../../database/tables.ts';
import { ConflictError, ForbiddenError, found, InvalidError, NotFoundError } from '../../../errors.ts';
import type { Caller } from '../../../http/access/access.ts';
import type { Reserved } from '../../capacity/reservation-store.ts';
import { dropResults } from '../gradings/result-store.ts';
import type { AttemptRow } from '../store.ts';
import type { AttemptEndingSchema, OpenReopenRequestSchema } from './schema.ts';

export type Ending = Static<typeof AttemptEndingSchema>;
export type ReopenRequest = { can_ask: boolean; requested_at: Date | null; is_declined: boolean };
export type OpenReopenRequest = Static<typeof OpenReopenRequestSchema>;
type Capacity = {
  reserveAgain: (
    trx: Transaction<Tables>,
    claim: {
      image: string;
      imageId: string | null;
      kind: AttemptRow['kind'];
      name: string;
      userId: number;
      attemptId: number;
    },
  ) => Promise<Reserved>;
};

const now = sql<Date>`now()`;
const isRestorable = sql<boolean>`attempts.work_removed_at is null and (not attempts.needs_machine or exists (select from attempt_evidence as evidence
  where evidence.attempt_id = attempts.id and evidence.status = 'kept' and evidence.layer_bytes > 0 and evidence.path_bytes > 0))`;
/** As `EvidenceStore.isPending`. */
const isPending = sql<boolean>`(exists (select from containers where attempt_id = attempts.id)
  or exists (select from attempt_evidence as evidence where evidence.attempt_id = attempts.id and evidence.status = 'keeping'))`;
/** An attempt whose class is archived, or whose assessment is gone, stays as it is. */
const isArchived = sql<boolean>`exists (select from exam_sessions as s join classes on classes.id = s.class_id
  where s.id = attempts.session_id and classes.is_archived)`;

/** Gives ended attempts back to their students. Each step is one transaction that checks the previous status. */
export class ReopenStore {
  readonly #db: Database;
  readonly #capacity: Capacity;

  constructor(db: Database, capacity: Capacity) {
    this.#db = db;
    this.#capacity = capacity;
  }

  /**
   * Reserves a new container for an attempt that has ended, if it needs a machine. The attempt itself has not changed.
   * @throws NotFoundError, ForbiddenError, ConflictError, InvalidError where no time is left, UnavailableError without room
   */
  async reserve(caller: Caller, id: number, minutes: number | undefined): Promise<Reserved | undefined> {
    try {
      return await this.#db.transaction().execute(async (trx) => {
        const attempt = await reopenable(trx, caller, id);
        if (minutes === undefined) checkTime(attempt);
        if (!attempt.needs_machine) return undefined;
        const { rows } = await sql<{ container_image: string }>`select container_image from assessment_revisions
          where id = ${attempt.revision_id}`.execute(trx);
        const image = rows[0]?.container_image;
        if (image === undefined) throw gone();
        const { kind, container_name: name, user_id: userId, image_id: imageId } = attempt;
        return await this.#capacity.reserveAgain(trx, { image, imageId, kind, name, userId, attemptId: id });
      });
    } catch (error) {
      if (violatedConstraint(error)?.startsWith('containers_'))
        throw new ConflictError(
          'changed_meanwhile',
          'The attempt is being reopened, or its container is being removed',
        );
      throw error;
    }
  }

  /**
   * The container, if it needs one, runs with what the attempt had left: the student goes on. What the attempt was until now is kept as an ending.
   * @throws as `reserve`; ConflictError when the student has begun another attempt meanwhile, or the container was given up
   */
  async begin(
    caller: Caller,
    id: number,
    containerId: number | undefined,
    minutes: number | undefined,
  ): Promise<AttemptRow> {
    try {
      return await this.#db.transaction().execute(async (trx) => {
        const before = await reopenable(trx, caller, id);
        const seconds = minutes === undefined ? checkTime(before) : minutes * 60;
        if (containerId !== undefined) await lockRunning(trx, containerId);
        await keepEnding(trx, caller, before, minutes ?? null);
        const attempt = await trx
          .updateTable('attempts')
          .set({
            status: 'in_progress',
            ...{
              submitted_at: null,
              score: null,
              passed: null,
              is_awaiting_grading: false,
              integrity: null,
              ended_at: null,
              ended_by: null,
            },
            ...{ grading_error: null, grading_error_code: null, process_id: null, break_ends_at: null, held_at: null },
            expires_at: seconds === null ? null : sql<Date>`now() + make_interval(secs => ${seconds})`,
            paused_at: sql<Date | null>`(select ${now} from exam_sessions as s where s.id = attempts.session_id and s.paused_at is not null)`,
          })
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirstOrThrow();
        const moved = ((attempt.expires_at?.getTime() ?? 0) - (before.expires_at?.getTime() ?? 0)) / 1000;
        await keepDeadline(trx, attempt, moved);
        if (containerId !== undefined)
          await trx
            .updateTable('containers')
            .set({ expires_at: attempt.paused_at === null ? attempt.expires_at : null, last_used_at: now })
            .where('id', '=', containerId)
            .execute();
        await trx.updateTable('attempt_evidence').set({ container_uid: null }).where('attempt_id', '=', id).execute();
        await trx.deleteFrom('reopen_requests').where('attempt_id', '=', id).execute();
        await sql`delete from notifications where attempt_id = ${id} and kind in ('reopen', 'results', 'reopen_declined')`.execute(
          trx,
        );
        await notify(trx, id, 'reopened');
        await log(trx, caller, attempt, 'admin_attempt_reopen', { minutes: minutes ?? null });
        return attempt;
      });
    } catch (error) {
      if (violatedConstraint(error)?.startsWith('attempts_one_active'))
        throw new ConflictError('attempt_active', 'The student has begun another attempt');
      throw error;
    }
  }

  /** What an attempt was each time before it was reopened, the oldest first. @throws NotFoundError */
  async endings(caller: Caller, id: number): Promise<Ending[]> {
    const seen = this.#db.selectFrom('attempts').select('id').where('id', '=', id).where(statusSql.isListed());
    found(await seen.where(seesAttempt(caller)).executeTakeFirst(), 'Attempt');
    const { rows } = await sql<Ending>`
      select ending.id, status, submitted_at, score, max_score, passed, results, decisions, grades, reopened_at, minutes, ${shownName()} as reopened_by
      from attempt_endings as ending left join users on users.id = reopened_by where attempt_id = ${id} order by ending.id`.execute(
      this.#db,
    );
    return rows;
  }

  /** Whether the student of an attempt can ask to have it back, or has. @throws NotFoundError */
  async request(caller: Caller, id: number): Promise<ReopenRequest> {
    const { rows } = await sql<ReopenRequest>`
      select ${isRestorable} and not ${isArchived} and attempts.status in ('finished', 'abandoned') and request.attempt_id is null
          and attempts.ended_at is null as can_ask, requested_at, declined_at is not null as is_declined
      from attempts left join reopen_requests as request on request.attempt_id = attempts.id
      where attempts.id = ${id} and attempts.kind = 'exam' and user_id = ${caller.id} and ${statusSql.isListed('attempts')}`.execute(
      this.#db,
    );
    return found(rows[0], 'Attempt');
  }

  /** The student has submitted by mistake, and asks for the attempt. @throws NotFoundError, ConflictError where that cannot be asked (again) */
  async ask(caller: Caller, id: number): Promise<ReopenRequest> {
    const { can_ask, requested_at } = await this.request(caller, id);
    if (requested_at !== null) throw askedAlready();
    if (!can_ask) throw new ConflictError('attempt_not_reopenable', 'The attempt cannot be reopened');
    await this.#db.transaction().execute(async (trx) => {
      const { numAffectedRows } =
        await sql`insert into reopen_requests (attempt_id) values (${id}) on conflict do nothing`.execute(trx);
      if (numAffectedRows === 0n) throw askedAlready();
      await sql`insert into notifications (user_id, key, kind, attempt_id, session_id)
        select member.user_id, 'reopen:' || ${id}::int, 'reopen', ${id}, s.id
        from attempts join exam_sessions as s on s.id = attempts.session_id join ${membersOf('s')} as member on member.role = 'instructor'
        where attempts.id = ${id} on conflict do nothing`.execute(trx);
    });
    return await this.request(caller, id);
  }

  /** The requests that the caller may answer, the oldest first. */
  async requests(caller: Caller, page: Page): Promise<{ rows: OpenReopenRequest[]; total: number }> {
    const columns = sql`request.attempt_id, request.requested_at, attempts.title, attempts.user_id, users.username, users.full_name,
      attempts.session_id, classes.name as class_name`;
    const from = sql`reopen_requests as request join attempts on attempts.id = request.attempt_id
      join users on users.id = attempts.user_id
      left join exam_sessions as s on s.id = attempts.session_id left join classes on classes.id = s.class_id
      where request.declined_at is null and ${decidesAbout(caller)}`;
    return await readList(this.#db, { columns, from, order: sql`request.requested_at, request.attempt_id` }, page);
  }

  /** @throws NotFoundError without such a request, ForbiddenError */
  async decline(caller: Caller, id: number): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      const attempt = await decidable(trx, caller, id);
      const { numUpdatedRows } = await trx
        .updateTable('reopen_requests')
        .set({ declined_at: now, declined_by: caller.id })
        .where('attempt_id', '=', id)
        .where('declined_at', 'is', null)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) throw new NotFoundError('not_found', 'Request not found');
      await sql`delete from notifications where kind = 'reopen' and attempt_id = ${id}`.execute(trx);
      await notify(trx, id, 'reopen_declined');
      await log(trx, caller, attempt, 'admin_attempt_reopen_decline', {});
    });
  }
}

/** @throws NotFoundError, ForbiddenError */
async function decidable(trx: Transaction<Tables>, caller: Caller, id: number): Promise<AttemptRow> {
  const attempts = trx.selectFrom('attempts').selectAll().select(decidesAbout(caller).as('decides'));
  const row = attempts.where('id', '=', id).where(statusSql.isListed()).where(seesAttempt(caller)).forUpdate();
  const { decides, ...attempt } = found(await row.executeTakeFirst(), 'Attempt');
  if (!decides) throw new ForbiddenError('forbidden', 'Only instructors of the class and administrators may do this');
  return attempt;
}

/** @throws ConflictError where the container does not run any more */
async function lockRunning(trx: Transaction<Tables>, containerId: number): Promise<void> {
  const containers = trx.selectFrom('containers').select('id').where('id', '=', containerId);
  if (await containers.where('status', '=', 'running').forUpdate().executeTakeFirst()) return;
  throw new ConflictError('changed_meanwhile', 'The container was removed meanwhile');
}

/** An attempt that can be reopened now, and that nobody else changes until the end of the transaction. */
async function reopenable(trx: Transaction<Tables>, caller: Caller, id: number): Promise<AttemptRow> {
  const attempt = await decidable(trx, caller, id);
  const { rows } = await sql<{
    is_over: boolean;
    is_archived: boolean;
    is_kept: boolean;
    is_pending: boolean;
    is_busy: boolean;
  }>`
    select ${statusSql.isOver('attempts')} as is_over, ${isArchived} as is_archived, ${isRestorable} as is_kept, ${isPending} as is_pending,
      exists (select from attempts as other where other.user_id = attempts.user_id and other.id <> attempts.id and other.kind = attempts.kind
        and ${statusSql.isUnfinished('other')} and (attempts.kind = 'exam' or other.assessment_id = attempts.assessment_id)) as is_busy
    from attempts where id = ${id}`.execute(trx);
  const is = found(rows[0], 'Attempt');
  if (!is.is_over || attempt.user_id < 0)
    throw new ConflictError('attempt_not_reopenable', 'Only an attempt that has ended can be reopened');
  if (is.is_archived) throw new ConflictError('class_archived', 'The class is archived');
  if (is.is_busy) throw new ConflictError('attempt_active', 'The student has another active attempt');
  if (!is.is_kept && is.is_pending)
    throw new ConflictError('changed_meanwhile', 'What the attempt left on its machine is being kept: try again soon');
  if (!is.is_kept) throw gone();
  return attempt;
}

const askedAlready = () => new ConflictError('reopen_requested', 'It was asked for already');

const gone = () => new ConflictError('evidence_gone', 'What the attempt left on its machine is not kept any more');

/** @returns the seconds that were left when the attempt ended; null: it has no limit @throws InvalidError where none were */
function checkTime({ submitted_at, expires_at }: AttemptRow): number | null {
  if (expires_at === null) return null;
  // The end of an abandoned attempt is not known, and its clock has not stopped for it.
  const left = Math.floor((expires_at.getTime() - (submitted_at?.getTime() ?? Date.now())) / 1000);
  if (left >= 60) return left;
  throw new InvalidError([{ loc: ['body', 'minutes'], msg: 'Field required: no time was left', type: 'missing' }]);
}

async function keepEnding(trx: Transaction<Tables>, caller: Caller, attempt: AttemptRow, minutes: number | null) {
  const { id } = attempt;
  await sql`insert into attempt_endings (attempt_id, status, submitted_at, score, max_score, passed, results, decisions, grades, reopened_by, minutes)
    select id, status, submitted_at, score, max_score, passed,
      coalesce((select jsonb_agg(to_jsonb(result) - 'attempt_id' order by order_index, task_id) from task_results as result where attempt_id = ${id}), '[]'),
      coalesce((select jsonb_agg(to_jsonb(decision) - 'attempt_id' order by task_id, revision) from task_decisions as decision where attempt_id = ${id}), '[]'),
      coalesce((select jsonb_agg(to_jsonb(grade) - 'attempt_id' order by task_id, position) from task_grades as grade where attempt_id = ${id}), '[]'),
      ${caller.id}::int, ${minutes}::int
    from attempts where id = ${id}`.execute(trx);
  for (const table of ['task_decisions', 'task_grades'] as const)
    await trx.deleteFrom(table).where('attempt_id', '=', id).execute();
  await dropResults(trx, [attempt]);
  await sql`update task_results set revision = 0, points_earned = case when passed then points else 0 end
    where attempt_id = ${id}`.execute(trx);
}

async function notify(trx: Transaction<Tables>, id: number, kind: 'reopened' | 'reopen_declined'): Promise<void> {
  await sql`insert into notifications (user_id, key, kind, attempt_id)
    select user_id, 'reopened:' || id, ${kind}, id from attempts where id = ${id}
    on conflict (user_id, key) do update set kind = excluded.kind, created_at = now(), read_at = null`.execute(trx);
}

/** The student sees the entry as well. */
async function log(trx: Transaction<Tables>, caller: Caller, attempt: AttemptRow, type: string, details: object) {
  const { id: entityId, user_id: userId, title, kind } = attempt;
  await logActivity(trx, {
    ...{ actorId: caller.id, userId, type, title, entityType: 'attempt', entityId },
    details: { kind, ...details },
  });
}
