import { type RawBuilder, type Selectable, sql, type Transaction } from 'kysely';
import { logActivity } from '../../database/activity-log.ts';
import { statusSql } from '../../database/attempt-status.ts';
import type { Database } from '../../database/connection/connect.ts';
import { hasShownResults, isShownTo, membersOf, ownClose } from '../../database/exam-session-rules.ts';
import { shownName } from '../../database/lists/shown-name.ts';
import { decidesAbout, seesAttempt } from '../../database/lists/student-scope.ts';
import type {
  AttemptCommentsTable,
  AttemptKind,
  ReviewRequestsTable,
  RubricItem,
  Tables,
  TaskDecisionsTable,
} from '../../database/tables.ts';
import { ConflictError, ForbiddenError, found, InvalidError } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import type { Page } from '../../http/lists/paging.ts';
import { refusedField } from '../../values/coded-problem.ts';

type Author = { author: string | null };
export type Decision = Omit<Selectable<TaskDecisionsTable>, 'attempt_id' | 'decided_by'> & {
  decided_by: string | null;
};
export type Comment = Omit<Selectable<AttemptCommentsTable>, 'attempt_id'> & Author;
export type Review = Omit<Selectable<ReviewRequestsTable>, 'attempt_id' | 'answered_by'> & {
  answered_by: string | null;
};
export type Feedback = {
  attempt_id: number;
  decisions: Decision[];
  comments: Comment[];
  review: Review | null;
  review_until: Date | null;
  is_decider: boolean;
};
export type OpenReview = Pick<Review, 'id' | 'text' | 'requested_at'> & {
  attempt_id: number;
  title: string;
  user_id: number;
  username: string;
  full_name: string | null;
  session_id: number | null;
  class_name: string | null;
};
export type NewDecision = {
  points_earned?: number;
  reason?: string;
  rubric_item_ids?: readonly number[];
  revision: number;
};
export type NewComment = {
  text: string;
  task_id?: number;
  line?: number;
  recording_id?: number;
  seconds?: number;
};
export type ReviewAnswer = { outcome: 'granted' | 'rejected'; text: string };

/** Of one attempt: far more than a person writes. They bound the answer. */
const maxComments = 200;
const maxDecisions = 500;

/** Until when the student of an attempt, of the table `attempts`, can ask for a review. Null: not, or not yet. */
const reviewUntil = sql<Date | null>`(
  select greatest(attempts.submitted_at, case s.results_visible
      when 'after_close' then least(s.released_at, ${ownClose}) when 'when_released' then s.released_at end)
    + make_interval(days => s.review_days)
  from exam_sessions as s where s.id = attempts.session_id and ${statusSql.isGraded('attempts')} and ${sql.raw(hasShownResults)})`;

/** What a result was before a decision. */
type Graded = { title: string; points: number; points_earned: number; revision: number };
/** What somebody gives for a result. */
export type Judgement = Pick<Decision, 'points_earned' | 'reason' | 'is_by_rubric' | 'rubric_items'>;

export type Held = {
  kind: AttemptKind;
  assessment_id: number | null;
  user_id: number;
  session_id: number | null;
  title: string;
  /** Whether it has ended with results. */
  is_graded: boolean;
  decides: boolean;
};

