import { createHash } from 'node:crypto';
import { type Selectable, sql, type Transaction } from 'kysely';
import { UnavailableError } from '../../errors.ts';
import type { Database } from '../connection/connect.ts';
import type { AssessmentFilesTable, AttemptKind, Tables } from '../tables.ts';
import { ofAssessment } from './assessments.ts';

type Reader = Pick<Database, 'selectFrom'>;

/** Where a file is, whose it is, and its mode as four octal digits. */
export type FileFields = { path: string; owner: string; mode: string };

/** A file that is put into new containers. Null as its task: it is of the exam or laboratory itself. */
export type SetupFile = FileFields & {
  id: number;
  task_id: number | null;
  bytes: number;
  digest: string;
  /** @throws UnavailableError if the content was deleted since, an hour or more after the file was changed */
  read: () => AsyncGenerator<Buffer>;
};

/** The exam or laboratory of a file, and its task. */
export type FileOwner = { kind: AttemptKind; assessmentId: number; taskId: number | null };

/** Bytes of a part. A backup has a hundred parts in memory at first, in hexadecimal digits. */
const partBytes = 128 * 1024;

/**
 * The files of an exam or a laboratory in the order in which they are put in place: its own, then those of its tasks.
 * @param source reads their contents later, when the transaction has ended
 */
export async function setupFilesOf(
  db: Reader,
  kind: AttemptKind,
  assessmentId: number,
  source: Database,
): Promise<SetupFile[]> {
  const rows = await db
    .selectFrom('assessment_files as file')
    .leftJoin('assessment_tasks as task', (join) =>
      join.onRef('task.assessment_kind', '=', 'file.kind').onRef('task.id', '=', 'file.task_id'),
    )
    .selectAll('file')
    .where(ofAssessment(kind, assessmentId, 'file'))
    .orderBy(sql`coalesce(task.order_index, -1)`)
    .orderBy(sql`coalesce(task.id, 0)`)
    .orderBy('file.path')
    .execute();
  return rows.map((row) => toFile(row, source));
}

/** All files of a kind, by the id of their exam or laboratory. */
export async function allSetupFiles(
  db: Reader,
  kind: AttemptKind,
  source: Database,
): Promise<Map<number, SetupFile[]>> {
  const rows = await db.selectFrom('assessment_files').selectAll().where('kind', '=', kind).orderBy('path').execute();
  const files = Map.groupBy(rows, ({ assessment_id }) => assessment_id);
  return new Map([...files].map(([id, some]) => [id, some.map((row) => toFile(row, source))]));
}

function toFile(row: Selectable<AssessmentFilesTable>, source: Database): SetupFile {
  const { id, task_id, path, owner, mode, bytes, digest } = row;
  return { id, task_id, path, owner, mode, bytes, digest, read: () => contentOf(source, { digest, bytes }) };
}

/**
 * Reads one part after another, so that a file is never in memory as a whole.
 * @throws UnavailableError if the content was deleted since
 */
export async function* contentOf(
  db: Database,
  { digest, bytes }: Pick<SetupFile, 'digest' | 'bytes'>,
): AsyncGenerator<Buffer> {
  for (let part = 0; part * partBytes < bytes; part += 1) {
    const row = await db
      .selectFrom('setup_content_parts')
      .select('content')
      .where('digest', '=', digest)
      .where('part', '=', part)
      .executeTakeFirst();
    if (!row) throw new UnavailableError('cancelled', 'A file was deleted while it was read');
    yield row.content;
  }
}

/** The content of a file that may be written. */
export type FileContent = { bytes: number; digest: string; load: () => Promise<Uint8Array> };

export const digestOf = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');

/**
 * Creates a file, or replaces the one at its path. An unchanged one is not written.
 * @returns its id, and what was done
 */
export async function putSetupFile(
  trx: Transaction<Tables>,
  { kind, assessmentId, taskId }: FileOwner,
  { path, owner, mode }: FileFields,
  { bytes, digest, load }: FileContent,
): Promise<{ id: number; isNew: boolean; isChanged: boolean }> {
  const before = await trx
    .selectFrom('assessment_files')
    .selectAll()
    .where(ofAssessment(kind, assessmentId))
    .where('task_id', 'is not distinct from', taskId)
    .where('path', '=', path)
    .forUpdate()
    .executeTakeFirst();
  const values = { path, owner, mode, bytes, digest };
  if (before) {
    const isSame = before.digest === digest;
    const isChanged = !isSame || before.owner !== owner || before.mode !== mode;
    if (!isSame) await writeContent(trx, { bytes, digest, load });
    if (isChanged) await trx.updateTable('assessment_files').set(values).where('id', '=', before.id).execute();
    return { id: before.id, isNew: false, isChanged };
  }
  await writeContent(trx, { bytes, digest, load });
  const { id } = await trx
    .insertInto('assessment_files')
    .values({ kind, assessment_id: assessmentId, task_id: taskId, ...values })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, isNew: true, isChanged: true };
}

/** Stores a content, unless it is there already. The row is locked until the end of the transaction, so it is not deleted as unused. */
export async function writeContent(trx: Transaction<Tables>, { bytes, digest, load }: FileContent): Promise<void> {
  await trx
    .insertInto('setup_contents')
    .values({ digest, bytes })
    .onConflict((conflict) => conflict.column('digest').doUpdateSet({ bytes }))
    .execute();
  const parts = trx.selectFrom('setup_content_parts').select('part').where('digest', '=', digest).limit(1);
  if (bytes === 0 || (await parts.executeTakeFirst())) return;
  const content = await load();
  for (let part = 0; part * partBytes < content.length; part += 1) {
    const piece = Buffer.from(content.subarray(part * partBytes, (part + 1) * partBytes));
    await trx.insertInto('setup_content_parts').values({ digest, part, content: piece }).execute();
  }
}

/**
 * Makes these the files of an exam, a laboratory or a task, without those of the tasks. Call it under the lock of the exam or laboratory.
 * @returns whether anything changed
 */
export async function replaceSetupFiles(
  trx: Transaction<Tables>,
  place: FileOwner,
  files: readonly (FileFields & FileContent)[],
): Promise<boolean> {
  const removed = await trx
    .deleteFrom('assessment_files')
    .where(ofAssessment(place.kind, place.assessmentId))
    .where('task_id', 'is not distinct from', place.taskId)
    .$if(files.length > 0, (query) =>
      query.where(
        'path',
        'not in',
        files.map(({ path }) => path),
      ),
    )
    .executeTakeFirst();
  let isChanged = removed.numDeletedRows > 0n;
  for (const file of files) isChanged = (await putSetupFile(trx, place, file, file)).isChanged || isChanged;
  return isChanged;
}
