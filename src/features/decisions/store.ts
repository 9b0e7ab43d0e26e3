import { type RawBuilder, type Selectable, sql, type Transaction } from 'kysely';
import type { Static } from 'typebox';
import { statusSql } from '../../database/attempt-status.ts';
import type { Database } from '../../database/connection/connect.ts';
import { hasShownResults, isShownTo, membersOf, ownClose } from '../../database/exam-session-rules.ts';
import { type Page, readList } from '../../database/lists/keyset.ts';
import { shownName } from '../../database/lists/shown-name.ts';
import { decidesAbout, readsAttempt } from '../../database/lists/student-scope.ts';
import type { AttemptCommentsTable, AttemptKind, Tables } from '../../database/tables.ts';
import { ConflictError, ForbiddenError, found, InvalidError } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import { refusedField } from '../../values/coded-problem.ts';
import {
  decidable,
  heldResult,
  judged,
  log,
  maxDecisions,
  type NewDecision,
  notifyStudent,
  seen,
  write,
} from './judgement-store.ts';
import type {
  DecisionSchema,
  FeedbackSchema,
  GradeSchema,
  NewComment,
  OpenReviewSchema,
  ReviewSchema,
} from './schema.ts';

type Author = { author: string | null };
export type Decision = Static<typeof DecisionSchema>;
/** What one of two graders gives. */
type Grade = Static<typeof GradeSchema>;
export type Comment = Omit<Selectable<AttemptCommentsTable>, 'attempt_id'> & Author;
export type Review = Static<typeof ReviewSchema>;
export type Feedback = Static<typeof FeedbackSchema>;
export type OpenReview = Static<typeof OpenReviewSchema>;
export type ReviewAnswer = { outcome: 'granted' | 'rejected'; text: string };

/** Of one attempt: far more than a person writes. They bound the answer. */
const maxComments = 200;

/**
 * Until when the student of an attempt, of the table `attempts`, can ask for a review. Null: not, or not yet. The days begin with the results as
 * they are now: what people graded or changed late is shown late.
 */
const reviewUntil = sql<Date | null>`(
  select greatest(attempts.submitted_at, (select max(graded_at) from task_results where attempt_id = attempts.id),
      (select max(decided_at) from task_decisions where attempt_id = attempts.id), case s.results_visible
      when 'after_close' then least(s.released_at, ${ownClose}) when 'when_released' then s.released_at end)
    + make_interval(days => s.review_days)
  from exam_sessions as s where s.id = attempts.session_id and ${statusSql.isGraded('attempts')} and ${sql.raw(hasShownResults)})`;

/**
 * Whether a result is graded by two people, and the caller can still become one of them: until then what others say about it is hidden from
 * the caller, and so is what they say about no task while this is true of any.
 */