/** What people decide and say about attempts that have ended, and the reviews that students ask for. */
export class DecisionStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * Of the caller's own attempt, or of one that the caller sees as staff. A student sees nothing of it before the results.
   * @throws NotFoundError
   */
  async feedback(caller: Caller, id: number, kind?: AttemptKind): Promise<Feedback> {
    const { rows } = await sql<{ review_until: Date | null; is_decider: boolean; is_shown: boolean }>`
      select ${reviewUntil} as review_until, ${decidesAbout(caller)} as is_decider,
        ${isShownTo(caller)} and ${statusSql.isGraded('attempts')} as is_shown
      from attempts where id = ${id} and ${kind === undefined ? sql`true` : sql`kind = ${kind}`}
        and ${statusSql.isListed()} and (user_id = ${caller.id} or ${seesAttempt(caller)})`.execute(this.#db);
    const { is_shown, ...attempt } = found(rows[0], 'Attempt');
    if (!is_shown) return { attempt_id: id, ...attempt, decisions: [], comments: [], review: null };
    const decisions = await sql<Decision>`
      select task_id, revision, points_before, points_earned, reason, rubric_items, is_by_rubric, ${shownName()} as decided_by, decided_at
      from task_decisions left join users on users.id = decided_by
      where attempt_id = ${id} order by decided_at, task_id, revision limit ${maxDecisions}`.execute(this.#db);
    const comments = await this.#comments(this.#db, sql`attempt_id = ${id}`);
    const review = await sql<Review>`
      select request.id, text, requested_at, outcome, answer, ${shownName()} as answered_by, answered_at
      from review_requests as request left join users on users.id = answered_by where attempt_id = ${id}`.execute(
      this.#db,
    );
    return { attempt_id: id, ...attempt, decisions: decisions.rows, comments, review: review.rows[0] ?? null };
  }

  /**
   * Gives other points for a task of an attempt that has ended. The attempt's score and whether it has passed follow.
   * @throws NotFoundError, ForbiddenError, ConflictError before its end, and for whom somebody else was faster, InvalidError above the task's points
   */
  async decide(caller: Caller, id: number, task_id: number, decision: NewDecision): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      const attempt = await decidable(trx, caller, id);
      const result = found(
        await trx
          .selectFrom('task_results')
          .select(['points', 'points_earned', 'revision', 'title'])
          .where('attempt_id', '=', id)
          .where('task_id', '=', task_id)
          .executeTakeFirst(),
        'Result',
      );
      if (result.revision !== decision.revision)
        throw new ConflictError('graded_meanwhile', 'Somebody else has decided about this result meanwhile');
      const judgement = await judged(trx, attempt, task_id, result.points, decision);
      await write(trx, caller, { id, task_id, attempt, result }, judgement);
    });
  }

  /** The oldest first. @throws NotFoundError */
  async comments(caller: Caller, id: number): Promise<Comment[]> {
    await seen(this.#db, caller, id);
    return await this.#comments(this.#db, sql`attempt_id = ${id}`);
  }

  /** @throws NotFoundError, ForbiddenError, ConflictError before the end of the attempt and for too many, InvalidError for what it has not */
  async comment(caller: Caller, id: number, { text, ...about }: NewComment): Promise<Comment> {
    return await this.#db.transaction().execute(async (trx) => {
      await decidable(trx, caller, id);
      await checkSubject(trx, id, about);
      const { total } = await trx
        .selectFrom('attempt_comments')
        .select(sql<number>`count(*)::int`.as('total'))
        .where('attempt_id', '=', id)
        .executeTakeFirstOrThrow();
      if (total >= maxComments)
        throw new ConflictError('too_many_comments', `The attempt has ${maxComments} comments already`);
      const made = await trx
        .insertInto('attempt_comments')
        .values({ attempt_id: id, author_id: caller.id, text, ...about })
        .returning('id')
        .executeTakeFirstOrThrow();
      await notifyStudent(trx, id);
      return found((await this.#comments(trx, sql`comment.id = ${made.id}`))[0], 'Comment');
    });
  }

  /** By its author, or an administrator. @throws NotFoundError, ForbiddenError */
  async deleteComment(caller: Caller, id: number, commentId: number): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      await decidable(trx, caller, id);
      const comments = trx.selectFrom('attempt_comments').select('author_id').where('attempt_id', '=', id);
      const { author_id } = found(await comments.where('id', '=', commentId).executeTakeFirst(), 'Comment');
      if (author_id !== caller.id && caller.role !== 'admin')
        throw new ForbiddenError('forbidden', 'Only its author and administrators may delete a comment');
      await trx.deleteFrom('attempt_comments').where('id', '=', commentId).execute();
    });
  }

  /**
   * The student of an attempt asks for a review, once.
   * @throws NotFoundError, ForbiddenError unless the session allows it now, ConflictError for a second one
   */
  async requestReview(caller: Caller, id: number, text: string): Promise<Review> {
    await this.#db.transaction().execute(async (trx) => {
      // The row is held, so that of two requests the second finds the first.
      const { rows } = await sql<{ is_open: boolean | null; session_id: number | null }>`
        select session_id, now() < ${reviewUntil} as is_open from attempts
        where id = ${id} and kind = 'exam' and user_id = ${caller.id} and ${statusSql.isListed()} for update`.execute(
        trx,
      );
      const { is_open, session_id } = found(rows[0], 'Attempt');
      const asked = trx.selectFrom('review_requests').select('id').where('attempt_id', '=', id);
      if (await asked.executeTakeFirst())
        throw new ConflictError('review_requested', 'A review of this attempt was asked for already');
      if (!is_open || session_id === null)
        throw new ForbiddenError('no_review', 'The exam session allows no review, or its time is over');
      await trx.insertInto('review_requests').values({ attempt_id: id, text }).execute();
      await sql`insert into notifications (user_id, key, kind, attempt_id, session_id)
        select member.user_id, 'review:' || ${id}::int, 'review', ${id}, s.id
        from exam_sessions as s join ${membersOf('s')} as member on member.role = 'instructor'
        where s.id = ${session_id} on conflict do nothing`.execute(trx);
    });
    return found((await this.feedback(caller, id)).review ?? undefined, 'Review request');
  }

  /** Those without an answer that the caller may answer, the oldest first. */
  async openReviews(caller: Caller, page: Page): Promise<{ rows: OpenReview[]; total: number }> {
    const open = sql`from review_requests as request join attempts on attempts.id = request.attempt_id
      join users on users.id = attempts.user_id
      left join exam_sessions as s on s.id = attempts.session_id left join classes on classes.id = s.class_id
      where request.outcome is null and ${decidesAbout(caller)}`;
    const { rows } = await sql<OpenReview>`
      select request.id, request.text, request.requested_at, request.attempt_id, attempts.title, attempts.user_id, users.username,
        users.full_name, attempts.session_id, classes.name as class_name
      ${open} order by request.id limit ${page.limit} offset ${page.offset}`.execute(this.#db);
    const counted = await sql<{ total: number }>`select count(*)::int as total ${open}`.execute(this.#db);
    return { rows, total: counted.rows[0]?.total ?? 0 };
  }

  /** The outcome changes no points: those are decided by themselves. @throws NotFoundError, ForbiddenError, ConflictError once it is answered */
  async answerReview(caller: Caller, requestId: number, { outcome, text }: ReviewAnswer): Promise<Review> {
    const attemptId = await this.#db.transaction().execute(async (trx) => {
      const request = found(
        await trx.selectFrom('review_requests').select('attempt_id').where('id', '=', requestId).executeTakeFirst(),
        'Review request',
      );
      const attempt = await decidable(trx, caller, request.attempt_id);
      const answered = trx
        .updateTable('review_requests')
        .set({ outcome, answer: text, answered_by: caller.id, answered_at: sql<Date>`now()` })
        .where('id', '=', requestId)
        .where('outcome', 'is', null);
      if ((await answered.executeTakeFirst()).numUpdatedRows === 0n)
        throw new ConflictError('graded_meanwhile', 'Somebody else has answered this request meanwhile');
      await sql`delete from notifications where kind = 'review' and attempt_id = ${request.attempt_id}`.execute(trx);
      await notifyStudent(trx, request.attempt_id);
      await log(trx, caller, request.attempt_id, attempt, 'admin_attempt_review', { outcome });
      return request.attempt_id;
    });
    return found((await this.feedback(caller, attemptId)).review ?? undefined, 'Review request');
  }

  async #comments(db: Database, which: RawBuilder<unknown>): Promise<Comment[]> {
    const { rows } = await sql<Comment>`
      select comment.id, task_id, line, recording_id, seconds, text, author_id, ${shownName()} as author, comment.created_at
      from attempt_comments as comment left join users on users.id = author_id
      where ${which} order by comment.id limit ${maxComments}`.execute(db);
    return rows;
  }
}

