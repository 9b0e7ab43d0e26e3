import type { Transaction } from 'kysely';
import { differences, logActivity } from '../../database/activity-log.ts';
import { isAssessment, tasksOf } from '../../database/catalogue/assessments.ts';
import { type CatalogueLimits, checkFiles } from '../../database/catalogue/catalogue-limits.ts';
import { inTransaction } from '../../database/catalogue/refusals.ts';
import {
  digestOf,
  type FileFields,
  putSetupFile,
  type SetupFile,
  setupFilesOf,
} from '../../database/catalogue/setup-files.ts';
import type { Database } from '../../database/connection/connect.ts';
import type { AttemptKind, Tables } from '../../database/tables.ts';
import { ConflictError, found } from '../../errors.ts';

type NewFile = FileFields & { task_id: number | null };
type Locked = { id: number; title: string };

const taken = () => new ConflictError('path_conflict', 'Another file has the path');

/** The files of one kind of assessment. Each change is one transaction with its entry in the activity log, under the lock of the assessment. */
export class SetupFileStore {
  readonly #kind: AttemptKind;
  readonly #db: Database;
  readonly #limits: CatalogueLimits;

  constructor(kind: AttemptKind, db: Database, limits: CatalogueLimits) {
    this.#kind = kind;
    this.#db = db;
    this.#limits = limits;
  }

  /** @throws NotFoundError */
  async list(assessmentId: number): Promise<SetupFile[]> {
    return await this.#db.transaction().execute(async (trx) => {
      await this.#assessment(trx, assessmentId, false);
      return await this.#files(trx, assessmentId);
    });
  }

  /**
   * Creates a file, or replaces the one at its path.
   * @throws NotFoundError without the assessment or the task, ConflictError
   */
  async put(
    actorId: number,
    assessmentId: number,
    { task_id, ...fields }: NewFile,
    content: Uint8Array,
  ): Promise<{ file: SetupFile; isNew: boolean }> {
    return await this.#change(assessmentId, async (trx, assessment) => {
      if (task_id !== null) await this.#checkTask(trx, assessmentId, task_id);
      const place = { kind: this.#kind, assessmentId, taskId: task_id };
      const written = { bytes: content.length, digest: digestOf(content), load: async () => content };
      const { id, isNew, isChanged } = await putSetupFile(trx, place, fields, written);
      const details = { ...fields, task_id, bytes: content.length };
      if (isChanged) await this.#log(trx, actorId, 'upload', assessment, details);
      return { file: await this.#file(trx, assessmentId, id), isNew };
    });
  }

  /** Omitted fields are unchanged. @throws NotFoundError, ConflictError */
  async update(actorId: number, assessmentId: number, id: number, change: Partial<FileFields>): Promise<SetupFile> {
    return await this.#change(assessmentId, async (trx, assessment) => {
      const before = await this.#file(trx, assessmentId, id);
      const details = differences(before, change);
      if (!details) return before;
      await trx.updateTable('assessment_files').set(change).where('id', '=', id).execute();
      await this.#log(trx, actorId, 'update', assessment, details);
      return await this.#file(trx, assessmentId, id);
    });
  }

  /** @throws NotFoundError */
  async delete(actorId: number, assessmentId: number, id: number): Promise<void> {
    await this.#change(assessmentId, async (trx, assessment) => {
      const { path, task_id } = await this.#file(trx, assessmentId, id);
      await trx.deleteFrom('assessment_files').where('id', '=', id).execute();
      await this.#log(trx, actorId, 'delete', assessment, { path, task_id });
    });
  }

  async #change<T>(
    assessmentId: number,
    work: (trx: Transaction<Tables>, assessment: Locked) => Promise<T>,
  ): Promise<T> {
    const kind = this.#kind;
    return await inTransaction(this.#db, { assessment_files_path: taken }, async (trx) => {
      const assessment = await this.#assessment(trx, assessmentId, true);
      const result = await work(trx, assessment);
      await checkFiles(trx, { kind, assessmentId }, this.#limits);
      return result;
    });
  }

  async #assessment(trx: Transaction<Tables>, id: number, isLocked: boolean): Promise<Locked> {
    const assessments = trx.selectFrom('assessments').select(['id', 'title']);
    const row = assessments.where(isAssessment(this.#kind, id)).$if(isLocked, (query) => query.forUpdate());
    return found(await row.executeTakeFirst(), this.#kind);
  }

  async #checkTask(trx: Transaction<Tables>, assessmentId: number, taskId: number): Promise<void> {
    const tasks = trx.selectFrom('assessment_tasks').select('id').where(tasksOf(this.#kind, assessmentId));
    // Its deletion waits for the end of the transaction.
    found(await tasks.where('id', '=', taskId).forKeyShare().executeTakeFirst(), 'task');
  }

  async #files(trx: Transaction<Tables>, assessmentId: number): Promise<SetupFile[]> {
    return await setupFilesOf(trx, this.#kind, assessmentId, this.#db);
  }

  async #file(trx: Transaction<Tables>, assessmentId: number, id: number): Promise<SetupFile> {
    const files = await this.#files(trx, assessmentId);
    return found(
      files.find((file) => file.id === id),
      'file',
    );
  }

  async #log(
    trx: Transaction<Tables>,
    actorId: number,
    verb: string,
    assessment: Locked,
    details: object,
  ): Promise<void> {
    const kind = this.#kind;
    const entity = { title: assessment.title, entityType: kind, entityId: assessment.id };
    await logActivity(trx, { actorId, type: `admin_${kind}_file_${verb}`, ...entity, details: { ...details } });
  }
}
