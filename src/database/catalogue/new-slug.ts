import { sql, type Transaction } from 'kysely';
import type { Tables } from '../tables.ts';
import { freeSlug, slugOf } from './slugs.ts';

type SubjectTable = 'exams' | 'laboratories' | 'exam_tasks' | 'laboratory_tasks';
type Parent = { column: 'exam_id' | 'laboratory_id'; id: number };

const fallbacks = { exams: 'exam', laboratories: 'laboratory', exam_tasks: 'task', laboratory_tasks: 'task' };

/**
 * A slug made from a title that none of the siblings has. Those who make one for the same table wait for the transaction's end.
 * @param parent whose tasks the siblings are
 */
export async function newSlug(
  trx: Transaction<Tables>,
  table: SubjectTable,
  title: string,
  parent?: Parent,
): Promise<string> {
  await sql`select pg_advisory_xact_lock(hashtext(${table}))`.execute(trx);
  const slug = slugOf(title, fallbacks[table]);
  const siblings = trx
    .selectFrom(table as 'exam_tasks')
    .select('slug')
    .where('slug', 'like', `${slug}%`);
  const rows = await (parent ? siblings.where(parent.column as 'exam_id', '=', parent.id) : siblings).execute();
  return freeSlug(slug, new Set(rows.flatMap((row) => row.slug ?? [])));
}
