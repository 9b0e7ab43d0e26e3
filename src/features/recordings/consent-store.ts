import { type RawBuilder, sql } from 'kysely';
import { logActivity } from '../../database/activity-log.ts';
import type { Database } from '../../database/connection/connect.ts';

/** Of the text with which the pages ask (`recordingConsent` in web/src/strings). A new text gets the next number: all are asked again. */
const version = 1;

export type Consent = {
  is_required: boolean;
  version: number;
  is_given: boolean | null;
  decided_at: Date | null;
};

/** Whether the terminals of a user may be recorded. */
export const mayBeRecorded = (userId: RawBuilder<unknown>): RawBuilder<boolean> => sql<boolean>`(
  not exists (select from site where has_recording_consent)
  or exists (select from recording_consents as consent where consent.user_id = ${userId} and is_given and version = ${version}))`;

/** Who agrees to recordings of terminals, where the installation asks. */
export class ConsentStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async of(userId: number): Promise<Consent> {
    const { rows } = await sql<Consent>`
      select exists (select from site where has_recording_consent) as is_required, ${version}::int as version, is_given, decided_at
      from (values (1)) as one left join recording_consents on user_id = ${userId} and version = ${version}`.execute(
      this.#db,
    );
    return rows[0] as Consent;
  }

  /** For terminals that are opened from now on. */
  async decide({ id, username }: { id: number; username: string }, is_given: boolean): Promise<Consent> {
    await this.#db.transaction().execute(async (trx) => {
      const decision = { is_given, version, decided_at: sql<Date>`now()` };
      await trx
        .insertInto('recording_consents')
        .values({ user_id: id, ...decision })
        .onConflict((of) => of.column('user_id').doUpdateSet(decision))
        .execute();
      await logActivity(trx, {
        ...{ actorId: id, userId: id, type: 'recording_consent', title: username },
        ...{ entityType: 'user', entityId: id, details: { is_given, version } },
      });
    });
    return await this.of(id);
  }
}
