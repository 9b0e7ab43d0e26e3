import { type Selectable, sql, type Transaction } from 'kysely';
import { differences, logActivity } from '../../database/activity-log.ts';
import { inTransaction } from '../../database/catalogue/refusals.ts';
import type { Database } from '../../database/connection/connect.ts';
import { keepDeleted } from '../../database/deletions/keep.ts';
import type { ClaimRule, IdentityProvidersTable, Tables } from '../../database/tables.ts';
import { ConflictError } from '../../errors.ts';
import type { Page } from '../../http/lists/paging.ts';

export type ProviderRow = Selectable<IdentityProvidersTable>;
export type ListedProvider = ProviderRow & { user_count: number };
type Fields = Omit<ProviderRow, 'id' | 'sealed_secret' | 'created_at'>;
/** The sealed secret for the row. Undefined: it stays as it is. */
type Seal = ((id: number) => Buffer | null) | undefined;

const refusals = {
  identity_providers_slug: () =>
    new ConflictError('identity_provider_exists', 'There is an identity provider with this short name already'),
};

/** Identity providers, for administrators and for logins. */
export class ProviderStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Those that users log in with, by name. */
  async active(): Promise<ProviderRow[]> {
    const rows = this.#db.selectFrom('identity_providers').selectAll().where('is_active', '=', true);
    return await rows.orderBy('name').orderBy('id').execute();
  }

  /** By name. */
  async list({ limit, offset }: Page): Promise<{ rows: ListedProvider[]; total: number }> {
    const total = await this.#db
      .selectFrom('identity_providers')
      .select(sql<number>`count(*)::int`.as('total'))
      .executeTakeFirstOrThrow();
    const rows = this.#listed().orderBy('name').orderBy('id').limit(limit).offset(offset);
    return { rows: await rows.execute(), ...total };
  }

  async byId(id: number): Promise<ListedProvider | undefined> {
    return await this.#listed().where('id', '=', id).executeTakeFirst();
  }

  #listed() {
    const count = sql<number>`(select count(*)::int from user_identities where provider_id = identity_providers.id)`;
    return this.#db.selectFrom('identity_providers').selectAll().select(count.as('user_count'));
  }

  /** @throws ConflictError if another one has the slug */
  async create(actorId: number, { rules, ...fields }: Fields, seal: Seal): Promise<number> {
    return await inTransaction(this.#db, refusals, async (trx) => {
      const { id } = await trx
        .insertInto('identity_providers')
        .values({ ...fields, rules: JSON.stringify(rules) })
        .returning('id')
        .executeTakeFirstOrThrow();
      if (seal) await setSecret(trx, id, seal);
      await log(trx, actorId, 'create', { id, name: fields.name }, { new: { ...fields, rules } });
      return id;
    });
  }

  /** The issuer stays. @returns false without the row. @throws ConflictError as `create` */
  async update(actorId: number, id: number, change: Partial<Omit<Fields, 'issuer'>>, seal: Seal): Promise<boolean> {
    return await inTransaction(this.#db, refusals, async (trx) => {
      const before = await rowOf(trx, id);
      if (!before) return false;
      const details = differences(before, change);
      const { rules, ...fields } = change;
      const values = { ...fields, ...(rules && { rules: JSON.stringify(rules) }) };
      if (Object.keys(values).length > 0)
        await trx.updateTable('identity_providers').set(values).where('id', '=', id).execute();
      if (seal) await setSecret(trx, id, seal);
      if (details || seal)
        await log(
          trx,
          actorId,
          'update',
          { ...before, ...fields },
          { ...details, ...(seal && { has_new_secret: true }) },
        );
      return true;
    });
  }

  /** With the identities of its users, so that both can be restored. @returns false without the row */
  async delete(actorId: number, id: number): Promise<boolean> {
    return await inTransaction(this.#db, {}, async (trx) => {
      const row = await rowOf(trx, id);
      if (!row) return false;
      await keepDeleted(trx, { kind: 'identity_provider', id, title: row.name, actorId });
      await trx.deleteFrom('identity_providers').where('id', '=', id).execute();
      await log(trx, actorId, 'delete', row, { old: { name: row.name, issuer: row.issuer } });
      return true;
    });
  }

  /** Other administrators who can log in and may have a local login, with the addresses that count for it. */
  async otherAdministrators(userId: number): Promise<{ emails: string[]; password_hash: string }[]> {
    const proven = sql`select proven_email from user_identities where user_id = users.id and proven_email is not null`;
    const emails = sql<string[]>`array(${proven}) || users.email`.as('emails');
    const rows = this.#db.selectFrom('users').select(['password_hash', emails]);
    return await rows
      .where('id', '<>', userId)
      .where('id', '>', 0)
      .where('role', '=', 'admin')
      .where('is_active', '=', true)
      .limit(1000)
      .execute();
  }

  /** The addresses of a user that providers have verified. */
  async provenEmails(userId: number): Promise<string[]> {
    const rows = this.#db.selectFrom('user_identities').select('proven_email').where('user_id', '=', userId);
    return (await rows.execute()).flatMap(({ proven_email }) => proven_email ?? []);
  }
}

export type { ClaimRule };

async function rowOf(trx: Transaction<Tables>, id: number): Promise<ProviderRow | undefined> {
  const rows = trx.selectFrom('identity_providers').selectAll().where('id', '=', id);
  return await rows.forUpdate().executeTakeFirst();
}

async function setSecret(trx: Transaction<Tables>, id: number, seal: (id: number) => Buffer | null): Promise<void> {
  await trx
    .updateTable('identity_providers')
    .set({ sealed_secret: seal(id) })
    .where('id', '=', id)
    .execute();
}

async function log(
  trx: Transaction<Tables>,
  actorId: number,
  verb: 'create' | 'update' | 'delete',
  { id: entityId, name: title }: Pick<ProviderRow, 'id' | 'name'>,
  details: Record<string, unknown>,
): Promise<void> {
  const act = { actorId, type: `admin_identity_provider_${verb}`, title, entityType: 'identity_provider' };
  await logActivity(trx, { ...act, entityId, details });
}
