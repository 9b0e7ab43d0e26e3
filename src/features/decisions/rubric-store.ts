import { type RawBuilder, sql } from 'kysely';
import { statusSql } from '../../database/attempt-status.ts';
import type { Database } from '../../database/connection/connect.ts';
import { membershipsOf } from '../../database/exam-session-rules.ts';
import { decidesAbout, gradesIn } from '../../database/lists/student-scope.ts';
import type { AttemptKind, RubricItem } from '../../database/tables.ts';
import type { WorkKeys } from '../../database/work-keys.ts';
import { ConflictError, found } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import { orderOf, reopenings } from './grading-store.ts';
import { decidable, type Held, type Judgement, write } from './judgement-store.ts';
import { maxRubricItems } from './schema.ts';

/** One task of an exam or a laboratory. */
export type TaskPlace = { kind: AttemptKind; assessmentId: number; taskId: number };
/** Who comes through a door of content was admitted there. Graders are asked for here. */
export type Editor = { caller: Caller; isGrader: boolean };
type Fields = Omit<RubricItem, 'id'>;
/** What a result would have by the items as they are now. */
type RubricChange = Omit<Judgement, 'is_by_rubric'> & {
  rubric_items: RubricItem[];
  revision: number;
  title: string;
  points: number;
  points_before: number;
};
/** What tells whose it is, and what its key is made of. */
type About = Student & { has_hidden_names: boolean; reopenings: number };
type Student = { attempt_id: number; user_id: number; username: string; full_name: string | null };
type ShownChange = RubricChange & { key: string; student: Student | null };
type Wanted = Pick<ShownChange, 'key' | 'revision' | 'points_earned'>;

/** The items by which people grade a task. They may change while people grade. */
export class RubricStore {
  readonly #db: Database;
  readonly #keys: WorkKeys;

  constructor(db: Database, keys: WorkKeys) {
    this.#db = db;
    this.#keys = keys;
  }

  /** The oldest first. @throws NotFoundError */
  async items(editor: Editor, place: TaskPlace): Promise<RubricItem[]> {
    await checkTask(this.#db, editor, place, { isRead: true });
    return await itemsOf(this.#db, place);
  }

  /** @throws NotFoundError, ConflictError for too many */
  async add(editor: Editor, place: TaskPlace, fields: Fields): Promise<RubricItem> {
    return await this.#db.transaction().execute(async (trx) => {
      // The task is held, so that of two that add the last item the second counts that of the first.
      await checkTask(trx, editor, place, { isHeld: true });
      if ((await itemsOf(trx, place)).length >= maxRubricItems)
        throw new ConflictError('too_many_rubric_items', `The rubric has ${maxRubricItems} items already`);
      const { kind, assessmentId: assessment_id, taskId: task_id } = place;
      return await trx
        .insertInto('rubric_items')
        .values({ ...{ kind, assessment_id, task_id }, ...fields })
        .returning(['id', 'text', 'points'])
        .executeTakeFirstOrThrow();
    });
  }

