import { sql, type Transaction } from 'kysely';
import { Conflict } from '../../errors.ts';
import type { Tables } from '../tables.ts';

/** Limits of the content that administrators can create, so that every list is bounded. */
export type CatalogueLimits = {
  /**
   * Maximum of each kind: courses, sections, themes, exams, laboratories, sandbox templates, registration codes and classes, inactive
   * ones included.
   */
  max: number;
  /** Maximum tasks in one exam or laboratory. */
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
  classes: 'classes',
};
const parents = {
  exam_tasks: { column: 'exam_id', of: 'an exam' },
  laboratory_tasks: { column: 'laboratory_id', of: 'a laboratory' },
} as const;

type CatalogueTable = keyof typeof plurals;
type TaskTable = keyof typeof parents;

const isTaskTable = (table: CatalogueTable | TaskTable): table is TaskTable => table in parents;

/**
 * Call this after adding a row, so that concurrent transactions count each other's rows. After adding a task, call it under the
 * lock of its exam or laboratory.
 * @throws Conflict
 */
export async function checkRoom(
  trx: Transaction<Tables>,
  table: CatalogueTable | TaskTable,
  { max, maxTasks }: CatalogueLimits,
  parentId?: number,
): Promise<void> {
  if (isTaskTable(table)) {
    const { column, of } = parents[table];
    if ((await count(trx, table, sql`${sql.ref(column)} = ${parentId}`)) > maxTasks)
      throw new Conflict('too_many_tasks', `There are ${maxTasks} tasks already, the most that ${of} can have`);
    return;
  }
  // The last lock that a transaction acquires, so it cannot cause a deadlock.
  await sql`select pg_advisory_xact_lock(hashtext('catalogue'))`.execute(trx);
  if ((await count(trx, table)) > max)
    throw new Conflict('catalogue_full', `There are ${max} ${plurals[table]} already, including inactive ones`);
}

/** Checks all limits. Call it while nobody else writes. @throws Conflict */
export async function checkAllRoom(trx: Transaction<Tables>, limits: CatalogueLimits): Promise<void> {
  for (const table of Object.keys(plurals) as CatalogueTable[]) {
    if ((await count(trx, table)) > limits.max)
      throw new Conflict(
        'catalogue_full',
        `There can be at most ${limits.max} ${plurals[table]}, including inactive ones`,
      );
  }
  for (const table of ['exam_tasks', 'laboratory_tasks'] as const) {
    const { column, of } = parents[table];
    const { rows } = await sql`
      select 1 from ${sql.table(table)} group by ${sql.ref(column)} having count(*) > ${limits.maxTasks} limit 1`.execute(
      trx,
    );
    if (rows.length > 0) throw new Conflict('too_many_tasks', `There can be at most ${limits.maxTasks} tasks in ${of}`);
  }
}

async function count(trx: Transaction<Tables>, table: CatalogueTable | TaskTable, condition = sql`true`) {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${sql.table(table)} where ${condition}`.execute(trx);
  return rows[0]?.count ?? 0;
}
