import { sql, type Transaction } from 'kysely';
import { ConflictError } from '../../errors.ts';
import { lock } from '../locks.ts';
import type { AttemptKind, Tables } from '../tables.ts';
import { ofAssessment, tasksOf } from './assessments.ts';
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

/** What the catalogue has: the rows of a table, and the two kinds of assessments. */
const plurals = {
  courses: 'courses',
  sections: 'sections',
  themes: 'themes',
  exam: 'exams',
  laboratory: 'laboratories',
  sandbox_templates: 'sandbox templates',
  registration_codes: 'registration codes',
  classes: 'classes',
};
export type CatalogueEntry = keyof typeof plurals;
const singular = { exam: 'an exam', laboratory: 'a laboratory' };

const isKind = (entry: CatalogueEntry): entry is AttemptKind => entry in singular;
const tableOf = (entry: CatalogueEntry) => (isKind(entry) ? 'assessments' : entry);

/**
 * Call this after adding a row, so that concurrent transactions count each other's rows.
 * @throws ConflictError
 */
export async function checkLimit(
  trx: Transaction<Tables>,
  entry: CatalogueEntry,
  { max }: CatalogueLimits,
): Promise<void> {
  // The last lock that a transaction acquires, so it cannot cause a deadlock.
  await lock(trx, 'catalogue');
  if ((await count(trx, entry)) > max)
    throw new ConflictError('catalogue_full', `There are ${max} ${plurals[entry]} already, including inactive ones`);
}

/** Call this after adding a task, under the lock of its exam or laboratory. @throws ConflictError */
export async function checkTaskLimit(
  trx: Transaction<Tables>,
  { kind, assessmentId }: { kind: AttemptKind; assessmentId: number },
  { maxTasks }: CatalogueLimits,
): Promise<void> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from assessment_tasks
    where ${tasksOf(kind, assessmentId)}`.execute(trx);
  if ((rows[0]?.count ?? 0) > maxTasks) {
    const detail = `There are ${maxTasks} tasks already, the most that ${singular[kind]} can have`;
    throw new ConflictError('too_many_tasks', detail);
  }
}

/**
 * Checks all limits, or those of some tables. Call it while nobody else writes, or where a few rows beyond a limit do no harm.
 * @throws ConflictError
 */
export async function checkLimits(
  trx: Transaction<Tables>,
  limits: CatalogueLimits,
  tables?: readonly string[],
): Promise<void> {
  const isWanted = (table: string) => tables?.includes(table) ?? true;
  for (const entry of (Object.keys(plurals) as CatalogueEntry[]).filter((name) => isWanted(tableOf(name)))) {
    if ((await count(trx, entry)) > limits.max)
      throw new ConflictError(
        'catalogue_full',
        `There can be at most ${limits.max} ${plurals[entry]}, including inactive ones`,
      );
  }
  if (!isWanted('assessment_tasks')) return;
  const { rows } = await sql<{ kind: AttemptKind }>`select assessment_kind as kind from assessment_tasks
    group by assessment_kind, assessment_id having count(*) > ${limits.maxTasks} limit 1`.execute(trx);
  if (rows[0])
    throw new ConflictError(
      'too_many_tasks',
      `There can be at most ${limits.maxTasks} tasks in ${singular[rows[0].kind]}`,
    );
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
  const { rows } = await sql<{ count: number; bytes: number }>`select count(*)::int as count,
    coalesce(sum(bytes), 0)::float8 as bytes from assessment_files
    where ${ofAssessment(kind, assessmentId)}`.execute(trx);
  const { count: files = 0, bytes = 0 } = rows[0] ?? {};
  if (files > maxFiles) throw new ConflictError('files_full', `There can be at most ${maxFiles} files for one ${kind}`);
  if (bytes > fileBytes) {
    const detail = `The files of one ${kind} can have at most ${fileBytes} bytes together`;
    throw new ConflictError('files_full', detail);
  }
  const { rows: inTheWay } = await sql<{ path: string }>`
    select upper.path from assessment_files as upper join assessment_files as lower
      on lower.kind = upper.kind and lower.assessment_id = upper.assessment_id and starts_with(lower.path, upper.path || '/')
    where ${ofAssessment(kind, assessmentId, 'upper')} limit 1`.execute(trx);
  if (inTheWay[0]) throw new ConflictError('path_conflict', `${inTheWay[0].path} is the folder of another file`);
}

async function count(trx: Transaction<Tables>, entry: CatalogueEntry): Promise<number> {
  const condition = isKind(entry) ? sql`kind = ${entry}` : sql`true`;
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${sql.table(tableOf(entry))} where ${condition}`.execute(trx);
  return rows[0]?.count ?? 0;
}
