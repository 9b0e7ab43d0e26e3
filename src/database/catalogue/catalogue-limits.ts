import { sql, type Transaction } from 'kysely';
import { ConflictError } from '../../errors.ts';
import { lock } from '../locks.ts';
import type { AttemptKind, Tables } from '../tables.ts';
import type { WrittenLimits } from './written-files.ts';

/** Limits of the content that administrators can create, so that every list is bounded. */
export type CatalogueLimits = {
  /**
   * Maximum of each kind: courses, sections, themes, exams, laboratories, sandbox templates, registration codes and classes, inactive
   * ones included.
   */
  max: number;
  /** Maximum tasks in one exam or laboratory. */
  maxTasks: number;
  /** Maximum bytes of all files of one exam or laboratory, and their maximum number. */
  fileBytes: number;
  maxFiles: number;
  /** Of the lessons that are written in the pages. */
  written: WrittenLimits;
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
 * @throws ConflictError
 */
export async function checkLimit(
  trx: Transaction<Tables>,
  table: CatalogueTable | TaskTable,
  { max, maxTasks }: CatalogueLimits,
  parentId?: number,
): Promise<void> {
  if (isTaskTable(table)) {
    const { column, of } = parents[table];
    if ((await count(trx, table, sql`${sql.ref(column)} = ${parentId}`)) > maxTasks)
      throw new ConflictError('too_many_tasks', `There are ${maxTasks} tasks already, the most that ${of} can have`);
    return;
  }
  // The last lock that a transaction acquires, so it cannot cause a deadlock.
  await lock(trx, 'catalogue');
  if ((await count(trx, table)) > max)
    throw new ConflictError('catalogue_full', `There are ${max} ${plurals[table]} already, including inactive ones`);
}

/**
 * Checks all limits, or those of some tables. Call it while nobody else writes, or where a few rows beyond a limit do no harm.
 * @throws ConflictError
 */
export async function checkLimits(
  trx: Transaction<Tables>,
  limits: CatalogueLimits,
  tables: readonly string[] = [...Object.keys(plurals), ...Object.keys(parents)],
): Promise<void> {
  for (const table of (Object.keys(plurals) as CatalogueTable[]).filter((name) => tables.includes(name))) {
    if ((await count(trx, table)) > limits.max)
      throw new ConflictError(
        'catalogue_full',
        `There can be at most ${limits.max} ${plurals[table]}, including inactive ones`,
      );
  }
  for (const table of (Object.keys(parents) as TaskTable[]).filter((name) => tables.includes(name))) {
    const { column, of } = parents[table];
    const { rows } = await sql`
      select 1 from ${sql.table(table)} group by ${sql.ref(column)} having count(*) > ${limits.maxTasks} limit 1`.execute(
      trx,
    );
    if (rows.length > 0)
      throw new ConflictError('too_many_tasks', `There can be at most ${limits.maxTasks} tasks in ${of}`);
  }
}

/**
 * Call this after writing files, under the lock of their exam or laboratory.
 * @throws ConflictError when they are too many or too large, or when one has the path of another one's folder
 */
export async function checkFiles(
  trx: Transaction<Tables>,
  { kind, assessmentId }: { kind: AttemptKind; assessmentId: number },
  { fileBytes, maxFiles }: CatalogueLimits,
): Promise<void> {
  const column = sql.ref(`${kind}_id`);
  const { rows } = await sql<{ count: number; bytes: number }>`select count(*)::int as count,
    coalesce(sum(bytes), 0)::float8 as bytes from setup_files where ${column} = ${assessmentId}`.execute(trx);
  const { count: files = 0, bytes = 0 } = rows[0] ?? {};
  if (files > maxFiles) throw new ConflictError('files_full', `There can be at most ${maxFiles} files for one ${kind}`);
  if (bytes > fileBytes) {
    const detail = `The files of one ${kind} can have at most ${fileBytes} bytes together`;
    throw new ConflictError('files_full', detail);
  }
  const { rows: inTheWay } = await sql<{ path: string }>`
    select upper.path from setup_files as upper join setup_files as lower
      on lower.${column} = ${assessmentId} and starts_with(lower.path, upper.path || '/')
    where upper.${column} = ${assessmentId} limit 1`.execute(trx);
  if (inTheWay[0]) throw new ConflictError('path_conflict', `${inTheWay[0].path} is the folder of another file`);
}

async function count(trx: Transaction<Tables>, table: CatalogueTable | TaskTable, condition = sql`true`) {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${sql.table(table)} where ${condition}`.execute(trx);
  return rows[0]?.count ?? 0;
}
