import { sql } from 'kysely';
import { statusSql } from '../../database/attempt-status.ts';
import type { Database } from '../../database/connection/connect.ts';
import { hasShownResults, membershipsOf } from '../../database/exam-session-rules.ts';
import type { AttemptKind } from '../../database/tables.ts';
import type { Caller } from '../../http/access/access.ts';
import { isSolutionShown, type SolutionFacts, type SolutionVisibility } from '../../values/solution-visibility.ts';
import type { Solutions } from './schema.ts';

type Row = { id: number; solution: string; visible: SolutionVisibility; isRunning: boolean; hasPassed: boolean };

/** The worked solutions of tasks. Text and visibility are those of now, also for attempts that began before a change. */
export class SolutionStore {
  readonly #db: Database;
  readonly #lastDue: (userId: number, laboratoryId: number) => Promise<Date | null>;

  /** @param lastDue when a laboratory is due for a student, by the latest due date in the student's classes. Null: never */
  constructor(db: Database, lastDue: (userId: number, laboratoryId: number) => Promise<Date | null>) {
    this.#db = db;
    this.#lastDue = lastDue;
  }

  /** Staff see all. */
  async shownTo(caller: Pick<Caller, 'id' | 'role'>, kind: AttemptKind, assessmentId: number): Promise<Solutions> {
    const { rows } = await sql<Row>`
      select task.id, solution, solution_visible as visible,
        exists (select from attempts where ${this.#own(caller, kind, assessmentId)} and ${statusSql.isUnfinished()}) as "isRunning",
        exists (select from attempts join task_results as result on result.attempt_id = attempts.id
          where ${this.#own(caller, kind, assessmentId)} and ${statusSql.isGraded('attempts')}
            and result.task_id = task.id and result.passed and ${sql.raw(hasShownResults)}) as "hasPassed"
      from assessment_tasks as task
      where task.kind = ${kind} and task.assessment_id = ${assessmentId} and solution <> ''`.execute(this.#db);
    const isStaff = caller.role !== 'student';
    const hasEnd = !isStaff && rows.some(({ visible }) => visible === 'after_due' || visible === 'after_close');
    const isOver = hasEnd && (await this.#isOver(caller.id, kind, assessmentId));
    const shown = rows.filter(({ visible, ...facts }) => isStaff || isSolutionShown(visible, { ...facts, isOver }));
    return new Map(shown.map(({ id, solution }) => [id, solution]));
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
