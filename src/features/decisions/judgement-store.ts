import { type Selectable, sql, type Transaction } from 'kysely';
import { logActivity } from '../../database/activity-log.ts';
import { statusSql } from '../../database/attempt-status.ts';
import type { Database } from '../../database/connection/connect.ts';
import { decidesAbout, gradesIn, seesAttempt } from '../../database/lists/student-scope.ts';
import type { AttemptKind, RubricItem, Tables, TaskDecisionsTable } from '../../database/tables.ts';
import { ConflictError, ForbiddenError, found, InvalidError } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import { refusedField } from '../../values/coded-problem.ts';

export type NewDecision = {
  points_earned?: number;
  reason?: string;
  rubric_item_ids?: readonly number[];
  revision: number;
  submitted_at?: string;
};
/** @property is_settlement of the difference of two graders */
export type NewGrade = NewDecision & { is_settlement?: boolean };

/** A result of an attempt. */
export type Place = { id: number; task_id: number };
/** What a result was before a decision. */
type Graded = { title: string; points: number; points_earned: number; revision: number };
/** What somebody gives for a result. */
export type Judgement = Pick<
  Selectable<TaskDecisionsTable>,
  'points_earned' | 'reason' | 'is_by_rubric' | 'rubric_items'
>;

export type Held = {
  kind: AttemptKind;
  assessment_id: number | null;
  user_id: number;
  session_id: number | null;
  title: string;
  submitted_at: Date | null;
  /** Whether it has ended with results. */
  is_graded: boolean;
  decides: boolean;
  /** Not more than that: as an assistant. */
  grades: boolean;
  /** Of its session. Null: one person grades. */
  grader_tolerance_percent: number | null;
};

/** Of one result: far more than a person decides. They bound the answer. */
export const maxDecisions = 500;

/** @throws NotFoundError unless the caller sees the attempt as staff */
export async function seen(db: Database, caller: Caller, id: number, lock = sql``): Promise<Held> {
  const { rows } = await sql<Held>`
    select kind, assessment_id, user_id, session_id, title, submitted_at, ${statusSql.isGraded('attempts')} as is_graded,
      ${decidesAbout(caller)} as decides, ${gradesIn(caller)} as grades,
      (select grader_tolerance_percent from exam_sessions as s where s.id = attempts.session_id) as grader_tolerance_percent
    from attempts where id = ${id} and ${statusSql.isListed()} and ${seesAttempt(caller)} ${lock}`.execute(db);
  return found(rows[0], 'Attempt');
}

export const notDecider = () =>
  new ForbiddenError('forbidden', 'Only instructors of the class and administrators may do this');

/**
 * An attempt that nobody else decides about until the end of the transaction.
 * @param isGrading whoever grades it may, otherwise only who decides about it @throws NotFoundError, ForbiddenError, ConflictError
 */
export async function decidable(
  trx: Transaction<Tables>,
  caller: Caller,
  id: number,
  isGrading = false,
): Promise<Held> {
  const attempt = await seen(trx, caller, id, sql`for update`);
  if (!attempt.decides && !(isGrading && attempt.grades)) throw notDecider();
  if (!attempt.is_graded) throw new ConflictError('attempt_not_graded', 'The attempt has no results yet');
  return attempt;
}

/** A result of such an attempt. @throws NotFoundError, ForbiddenError, ConflictError also where somebody else was faster */
export async function heldResult(
  trx: Transaction<Tables>,
  caller: Caller,
  { id, task_id }: Place,
  { revision, submitted_at }: Pick<NewDecision, 'revision' | 'submitted_at'>,
  isGrading = false,
) {
  const attempt = await decidable(trx, caller, id, isGrading);
  const result = found(
    await trx
      .selectFrom('task_results')
      .select(['points', 'points_earned', 'revision', 'title', 'is_awaiting_grading'])
      .where('attempt_id', '=', id)
      .where('task_id', '=', task_id)
      .executeTakeFirst(),
    'Result',
  );
  const isSeen = submitted_at === undefined || attempt.submitted_at?.getTime() === Date.parse(submitted_at);
  // A reopened attempt gets other results, whose revisions begin at 0 again.
  if (result.revision !== revision || !isSeen)
    throw new ConflictError('graded_meanwhile', 'Somebody else has decided about this result meanwhile');
  const isByTwo = result.is_awaiting_grading && attempt.grader_tolerance_percent !== null;
  return { attempt, result: { ...result, isByTwo } };
}

/** A later notification replaces the first. Students see none before the results. */
export async function notifyStudent(trx: Transaction<Tables>, id: number): Promise<void> {
  await sql`insert into notifications (user_id, key, kind, attempt_id)
    select user_id, 'grade:' || id, 'grade', id from attempts where id = ${id}
    on conflict (user_id, key) do update set created_at = now(), read_at = null`.execute(trx);
}

export const missing = (name: string) =>
  new InvalidError([{ loc: ['body', name], msg: 'Field required', type: 'missing' }]);

/**
 * What a decision says, with the points of the items that it chooses.
 * @throws InvalidError for unknown items, and for own points without a reason
 */
export async function judged(
  trx: Transaction<Tables>,
  { kind, assessment_id }: Held,
  task_id: number,
  points: number,
  { points_earned: own, reason = '', rubric_item_ids: ids }: NewDecision,
): Promise<Judgement> {
  if (own === undefined && ids === undefined) throw missing('points_earned');
  if (own !== undefined && reason === '') throw missing('reason');
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
  { id, task_id, attempt, result }: Place & { attempt: Held; result: Graded },
  { rubric_items, ...judgement }: Judgement & { is_mean?: boolean },
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
  checkPoints(points_earned, result);
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

/** @throws InvalidError above the points of the task */
export function checkPoints(given: number, { points }: Pick<Graded, 'points'>): void {
  if (given <= points) return;
  const msg = `Input should be less than or equal to ${points}`;
  throw new InvalidError([{ loc: ['body', 'points_earned'], msg, type: 'less_than_equal' }]);
}

/** The student sees the entry as well. */
export async function log(
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
