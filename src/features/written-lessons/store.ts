import type { Selectable, Transaction } from 'kysely';
import { logActivity } from '../../database/activity-log.ts';
import { inTransaction } from '../../database/catalogue/refusals.ts';
import { contentOf, digestOf } from '../../database/catalogue/setup-files.ts';
import {
  checkWrittenLimits,
  lockWrittenFiles,
  type WrittenLimits,
  writeRevision,
} from '../../database/catalogue/written-files.ts';
import type { Database } from '../../database/connection/connect.ts';
import type { Tables, WrittenFilesTable } from '../../database/tables.ts';
import { ConflictError, found } from '../../errors.ts';

export type WrittenFile = Selectable<WrittenFilesTable>;
/** The bytes of a file of which a SHA-256 digest is known. */
export type StoredContent = { digest: string; bytes: number };
export type FileChange = { path?: string; content?: Buffer; message: string; revision?: number };
/** A file that is copied from elsewhere, under its path there. */
export type CopiedFile = { path: string; content: Buffer };

const name = 'Lesson file';
const pathTaken = () => new ConflictError('path_conflict', 'There is another file at the path');
const refusals = { written_files_path_key: pathTaken };

/** Writes the files of lessons that are written in the pages. Each change is a revision, which stays. */
export class WrittenStore {
  readonly #db: Database;
  readonly #limits: WrittenLimits;

  constructor(db: Database, limits: WrittenLimits) {
    [this.#db, this.#limits] = [db, limits];
  }

  async byId(id: number): Promise<WrittenFile | undefined> {
    return await this.#db.selectFrom('written_files').selectAll().where('id', '=', id).executeTakeFirst();
  }

  async at(path: string): Promise<WrittenFile | undefined> {
    const rows = this.#db.selectFrom('written_files').selectAll().where('path', '=', path);
    return await rows.where('digest', 'is not', null).executeTakeFirst();
  }

  /** @throws UnavailableError if the content was deleted since */
  async *read(content: StoredContent): AsyncGenerator<Buffer> {
    yield* contentOf(this.#db, content);
  }

  /** @throws ConflictError where the path is taken, or there are too many files or bytes */
  async create(actorId: number, path: string, content: Buffer, message: string): Promise<WrittenFile> {
    return await this.#write(async (trx) => {
      const file = await this.#revise(trx, actorId, undefined, { path, content, message });
      await log(trx, actorId, 'create', file, { new: { path, bytes: file.bytes } });
      return file;
    });
  }

