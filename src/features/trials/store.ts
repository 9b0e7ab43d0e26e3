import { sql, type Transaction } from 'kysely';
import { logActivity } from '../../database/activity-log.ts';
import { assessmentRefusals, isAssessment, ofAssessment, tasksOf } from '../../database/catalogue/assessments.ts';
import { inTransaction } from '../../database/catalogue/refusals.ts';
import { type SetupFile, setupFilesOf } from '../../database/catalogue/setup-files.ts';
import type { Database } from '../../database/connection/connect.ts';
import type { AttemptKind, StudentAccount, Tables } from '../../database/tables.ts';
import { pick } from '../../entities/fields.ts';
import { type Task, triedTaskFields } from '../../entities/task.ts';
import { type KindField, type KindInputs, withKindFields } from '../../entities/task-kinds/kinds.ts';
import { ConflictError } from '../../errors.ts';
import type { Values } from '../../values/parameters.ts';

/** An exam or a laboratory, with the fields that a trial needs. */
export type TrialAssessment = {
  id: number;
  title: string;
  container_image: string;
  user: StudentAccount;
  setup_script: string | null;
  is_sequential: boolean;
  /** Those of its tasks as well. */
  files: readonly SetupFile[];
  tasks: TriedTask[];
};

export type TriedTask = Pick<Task, (typeof triedTaskFields)[number]> & {
  /** Of its parameters, in one trial. */
  values?: Values;
};
type ChangedTask = Partial<Omit<TriedTask, KindField>> & KindInputs & Pick<Task, 'id'>;
type NewTask = Partial<Omit<TriedTask, 'id' | KindField>> & KindInputs & Pick<Task, 'title' | 'points'>;

/** What is tried, and saved by a publication, besides what is stored. */
export type Changes = {
  fields?: { container_image?: string; user?: StudentAccount; setup_script?: string | null; is_sequential?: boolean };
  tasks?: readonly ChangedTask[];
  new_tasks?: readonly NewTask[];
};

/** Saves changes of an exam or a laboratory in a transaction. */
type Save = (
  kind: AttemptKind,
  trx: Transaction<Tables>,
  actorId: number,
  id: number,
  changes: Changes,
) => Promise<void>;

/** The assessments of trials, and the results of trials. */
export class TrialStore {
  readonly #db: Database;
  readonly #save: Save;

  constructor(db: Database, save: Save) {
    this.#db = db;
    this.#save = save;
  }

  /** Active or not. */
  async assessment(kind: AttemptKind, key: { id: number } | { slug: string }): Promise<TrialAssessment | undefined> {
    return await this.#db.transaction().execute((trx) => read(trx, this.#db, kind, key));
  }

  async logTrial(
    actorId: number,
    kind: AttemptKind,
    { id, title }: TrialAssessment,
    details: Record<string, unknown>,
  ): Promise<void> {
    const act = { actorId, type: `admin_${kind}_try`, title, entityType: kind, entityId: id, details };
    await this.#db.transaction().execute((trx) => logActivity(trx, act));
  }

  /** Keeps the report of a trial that refused a publication in place of the author's last one of the assessment. */
  async keepRefusal(userId: number, kind: AttemptKind, id: number, report: object): Promise<void> {
    const row = { user_id: userId, kind, assessment_id: id, report: JSON.stringify(report) };
    await this.#db
      .insertInto('refused_publications')
      .values(row)
      .onConflict((conflict) =>
        conflict
          .columns(['user_id', 'kind', 'assessment_id'])
          .doUpdateSet({ report: row.report, created_at: sql`excluded.created_at` }),
      )
      .execute();
  }

  /** @returns the report of the author's last refused publication of the assessment, until it is published */
  async refusal(userId: number, kind: AttemptKind, id: number): Promise<unknown> {
    const row = await this.#db
      .selectFrom('refused_publications')
      .select('report')
      .where('user_id', '=', userId)
      .where(ofAssessment(kind, id))
      .executeTakeFirst();
    return row && JSON.parse(row.report);
  }

  /**
   * Publishes the tried assessment to students, with the changes that were tried.
   * @param stored the assessment without the changes
   * @throws ConflictError when it has changed since the trial, or its section has another laboratory
   */
  async publish(actorId: number, kind: AttemptKind, stored: TrialAssessment, changes?: Changes): Promise<void> {
    await inTransaction(this.#db, assessmentRefusals, async (trx) => {
      const now = await read(trx, this.#db, kind, { id: stored.id }, 'lock');
      if (JSON.stringify(now) !== JSON.stringify(stored)) {
        throw new ConflictError('changed_meanwhile', `The ${kind} was changed while it was tried: publish it again`);
      }
      if (changes) await this.#save(kind, trx, actorId, stored.id, changes);
      await trx.deleteFrom('refused_publications').where(ofAssessment(kind, stored.id)).execute();
      const changed = await trx
        .updateTable('assessments')
        .set({ is_active: true })
        .where(isAssessment(kind, stored.id))
        .where('is_active', '=', false)
        .executeTakeFirst();
      if (changed.numUpdatedRows === 0n) return;
      const entity = { title: stored.title, entityType: kind, entityId: stored.id };
      await logActivity(trx, { actorId, type: `admin_${kind}_publish`, ...entity });
    });
  }
}

async function read(
  trx: Transaction<Tables>,
  db: Database,
  kind: AttemptKind,
  key: { id: number } | { slug: string },
  lock?: 'lock',
): Promise<TrialAssessment | undefined> {
  const assessments = trx
    .selectFrom('assessments')
    .select(['id', 'title', 'container_image', 'user', 'setup_script', 'is_sequential'])
    .where('kind', '=', kind);
  const found = 'id' in key ? assessments.where('id', '=', key.id) : assessments.where('slug', '=', key.slug);
  const row = await found.$if(lock !== undefined, (query) => query.forUpdate()).executeTakeFirst();
  if (!row) return undefined;
  const rows = await trx
    .selectFrom('assessment_tasks')
    .selectAll()
    .where(tasksOf(kind, row.id))
    .orderBy('order_index')
    .orderBy('id')
    .$if(lock !== undefined, (query) => query.forUpdate())
    .execute();
  // Files are changed under the lock of their assessment.
  return {
    ...row,
    files: await setupFilesOf(trx, kind, row.id, db),
    tasks: rows.map((task) => pick(withKindFields(task), triedTaskFields)),
  };
}
