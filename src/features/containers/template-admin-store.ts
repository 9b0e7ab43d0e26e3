import { AdministeredTable } from '../../database/administered-table.ts';
import type { CatalogueLimits } from '../../database/catalogue-room.ts';
import type { Database } from '../../database/connect.ts';

/** Sandbox templates, as administrators work on them. */
export class TemplateAdminStore extends AdministeredTable<'sandbox_templates'> {
  constructor(db: Database, limits: CatalogueLimits) {
    super({ db, limits, table: 'sandbox_templates', entity: 'sandbox template', label: 'name' });
  }
}
