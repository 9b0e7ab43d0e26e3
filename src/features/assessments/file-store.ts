import type { Transaction } from 'kysely';
import { differences, logActivity } from '../../database/activity-log.ts';
import { subjectTables } from '../../database/catalogue/assessment-tables.ts';
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
import { Conflict, found } from '../../errors.ts';

type NewFile = FileFields & { task_id: number | null };
type Locked = { id: number; title: string };

const taken = () => new Conflict('path_conflict', 'Another file has the path');

/** The files of one kind of subject. Each change is one transaction with its entry in the activity log, under the lock of the subject. */
export class SetupFileStore {
  readonly #kind: AttemptKind;
  readonly #db: Database;
  readonly #limits: CatalogueLimits;

  constructor(kind: AttemptKind, db: Database, limits: CatalogueLimits) {
    this.#kind = kind;
    this.#db = db;
    this.#limits = limits;
  }

  /** @throws NotFound */
  async list(subjectId: number): Promise<SetupFile[]> {
    return await this.#db.transaction().execute(async (trx) => {
      await this.#subject(trx, subjectId, false);
      return await this.#files(trx, subjectId);
    });
  }

  /**
   * Creates a file, or replaces the one at its path.
   * @throws NotFound without the subject or the task, Conflict
   */
  async put(
    actorId: number,
    subjectId: number,
    { task_id, ...fields }: NewFile,
    content: Uint8Array,
  ): Promise<{ file: SetupFile; isNew: boolean }> {
    return await this.#change(subjectId, async (trx, subject) => {
      if (task_id !== null) await this.#checkTask(trx, subjectId, task_id);
      const place = { kind: this.#kind, subjectId, taskId: task_id };
      const written = { bytes: content.length, digest: digestOf(content), load: async () => content };
      const { id, isNew, isChanged } = await putSetupFile(trx, place, fields, written);
      const details = { ...fields, task_id, bytes: content.length };
      if (isChanged) await this.#log(trx, actorId, 'upload', subject, details);
      return { file: await this.#file(trx, subjectId, id), isNew };
    });
  }

  /** Omitted fields are unchanged. @throws NotFound, Conflict */
  async update(actorId: number, subjectId: number, id: number, change: Partial<FileFields>): Promise<SetupFile> {
    return await this.#change(subjectId, async (trx, subject) => {
      const before = await this.#file(trx, subjectId, id);
      const details = differences(before, change);
      if (!details) return before;
      await trx.updateTable('setup_files').set(change).where('id', '=', id).execute();
      await this.#log(trx, actorId, 'update', subject, details);
      return await this.#file(trx, subjectId, id);
    });
  }

  /** @throws NotFound */
  async delete(actorId: number, subjectId: number, id: number): Promise<void> {
    await this.#change(subjectId, async (trx, subject) => {
      const { path, task_id } = await this.#file(trx, subjectId, id);
      await trx.deleteFrom('setup_files').where('id', '=', id).execute();
      await this.#log(trx, actorId, 'delete', subject, { path, task_id });
    });
  }

  async #change<T>(subjectId: number, work: (trx: Transaction<Tables>, subject: Locked) => Promise<T>): Promise<T> {
    const kind = this.#kind;
    return await inTransaction(this.#db, { [`setup_files_of_${kind}`]: taken }, async (trx) => {
      const subject = await this.#subject(trx, subjectId, true);
      const result = await work(trx, subject);
      await checkFiles(trx, { kind, subjectId }, this.#limits);
      return result;
    });
  }

  async #subject(trx: Transaction<Tables>, id: number, isLocked: boolean): Promise<Locked> {
    const subjects = trx.selectFrom(subjectTables[this.#kind].table as 'exams').select(['id', 'title']);
    const row = subjects.where('id', '=', id).$if(isLocked, (query) => query.forUpdate());
    return found(await row.executeTakeFirst(), this.#kind);
  }

  async #checkTask(trx: Transaction<Tables>, subjectId: number, taskId: number): Promise<void> {
    const { tasks, column } = subjectTables[this.#kind];
    const rows = trx
      .selectFrom(tasks as 'exam_tasks')
      .select('id')
      .where('id', '=', taskId);
    // Its deletion waits for the end of the transaction.
    found(
      await rows
        .where(column as 'exam_id', '=', subjectId)
        .forKeyShare()
        .executeTakeFirst(),
      'task',
    );
  }

  async #files(trx: Transaction<Tables>, subjectId: number): Promise<SetupFile[]> {
    return await setupFilesOf(trx, this.#kind, subjectId, this.#db);
  }

  async #file(trx: Transaction<Tables>, subjectId: number, id: number): Promise<SetupFile> {
    const files = await this.#files(trx, subjectId);
    return found(
      files.find((file) => file.id === id),
      'file',
    );
  }

  async #log(trx: Transaction<Tables>, actorId: number, verb: string, subject: Locked, details: object): Promise<void> {
    const kind = this.#kind;
    const entity = { title: subject.title, entityType: kind, entityId: subject.id };
    await logActivity(trx, { actorId, type: `admin_${kind}_file_${verb}`, ...entity, details: { ...details } });
  }
}
