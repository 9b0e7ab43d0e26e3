import { type RawBuilder, sql, type Transaction } from 'kysely';
import { kindColumn } from '../catalogue/assessments.ts';
import { courseIdOf, isCourseContent } from '../catalogue/course-content.ts';
import type { DeletedKind, Tables } from '../tables.ts';
import { deletableTables } from './kinds.ts';
import { type Reference, type TableShape, tableShapes } from './references.ts';

export type Deletion = {
  kind: DeletedKind;
  id: number;
  title: string;
  actorId: number;
  /** The class that it belongs to. */
  classId?: number | null;
  /** Assessments that lose their course or section with it are retired, and are restored as they were. */
  retires?: boolean;
};

/** Columns that a trigger changes when the reference is cleared. */
const changedWith: Readonly<Record<string, readonly string[]>> = { 'attempts.session_id': ['withheld'] };

/**
 * Keeps a row that the same transaction deletes next, with all rows that the foreign keys delete with it, and what they clear in rows that
 * stay. The rows are locked, so that what is added to them at the same time waits, and is refused after the deletion.
 *
 * Costs two statements for the schema, and one for each table that refers to a table with kept rows. The rows do not leave the database.
 */
export async function keepDeleted(trx: Transaction<Tables>, deletion: Deletion): Promise<void> {
  const { kind, id: entity_id, title, actorId, classId, retires = false } = deletion;
  // One that was restored by other means, such as a backup, is replaced.
  await trx.deleteFrom('deletions').where('kind', '=', kind).where('entity_id', '=', entity_id).execute();
  const { id } = await trx
    .insertInto('deletions')
    .values({
      ...{ kind, entity_id, title, class_id: classId ?? null, deleted_by: actorId },
      course_id: isCourseContent(kind) ? ((await courseIdOf(trx, kind, entity_id)) ?? null) : null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const root: { table: string; of?: string } = deletableTables[kind];
  const kept = new Set<string>();
  const shapes = await tableShapes(trx);
  for (const shape of shapes) {
    const isRoot = shape.name === root.table;
    const going = shape.references.filter(({ onDelete, parent }) => onDelete === 'cascade' && kept.has(parent));
    if (!isRoot && going.length === 0) continue;
    const chosen = isRoot
      ? sql`t.id = ${entity_id} and ${root.of === undefined ? sql`true` : sql`${sql.ref(`t.${kindColumn(root.table)}`)} = ${root.of}`}`
      : sql`${tuple(shape.key, 't')} in (${keysOf(shape, going, id)})`;
    if ((await keepRows(trx, shape, id, chosen)) > 0) kept.add(shape.name);
  }
  for (const shape of shapes)
    for (const reference of shape.references)
      if (reference.onDelete === 'clear' && kept.has(reference.parent)) {
        const also = retires && shape.name === 'assessments' ? ['is_active'] : [];
        await keepReferences(trx, shape, reference, { id, also });
      }
}

async function keepRows(trx: Transaction<Tables>, shape: TableShape, id: number, chosen: RawBuilder<unknown>) {
  const userId = shape.columns.includes('user_id') ? sql`t.user_id` : sql`null::integer`;
  const { numAffectedRows } = await sql`
    insert into deleted_rows (deletion_id, table_name, is_reference, key, data, user_id)
    select ${id}, ${shape.name}, false, ${json(shape.key)}, ${json(shape.columns)}, ${userId}
    from ${sql.table(shape.name)} as t where ${chosen} for update of t`.execute(trx);
  return Number(numAffectedRows ?? 0);
}

async function keepReferences(
  trx: Transaction<Tables>,
  shape: TableShape,
  reference: Reference,
  { id, also: more }: { id: number; also: readonly string[] },
) {
  const also = [...more, ...reference.cleared.flatMap((column) => changedWith[`${shape.name}.${column}`] ?? [])];
  await sql`
    insert into deleted_rows (deletion_id, table_name, is_reference, key, data)
    select ${id}, ${shape.name}, true, ${json(shape.key)}, ${json([...reference.cleared, ...also])}
    from ${sql.table(shape.name)} as t where ${tuple(reference.columns, 't')} in (${parentsOf(reference, id)})
      and not exists (select from deleted_rows as gone where gone.deletion_id = ${id} and gone.table_name = ${shape.name}
        and not gone.is_reference and gone.key = ${json(shape.key)})
    for update of t`.execute(trx);
}

/** The keys of the rows that refer to a kept one. */
const keysOf = ({ name, key }: TableShape, references: readonly Reference[], id: number): RawBuilder<unknown> =>
  sql.join(
    references.map(
      (reference) => sql`select ${names(key, 's')} from ${sql.table(name)} as s
        where ${tuple(reference.columns, 's')} in (${parentsOf(reference, id)})`,
    ),
    sql` union `,
  );

const parentsOf = ({ parent, parentColumns }: Reference, id: number): RawBuilder<unknown> =>
  sql`select ${names(parentColumns, 'p')} from deleted_rows as d,
    lateral jsonb_populate_record(null::${sql.table(parent)}, d.data) as p
    where d.deletion_id = ${id} and d.table_name = ${parent} and not d.is_reference`;

export const names = (columns: readonly string[], alias: string): RawBuilder<unknown> =>
  sql.join(columns.map((column) => sql.ref(`${alias}.${column}`)));
export const tuple = (columns: readonly string[], alias: string): RawBuilder<unknown> =>
  sql`(${names(columns, alias)})`;
const json = (columns: readonly string[]): RawBuilder<unknown> =>
  sql`jsonb_build_object(${sql.join(columns.flatMap((column) => [sql`${sql.lit(column)}::text`, sql.ref(`t.${column}`)]))})`;
