import type { Selectable } from 'kysely';
import type { Database } from '../../database/connection/connect.ts';
import type { SandboxTemplatesTable } from '../../database/tables.ts';

export type TemplateRow = Selectable<SandboxTemplatesTable>;

/** The templates for sandboxes. */
export class TemplateStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** In their configured order. */
  async active(): Promise<TemplateRow[]> {
    const active = this.#db.selectFrom('sandbox_templates').selectAll().where('is_active', '=', true);
    return await active.orderBy('order_index').orderBy('id').execute();
  }
}
