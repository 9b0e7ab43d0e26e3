import { createHash } from 'node:crypto';
import { type Selectable, sql, type Transaction } from 'kysely';
import { revisionTexts } from '../../entities/assessment.ts';
import { omit, pick } from '../../entities/fields.ts';
import { revisionTaskFields } from '../../entities/task.ts';
import { found } from '../../errors.ts';
import { sumOfPoints } from '../../values/points.ts';
import type { Database } from '../connection/connect.ts';
import type { AttemptKind, RevisedFile, RevisedTask, RevisionContent, RevisionsTable, Tables } from '../tables.ts';
import { isAssessment, ofAssessment } from './assessments.ts';
import { setupFilesOf } from './setup-files.ts';

export type RevisionRow = Selectable<RevisionsTable>;

/** What a start takes from the state of its exam or laboratory. */
export type StartState = Pick<
  RevisionRow,
  'id' | 'container_image' | 'time_limit_minutes' | 'passing_score' | 'max_score'
>;

const startColumns = ['id', 'container_image', 'time_limit_minutes', 'passing_score', 'max_score'] as const;

/**
 * The recorded state of an exam or a laboratory, if it has not changed since. Neither is deleted before the end of the transaction. The exam or
 * laboratory is locked first, as by its deletion: in another order the two could wait for each other.
 */
export async function currentState(
  trx: Transaction<Tables>,
  kind: AttemptKind,
  assessmentId: number,
): Promise<StartState | undefined> {
  const { rows } = await sql<StartState>`
    select ${sql.join(startColumns.map((name) => sql.ref(`revision.${name}`)))}
    from assessments join assessment_revisions as revision on revision.kind = assessments.kind and assessment_id = assessments.id
    where assessments.kind = ${kind} and assessments.id = ${assessmentId} and is_current
    for key share of assessments, revision`.execute(trx);
  return rows[0];
}

/**
 * Records the state of an exam or a laboratory, unless it is recorded already. It has a transaction of its own, because it waits for
 * transactions that change exams or laboratories.
 * @throws NotFoundError
 */
export async function recordState(db: Database, kind: AttemptKind, assessmentId: number): Promise<StartState> {
  return await db.transaction().execute(async (trx) => {
    // The triggers that end a revision lock this row as well, so a change is either read here or ends what is recorded.
    const row = trx.selectFrom('assessments').select('id').where(isAssessment(kind, assessmentId)).forNoKeyUpdate();
    found(await row.executeTakeFirst(), kind);
    const current = await currentState(trx, kind, assessmentId);
    if (current) return current;
    const { setup_key, ...state } = await readState(trx, db, kind, assessmentId);
    const { content, ...columns } = state;
    const digest = createHash('sha256').update(JSON.stringify(state)).digest('hex');
    const recorded = await trx
      .insertInto('assessment_revisions')
      .values({
        ...{ kind, assessment_id: assessmentId, digest, is_current: true, setup_key },
        ...{ ...columns, content: JSON.stringify(content) },
      })
      // This revision was recorded before; it becomes current again.
      .onConflict((conflict) => conflict.columns(['kind', 'assessment_id', 'digest']).doUpdateSet({ is_current: true }))
      .returning(startColumns)
      .executeTakeFirstOrThrow();
    const digests = [...new Set(content.files.map((file) => file.digest))];
    if (digests.length > 0)
      await trx
        .insertInto('assessment_revision_contents')
        .values(digests.map((file) => ({ revision_id: recorded.id, digest: file })))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    return recorded;
  });
}

/** What an exam or a laboratory is now, in the order in which its digest is computed. */
export type ReadState = Omit<RevisionRow, 'id' | 'kind' | 'assessment_id' | 'digest' | 'is_current' | 'created_at'>;

/** @throws NotFoundError */
export async function readState(
  trx: Transaction<Tables>,
  db: Database,
  kind: AttemptKind,
  assessmentId: number,
): Promise<ReadState> {
  const assessment = found(
    await trx
      .selectFrom('assessments')
      .select([...revisionTexts, 'container_image', 'time_limit_minutes', 'passing_score', 'is_sequential'])
      .select(sql<string | null>`setup_key_of(kind, id)`.as('setup_key'))
      .where(isAssessment(kind, assessmentId))
      .executeTakeFirst(),
    kind,
  );
  const rows: RevisedTask[] = await trx
    .selectFrom('assessment_tasks')
    .select(revisionTaskFields.filter((name) => kind === 'laboratory' || name !== 'hint'))
    .where(ofAssessment(kind, assessmentId))
    .orderBy('order_index')
    .orderBy('id')
    .execute();
  const files = (await setupFilesOf(trx, kind, assessmentId, db)).map(
    ({ task_id, path, owner, mode, bytes, digest }): RevisedFile => ({ task_id, path, owner, mode, bytes, digest }),
  );
  const columns = omit(assessment, revisionTexts);
  const content: RevisionContent = { ...pick(assessment, revisionTexts), tasks: rows, files };
  return { ...columns, max_score: sumOfPoints(rows.map(({ points }) => points)), content };
}

/**
 * Deletes states that no attempt refers to and that are not current, and contents of files that neither a file, a state, a
 * revision of a lesson nor a file that can be restored has. Those of
 * the last hour stay, because they may be in use at this moment.
 * @returns how many of each
 */
export async function deleteUnusedStates(db: Database): Promise<{ states: number; contents: number }> {
  const states = await sql`
    delete from assessment_revisions where id in (
      select id from assessment_revisions as revision
      where (not is_current or assessment_id is null) and created_at < now() - interval '1 hour'
        and not exists (select from attempts where revision_id = revision.id)
      for update skip locked)`.execute(db);
  const contents = await sql`
    delete from setup_contents where digest in (
      select digest from setup_contents as content
      where created_at < now() - interval '1 hour'
        and not exists (select from assessment_files where assessment_files.digest = content.digest)
        and not exists (select from assessment_revision_contents as used where used.digest = content.digest)
        and not exists (select from written_revisions where written_revisions.digest = content.digest)
        and not exists (select from deleted_rows as kept where kept.table_name = 'assessment_files' and not kept.is_reference
          and kept.data->>'digest' = content.digest)
      for update skip locked)`.execute(db);
  return { states: Number(states.numAffectedRows ?? 0), contents: Number(contents.numAffectedRows ?? 0) };
}
