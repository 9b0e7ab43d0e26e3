import { AdministeredTable } from '../../database/catalogue/administered-table.ts';
import type { CatalogueLimits } from '../../database/catalogue/catalogue-room.ts';
import type { Database } from '../../database/connection/connect.ts';

/** Sandbox templates, as administrators work on them. */
export class TemplateAdminStore extends AdministeredTable<'sandbox_templates'> {
  constructor(db: Database, limits: CatalogueLimits) {
    super({ db, limits, table: 'sandbox_templates', entity: 'sandbox template', label: 'name' });
  }
}
