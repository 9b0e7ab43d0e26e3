import { AdministeredTable } from '../../database/administered-table.ts';
import type { Database } from '../../database/connect.ts';

/** Sandbox templates, as administrators work on them. */
export class TemplateAdminStore extends AdministeredTable<'sandbox_templates'> {
  constructor(db: Database) {
    super({ db, table: 'sandbox_templates', entity: 'sandbox template', label: 'name' });
  }
}
