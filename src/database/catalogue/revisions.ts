import { createHash } from 'node:crypto';
import { type Selectable, sql, type Transaction } from 'kysely';
import { revisionTexts } from '../../entities/assessment.ts';
import { omit, pick } from '../../entities/fields.ts';
import { revisionTaskFields } from '../../entities/task.ts';
import { found } from '../../errors.ts';
import type { Database } from '../connection/connect.ts';
import type { AttemptKind, RevisedFile, RevisedTask, RevisionContent, RevisionsTable, Tables } from '../tables.ts';
import { assessmentTables } from './assessment-tables.ts';
import { setupFilesOf } from './setup-files.ts';

export type RevisionRow = Selectable<RevisionsTable>;

/** What a start takes from the state of its exam or laboratory. */
export type StartState = Pick<
  RevisionRow,
  'id' | 'container_image' | 'time_limit_minutes' | 'passing_score' | 'max_score'
>;

const startColumns = ['id', 'container_image', 'time_limit_minutes', 'passing_score', 'max_score'] as const;

/** The lock under which states are recorded. Changes of exams and laboratories share it, see the migration. */
const lock = sql`select pg_advisory_xact_lock(hashtext('subject states'))`;

/**
 * The recorded state of an exam or a laboratory, if it has not changed since. Neither is deleted before the end of the transaction. The exam or
 * laboratory is locked first, as by its deletion: in another order the two could wait for each other.
 */
export async function currentState(
  trx: Transaction<Tables>,
  kind: AttemptKind,
  assessmentId: number,
): Promise<StartState | undefined> {
  const { table, column } = assessmentTables[kind];
  const { rows } = await sql<StartState>`
    select ${sql.join(startColumns.map((name) => sql.ref(`state.${name}`)))}
    from ${sql.table(table)} as assessment join subject_states as state on ${sql.ref(`state.${column}`)} = assessment.id
    where assessment.id = ${assessmentId} and is_current for key share of assessment, state`.execute(trx);
  return rows[0];
}

/**
 * Records the state of an exam or a laboratory, unless it is recorded already. It has a transaction of its own, because it waits for
 * transactions that change exams or laboratories.
 * @throws NotFoundError
 */
export async function recordState(db: Database, kind: AttemptKind, assessmentId: number): Promise<StartState> {
  return await db.transaction().execute(async (trx) => {
    const { table, column } = assessmentTables[kind];
    // Before the other lock: a transaction that has locked the row for a change shares that one later.
    const row = trx
      .selectFrom(table as 'exams')
      .select('id')
      .where('id', '=', assessmentId)
      .forKeyShare();
    found(await row.executeTakeFirst(), kind);
    await lock.execute(trx);
    const current = await currentState(trx, kind, assessmentId);
    if (current) return current;
    const { setup_key, ...state } = await readState(trx, db, kind, assessmentId);
    const { content, ...columns } = state;
    const digest = createHash('sha256').update(JSON.stringify(state)).digest('hex');
    const recorded = await trx
      .insertInto('subject_states')
      .values({
        ...{ [column]: assessmentId, digest, is_current: true, setup_key },
        ...{ ...columns, content: JSON.stringify(content) },
      })
      // This revision was recorded before; it becomes current again.
      .onConflict((conflict) =>
        conflict.columns([column, 'digest']).where(column, 'is not', null).doUpdateSet({ is_current: true }),
      )
      .returning(startColumns)
      .executeTakeFirstOrThrow();
    const digests = [...new Set(content.files.map((file) => file.digest))];
    if (digests.length > 0)
      await trx
        .insertInto('subject_state_contents')
        .values(digests.map((file) => ({ state_id: recorded.id, digest: file })))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    return recorded;
  });
}

/** What an exam or a laboratory is now, in the order in which its digest is computed. */
export type ReadState = Omit<RevisionRow, 'id' | 'exam_id' | 'laboratory_id' | 'digest' | 'is_current' | 'created_at'>;

/** @throws NotFoundError */
export async function readState(
  trx: Transaction<Tables>,
  db: Database,
  kind: AttemptKind,
  assessmentId: number,
): Promise<ReadState> {
  const { table, tasks, column } = assessmentTables[kind];
  const isLaboratory = kind === 'laboratory';
  const assessment = found(
    await trx
      .selectFrom(table as 'exams')
      .select([...revisionTexts, 'container_image', 'time_limit_minutes', 'passing_score'])
      .select([
        (isLaboratory ? sql<boolean>`is_sequential` : sql<boolean>`false`).as('is_sequential'),
        (isLaboratory ? sql<string | null>`setup_key_of(null, id)` : sql<string | null>`setup_key_of(id, null)`).as(
          'setup_key',
        ),
      ])
      .where('id', '=', assessmentId)
      .executeTakeFirst(),
    kind,
  );
  const rows: RevisedTask[] = await trx
    .selectFrom(tasks as 'laboratory_tasks')
    .select(revisionTaskFields.filter((name) => isLaboratory || name !== 'hint'))
    .where(column as 'laboratory_id', '=', assessmentId)
    .orderBy('order_index')
    .orderBy('id')
    .execute();
  const files = (await setupFilesOf(trx, kind, assessmentId, db)).map(
    ({ task_id, path, owner, mode, bytes, digest }): RevisedFile => ({ task_id, path, owner, mode, bytes, digest }),
  );
  const columns = omit(assessment, revisionTexts);
  const content: RevisionContent = { ...pick(assessment, revisionTexts), tasks: rows, files };
  return { ...columns, max_score: rows.reduce((sum, { points }) => sum + points, 0), content };
}

/**
 * Deletes states that no attempt refers to and that are not current, and contents of files that neither a file, a state, a
 * revision of a lesson nor a file that can be restored has. Those of
 * the last hour stay, because they may be in use at this moment.
 * @returns how many of each
 */
export async function deleteUnusedStates(db: Database): Promise<{ states: number; contents: number }> {
  const states = await sql`
    delete from subject_states where id in (
      select id from subject_states as state
      where (not is_current or (exam_id is null and laboratory_id is null)) and created_at < now() - interval '1 hour'
        and not exists (select from attempts where state_id = state.id)
      for update skip locked)`.execute(db);
  const contents = await sql`
    delete from setup_contents where digest in (
      select digest from setup_contents as content
      where created_at < now() - interval '1 hour'
        and not exists (select from setup_files where setup_files.digest = content.digest)
        and not exists (select from subject_state_contents as used where used.digest = content.digest)
        and not exists (select from written_revisions where written_revisions.digest = content.digest)
        and not exists (select from deleted_rows as kept where kept.table_name = 'setup_files' and not kept.is_reference
          and kept.data->>'digest' = content.digest)
      for update skip locked)`.execute(db);
  return { states: Number(states.numAffectedRows ?? 0), contents: Number(contents.numAffectedRows ?? 0) };
}
