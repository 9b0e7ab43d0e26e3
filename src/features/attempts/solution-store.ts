import { sql } from 'kysely';
import { fillMarkdown } from '../../../packages/placeholders/placeholders.ts';
import { statusSql } from '../../database/attempt-status.ts';
import type { Database } from '../../database/connection/connect.ts';
import { hasShownResults, membershipsOf } from '../../database/exam-session-rules.ts';
import type { AttemptKind } from '../../database/tables.ts';
import type { Caller } from '../../http/access/access.ts';
import type { TaskParameters } from '../../values/parameters.ts';
import { isSolutionShown, type SolutionFacts, type SolutionVisibility } from '../../values/solution-visibility.ts';
import { type Solutions, seesChecks } from './schema.ts';
import type { AttemptRow } from './store.ts';

type Row = {
  id: number;
  solution: string;
  parameters: TaskParameters | null;
  visible: SolutionVisibility;
  isRunning: boolean;
  hasPassed: boolean;
};

/** The worked solutions of tasks. Text and visibility are those of now, also for attempts that began before a change. */
export class SolutionStore {
  readonly #db: Database;
  readonly #lastDue: (userId: number, laboratoryId: number) => Promise<Date | null>;

  /** @param lastDue when a laboratory is due for a student, by the latest due date in the student's classes. Null: never */
  constructor(db: Database, lastDue: (userId: number, laboratoryId: number) => Promise<Date | null>) {
    this.#db = db;
    this.#lastDue = lastDue;
  }

  /**
   * Staff see all. An empty one is that of a task whose right answer is shown like a solution.
   * @param attempt whose values the solutions have; by default the caller's last one
   */
  async shownTo(
    caller: Pick<Caller, 'id' | 'role'>,
    kind: AttemptKind,
    assessmentId: number,
    attempt?: Pick<AttemptRow, 'variant'>,
  ): Promise<Solutions> {
    const { rows } = await sql<Row>`
      select task.id, solution, parameters, solution_visible as visible,
        exists (select from attempts where ${this.#own(caller, kind, assessmentId)} and ${statusSql.isUnfinished()}) as "isRunning",
        exists (select from attempts join task_results as result on result.attempt_id = attempts.id
          where ${this.#own(caller, kind, assessmentId)} and ${statusSql.isGraded('attempts')}
            and result.task_id = task.id and result.passed and ${sql.raw(hasShownResults)}) as "hasPassed"
      from assessment_tasks as task
      where task.assessment_kind = ${kind} and task.assessment_id = ${assessmentId} and (solution <> '' or kind in ('choice', 'answer'))`.execute(
      this.#db,
    );
    const seesAll = seesChecks(caller);
    const hasEnd = !seesAll && rows.some(({ visible }) => visible === 'after_due' || visible === 'after_close');
    const isOver = hasEnd && (await this.#isOver(caller.id, kind, assessmentId));
    const shown = rows.filter(({ visible, ...facts }) => seesAll || isSolutionShown(visible, { ...facts, isOver }));
    const isVaried = shown.some(({ parameters }) => parameters);
    const variant = isVaried ? (attempt ?? (await this.#last(caller, kind, assessmentId)))?.variant : undefined;
    return new Map(
      shown.map(({ id, solution }) => {
        const values = variant?.values[id];
        return [id, values ? fillMarkdown(solution, values) : solution];
      }),
    );
  }

  async #last(...of: Parameters<SolutionStore['shownTo']>): Promise<Pick<AttemptRow, 'variant'> | undefined> {
    const [caller, kind, assessmentId] = of;
    const { rows } = await sql<Pick<AttemptRow, 'variant'>>`select variant from attempts
      where ${this.#own(caller, kind, assessmentId)} and variant is not null order by id desc limit 1`.execute(
      this.#db,
    );
    return rows[0];
  }

  #own(caller: Pick<Caller, 'id'>, kind: AttemptKind, assessmentId: number) {
    return sql`attempts.kind = ${kind} and attempts.assessment_id = ${assessmentId} and attempts.user_id = ${caller.id}`;
  }

  /**
   * A session is over when it is closed for everybody in it: nobody who has more time may get the solution from somebody else. A paused one is
   * open.
   */
  async #isOver(userId: number, kind: AttemptKind, assessmentId: number): Promise<SolutionFacts['isOver']> {
    if (kind === 'laboratory') {
      const due = await this.#lastDue(userId, assessmentId);
      return due !== null && due.getTime() <= Date.now();
    }
    const { rows } = await sql<{ isOver: boolean | null }>`
      select bool_and(session.paused_at is null and now() >= greatest(session.closes_at,
        (select max(closes_at) from exam_accommodations where session_id = session.id))) as "isOver"
      from exam_sessions as session join ${membershipsOf(userId)} as member on member.session_id = session.id
      where session.exam_id = ${assessmentId}`.execute(this.#db);
    return rows[0]?.isOver ?? false;
  }
}
