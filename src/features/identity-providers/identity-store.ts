import { type Selectable, sql, type Transaction } from 'kysely';
import type { Static } from 'typebox';
import { logActivity } from '../../database/activity-log.ts';
import { type Database, violatedConstraint } from '../../database/connection/connect.ts';
import { hasEmail } from '../../database/lists/user-choice.ts';
import type { Role, Tables, UsersTable } from '../../database/tables.ts';
import { afterAllTokens, lockTokens } from '../../database/token-times.ts';
import { withAddress } from '../../database/username-of-address.ts';
import { ConflictError, found } from '../../errors.ts';
import { endMemberships } from '../classes/leaving-store.ts';
import type { IdentitySchema } from './schema.ts';

export type UserRow = Selectable<UsersTable>;
/** A provider, or a platform of LTI. */
export type Source = { of: 'provider_id' | 'platform_id'; id: number };
/** Who somebody is there, and the address that it has verified. */
export type Proven = { source: Source; subject: string; proven_email: string | null };
export type ListedIdentity = Static<typeof IdentitySchema>;

/** The user or the subject has another identity there already. */
export class IdentityTakenError extends Error {}

/** How providers know users. */
export class IdentityStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** The user of a subject, and the role that the rules gave last. */
  async bySubject({ source, subject }: Proven): Promise<(UserRow & { given_role: Role | null }) | undefined> {
    return await this.#db
      .selectFrom('user_identities')
      .innerJoin('users', 'users.id', 'user_identities.user_id')
      .selectAll('users')
      .select('given_role')
      .where(source.of, '=', source.id)
      .where('subject', '=', subject)
      .executeTakeFirst();
  }

  async userById(id: number): Promise<UserRow | undefined> {
    return await this.#db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
  }

  async byEmail(email: string): Promise<UserRow | undefined> {
    return await ofEmail(this.#db, email).executeTakeFirst();
  }

  /** @returns false where the answer of a provider was used before */
  async spendState(state: string, expires_at: Date): Promise<boolean> {
    const used = this.#db.insertInto('used_login_states').values({ state, expires_at });
    const row = await used
      .onConflict((conflict) => conflict.doNothing())
      .returning('state')
      .executeTakeFirst();
    return row !== undefined;
  }

  async clean(): Promise<void> {
    await this.#db.deleteFrom('used_login_states').where('expires_at', '<=', sql<Date>`now()`).execute();
  }

  /** For the transaction that creates the user. @throws IdentityTakenError */
  async insert(trx: Transaction<Tables>, user: Pick<UserRow, 'id'>, proven: Proven): Promise<void> {
    await insert(trx, user, proven);
  }

  /** Links the user's own login. @throws IdentityTakenError */
  async link(user: Pick<UserRow, 'id'>, proven: Proven): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      await lockTokens(trx, user.id);
      await insert(trx, user, proven);
    });
  }

  /**
   * Links the account of a verified address. Who has made it may be somebody else: unless a provider has verified the same address before,
   * its password, its second factors, its invitation, its tokens, its other identities and its logins end.
   * @param nobody the hash of a user without a password
   * @returns undefined where the account is not there any more, is not active, or is that of an administrator
   * @throws IdentityTakenError
   */
  async linkByEmail(email: string, proven: Proven, nobody: string): Promise<UserRow | undefined> {
    return await this.#db.transaction().execute(async (trx) => {
      const user = await ofEmail(trx, email).forUpdate().executeTakeFirst();
      if (!user?.is_active || user.role === 'admin') return undefined;
      const known = trx.selectFrom('user_identities').select('id').where('user_id', '=', user.id);
      const isProven = await known.where(sql`lower(proven_email)`, '=', user.email.toLowerCase()).executeTakeFirst();
      if (!isProven) {
        await trx.deleteFrom('user_identities').where('user_id', '=', user.id).execute();
        await trx.deleteFrom('invitations').where('user_id', '=', user.id).execute();
        await trx.deleteFrom('personal_tokens').where('user_id', '=', user.id).execute();
        for (const table of ['passkeys', 'second_factors', 'recovery_codes'] as const)
          await trx.deleteFrom(table).where('user_id', '=', user.id).execute();
        const changes = { password_hash: nobody, tokens_valid_from: afterAllTokens, has_second_factor: false };
        await trx.updateTable('users').set(changes).where('id', '=', user.id).execute();
      }
      await insert(trx, user, proven);
      return await trx.selectFrom('users').selectAll().where('id', '=', user.id).executeTakeFirst();
    });
  }

  /** Gives an account without an address the one that is told now, unless it has another by now or another account has this one. */
  async giveAddress({ id, email: placeholder }: Pick<UserRow, 'id' | 'email'>, email: string): Promise<void> {
    try {
      await this.#db.transaction().execute(async (trx) => {
        const update = trx.updateTable('users').set({ email, ...withAddress(email) });
        const given = update.where('id', '=', id).where('email', '=', placeholder).returning('username');
        const user = await given.executeTakeFirst();
        if (!user) return;
        await log(trx, { id }, 'provider_address', user.username, { old: { email: placeholder }, new: { email } });
      });
    } catch (error) {
      if (violatedConstraint(error) !== 'users_email') throw error;
    }
  }

  /** After each login. */
  async record({ source, subject, proven_email }: Proven, given_role: Role | null): Promise<void> {
    await this.#db
      .updateTable('user_identities')
      .set({ last_login_at: sql<Date>`now()`, given_role, proven_email })
      .where(source.of, '=', source.id)
      .where('subject', '=', subject)
      .execute();
  }

  /**
   * Makes the user a member of those of the classes that exist and are not archived; a member stays as before. A membership that the provider
   * has brought ends where its claims do not name the class any more.
   */
  async followClasses(
    providerId: number,
    { id, role }: Pick<UserRow, 'id' | 'role'>,
    classIds: readonly number[],
  ): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      const { rows: joined } = await sql<{ id: number; name: string }>`
        with joined as (
          insert into class_members (class_id, user_id, role)
          select id, ${id}, ${role === 'student' ? 'student' : 'instructor'} from classes
          where id = any(${[...classIds]}::integer[]) and not is_archived order by id on conflict do nothing returning class_id
        ), brought as (
          insert into provider_members (class_id, user_id, provider_id) select class_id, ${id}::int, ${providerId}::int from joined
        ) select id, name from classes join joined on joined.class_id = classes.id`.execute(trx);
      const act = { actorId: id, userId: id, type: 'class_join', entityType: 'class' };
      await logActivity(trx, ...joined.map((row) => ({ ...act, title: row.name, entityId: row.id })));
      const old = trx.selectFrom('provider_members').select('class_id').where('provider_id', '=', providerId);
      // Everybody who locks several takes them in this order.
      const brought = await old.where('user_id', '=', id).orderBy('class_id').execute();
      for (const { class_id } of brought) if (!classIds.includes(class_id)) await endMemberships(trx, class_id, [id]);
    });
  }

  async list(userId: number): Promise<ListedIdentity[]> {
    return await identities(this.#db, userId).execute();
  }

  /** @throws NotFoundError for another user's, ConflictError for the only login */
  async unlink(userId: number, id: number, canStay: (user: UserRow, others: number) => boolean): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      const user = await trx.selectFrom('users').selectAll().where('id', '=', userId).forUpdate().executeTakeFirst();
      const all = await identities(trx, userId).execute();
      const one = found(
        all.find((identity) => identity.id === id),
        'Identity',
      );
      const others = all.filter((identity) => identity.id !== id && identity.is_active).length;
      if (!user || !canStay(user, others)) throw new ConflictError('last_login', 'This is your only login');
      await trx.deleteFrom('user_identities').where('id', '=', id).execute();
      await log(trx, user, 'identity_unlink', one.name);
    });
  }
}

