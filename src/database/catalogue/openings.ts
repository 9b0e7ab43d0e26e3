import { sql, type Transaction } from 'kysely';
import { InvalidError } from '../../errors.ts';
import { refusedField } from '../../values/coded-problem.ts';
import { partInCircle, type WaitingPart } from '../../values/waiting-parts.ts';
import { lock } from '../locks.ts';
import type { Tables } from '../tables.ts';
import { courseIdOf } from './course-content.ts';

type Part = WaitingPart & { key: string };

/** What can have an opening, or be in a section that has one. */
export type OpeningKind = 'section' | 'theme' | 'exam' | 'laboratory';
export const isOpeningKind = (entity: string): entity is OpeningKind =>
  ['section', 'theme', 'exam', 'laboratory'].includes(entity);

/** The columns whose change decides what waits for what. */
const columns = ['opens_after', 'section_id', 'course_id'];

/**
 * Checks what the parts of a course wait for, after a change of one of them in the same transaction. Of two concurrent changes one sees the
 * other.
 * @param changed the columns that were written, with their values
 * @throws InvalidError where it waits for something that is not of its course, or parts wait for each other in a circle and would never open
 */
export async function checkOpenings(
  trx: Transaction<Tables>,
  kind: OpeningKind,
  id: number,
  changed: Readonly<Record<string, unknown>>,
): Promise<void> {
  if (!columns.some((name) => name in changed)) return;
  await lock(trx, 'openings');
  const courseId = await courseIdOf(trx, kind, id);
  const given = (changed['opens_after'] as string[] | undefined) ?? [];
  const parts = courseId === undefined ? new Map<string, Part>() : await partsOf(trx, courseId);
  if (given.some((key) => !parts.has(key)))
    throw new InvalidError([refusedField(['body', 'opens_after'], 'opens_after_unknown')]);
  if (courseId !== undefined) checkCircles(parts);
}

/** The same for all parts of a course. @throws InvalidError */
export async function checkCourseOpenings(trx: Transaction<Tables>, courseId: number): Promise<void> {
  await lock(trx, 'openings');
  checkCircles(await partsOf(trx, courseId));
}

/** The same for all courses, where an import may have moved anything. @throws InvalidError */
export async function checkAllOpenings(trx: Transaction<Tables>): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select course_id as id from sections where opens_after <> '{}'
    union select coalesce(a.course_id, sections.course_id) from assessments as a left join sections on sections.id = a.section_id
      where a.opens_after <> '{}' and coalesce(a.course_id, sections.course_id) is not null`.execute(trx);
  for (const { id } of rows) await checkCourseOpenings(trx, id);
}

async function partsOf(trx: Transaction<Tables>, courseId: number): Promise<Map<string, Part>> {
  const { rows } = await sql<Part>`
    with own as (select id, opens_after from sections where course_id = ${courseId})
    select 'section:' || id as key, null as section, opens_after from own
    union all select 'theme:' || id, 'section:' || section_id, '{}' from themes where section_id in (select id from own)
    union all select kind || ':' || id, 'section:' || section_id, opens_after from assessments
      where course_id = ${courseId} or section_id in (select id from own)`.execute(trx);
  return new Map(rows.map((row) => [row.key, row]));
}

function checkCircles(parts: ReadonlyMap<string, Part>): void {
  if (partInCircle(parts) !== undefined)
    throw new InvalidError([refusedField(['body', 'opens_after'], 'opens_after_circle')]);
}
