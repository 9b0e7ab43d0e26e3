import { sql, type Transaction } from 'kysely';
import { Conflict } from '../../errors.ts';
import type { Tables } from '../tables.ts';

/** How much administrators can make, so that no list of it grows without end. */
export type CatalogueLimits = {
  /** Of each kind: courses, sections, themes, exams, laboratories, sandbox templates and registration codes, inactive ones too. */
  max: number;
  /** Tasks of one exam or laboratory. */
  maxTasks: number;
};

const plurals = {
  courses: 'courses',
  sections: 'sections',
  themes: 'themes',
  exams: 'exams',
  laboratories: 'laboratories',
  sandbox_templates: 'sandbox templates',
  registration_codes: 'registration codes',
};
const parents = {
  exam_tasks: { column: 'exam_id', of: 'an exam' },
  laboratory_tasks: { column: 'laboratory_id', of: 'a laboratory' },
} as const;

type CatalogueTable = keyof typeof plurals;

/** To be called after a row was added, so that of several transactions that add at once none overlooks another. @throws Conflict */
export async function checkRoom(trx: Transaction<Tables>, table: CatalogueTable, { max }: CatalogueLimits) {
  // The last lock that a transaction takes: whoever holds it waits for nobody.
  await sql`select pg_advisory_xact_lock(hashtext('catalogue'))`.execute(trx);
  if ((await count(trx, table)) > max)
    throw new Conflict('catalogue_full', `There are ${max} ${plurals[table]} already, inactive ones too`);
}

/** To be called after a task was added, under the lock of what it belongs to. @throws Conflict */
export async function checkTaskRoom(
  trx: Transaction<Tables>,
  table: keyof typeof parents,
  parentId: number,
  { maxTasks }: CatalogueLimits,
) {
  const { column, of } = parents[table];
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${sql.table(table)} where ${sql.ref(column)} = ${parentId}`.execute(trx);
  if ((rows[0]?.count ?? 0) > maxTasks)
    throw new Conflict('too_many_tasks', `There are ${maxTasks} tasks already, the most that ${of} can have`);
}

/** The same for all that there is; to be called while nobody else writes. @throws Conflict */
export async function checkAllRoom(trx: Transaction<Tables>, limits: CatalogueLimits): Promise<void> {
  for (const table of Object.keys(plurals) as CatalogueTable[]) {
    if ((await count(trx, table)) > limits.max)
      throw new Conflict('catalogue_full', `There can be ${limits.max} ${plurals[table]}, inactive ones too`);
  }
  for (const table of ['exam_tasks', 'laboratory_tasks'] as const) {
    const { column, of } = parents[table];
    const { rows } = await sql`
      select 1 from ${sql.table(table)} group by ${sql.ref(column)} having count(*) > ${limits.maxTasks} limit 1`.execute(
      trx,
    );
    if (rows.length > 0) throw new Conflict('too_many_tasks', `There can be ${limits.maxTasks} tasks in ${of}`);
  }
}

async function count(trx: Transaction<Tables>, table: CatalogueTable): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${sql.table(table)}`.execute(trx);
  return rows[0]?.count ?? 0;
}
