import { sql, type Transaction } from 'kysely';
import type { Tables } from '../tables.ts';

/** A foreign key: its columns refer to those of the parent, in the same order. */
export type Reference = {
  table: string;
  parent: string;
  columns: string[];
  parentColumns: string[];
  /** Those of its columns that the deletion of the parent clears. */
  cleared: string[];
  /** What happens to the row when its parent is deleted: it goes as well, its columns are cleared, or the deletion is refused. */
  onDelete: 'cascade' | 'clear' | 'refuse';
};
/** A table without its generated columns. */
export type TableShape = { name: string; columns: string[]; key: string[]; references: Reference[] };

/** Tables that triggers and chores fill again. */
const derived = ['lesson_texts'];

/** The tables of the service, in an order in which none refers to a later one. */
export async function tableShapes(trx: Transaction<Tables>): Promise<TableShape[]> {
  const { rows } = await sql<Omit<TableShape, 'references'>>`
    select relname as name,
      array(select attname::text from pg_attribute
        where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum) as columns,
      array(select attname::text from pg_index join pg_attribute on attrelid = indrelid and attnum = any (indkey)
        where indrelid = c.oid and indisprimary order by attnum) as key
    from pg_class c where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> all (${derived})
    order by relname`.execute(trx);
  const references = await allReferences(trx);
  const ordered: TableShape[] = [];
  const left = new Map(rows.map((row) => [row.name, row]));
  while (left.size > 0) {
    const next = [...left.values()].find(
      ({ name }) => !references.some(({ table, parent }) => table === name && parent !== name && left.has(parent)),
    );
    if (!next) throw new Error(`These tables refer to each other in a circle: ${[...left.keys()].join(', ')}`);
    ordered.push({ ...next, references: references.filter(({ table }) => table === next.name) });
    left.delete(next.name);
  }
  return ordered;
}

async function allReferences(trx: Transaction<Tables>): Promise<Reference[]> {
  const { rows } = await sql<Reference>`
    select child.relname as table, parent.relname as parent,
      array(select attname::text from unnest(conkey) with ordinality as k (num, place)
        join pg_attribute on attrelid = conrelid and attnum = num order by place) as columns,
      array(select attname::text from unnest(confkey) with ordinality as k (num, place)
        join pg_attribute on attrelid = confrelid and attnum = num order by place) as "parentColumns",
      array(select attname::text from pg_attribute where confdeltype = 'n' and attrelid = conrelid
        and attnum = any (coalesce(confdelsetcols, conkey))) as cleared,
      case confdeltype when 'c' then 'cascade' when 'n' then 'clear' else 'refuse' end as "onDelete"
    from pg_constraint
    join pg_class child on child.oid = conrelid join pg_class parent on parent.oid = confrelid
    where contype = 'f' and connamespace = 'public'::regnamespace order by conname`.execute(trx);
  return rows;
}
