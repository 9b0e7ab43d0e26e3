import { type Selectable, sql, type Transaction } from 'kysely';
import { differences, logActivity } from '../../database/activity-log.ts';
import { inTransaction } from '../../database/catalogue/refusals.ts';
import type { Database } from '../../database/connection/connect.ts';
import { keepDeleted } from '../../database/deletions/keep.ts';
import type { LtiPlatformsTable, Tables } from '../../database/tables.ts';
import { ConflictError } from '../../errors.ts';
import type { Page } from '../../http/lists/paging.ts';

export type PlatformRow = Selectable<LtiPlatformsTable>;
export type ListedPlatform = PlatformRow & { user_count: number; course_count: number };
export type PlatformFields = Omit<PlatformRow, 'id' | 'created_at'>;

const refusals = {
  lti_platforms_client: () =>
    new ConflictError('lti_platform_exists', 'There is a platform with this issuer and client ID already'),
};

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

  /** By name. */
  async list({ limit, offset }: Page): Promise<{ rows: ListedPlatform[]; total: number }> {
    const total = await this.#db
      .selectFrom('lti_platforms')
      .select(sql<number>`count(*)::int`.as('total'))
      .executeTakeFirstOrThrow();
    const rows = this.#listed().orderBy('name').orderBy('id').limit(limit).offset(offset);
    return { rows: await rows.execute(), ...total };
  }

  async byId(id: number): Promise<ListedPlatform | undefined> {
    return await this.#listed().where('id', '=', id).executeTakeFirst();
  }

  #listed() {
    const of = (table: string) =>
      sql<number>`(select count(*)::int from ${sql.table(table)} where platform_id = lti_platforms.id)`;
    return this.#db
      .selectFrom('lti_platforms')
      .selectAll()
      .select([of('user_identities').as('user_count'), of('lti_contexts').as('course_count')]);
  }

  /** @param actorId null where a platform has registered itself @throws ConflictError */
  async create(actorId: number | null, fields: PlatformFields): Promise<number> {
    return await inTransaction(this.#db, refusals, async (trx) => {
      const { id } = await trx.insertInto('lti_platforms').values(fields).returning('id').executeTakeFirstOrThrow();
      await log(trx, actorId, 'create', { id, name: fields.name }, { new: fields });
      return id;
    });
  }

  /** @returns false without the row */
  async update(actorId: number, id: number, change: Partial<PlatformFields>): Promise<boolean> {
    return await inTransaction(this.#db, refusals, async (trx) => {
      const before = await rowOf(trx, id);
      if (!before) return false;
      const details = differences(before, change);
      if (!details) return true;
      await trx.updateTable('lti_platforms').set(change).where('id', '=', id).execute();
      await log(trx, actorId, 'update', { ...before, ...change }, details);
      return true;
    });
  }

  /** With the identities of its users and its courses, so that all can be restored. @returns false without the row */
  async delete(actorId: number, id: number): Promise<boolean> {
    return await inTransaction(this.#db, {}, async (trx) => {
      const row = await rowOf(trx, id);
      if (!row) return false;
      await keepDeleted(trx, { kind: 'lti_platform', id, title: row.name, actorId });
      await trx.deleteFrom('lti_platforms').where('id', '=', id).execute();
      await log(trx, actorId, 'delete', row, { old: { name: row.name, issuer: row.issuer } });
      return true;
    });
  }
}

async function rowOf(trx: Transaction<Tables>, id: number): Promise<PlatformRow | undefined> {
  return await trx.selectFrom('lti_platforms').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

async function log(
  trx: Transaction<Tables>,
  actorId: number | null,
  verb: 'create' | 'update' | 'delete',
  { id: entityId, name: title }: Pick<PlatformRow, 'id' | 'name'>,
  details: Record<string, unknown>,
): Promise<void> {
  const act = { actorId, type: `admin_lti_platform_${verb}`, title, entityType: 'lti_platform' };
  await logActivity(trx, { ...act, entityId, details });
}