/** @throws NotFoundError unless the caller sees the attempt as staff */
async function seen(db: Database, caller: Caller, id: number, lock = sql``): Promise<Held> {
  const { rows } = await sql<Held>`
    select kind, assessment_id, user_id, session_id, title, ${statusSql.isGraded('attempts')} as is_graded,
      ${decidesAbout(caller)} as decides
    from attempts where id = ${id} and ${statusSql.isListed()} and ${seesAttempt(caller)} ${lock}`.execute(db);
  return found(rows[0], 'Attempt');
}

/** An attempt that nobody else decides about until the end of the transaction. @throws NotFoundError, ForbiddenError, ConflictError */
export async function decidable(trx: Transaction<Tables>, caller: Caller, id: number): Promise<Held> {
  const attempt = await seen(trx, caller, id, sql`for update`);
  if (!attempt.decides)
    throw new ForbiddenError('forbidden', 'Only instructors of the class and administrators may do this');
  if (!attempt.is_graded) throw new ConflictError('attempt_not_graded', 'The attempt has no results yet');
  return attempt;
}

/** @throws InvalidError for a task or a recording that the attempt does not have, and for a place without either */
async function checkSubject(trx: Transaction<Tables>, id: number, about: Omit<NewComment, 'text'>): Promise<void> {
  const { task_id, line, recording_id, seconds } = about;
  const results = trx.selectFrom('task_results').select('task_id').where('attempt_id', '=', id);
  const recordings = trx.selectFrom('recordings').select('id').where('attempt_id', '=', id);
  const unknown = [
    task_id !== undefined && !(await results.where('task_id', '=', task_id).executeTakeFirst()) && 'task_id',
    line !== undefined && task_id === undefined && 'line',
    recording_id !== undefined &&
      !(await recordings.where('id', '=', recording_id).executeTakeFirst()) &&
      'recording_id',
    (seconds === undefined) !== (recording_id === undefined) && 'seconds',
  ].filter((name) => name !== false);
  if (unknown.length > 0) throw new InvalidError(unknown.map((name) => refusedField(['body', name], 'comment_place')));
}

