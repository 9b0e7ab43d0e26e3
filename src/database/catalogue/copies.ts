import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Tables } from '../tables.ts';
import { freeSlug } from './administered-table.ts';

/** What the copies of rows have in the place of what the rows have, by column. A row has the alias `t`. */
type Changes = Readonly<Record<string, RawBuilder<unknown>>>;
/** The ids of copies by what they are of, such as `section:3`. */
export type CopiedIds = Readonly<Record<string, number>>;

/** The id of the copy of what an expression names. Null: it was not copied. */
export const copyOf = (ids: CopiedIds, key: RawBuilder<unknown>): RawBuilder<number> =>
  sql<number>`(${JSON.stringify(ids)}::jsonb ->> (${key}))::integer`;

/** Copies rows with all their columns, without those that the database generates and those that are `left`. */
export async function copyRows(
  trx: Transaction<Tables>,
  table: string,
  of: RawBuilder<unknown>,
  changes: Changes,
  left: readonly string[] = [],
): Promise<void> {
  const { rows } = await sql<{ name: string }>`select attname as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = ''
      and (attidentity = '' or attname = any (${Object.keys(changes)}::text[])) and not attname = any (${[...left]}::text[])
    order by attnum`.execute(trx);
  const values = rows.map(({ name }) => changes[name] ?? sql.ref(`t.${name}`));
  await sql`insert into ${sql.table(table)} (${sql.join(rows.map(({ name }) => sql.ref(name)))})
    overriding system value select ${sql.join(values)} from ${sql.table(table)} as t where ${of}`.execute(trx);
}

/**
 * Copies rows that others refer to.
 * @param rows.key names a row
 * @returns the ids of the copies
 */
export async function copyReferred(
  trx: Transaction<Tables>,
  table: string,
  { of, key, changes }: { of: RawBuilder<unknown>; key: RawBuilder<unknown>; changes: Changes },
): Promise<CopiedIds> {
  const { rows } = await sql<{ key: string; copy: number }>`
    select key, nextval(pg_get_serial_sequence(${table}, 'id'))::integer as copy
    from (select ${key} as key from ${sql.table(table)} as t where ${of} order by id) as rows`.execute(trx);
  const ids = Object.fromEntries(rows.map((row) => [row.key, row.copy]));
  const id = copyOf(ids, key);
  await copyRows(trx, table, sql`(${of}) and ${id} is not null`, { ...changes, id });
  return ids;
}

const assessmentKey = sql`t.kind || ':' || t.id`;
const assessmentOf = (kind: RawBuilder<unknown>) => sql`${kind} || ':' || t.assessment_id`;
const taskKey = (kind: RawBuilder<unknown>, id: RawBuilder<unknown>) => sql`${kind} || ' task:' || ${id}`;

/** What a copy of an exam or a laboratory is a copy of. */
export const originOf = ({ id, origin_id }: { id: number; origin_id: number | null }): number => origin_id ?? id;

/**
 * Copies exams and laboratories with their tasks and files. The copies are drafts. Call it where nobody else can take their slugs.
 * @returns the ids of the copies
 */
export async function copyAssessments(
  trx: Transaction<Tables>,
  of: RawBuilder<unknown>,
  changes: Changes,
): Promise<CopiedIds> {
  const { rows } = await sql<{ key: string; kind: string; slug: string | null; is_copied: boolean }>`
    select ${assessmentKey} as key, kind, slug, ${of} as is_copied from assessments as t order by id`.execute(trx);
  const taken = { exam: new Set<string>(), laboratory: new Set<string>() } as Record<string, Set<string>>;
  for (const { kind, slug } of rows) if (slug !== null) taken[kind]?.add(slug);
  const slugs: Record<string, string> = {};
  for (const { key, kind, slug, is_copied } of rows) {
    if (!is_copied || slug === null) continue;
    const free = freeSlug(slug, taken[kind] ?? new Set());
    taken[kind]?.add(free);
    slugs[key] = free;
  }
  const copies = await copyReferred(trx, 'assessments', {
    ...{ of, key: assessmentKey },
    changes: {
      slug: sql`${JSON.stringify(slugs)}::jsonb ->> (${assessmentKey})`,
      ...{
        is_active: sql`false`,
        created_at: sql`now()`,
        origin_id: sql`coalesce(t.origin_id, t.id)`,
        revision: sql`1`,
      },
      ...changes,
    },
  });
  await copyAssessmentParts(trx, copies);
  return copies;
}

/** Gives the copies of exams and laboratories the tasks and the files of these. */
export async function copyAssessmentParts(trx: Transaction<Tables>, copies: CopiedIds): Promise<void> {
  const copied = (kind: RawBuilder<unknown>) => {
    const assessment_id = copyOf(copies, assessmentOf(kind));
    return { of: sql`${assessment_id} is not null`, changes: { assessment_id } };
  };
  const ofTask = sql`t.assessment_kind`;
  const tasks = await copyReferred(trx, 'assessment_tasks', {
    ...copied(ofTask),
    key: taskKey(ofTask, sql`t.id`),
  });
  const { of, changes } = copied(sql`t.kind`);
  const task_id = copyOf(tasks, taskKey(sql`t.kind`, sql`t.task_id`));
  await copyRows(trx, 'assessment_files', of, { ...changes, task_id });
  await copyRows(trx, 'rubric_items', of, { ...changes, task_id });
}
