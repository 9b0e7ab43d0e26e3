import { type Selectable, sql, type Transaction } from 'kysely';
import { ConflictError } from '../../errors.ts';
import { lock } from '../locks.ts';
import type { Tables, WrittenFilesTable } from '../tables.ts';
import { digestOf, writeContent } from './setup-files.ts';

type WrittenFile = Selectable<WrittenFilesTable>;

/** Limits of the files that are written in the pages. */
export type WrittenLimits = {
  /** Files at once, deleted ones excluded. */
  maxFiles: number;
  /** Bytes of all revisions together. Equal contents count once. */
  maxBytes: number;
};

/** Serialises the writers of these files, so that the ids of revisions are in the order of the changes. */
export async function lockWrittenFiles(trx: Transaction<Tables>): Promise<void> {
  await lock(trx, 'written files');
}

/**
 * Writes the next revision of a file, or the first of a new one, under the lock of `lockWrittenFiles`.
 * @param revision.content bytes, a stored content, or null to delete the file
 */
export async function writeRevision(
  trx: Transaction<Tables>,
  before: Pick<WrittenFile, 'id' | 'revision'> | undefined,
  revision: {
    path: string;
    content: Buffer | { digest: string; bytes: number } | null;
    actorId: number | null;
    message: string;
  },
): Promise<WrittenFile> {
  const { path, content, actorId, message } = revision;
  const stored = Buffer.isBuffer(content) ? { digest: digestOf(content), bytes: content.length } : content;
  if (Buffer.isBuffer(content) && stored) await writeContent(trx, { ...stored, load: async () => content });
  const number = (before?.revision ?? 0) + 1;
  const values = { path, revision: number, digest: stored?.digest ?? null, bytes: stored?.bytes ?? 0 };
  const changed = { ...values, changed_at: sql<Date>`now()` };
  const file = before
    ? trx.updateTable('written_files').set(changed).where('id', '=', before.id).returningAll()
    : trx.insertInto('written_files').values(changed).returningAll();
  const row = await file.executeTakeFirstOrThrow();
  await trx
    .insertInto('written_revisions')
    .values({ ...values, file_id: row.id, message, author_id: actorId })
    .execute();
  return row;
}

/**
 * Call this after writing a file.
 * @throws ConflictError when there are too many files or bytes, or when a file has the path of another one's folder
 */
export async function checkWrittenLimits(
  trx: Transaction<Tables>,
  { path }: Pick<WrittenFile, 'path'>,
  { maxFiles, maxBytes }: WrittenLimits,
): Promise<void> {
  const { rows } = await sql<{ files: number; bytes: number; in_the_way: string | null }>`
    select (select count(*)::int from written_files where digest is not null) as files,
      (select coalesce(sum(bytes), 0)::float8 from setup_contents
        where exists (select from written_revisions where written_revisions.digest = setup_contents.digest)) as bytes,
      (select other.path from written_files as other where digest is not null
        and (starts_with(other.path, ${path} || '/') or starts_with(${path}, other.path || '/')) limit 1) as in_the_way`.execute(
    trx,
  );
  const { files = 0, bytes = 0, in_the_way = null } = rows[0] ?? {};
  if (in_the_way !== null)
    throw new ConflictError('path_conflict', `${in_the_way} is a file, so it cannot be a folder as well`);
  if (files > maxFiles)
    throw new ConflictError('files_full', `There can be at most ${maxFiles} files of written lessons`);
  if (bytes > maxBytes)
    throw new ConflictError(
      'files_full',
      `The files of written lessons can have at most ${maxBytes} bytes, with all revisions`,
    );
}