  /** Decisions keep the item as it was. @throws NotFoundError */
  async change(editor: Editor, place: TaskPlace, id: number, fields: Partial<Fields>): Promise<RubricItem> {
    await checkTask(this.#db, editor, place);
    const { rows } = await sql<RubricItem>`update rubric_items set text = coalesce(${fields.text ?? null}::text, text),
        points = coalesce(${fields.points ?? null}::numeric, points)
      where ${isOf(place)} and id = ${id} returning id, text, points`.execute(this.#db);
    return found(rows[0], 'Rubric item');
  }

  /** The same. @throws NotFoundError */
  async delete(editor: Editor, place: TaskPlace, id: number): Promise<void> {
    await checkTask(this.#db, editor, place);
    const { rows } = await sql`delete from rubric_items where ${isOf(place)} and id = ${id} returning id`.execute(
      this.#db,
    );
    found(rows[0], 'Rubric item');
  }

  /** The results graded by items that the caller may decide about, and that would have other points now. @param limit there can be further ones */
  async changes(caller: Caller, place: TaskPlace, limit: number): Promise<ShownChange[]> {
    await checkTask(this.#db, { caller, isGrader: true }, place);
    const changes = await changesOf(this.#db, caller, place, limit, orderOf(this.#keys));
    return changes.map(
      ({ attempt_id, user_id, username, full_name, has_hidden_names, reopenings: before, ...change }) => ({
        ...{ ...change, key: this.#keys.of({ attemptId: attempt_id, taskId: place.taskId, reopenings: before }) },
        student: has_hidden_names ? null : { attempt_id, user_id, username, full_name },
      }),
    );
  }

  /**
   * Gives results the points that their items have now.
   * @throws NotFoundError, ForbiddenError, ConflictError where one of them would not get these points any more: then none is changed
   */
  async apply(caller: Caller, place: TaskPlace, wanted: readonly Wanted[]): Promise<{ changed_count: number }> {
    const asked = new Map(wanted.map((one) => [this.#attemptOf(one.key, place), one]));
    // In one order, so that two requests do not wait for each other.
    const ids = [...asked.keys()].toSorted((a, b) => a - b);
    return await this.#db.transaction().execute(async (trx) => {
      await checkTask(trx, { caller, isGrader: true }, place);
      const attempts = new Map<number, Held>();
      for (const id of ids) attempts.set(id, await decidable(trx, caller, id));
      const changes = await changesOf(trx, caller, place, ids.length, sql`attempts.id`, ids);
      for (const [id, attempt] of attempts) {
        const change = changes.find((one) => one.attempt_id === id);
        const { revision, points_earned } = asked.get(id) ?? {};
        if (!change || change.revision !== revision || change.points_earned !== points_earned)
          throw new ConflictError('graded_meanwhile', 'The rubric or a result has changed meanwhile');
        const { title, points, points_before, reason, rubric_items } = change;
        const result = { title, points, revision, points_earned: points_before };
        const judgement = { points_earned, reason, rubric_items, is_by_rubric: true };
        await write(trx, caller, { id, task_id: place.taskId, attempt, result }, judgement);
      }
      return { changed_count: ids.length };
    });
  }

  /** @throws NotFoundError */
  #attemptOf(key: string, { taskId }: TaskPlace): number {
    const work = this.#keys.read(key);
    return found(work?.taskId === taskId ? work : undefined, 'Result').attemptId;
  }
}

const isOf = ({ kind, assessmentId, taskId }: TaskPlace): RawBuilder<boolean> =>
  sql<boolean>`kind = ${kind} and assessment_id = ${assessmentId} and task_id = ${taskId}`;

async function itemsOf(db: Database, place: TaskPlace): Promise<RubricItem[]> {
  const { rows } =
    await sql<RubricItem>`select id, text, points from rubric_items where ${isOf(place)} order by id`.execute(db);
  return rows;
}

/**
 * Whether a caller grades attempts at an assessment: as an instructor of one of its sessions, or of a student with an attempt.
 * @param isRead assistants who grade read the rubric
 */
const grades = (caller: Caller, { kind, assessmentId }: TaskPlace, isRead: boolean): RawBuilder<boolean> =>
  caller.role === 'admin' || caller.scope === 'all'
    ? sql<boolean>`true`
    : sql<boolean>`(exists (select from exam_sessions as s join ${membershipsOf(caller.id)} as own on own.session_id = s.id
        where ${kind} = 'exam' and s.exam_id = ${assessmentId} and own.role = 'instructor')
      or exists (select from attempts where attempts.kind = ${kind} and attempts.assessment_id = ${assessmentId}
        and attempts.user_id > 0 and ${statusSql.isGraded('attempts')}
          and (${decidesAbout(caller)} or ${isRead ? gradesIn(caller) : sql`false`})))`;

/** @param isHeld until the end of the transaction @throws NotFoundError for a task that does not exist, and for graders who do not grade it */
async function checkTask(
  db: Database,
  { caller, isGrader }: Editor,
  place: TaskPlace,
  { isHeld = false, isRead = false } = {},
): Promise<void> {
  const task = await db
    .selectFrom('assessment_tasks')
    .select('id')
    .where('id', '=', place.taskId)
    .where('assessment_id', '=', place.assessmentId)
    .where('assessment_kind', '=', place.kind)
    .$if(isGrader, (some) => some.where(grades(caller, place, isRead)))
    .$if(isHeld, (some) => some.forNoKeyUpdate())
    .executeTakeFirst();
  found(task, 'Task');
}

/** @param ids undefined: of all attempts */
async function changesOf(
  db: Database,
  caller: Caller,
  place: TaskPlace,
  limit: number,
  order: RawBuilder<unknown>,
  ids?: readonly number[],
): Promise<(RubricChange & About)[]> {
  const { kind, assessmentId, taskId } = place;
  const { rows } = await sql<RubricChange & About>`
    with items as (select id, text, points from rubric_items where ${isOf(place)})
    select result.attempt_id, result.revision, result.title, result.points, result.points_earned as points_before, decision.reason,
      by_now.rubric_items, greatest(0, least(result.points, by_now.total)) as points_earned, attempts.user_id, users.username,
      users.full_name, coalesce(s.has_hidden_names, false) as has_hidden_names, ${reopenings} as reopenings
    from attempts left join exam_sessions as s on s.id = attempts.session_id
    join task_results as result on result.attempt_id = attempts.id and result.task_id = ${taskId}
    join task_decisions as decision on decision.attempt_id = attempts.id and decision.task_id = result.task_id
      and decision.revision = result.revision and decision.is_by_rubric
    join users on users.id = attempts.user_id
    cross join lateral (
      select coalesce(sum(coalesce(items.points, chosen.points)), 0) as total,
        coalesce(jsonb_agg(jsonb_build_object('id', chosen.id, 'text', coalesce(items.text, chosen.text),
          'points', coalesce(items.points, chosen.points)) order by chosen.id), '[]') as rubric_items
      from jsonb_to_recordset(decision.rubric_items) as chosen (id int, text text, points numeric)
      left join items on items.id = chosen.id
    ) as by_now
    where attempts.kind = ${kind} and attempts.assessment_id = ${assessmentId} and ${statusSql.isGraded('attempts')}
      and attempts.user_id > 0 and ${decidesAbout(caller)}
      and ${ids === undefined ? sql`true` : sql`attempts.id = any(${[...ids]}::int[])`}
      and greatest(0, least(result.points, by_now.total)) <> result.points_earned
    order by ${order} limit ${limit}`.execute(db);
  return rows;
}
