import { sql, type Transaction } from 'kysely';
import type { RubricItem, Tables } from '../../database/tables.ts';
import { ConflictError } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import {
  checkPoints,
  heldResult,
  type Judgement,
  judged,
  missing,
  type NewGrade,
  notDecider,
  type Place,
  write,
} from './judgement-store.ts';

type Grade = Judgement & { position: number; grader_id: number | null };

/**
 * Gives points for a result, as one who grades its attempt. Where two people grade, they are the first or the second grade, or they settle the
 * difference of both: only this, or two grades that agree, is a decision.
 * @throws NotFoundError, ForbiddenError, ConflictError for whom somebody else was faster, InvalidError above the task's points
 */
export async function gradeResult(
  trx: Transaction<Tables>,
  caller: Caller,
  place: Place,
  { is_settlement = false, ...decision }: NewGrade,
): Promise<void> {
  const { attempt, result } = await heldResult(trx, caller, place, decision, true);
  const given = result.isByTwo ? await gradesOf(trx, place) : [];
  const isUnsettled = given.length === 2;
  // Who grades has seen no other grades, and must not settle them unawares.
  if (is_settlement !== isUnsettled)
    throw new ConflictError(
      'graded_meanwhile',
      isUnsettled ? 'Two people have graded this result' : 'There are no two grades of this result to settle',
    );
  if (!attempt.decides && (isUnsettled || !result.is_awaiting_grading)) throw notDecider();
  if (isUnsettled && !decision.reason) throw missing('reason');
  const judgement = await judged(trx, attempt, place.task_id, result.points, decision);
  const of = { ...place, attempt, result };
  if (!result.isByTwo || isUnsettled) return await write(trx, caller, of, judgement);
  const own = given.find(({ grader_id }) => grader_id === caller.id);
  const grade = { ...judgement, position: own?.position ?? given.length + 1, grader_id: caller.id };
  // The database rounds, as it does for the points of tasks.
  const points_earned = await save(trx, place, grade);
  checkPoints(points_earned, result);
  const other = given.find(({ position }) => position !== grade.position);
  const mean =
    other && meanOf(other, { ...grade, points_earned }, result.points, attempt.grader_tolerance_percent ?? 0);
  if (mean) await write(trx, caller, of, mean);
}

async function gradesOf(trx: Transaction<Tables>, { id, task_id }: Place): Promise<Grade[]> {
  return await trx
    .selectFrom('task_grades')
    .select(['position', 'grader_id', 'points_earned', 'reason', 'rubric_items', 'is_by_rubric'])
    .where('attempt_id', '=', id)
    .where('task_id', '=', task_id)
    .orderBy('position')
    .execute();
}

/** Replaces the caller's own. @returns the points as they are stored */
async function save(
  trx: Transaction<Tables>,
  { id, task_id }: Place,
  { rubric_items, ...grade }: Grade,
): Promise<number> {
  const fields = { ...grade, rubric_items: rubric_items && JSON.stringify(rubric_items), graded_at: sql<Date>`now()` };
  const { points_earned } = await trx
    .insertInto('task_grades')
    .values({ attempt_id: id, task_id, ...fields })
    .onConflict((conflict) => conflict.columns(['attempt_id', 'task_id', 'position']).doUpdateSet(fields))
    .returning('points_earned')
    .executeTakeFirstOrThrow();
  return points_earned;
}

/**
 * What two grades that agree give: the mean, and what both say. Counted in whole hundredths, a half is rounded up.
 * @param percent of the points of the task by which they may differ @returns undefined where they differ by more
 */
export function meanOf(first: Judgement, second: Judgement, points: number, percent: number) {
  const [one, two, all] = [first.points_earned, second.points_earned, points].map((each) => Math.round(100 * each));
  if (one === undefined || two === undefined || all === undefined || 100 * Math.abs(one - two) > percent * all)
    return undefined;
  const chosen = (item: RubricItem): boolean => first.rubric_items?.some(({ id }) => id === item.id) ?? false;
  const common = second.rubric_items?.filter(chosen) ?? null;
  const isSame = one === two && [first, second].every((each) => each.rubric_items?.length === common?.length);
  return {
    // The points of the task can have become fewer since the first grade.
    points_earned: Math.min(all, Math.round((one + two) / 2)) / 100,
    reason: [...new Set([first.reason, second.reason])].filter((reason) => reason !== '').join('\n\n'),
    rubric_items: common,
    is_by_rubric: isSame && first.is_by_rubric && second.is_by_rubric,
    is_mean: true,
  };
}
