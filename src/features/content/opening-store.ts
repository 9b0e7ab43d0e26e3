import { sql, type Transaction } from 'kysely';
import type { Tables } from '../../database/tables.ts';

/** What can be waited for: its name in files, such as `theme:first/intro`, and in the database, such as `theme:5`. */
export type OpeningName = { course: string; name: string; key: string; is_active: boolean; opens_after: string[] };

/** The parts of all courses. An exam or a laboratory without a course is waited for by nobody. */
export async function openingNames(trx: Transaction<Tables>): Promise<OpeningName[]> {
  const { rows } = await sql<OpeningName>`
    select courses.slug as course, 'section:' || sections.slug as name, 'section:' || sections.id as key, true as is_active, opens_after
      from sections join courses on courses.id = sections.course_id
    union all select courses.slug, 'theme:' || sections.slug || '/' || themes.slug, 'theme:' || themes.id, true, '{}'
      from themes join sections on sections.id = themes.section_id join courses on courses.id = sections.course_id
    union all select courses.slug, a.kind || ':' || coalesce(a.slug, a.kind || '-' || a.id), a.kind || ':' || a.id, a.is_active, a.opens_after
      from assessments as a left join sections on sections.id = a.section_id
        join courses on courses.id = coalesce(a.course_id, sections.course_id)`.execute(trx);
  return rows;
}
