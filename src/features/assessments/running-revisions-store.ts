import { sql } from 'kysely';
import { statusSql } from '../../database/attempt-status.ts';
import { subjectTables } from '../../database/catalogue/assessment-tables.ts';
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

/** The states of one kind of subject that attempts run on. */
export class RunningStatesStore {
  readonly #db: Database;
  readonly #kind: AttemptKind;

  constructor(kind: AttemptKind, db: Database) {
    this.#kind = kind;
    this.#db = db;
  }

  /** The newest first. @throws NotFound */
  async of(subjectId: number): Promise<RunningState[]> {
    const { table, column } = subjectTables[this.#kind];
    const subject = this.#db
      .selectFrom(table as 'exams')
      .select('id')
      .where('id', '=', subjectId);
    found(await subject.executeTakeFirst(), this.#kind);
    return await this.#db
      .selectFrom('attempts')
      .innerJoin('subject_states as state', 'state.id', 'attempts.state_id')
      .select(['state.id', 'state.created_at as recorded_at', 'state.is_current', 'state.container_image'])
      .select(sql<number>`count(*)::int`.as('attempts'))
      .where(`attempts.${column}`, '=', subjectId)
      .where(statusSql.holdsContainer('attempts'))
      .groupBy('state.id')
      .orderBy('state.created_at', 'desc')
      .orderBy('state.id', 'desc')
      .execute();
  }
}