const isHiddenFrom = ({ id }: Caller, attempt: string, task: string): RawBuilder<boolean> => sql<boolean>`exists (
  select from task_results as result join attempts as graded on graded.id = result.attempt_id join exam_sessions as s on s.id = graded.session_id
  where result.attempt_id = ${sql.ref(attempt)} and result.task_id = coalesce(${sql.ref(task)}, result.task_id)
    and result.is_awaiting_grading and s.grader_tolerance_percent is not null
    and (select count(*) < 2 and not coalesce(bool_or(given.grader_id = ${id}), false) from task_grades as given
      where given.attempt_id = result.attempt_id and given.task_id = result.task_id))`;

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
        and ${statusSql.isListed()} and ${readsAttempt(caller)}`.execute(this.#db);
    const { is_shown, ...attempt } = found(rows[0], 'Attempt');
    if (!is_shown) return { attempt_id: id, ...attempt, decisions: [], grades: [], comments: [], review: null };
    const decisions = await sql<Decision>`
      select task_id, revision, points_before, points_earned, reason, rubric_items, is_by_rubric, is_mean, ${shownName()} as decided_by, decided_at
      from task_decisions left join users on users.id = decided_by
      where attempt_id = ${id} order by decided_at, task_id, revision limit ${maxDecisions}`.execute(this.#db);
    const grades = await sql<Grade>`
      select task_id, points_earned, reason, rubric_items, is_by_rubric, ${shownName()} as graded_by,
        coalesce(grader_id = ${caller.id}, false) as is_own, graded_at
      from task_grades as grade join attempts on attempts.id = grade.attempt_id left join users on users.id = grader_id
      where attempt_id = ${id} and attempts.user_id <> ${caller.id} and not ${isHiddenFrom(caller, 'grade.attempt_id', 'grade.task_id')}
      order by task_id, position`.execute(this.#db);
    const comments = await this.#comments(this.#db, caller, sql`attempt_id = ${id}`);
    const review = await sql<Review>`
      select request.id, text, requested_at, outcome, answer, ${shownName()} as answered_by, answered_at
      from review_requests as request left join users on users.id = answered_by where attempt_id = ${id}
      order by request.id desc limit 1`.execute(this.#db);
    return {
      ...{ attempt_id: id, ...attempt, decisions: decisions.rows, grades: grades.rows, comments },
      review: review.rows[0] ?? null,
    };
  }

  /**
   * Gives other points for a task of an attempt that has ended. The attempt's score and whether it has passed follow.
   * @throws NotFoundError, ForbiddenError, ConflictError before its end, for whom somebody else was faster, and where two people grade,
   * InvalidError above the task's points
   */
  async decide(caller: Caller, id: number, task_id: number, decision: NewDecision): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      const { attempt, result } = await heldResult(trx, caller, { id, task_id }, decision);
      if (result.isByTwo) throw new ConflictError('two_graders', 'Two people grade this result, at its key');
      const judgement = await judged(trx, attempt, task_id, result.points, decision);
      await write(trx, caller, { id, task_id, attempt, result }, judgement);
    });
  }

  /** The oldest first. @throws NotFoundError */
  async comments(caller: Caller, id: number): Promise<Comment[]> {
    await seen(this.#db, caller, id);
    return await this.#comments(this.#db, caller, sql`attempt_id = ${id}`);
  }

  /**
   * @param isGrading whoever grades the attempt may, otherwise only who decides about it
   * @throws NotFoundError, ForbiddenError, ConflictError before the end of the attempt and for too many, InvalidError for what it has not
   */
  async comment(caller: Caller, id: number, { text, ...about }: NewComment, isGrading = false): Promise<Comment> {
    return await this.#db.transaction().execute(async (trx) => {
      await decidable(trx, caller, id, isGrading);
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
      return found((await this.#comments(trx, caller, sql`comment.id = ${made.id}`))[0], 'Comment');
    });
  }

  /** By its author, or an administrator. @throws NotFoundError, ForbiddenError */
  async deleteComment(caller: Caller, id: number, commentId: number): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      await decidable(trx, caller, id, true);
      const comments = trx.selectFrom('attempt_comments').select('author_id').where('attempt_id', '=', id);
      const { author_id } = found(await comments.where('id', '=', commentId).executeTakeFirst(), 'Comment');
      if (author_id !== caller.id && caller.role !== 'admin')
        throw new ForbiddenError('forbidden', 'Only its author and administrators may delete a comment');
      await trx.deleteFrom('attempt_comments').where('id', '=', commentId).execute();
    });
  }

  /**
   * The student of an attempt asks for a review, once for each time that it ends.
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
      const asked = await sql`select from review_requests as request join attempts on attempts.id = attempt_id
        where attempt_id = ${id} and (outcome is null or requested_at >= submitted_at)`.execute(trx);
      if (asked.rows.length > 0)
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
    const columns = sql`request.id, request.text, request.requested_at, request.attempt_id, attempts.title, attempts.user_id, users.username,
      users.full_name, attempts.session_id, classes.name as class_name`;
    const from = sql`review_requests as request join attempts on attempts.id = request.attempt_id
      join users on users.id = attempts.user_id
      left join exam_sessions as s on s.id = attempts.session_id left join classes on classes.id = s.class_id
      where request.outcome is null and ${decidesAbout(caller)}`;
    return await readList(this.#db, { columns, from, order: sql`request.id` }, page);
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

  async #comments(db: Database, caller: Caller, which: RawBuilder<unknown>): Promise<Comment[]> {
    const { rows } = await sql<Comment>`
      select comment.id, task_id, line, recording_id, seconds, text, author_id, ${shownName()} as author, comment.created_at
      from attempt_comments as comment left join users on users.id = author_id
      where ${which} and (author_id = ${caller.id} or not ${isHiddenFrom(caller, 'comment.attempt_id', 'comment.task_id')})
      order by comment.id limit ${maxComments}`.execute(db);
    return rows;
  }
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
