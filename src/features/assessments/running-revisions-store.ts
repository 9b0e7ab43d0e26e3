import { sql } from 'kysely';
import { statusSql } from '../../database/attempt-status.ts';
import { assessmentTables } from '../../database/catalogue/assessment-tables.ts';
import type { Database } from '../../database/connection/connect.ts';
import type { AttemptKind } from '../../database/tables.ts';
import { found } from '../../errors.ts';

/** A state of an exam or a laboratory that attempts which have not ended are shown and graded by. */
export type RunningState = {
  id: number;
  recorded_at: Date;
  /** Nothing has changed since. */
  is_current: boolean;
  container_image: string;
  /** Attempts of it that have begun and not ended. */
  attempts: number;
};

/** The states of one kind of assessment that attempts run on. */
export class RunningRevisionsStore {
  readonly #db: Database;
  readonly #kind: AttemptKind;

  constructor(kind: AttemptKind, db: Database) {
    this.#kind = kind;
    this.#db = db;
  }

  /** The newest first. @throws NotFoundError */
  async of(assessmentId: number): Promise<RunningState[]> {
    const { table, column } = assessmentTables[this.#kind];
    const assessment = this.#db
      .selectFrom(table as 'exams')
      .select('id')
      .where('id', '=', assessmentId);
    found(await assessment.executeTakeFirst(), this.#kind);
    return await this.#db
      .selectFrom('attempts')
      .innerJoin('subject_states as state', 'state.id', 'attempts.state_id')
      .select(['state.id', 'state.created_at as recorded_at', 'state.is_current', 'state.container_image'])
      .select(sql<number>`count(*)::int`.as('attempts'))
      .where(`attempts.${column}`, '=', assessmentId)
      .where(statusSql.holdsContainer('attempts'))
      .groupBy('state.id')
      .orderBy('state.created_at', 'desc')
      .orderBy('state.id', 'desc')
      .execute();
  }
}
