import type { Selectable } from 'kysely';
import { differences, logActivity } from '../../database/activity-log.ts';
import type { Database } from '../../database/connection/connect.ts';
import type { SiteTable } from '../../database/tables.ts';

export type SiteRow = Omit<Selectable<SiteTable>, 'is_only'>;
/** Omitted fields stay unchanged. */
export type SiteChanges = Partial<SiteRow>;

const columns = [
  'name',
  'logo_key',
  'accent',
  'welcome',
  'has_public_courses',
  'second_factor_roles',
  'has_recording_consent',
  'has_kept_results',
  'activity_days',
  'work_days',
  'account_days',
] as const;
const unset: SiteRow = {
  ...{ name: null, logo_key: null, accent: null, welcome: '', has_public_courses: false },
  second_factor_roles: [],
  has_recording_consent: false,
  has_kept_results: false,
  ...{ activity_days: null, work_days: null, account_days: null },
};

/** What administrators have set for the installation. */
export class SiteStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async read(): Promise<SiteRow> {
    return (await this.#db.selectFrom('site').select(columns).executeTakeFirst()) ?? unset;
  }

  /** @returns the settings before: each of several concurrent changes gets those that it replaced */
  async change(actorId: number, changes: SiteChanges): Promise<SiteRow> {
    return await this.#db.transaction().execute(async (trx) => {
      await trx
        .insertInto('site')
        .defaultValues()
        .onConflict((of) => of.doNothing())
        .execute();
      const before = await trx.selectFrom('site').select(columns).forUpdate().executeTakeFirstOrThrow();
      const details = differences(before, changes);
      if (!details) return before;
      await trx.updateTable('site').set(changes).execute();
      await logActivity(trx, {
        ...{ actorId, type: 'admin_site_update', title: changes.name ?? before.name ?? '' },
        ...{ entityType: 'site', entityId: null, details },
      });
      return before;
    });
  }
}
