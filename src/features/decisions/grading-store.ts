import { type RawBuilder, sql } from 'kysely';
import type { Static } from 'typebox';
import { statusSql } from '../../database/attempt-status.ts';
import type { Database } from '../../database/connection/connect.ts';
import { countRows, type Page } from '../../database/lists/keyset.ts';
import { shownName } from '../../database/lists/shown-name.ts';
import { decidesAbout, gradesIn, seesAttempt } from '../../database/lists/student-scope.ts';
import type { AttemptKind } from '../../database/tables.ts';
import type { Work, WorkKeys } from '../../database/work-keys.ts';
import { found, NotFoundError } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import type { RemarkColumns } from '../../values/grading-remark.ts';
import { gradeResult } from './grade-store.ts';
import type { GradingQuery, GradingSchema, GradingTaskSchema } from './grading-schema.ts';
import type { NewGrade } from './judgement-store.ts';
import type { NewComment } from './schema.ts';
import type { Comment, DecisionStore, Feedback } from './store.ts';

type GradingFilter = Omit<Static<typeof GradingQuery>, 'page' | 'page_size'>;
type Student = { attempt_id: number; user_id: number; username: string; full_name: string | null };
type Claim = { by: string; is_own: boolean; expires_at: Date };
type Shown = Static<typeof GradingSchema>;
type Row = Omit<Shown, 'key' | 'student' | 'claim'> &
  Student & {
    has_hidden_names: boolean;
    reopenings: number;
    claimed_by: string | null;
    claimer_id: number | null;
    claimed_until: Date | null;
  };
type GradedTask = Static<typeof GradingTaskSchema>;
type AwaitingAssessment = Pick<GradedTask, 'kind' | 'assessment_id' | 'assessment_title' | 'awaiting_count'>;
type Opened = Shown & {
  attemptId: number;
  output: string;
  recordings: { id: number; duration_seconds: number | null }[];
  max_difference: number | null;
} & RemarkColumns &
  Pick<Feedback, 'decisions' | 'grades' | 'comments'>;

/** A claim ends unless it is renewed. Pages renew it each minute. */
const claimSeconds = 180;
/** The latest attempts of an assessment whose results are counted. */
const maxCounted = 10_000;
/** Recordings of one attempt in an answer. */
const maxRecordings = 100;

const claimed = sql`left join lateral (
  select claim.user_id as claimer_id, ${shownName('claimer')} as claimed_by, claim.expires_at as claimed_until
  from grading_claims as claim join users as claimer on claimer.id = claim.user_id
  where claim.attempt_id = attempts.id and claim.task_id = result.task_id and claim.expires_at > now() limit 1) as claim on true`;

/** What two graders have given for a result: nothing where it does not await one. */
const given = (caller: Caller) => sql`left join lateral (
  select count(*)::int as grade_count, coalesce(bool_or(grade.grader_id = ${caller.id}), false) as has_own_grade from task_grades as grade
  where result.is_awaiting_grading and grade.attempt_id = result.attempt_id and grade.task_id = result.task_id) as given on true`;

export const reopenings = sql`(select count(*)::int from attempt_endings where attempt_id = attempts.id)`;

/** A key from before the attempt was reopened is none of a result any more: whoever has it has not seen what was submitted since. */
const isWork = ({ attemptId, taskId, reopenings: before }: Work): RawBuilder<boolean> =>
  sql<boolean>`attempts.id = ${attemptId} and result.task_id = ${taskId} and ${reopenings} = ${before}`;

const columns = (
  caller: Caller,
) => sql`attempts.id as attempt_id, ${reopenings} as reopenings, attempts.kind, attempts.assessment_id, attempts.title as assessment_title, attempts.session_id,
  result.task_id, result.title, result.points, result.points_earned, result.revision,
  result.is_awaiting_grading, attempts.user_id, users.username, users.full_name,
  coalesce(s.has_hidden_names, false) as has_hidden_names,
  ${decidesAbout(caller)} as is_decider, result.is_awaiting_grading and s.grader_tolerance_percent is not null as has_two_graders,
  given.grade_count, given.has_own_grade, claim.claimer_id, claim.claimed_by, claim.claimed_until`;