const ofEmail = (db: Database, email: string) =>
  db.selectFrom('users').selectAll().where(hasEmail(email)).where('id', '>', 0);

const identities = (db: Database, userId: number) =>
  db
    .selectFrom('user_identities as one')
    .leftJoin('identity_providers as provider', 'provider.id', 'one.provider_id')
    .leftJoin('lti_platforms as platform', 'platform.id', 'one.platform_id')
    .select(['one.id', 'provider_id', 'one.created_at', 'last_login_at'])
    .select(sql<string>`coalesce(provider.name, platform.name)`.as('name'))
    .select(sql<boolean>`coalesce(provider.is_active, platform.is_active)`.as('is_active'))
    .where('user_id', '=', userId)
    .orderBy('name')
    .orderBy('one.id');

async function insert(
  trx: Transaction<Tables>,
  user: Pick<UserRow, 'id'>,
  { source, subject, proven_email }: Proven,
): Promise<void> {
  const values = { [source.of]: source.id, subject, proven_email, user_id: user.id };
  try {
    await trx.insertInto('user_identities').values(values).execute();
  } catch (error) {
    throw violatedConstraint(error)?.startsWith('user_identities_') ? new IdentityTakenError() : error;
  }
  const table = source.of === 'provider_id' ? 'identity_providers' : 'lti_platforms';
  const provider = trx.selectFrom(table).select('name').where('id', '=', source.id);
  await log(trx, user, 'identity_link', (await provider.executeTakeFirst())?.name ?? '');
}

async function log(
  trx: Transaction<Tables>,
  { id }: Pick<UserRow, 'id'>,
  type: string,
  title: string,
  details?: Record<string, unknown>,
): Promise<void> {
  await logActivity(trx, {
    actorId: id,
    userId: id,
    type,
    title,
    entityType: 'user',
    entityId: id,
    ...(details && { details }),
  });
}
