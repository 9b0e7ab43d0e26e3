import { type Selectable, sql, type Transaction } from 'kysely';
import { revisionTexts } from '../../entities/assessment.ts';
import { omit, pick } from '../../entities/fields.ts';
import { revisionTaskFields } from '../../entities/task.ts';
import { needMachine, withKindFields } from '../../entities/task-kinds/kinds.ts';
import { found } from '../../errors.ts';
import { isVaried, totalsOf } from '../../values/variant.ts';
import type { Database } from '../connection/connect.ts';
import type { AttemptKind, RevisedFile, RevisedTask, RevisionContent, RevisionsTable, Tables } from '../tables.ts';
import { isAssessment, tasksOf } from './assessments.ts';
import { setupFilesOf } from './setup-files.ts';

export type RevisionRow = Selectable<RevisionsTable>;

/** What a start takes from the state of its exam or laboratory. */
export type StartState = Pick<
  RevisionRow,
  'id' | 'container_image' | 'time_limit_minutes' | 'passing_score' | 'max_score' | 'is_varied' | 'needs_machine'
>;

/** Of an assessment, and of a `revision`. */
export const isCurrent = sql`revision.kind = assessments.kind and revision.assessment_id = assessments.id
  and revision.revision = assessments.revision`;

const startColumns = [
  'id',
  'container_image',
  'time_limit_minutes',
  'passing_score',
  'max_score',
  'is_varied',
  'needs_machine',
] as const;

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
    from assessments join assessment_revisions as revision on ${isCurrent}
    where assessments.kind = ${kind} and assessments.id = ${assessmentId}
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
    // The triggers that number revisions lock this row as well, so a change is either read here or makes the next revision.
    const row = trx
      .selectFrom('assessments')
      .select('revision')
      .where(isAssessment(kind, assessmentId))
      .forNoKeyUpdate();
    const { revision } = found(await row.executeTakeFirst(), kind);
    const current = await currentState(trx, kind, assessmentId);
    if (current) return current;
    const { content, ...columns } = await readState(trx, db, kind, assessmentId);
    const recorded = await trx
      .insertInto('assessment_revisions')
      .values({
        ...{ kind, assessment_id: assessmentId, revision },
        ...{ ...columns, content: JSON.stringify(content) },
      })
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

/** What an exam or a laboratory is now. */
export type ReadState = Omit<RevisionRow, 'id' | 'kind' | 'assessment_id' | 'revision' | 'created_at'>;

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
  const tasks = await trx
    .selectFrom('assessment_tasks')
    .selectAll()
    .where(tasksOf(kind, assessmentId))
    .orderBy('order_index')
    .orderBy('id')
    .execute();
  const names = revisionTaskFields.filter((name) => kind === 'laboratory' || name !== 'hint');
  const rows: RevisedTask[] = tasks.map((task) => pick(withKindFields(task), names));
  const files = (await setupFilesOf(trx, kind, assessmentId, db)).map(
    ({ task_id, path, owner, mode, bytes, digest }): RevisedFile => ({ task_id, path, owner, mode, bytes, digest }),
  );
  const columns = omit(assessment, revisionTexts);
  const content: RevisionContent = { ...pick(assessment, revisionTexts), tasks: rows, files };
  const { max_score } = totalsOf(rows, content.draw);
  const is_varied = isVaried(rows, content.draw);
  return { ...columns, max_score, is_varied, needs_machine: needMachine(rows), content };
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
      where not exists (select from assessments where ${isCurrent}) and created_at < now() - interval '1 hour'
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