const results = sql`attempts join task_results as result on result.attempt_id = attempts.id
  join users on users.id = attempts.user_id left join exam_sessions as s on s.id = attempts.session_id`;

/** What people grade: one result at a time, task by task across students, without each other's way. */
export class GradingStore {
  readonly #db: Database;
  readonly #decisions: DecisionStore;
  readonly #keys: WorkKeys;

  constructor(db: Database, decisions: DecisionStore, keys: WorkKeys) {
    this.#db = db;
    this.#decisions = decisions;
    this.#keys = keys;
  }

  /** The results that the caller may decide about, the oldest attempt first. Without names the order tells nobody's either. */
  async list(caller: Caller, filter: GradingFilter, page: Page): Promise<{ rows: Shown[]; total: number }> {
    const which = sql`${this.#attempts(caller, filter)} and ${isGradedBy(caller)} and ${filter.task_id === undefined ? sql`true` : sql`result.task_id = ${filter.task_id}`}
      and ${filter.is_graded === undefined ? sql`true` : filter.is_graded ? sql`result.revision > 0` : sql`result.revision = 0`}`;
    const { rows } = await sql<Row>`select ${columns(caller)} from ${results} ${given(caller)} ${claimed} where ${which}
      order by ${orderOf(this.#keys)}, result.order_index, result.task_id limit ${page.limit} offset ${page.offset}`.execute(
      this.#db,
    );
    const total = await countRows(this.#db, sql`select from ${results} where ${which}`);
    return { rows: rows.map((row) => this.#shown(caller, row)), total };
  }

  /** The tasks of an assessment or a session, with how many of their results somebody has decided about. */
  async tasks(caller: Caller, filter: GradingFilter): Promise<GradedTask[]> {
    const { rows } = await sql<GradedTask>`
      with latest as (select attempts.id, attempts.user_id, attempts.session_id, attempts.kind, attempts.assessment_id, attempts.title from attempts
        where ${this.#attempts(caller, filter)} order by attempts.started_at desc, attempts.id desc limit ${maxCounted})
      select attempts.kind, attempts.assessment_id, max(attempts.title) as assessment_title, result.task_id,
        coalesce(task.title, deleted.title, max(result.title)) as title,
        max(result.points) as points, count(*)::int as total_count, count(*) filter (where result.revision > 0)::int as graded_count,
        count(*) filter (where result.is_awaiting_grading)::int as awaiting_count,
        count(*) filter (where given.grade_count = 1)::int as once_graded_count,
        count(*) filter (where given.grade_count = 2)::int as unsettled_count
      from latest as attempts join task_results as result on result.attempt_id = attempts.id ${given(caller)}
      left join assessment_tasks as task on task.assessment_kind = attempts.kind and task.assessment_id = attempts.assessment_id and task.id = result.task_id
      left join deleted_tasks as deleted on deleted.kind = attempts.kind and deleted.assessment_id = attempts.assessment_id and deleted.task_id = result.task_id
      where ${isGradedBy(caller)}
      group by attempts.kind, attempts.assessment_id, result.task_id, task.title, deleted.title order by min(result.order_index), result.task_id`.execute(
      this.#db,
    );
    return rows;
  }

  /** How many results of each assessment await a person. Reads the attempts that await one alone, which an index has. */
  async awaiting(caller: Caller, filter: GradingFilter): Promise<AwaitingAssessment[]> {
    const { rows } = await sql<AwaitingAssessment>`
      select attempts.kind, attempts.assessment_id, max(attempts.title) as assessment_title, count(*)::int as awaiting_count
      from attempts join task_results as result on result.attempt_id = attempts.id and result.is_awaiting_grading
      where attempts.is_awaiting_grading and attempts.assessment_id is not null and ${this.#attempts(caller, filter)}
      group by attempts.kind, attempts.assessment_id order by attempts.kind, attempts.assessment_id`.execute(this.#db);
    return rows;
  }

  /** @throws NotFoundError */
  async open(caller: Caller, name: string): Promise<Opened> {
    const work = this.#work(name);
    const { attemptId, taskId } = work;
    const { rows } = await sql<
      Row & Pick<Opened, 'output' | 'remark' | 'remark_codes' | 'recordings' | 'max_difference'>
    >`
      select ${columns(caller)}, result.output, result.remark, result.remark_codes,
        case when result.is_awaiting_grading then trunc(result.points * s.grader_tolerance_percent / 100, 2) end as max_difference,
        array(select jsonb_build_object('id', id, 'duration_seconds', extract(epoch from ended_at - started_at))
          from recordings where attempt_id = attempts.id order by id limit ${maxRecordings}) as recordings
      from ${results} ${given(caller)} ${claimed}
      where ${isWork(work)} and ${gradable(caller)} and ${isGradedBy(caller)}`.execute(this.#db);
    const { output, remark, remark_codes, recordings, max_difference, ...row } = found(rows[0], 'Result');
    const { decisions, grades, comments } = await this.#decisions.feedback(caller, attemptId);
    const isAbout = (about: { task_id: number | null }): boolean => about.task_id === taskId || about.task_id === null;
    return {
      ...{ ...this.#shown(caller, row), attemptId, output, remark, remark_codes, recordings, max_difference },
      ...{ decisions: decisions.filter(isAbout), grades: grades.filter(isAbout), comments: comments.filter(isAbout) },
    };
  }

  /** @throws see `gradeResult` */
  async grade(caller: Caller, name: string, grade: NewGrade): Promise<void> {
    const work = this.#work(name);
    await this.#checkSeen(caller, work);
    const place = { id: work.attemptId, task_id: work.taskId };
    await this.#db.transaction().execute(async (trx) => await gradeResult(trx, caller, place, grade));
  }

  /** About the result, or a moment of a recording. @throws see `DecisionStore.comment` */
  async comment(caller: Caller, name: string, comment: Omit<NewComment, 'task_id'>): Promise<Comment> {
    const work = this.#work(name);
    await this.#checkSeen(caller, work);
    const about = comment.recording_id === undefined ? { task_id: work.taskId } : {};
    return await this.#decisions.comment(caller, work.attemptId, { ...comment, ...about }, true);
  }

  /** @throws see `DecisionStore.deleteComment` */
  async deleteComment(caller: Caller, name: string, commentId: number): Promise<void> {
    const work = this.#work(name);
    await this.#checkSeen(caller, work);
    await this.#decisions.deleteComment(caller, work.attemptId, commentId);
  }

  /** Whose result it is stays unknown to others. @throws NotFoundError as for a name that is none */
  async #checkSeen(caller: Caller, work: Work): Promise<void> {
    const { rows } = await sql`select from attempts join task_results as result on result.attempt_id = attempts.id
      where ${isWork(work)} and ${seesAttempt(caller)}
        and (not ${gradesIn(caller)} or ${isGradedBy(caller)})`.execute(this.#db);
    found(rows[0], 'Result');
  }

  /**
   * Says that the caller works on a result, for a few minutes from now, and on no other one. It is somebody else's where that one was first.
   * @throws NotFoundError
   */
  async claim(caller: Caller, name: string): Promise<Claim> {
    const work = this.#work(name);
    const { attemptId, taskId } = work;
    return await this.#db.transaction().execute(async (trx) => {
      // The result is held, so that of two at once one is first.
      const { rows } = await sql`select from attempts join task_results as result on result.attempt_id = attempts.id
        where ${isWork(work)} and ${gradable(caller)} and ${isGradedBy(caller)} for no key update of result`.execute(
        trx,
      );
      found(rows[0], 'Result');
      await sql`insert into grading_claims as own (user_id, attempt_id, task_id, expires_at)
        select ${caller.id}, ${attemptId}, ${taskId}, now() + make_interval(secs => ${claimSeconds})
        where not exists (select from grading_claims where attempt_id = ${attemptId} and task_id = ${taskId}
          and user_id <> ${caller.id} and expires_at > now())
        on conflict (user_id) do update set attempt_id = excluded.attempt_id, task_id = excluded.task_id, expires_at = excluded.expires_at`.execute(
        trx,
      );
      const claims = await sql<Claim>`select ${shownName()} as by, users.id = ${caller.id} as is_own, expires_at
        from grading_claims join users on users.id = user_id
        where attempt_id = ${attemptId} and task_id = ${taskId} and expires_at > now() order by is_own desc limit 1`.execute(
        trx,
      );
      return found(claims.rows[0], 'Claim');
    });
  }

  /** @throws NotFoundError for a name that is none */
  async unclaim(caller: Caller, name: string): Promise<void> {
    const { attemptId, taskId } = this.#work(name);
    await sql`delete from grading_claims where user_id = ${caller.id} and attempt_id = ${attemptId} and task_id = ${taskId}`.execute(
      this.#db,
    );
  }

  #attempts(caller: Caller, { exam_id, laboratory_id, session_id, class_id }: GradingFilter): RawBuilder<boolean> {
    const of = (kind: AttemptKind, id: number | undefined) =>
      id === undefined ? sql`true` : sql`attempts.kind = ${kind} and attempts.assessment_id = ${id}`;
    return sql<boolean>`${of('exam', exam_id)} and ${of('laboratory', laboratory_id)}
      and ${session_id === undefined ? sql`true` : sql`attempts.session_id = ${session_id}`}
      and ${class_id === undefined ? sql`true` : inClass(caller, class_id)} and ${gradable(caller)}`;
  }

  #work(name: string): Work {
    const work = this.#keys.read(name);
    if (!work) throw new NotFoundError('not_found', 'Result not found');
    return work;
  }

  #shown(caller: Caller, row: Row): Shown {
    const {
      attempt_id,
      user_id,
      username,
      full_name,
      has_hidden_names,
      reopenings: before,
      claimed_by,
      claimer_id,
      claimed_until,
      ...shown
    } = row;
    return {
      ...{ ...shown, key: this.#keys.of({ attemptId: attempt_id, taskId: row.task_id, reopenings: before }) },
      student: has_hidden_names ? null : { attempt_id, user_id, username, full_name },
      claim:
        claimed_by === null || claimed_until === null
          ? null
          : { by: claimed_by, is_own: claimer_id === caller.id, expires_at: claimed_until },
    };
  }
}

/** The oldest attempt first. Those without names come before them, in an order that only the service can tell. */
export const orderOf = ({ salt }: Pick<WorkKeys, 'salt'>): RawBuilder<unknown> => sql`
  case when s.has_hidden_names then md5(${salt}::text || attempts.id) end, attempts.started_at, attempts.id`;

/** Attempts of the students of a class whose staff the caller is, in its sessions or in none. */
const inClass = (caller: Caller, classId: number): RawBuilder<boolean> => sql<boolean>`
  attempts.user_id in (select user_id from class_members where class_id = ${classId} and role = 'student')
  and (attempts.session_id is null or attempts.session_id in (select id from exam_sessions where class_id = ${classId}))
  and (${sql.lit(caller.role === 'admin' || caller.scope === 'all')} or exists (select from class_members
    where class_id = ${classId} and user_id = ${caller.id} and role <> 'student'))`;

/** Attempts with results that the caller grades. Those of test students count nowhere. */
const gradable = (caller: Caller): RawBuilder<boolean> =>
  sql<boolean>`${statusSql.isGraded('attempts')} and attempts.user_id > 0 and (${decidesAbout(caller)} or ${gradesIn(caller)})`;

/** Of these, assistants grade what people grade, and not what a check has graded. */
const isGradedBy = (caller: Caller): RawBuilder<boolean> =>
  sql<boolean>`(result.is_awaiting_grading or result.revision > 0 or ${decidesAbout(caller)})`;