  /**
   * Omitted fields are unchanged. The lessons that have a file move with it.
   * @param change.revision the one that the change is of
   * @throws NotFoundError; ConflictError where there is a newer revision, and as of create
   */
  async change(actorId: number, id: number, change: FileChange): Promise<WrittenFile> {
    return await this.#write(async (trx) => {
      const before = await lockedFile(trx, id);
      if (before.digest === null) found(undefined, name);
      if (change.revision !== undefined && change.revision !== before.revision)
        throw new ConflictError('changed_meanwhile', 'The file has a newer revision');
      const isMoved = change.path !== undefined && change.path !== before.path;
      if (!isMoved && (change.content === undefined || digestOf(change.content) === before.digest)) return before;
      const file = await this.#revise(trx, actorId, before, change);
      if (isMoved) {
        const themes = trx.updateTable('themes').set({ markdown_file_path: file.path }).where('is_written', '=', true);
        await themes.where('markdown_file_path', '=', before.path).execute();
      }
      const old = { path: before.path, revision: before.revision, bytes: before.bytes };
      await log(trx, actorId, 'update', file, {
        old,
        new: { path: file.path, revision: file.revision, bytes: file.bytes },
      });
      return file;
    });
  }

  /** @returns false where it was deleted before. @throws NotFoundError; ConflictError while lessons have it */
  async delete(actorId: number, id: number): Promise<boolean> {
    return await this.#write(async (trx) => {
      const before = await lockedFile(trx, id);
      if (before.digest === null) return false;
      const { path } = before;
      const user = trx.selectFrom('themes').select('title').where('is_written', '=', true);
      const theme = await user.where('markdown_file_path', '=', path).limit(1).executeTakeFirst();
      if (theme) throw new ConflictError('lesson_file_in_use', `The lesson "${theme.title}" has the file`);
      const file = await writeRevision(trx, before, { path, content: null, actorId, message: '' });
      await log(trx, actorId, 'delete', file, { old: { path, bytes: before.bytes } });
      return true;
    });
  }

  /** Makes the content of a revision the newest, also that of a deleted file. @throws NotFoundError; ConflictError as of create */
  async restore(actorId: number, id: number, revision: number): Promise<WrittenFile> {
    return await this.#write(async (trx) => {
      const before = await lockedFile(trx, id);
      const rows = trx.selectFrom('written_revisions').select(['digest', 'bytes']).where('file_id', '=', id);
      const { digest, bytes } = found(await rows.where('revision', '=', revision).executeTakeFirst(), 'Revision');
      if (digest === null) throw new ConflictError('conflict', 'The file was deleted with this revision');
      if (digest === before.digest) return before;
      const content = { digest, bytes };
      const file = await this.#revise(trx, actorId, before, { message: '', stored: content });
      await log(trx, actorId, 'restore', file, { new: { path: file.path, revision: file.revision, from: revision } });
      return file;
    });
  }

  /**
   * Copies a lesson, and the files that it refers to, to where they are written in the pages. The lesson is read from there afterwards.
   * @param files whose paths do not change. Those that are there already with the same content are not written
   * @throws ConflictError where another file is at the path of one of these, and as of create
   */
  async adopt(actorId: number, theme: { id: number; title: string }, text: CopiedFile, files: readonly CopiedFile[]) {
    return await this.#write(async (trx) => {
      for (const { path, content } of files) {
        const there = await trx.selectFrom('written_files').select('digest').where('path', '=', path).execute();
        if (there.some(({ digest }) => digest === digestOf(content))) continue;
        await this.#revise(trx, actorId, undefined, { path, content, message: '' });
      }
      const file = await this.#revise(trx, actorId, undefined, { ...text, message: '' });
      const change = { is_written: true, markdown_file_path: file.path };
      await trx.updateTable('themes').set(change).where('id', '=', theme.id).execute();
      const details = { new: { path: file.path, lesson: theme.title, files: files.length } };
      await log(trx, actorId, 'create', file, details);
      return file;
    });
  }

  async #revise(
    trx: Transaction<Tables>,
    actorId: number,
    before: WrittenFile | undefined,
    change: Pick<FileChange, 'path' | 'content' | 'message'> & { stored?: StoredContent },
  ): Promise<WrittenFile> {
    const { path = before?.path ?? '', content, message, stored } = change;
    const kept = before?.digest ? { digest: before.digest, bytes: before.bytes } : undefined;
    const file = await writeRevision(trx, before, {
      path,
      content: content ?? stored ?? kept ?? null,
      actorId,
      message,
    });
    await checkWrittenLimits(trx, file, this.#limits);
    return file;
  }

  async #write<T>(work: (trx: Transaction<Tables>) => Promise<T>): Promise<T> {
    return await inTransaction(this.#db, refusals, async (trx) => {
      await lockWrittenFiles(trx);
      return await work(trx);
    });
  }
}

/** @throws NotFoundError */
async function lockedFile(trx: Transaction<Tables>, id: number): Promise<WrittenFile> {
  const rows = trx.selectFrom('written_files').selectAll().where('id', '=', id);
  return found(await rows.forUpdate().executeTakeFirst(), name);
}

async function log(
  trx: Transaction<Tables>,
  actorId: number,
  verb: 'create' | 'update' | 'delete' | 'restore',
  { id, path }: WrittenFile,
  details: Record<string, unknown>,
): Promise<void> {
  const act = { actorId, type: `admin_written_lesson_${verb}`, title: path.slice(-200), entityType: 'written_lesson' };
  await logActivity(trx, { ...act, entityId: id, details });
}
