import type { Selectable } from 'kysely';
import { AdministeredTable, type NewRow } from '../../database/catalogue/administered-table.ts';
import type { CatalogueLimits } from '../../database/catalogue/catalogue-limits.ts';
import { imageRefusals } from '../../database/catalogue/refusals.ts';
import type { Database } from '../../database/connection/connect.ts';
import type { CoursesTable, SandboxTemplatesTable, SectionsTable, ThemesTable } from '../../database/tables.ts';
import { NotFoundError } from '../../errors.ts';

export type CatalogueTables = ReturnType<typeof catalogueTables>;

/**
 * The three levels of the lessons and the sandbox templates, for administrators.
 * @param onLessonsChange is called after each change of a course, section or theme: cached copies are out of date
 */
export function catalogueTables(db: Database, limits: CatalogueLimits, onLessonsChange: () => void) {
  const shared = { db, limits, onChange: onLessonsChange };
  const refusals = (table: string) => ({
    [`${table}_template_id_fkey`]: () => new NotFoundError('not_found', 'Sandbox template not found'),
  });
  return {
    courses: new AdministeredTable<Selectable<CoursesTable>, NewRow<CoursesTable>>({
      ...{ ...shared, table: 'courses', entity: 'course', label: 'name' },
      refusals: {
        ...refusals('courses'),
        courses_repository_id_fkey: () => new NotFoundError('not_found', 'Lesson repository not found'),
      },
    }),
    sections: new AdministeredTable<Selectable<SectionsTable>, NewRow<SectionsTable>>({
      ...{ ...shared, table: 'sections', entity: 'section', label: 'name' },
      refusals: refusals('sections'),
      parent: { table: 'courses', column: 'course_id', entity: 'course' },
    }),
    themes: new AdministeredTable<Selectable<ThemesTable>, NewRow<ThemesTable>>({
      ...{ ...shared, table: 'themes', entity: 'theme', label: 'title' },
      refusals: refusals('themes'),
      parent: { table: 'sections', column: 'section_id', entity: 'section' },
    }),
    templates: new AdministeredTable<Selectable<SandboxTemplatesTable>, NewRow<SandboxTemplatesTable>>({
      // A deleted template leaves the lessons that named it.
      ...{ ...shared, table: 'sandbox_templates', entity: 'sandbox template', label: 'name' },
      refusals: imageRefusals,
    }),
  };
}
