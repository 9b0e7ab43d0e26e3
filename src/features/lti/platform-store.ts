import type { Selectable } from 'kysely';
import type { Database } from '../../database/connection/connect.ts';
import type { LtiPlatformsTable } from '../../database/tables.ts';

export type PlatformRow = Selectable<LtiPlatformsTable>;

/** Platforms of LTI, for administrators and for launches. */
export class PlatformStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Those whose launches are accepted. */
  async active(): Promise<PlatformRow[]> {
    return await this.#db.selectFrom('lti_platforms').selectAll().where('is_active', '=', true).orderBy('id').execute();
  }
}