/** A later notification replaces the first. Students see none before the results. */
async function notifyStudent(trx: Transaction<Tables>, id: number): Promise<void> {
  await sql`insert into notifications (user_id, key, kind, attempt_id)
    select user_id, 'grade:' || id, 'grade', id from attempts where id = ${id}
    on conflict (user_id, key) do update set created_at = now(), read_at = null`.execute(trx);
}

/**
 * What a decision says, with the points of the items that it chooses.
 * @throws InvalidError for unknown items, and for own points without a reason
 */
async function judged(
  trx: Transaction<Tables>,
  { kind, assessment_id }: Held,
  task_id: number,
  points: number,
  { points_earned: own, reason = '', rubric_item_ids: ids }: NewDecision,
): Promise<Judgement> {
  const missing = (name: string) => ({ loc: ['body', name], msg: 'Field required', type: 'missing' });
  if (own === undefined && ids === undefined) throw new InvalidError([missing('points_earned')]);
  if (own !== undefined && reason === '') throw new InvalidError([missing('reason')]);
  const { rows } = await sql<RubricItem>`select id, text, points from rubric_items where kind = ${kind}
    and assessment_id = ${assessment_id} and task_id = ${task_id} and id = any(${[...(ids ?? [])]}::int[]) order by id`.execute(
    trx,
  );
  const item = ids?.find((id) => !rows.some((row) => row.id === id));
  if (item !== undefined)
    throw new InvalidError([refusedField(['body', 'rubric_item_ids'], 'rubric_item_unknown', { item })]);
  const hundredths = rows.reduce((sum, row) => sum + Math.round(row.points * 100), 0);
  const points_earned = own ?? Math.min(points, Math.max(0, hundredths / 100));
  return { points_earned, reason, rubric_items: ids === undefined ? null : rows, is_by_rubric: own === undefined };
}

/** Writes a decision. The result, the attempt's score and whether it has passed follow. @throws InvalidError above the task's points */
export async function write(
  trx: Transaction<Tables>,
  caller: Caller,
  { id, task_id, attempt, result }: { id: number; task_id: number; attempt: Held; result: Graded },
  { rubric_items, ...judgement }: Judgement,
): Promise<void> {
  const revision = result.revision + 1;
  if (revision > maxDecisions) throw new ConflictError('conflict', `This result has ${maxDecisions} decisions already`);
  // The database rounds, as it does for the points of tasks.
  const { points_earned } = await trx
    .insertInto('task_decisions')
    .values({
      ...{ attempt_id: id, task_id, ...judgement, revision },
      ...{ points_before: result.points_earned, decided_by: caller.id },
      rubric_items: rubric_items && JSON.stringify(rubric_items),
    })
    .returning('points_earned')
    .executeTakeFirstOrThrow();
  if (points_earned > result.points) {
    const msg = `Input should be less than or equal to ${result.points}`;
    throw new InvalidError([{ loc: ['body', 'points_earned'], msg, type: 'less_than_equal' }]);
  }
  await trx
    .updateTable('task_results')
    .set({ points_earned, revision, passed: points_earned === result.points, is_awaiting_grading: false })
    .where('attempt_id', '=', id)
    .where('task_id', '=', task_id)
    .execute();
  await sql`update attempts set is_awaiting_grading = awaits, score = case when not awaits then total end,
      passed = case when not awaits then total >= passing_score end
    from (select sum(points_earned) as total, bool_or(is_awaiting_grading) as awaits from task_results
      where attempt_id = ${id}) as graded
    where id = ${id}`.execute(trx);
  await notifyStudent(trx, id);
  await log(trx, caller, id, attempt, 'admin_attempt_decide', {
    ...{ task: result.title, reason: judgement.reason },
    ...{ old: { points_earned: result.points_earned }, new: { points_earned } },
  });
}

/** The student sees the entry as well. */
async function log(
  trx: Transaction<Tables>,
  { id: actorId }: Caller,
  id: number,
  { user_id: userId, title, kind }: Held,
  type: string,
  details: object,
): Promise<void> {
  const entity = { title, entityType: 'attempt', entityId: id, details: { kind, ...details } };
  await logActivity(trx, { actorId, userId, type, ...entity });
}
