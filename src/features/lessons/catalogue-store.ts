import { AdministeredTable } from '../../database/catalogue/administered-table.ts';
import type { CatalogueLimits } from '../../database/catalogue/catalogue-room.ts';
import type { Database } from '../../database/connection/connect.ts';

/** The three levels of the lessons, as administrators work on them. */
export class CatalogueStore {
  readonly courses: AdministeredTable<'courses'>;
  readonly sections: AdministeredTable<'sections'>;
  readonly themes: AdministeredTable<'themes'>;

  constructor(db: Database, limits: CatalogueLimits) {
    this.courses = new AdministeredTable({ db, limits, table: 'courses', entity: 'course', label: 'name' });
    this.sections = new AdministeredTable({
      ...{ db, limits },
      table: 'sections',
      entity: 'section',
      label: 'name',
      parent: { table: 'courses', column: 'course_id', entity: 'course' },
    });
    this.themes = new AdministeredTable({
      ...{ db, limits },
      table: 'themes',
      entity: 'theme',
      label: 'title',
      parent: { table: 'sections', column: 'section_id', entity: 'section' },
    });
  }
}
