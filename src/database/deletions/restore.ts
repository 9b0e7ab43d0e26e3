import { type RawBuilder, sql, type Transaction } from 'kysely';
import { ConflictError } from '../../errors.ts';
import { type CatalogueLimits, checkLimits } from '../catalogue/catalogue-limits.ts';
import { courseIdOf, isCourseContent } from '../catalogue/course-content.ts';
import { checkCourseOpenings } from '../catalogue/openings.ts';
import type { DeletedKind, Tables } from '../tables.ts';
import { names, tuple } from './keep.ts';
import { deletableTables } from './kinds.ts';
import { type Reference, type TableShape, tableShapes } from './references.ts';

type Kept = { id: number; kind: DeletedKind; entity_id: number };
type Part = { table_name: string; is_reference: boolean; columns: string[] };

/**
 * Inserts the rows of a deletion under the ids that they had, restores the references to them where nobody has set others since, and
 * forgets the deletion. Rows of what no longer exists, such as of a user who was deleted, are left out.
 * @throws InvalidError see `checkCourseOpenings`; ConflictError `restore_parent_deleted` where what it belongs to does not exist; the limits of the catalogue. A violated unique
 * constraint is left to the caller
 */
export async function restoreDeleted(
  trx: Transaction<Tables>,
  { id, kind, entity_id }: Kept,
  limits: CatalogueLimits,
): Promise<void> {
  const shapes = await tableShapes(trx);
  const { rows: parts } = await sql<Part>`
    select table_name, is_reference, array_agg(distinct name order by name) as columns
    from deleted_rows, lateral jsonb_object_keys(data) as name where deletion_id = ${id} group by 1, 2`.execute(trx);
  const touched: string[] = [];
  for (const shape of shapes) {
    const part = parts.find(({ table_name, is_reference }) => table_name === shape.name && !is_reference);
    if (!part) continue;
    const inserted = await insertRows(trx, shape, part, id);
    if (shape.name === deletableTables[kind].table && inserted === 0) throw parentDeleted();
    touched.push(shape.name);
  }
  for (const shape of shapes)
    for (const reference of shape.references)
      if (parts.some(({ table_name, is_reference }) => table_name === shape.name && is_reference))
        await restoreReference(trx, shape, reference, id);
  const root = deletableTables[kind];
  if (root.table === 'assessment_tasks')
    await trx.deleteFrom('deleted_tasks').where('kind', '=', root.of).where('task_id', '=', entity_id).execute();
  await checkLimits(trx, limits, touched);
  const courseId = isCourseContent(kind) ? await courseIdOf(trx, kind, entity_id) : undefined;
  // Meanwhile others may have come to wait for what it waits for.
  if (courseId !== undefined) await checkCourseOpenings(trx, courseId);
  await trx.deleteFrom('deletions').where('id', '=', id).execute();
}

export const parentDeleted = (): ConflictError =>
  new ConflictError('restore_parent_deleted', 'What it belongs to is deleted: restore that first');

async function insertRows(trx: Transaction<Tables>, shape: TableShape, part: Part, id: number): Promise<number> {
  // Columns that a later release has added get their defaults.
  const columns = shape.columns.filter((column) => part.columns.includes(column));
  const cleared = new Map(
    shape.references.flatMap((reference) => reference.cleared.map((column) => [column, reference] as const)),
  );
  const values = columns.map((column) => {
    const reference = cleared.get(column);
    const value = sql.ref(`r.${column}`);
    return reference ? sql`case when ${exists(reference, 'r')} then ${value} end` : value;
  });
  const needed = shape.references
    .filter(({ onDelete }) => onDelete !== 'clear')
    .map((reference) => sql`(${missing(reference, 'r')} or ${exists(reference, 'r')})`);
  const { numAffectedRows } = await sql`
    insert into ${sql.table(shape.name)} (${sql.join(columns.map((column) => sql.ref(column)))}) overriding system value
    select ${sql.join(values)} from deleted_rows as d, lateral jsonb_populate_record(null::${sql.table(shape.name)}, d.data) as r
    where d.deletion_id = ${id} and d.table_name = ${shape.name} and not d.is_reference
      and ${sql.join([sql`true`, ...needed], sql` and `)}
    order by d.id`.execute(trx);
  return Number(numAffectedRows ?? 0);
}

async function restoreReference(trx: Transaction<Tables>, shape: TableShape, reference: Reference, id: number) {
  const [column] = reference.cleared;
  if (column === undefined) return;
  const { rows } = await sql<{ columns: string[] }>`
    select array(select jsonb_object_keys(data)) as columns from deleted_rows
    where deletion_id = ${id} and table_name = ${shape.name} and is_reference and data ? ${column} limit 1`.execute(
    trx,
  );
  const columns = rows[0]?.columns.filter((name) => shape.columns.includes(name)) ?? [];
  if (columns.length === 0) return;
  const changes = columns.map((name) => sql`${sql.ref(name)} = ${sql.ref(`v.${name}`)}`);
  const record = (data: string) => sql`jsonb_populate_record(null::${sql.table(shape.name)}, ${sql.ref(`d.${data}`)})`;
  await sql`
    update ${sql.table(shape.name)} as t set ${sql.join(changes)}
    from deleted_rows as d, lateral ${record('key')} as k, lateral ${record('data')} as v
    where d.deletion_id = ${id} and d.table_name = ${shape.name} and d.is_reference and d.data ? ${column}
      and ${tuple(shape.key, 't')} = ${tuple(shape.key, 'k')} and ${sql.ref(`t.${column}`)} is null
      and ${exists(reference, 't', 'v')}`.execute(trx);
}

const missing = ({ columns }: Reference, alias: string): RawBuilder<unknown> =>
  sql`num_nulls(${names(columns, alias)}) > 0`;
/** @param cleared where the columns are read that the deletion of the parent cleared */
const exists = (
  { parent, columns, parentColumns, cleared: names }: Reference,
  alias: string,
  cleared = alias,
): RawBuilder<unknown> => {
  const own = columns.map((column) => sql.ref(`${names.includes(column) ? cleared : alias}.${column}`));
  return sql`exists (select from ${sql.table(parent)} as p where ${tuple(parentColumns, 'p')} = (${sql.join(own)}))`;
};
