import { sql } from 'kysely';
import { statusSql } from '../../database/attempt-status.ts';
import { isAssessment, ofAssessment } from '../../database/catalogue/assessments.ts';
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
    const assessment = this.#db.selectFrom('assessments').select('id').where(isAssessment(this.#kind, assessmentId));
    found(await assessment.executeTakeFirst(), this.#kind);
    return await this.#db
      .selectFrom('attempts')
      .innerJoin('assessment_revisions as revision', 'revision.id', 'attempts.revision_id')
      .select(['revision.id', 'revision.created_at as recorded_at', 'revision.is_current', 'revision.container_image'])
      .select(sql<number>`count(*)::int`.as('attempts'))
      .where(ofAssessment(this.#kind, assessmentId, 'attempts'))
      .where(statusSql.holdsContainer('attempts'))
      .groupBy('revision.id')
      .orderBy('revision.created_at', 'desc')
      .orderBy('revision.id', 'desc')
      .execute();
  }
}
