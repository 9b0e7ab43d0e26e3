import { sql, type Transaction } from 'kysely';
import { logActivity } from '../../../database/activity-log.ts';
import type { Database } from '../../../database/connection/connect.ts';
import type { Tables } from '../../../database/tables.ts';
import { endOfNobody } from '../../../values/no-password.ts';

export type SecondFactorState = { is_active: boolean; is_required: boolean; recovery_codes_left: number };

/** Second factors of users, and their recovery codes as keyed hashes. */
export class SecondFactorStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async state(userId: number): Promise<SecondFactorState> {
    const { rows } = await sql<SecondFactorState>`
      select exists (select from second_factors where user_id = users.id and confirmed_at is not null) as is_active, ${isRequired} as is_required,
        (select count(*)::int from recovery_codes where user_id = users.id) as recovery_codes_left
      from users where id = ${userId}`.execute(this.#db);
    return rows[0] ?? { is_active: false, is_required: false, recovery_codes_left: 0 };
  }

  /** Replaces a secret that is not confirmed. @returns false where one is */
  async begin(userId: number, sealed_secret: Buffer): Promise<boolean> {
    const row = await this.#db
      .insertInto('second_factors')
      .values({ user_id: userId, sealed_secret })
      .onConflict((of) =>
        of.column('user_id').doUpdateSet({ sealed_secret }).where('second_factors.confirmed_at', 'is', null),
      )
      .returning('user_id')
      .executeTakeFirst();
    return row !== undefined;
  }

  async secret(userId: number): Promise<{ sealed_secret: Buffer; confirmed_at: Date | null } | undefined> {
    return await this.#db
      .selectFrom('second_factors')
      .select(['sealed_secret', 'confirmed_at'])
      .where('user_id', '=', userId)
      .executeTakeFirst();
  }

  /** @param sealed the secret whose code it was @returns false where it was replaced or confirmed meanwhile */
  async confirm(userId: number, sealed: Buffer, step: number, codeHashes: readonly string[]): Promise<boolean> {
    return await this.#db.transaction().execute(async (trx) => {
      const row = await trx
        .updateTable('second_factors')
        .set({ confirmed_at: sql<Date>`now()`, last_step: step })
        .where('user_id', '=', userId)
        .where('sealed_secret', '=', sealed)
        .where('confirmed_at', 'is', null)
        .returning('user_id')
        .executeTakeFirst();
      if (!row) return false;
      await replaceRecoveryCodes(trx, userId, codeHashes);
      await settleFactor(trx, userId);
      await logFactor(trx, userId, userId, 'second_factor_set_up');
      return true;
    });
  }

  /** @returns false where the code of that period, or of a later one, was used already */
  async takeStep(userId: number, step: number): Promise<boolean> {
    const row = await this.#db
      .updateTable('second_factors')
      .set({ last_step: step })
      .where('user_id', '=', userId)
      .where('confirmed_at', 'is not', null)
      .where('last_step', '<', step)
      .returning('user_id')
      .executeTakeFirst();
    return row !== undefined;
  }

  /** @returns false for a code that the user does not have, or has used */
  async takeRecoveryCode(userId: number, code_hash: string): Promise<boolean> {
    return await this.#db.transaction().execute(async (trx) => {
      const used = await trx
        .deleteFrom('recovery_codes')
        .where('user_id', '=', userId)
        .where('code_hash', '=', code_hash)
        .returning('user_id')
        .executeTakeFirst();
      if (used) await logFactor(trx, userId, userId, 'second_factor_recovery');
      return used !== undefined;
    });
  }

  /** Succeeds where there is none. @param withPasskeys all factors, not the app alone @returns false without such a user */
  async remove(actorId: number, userId: number, type: string, withPasskeys: boolean): Promise<boolean> {
    return await this.#db.transaction().execute(async (trx) => {
      const user = trx.selectFrom('users').select('id').where('id', '=', userId).where('id', '>', 0);
      if (!(await user.forNoKeyUpdate().executeTakeFirst())) return false;
      const removed = await trx
        .deleteFrom('second_factors')
        .where('user_id', '=', userId)
        .returning('confirmed_at')
        .executeTakeFirst();
      const passkeys = trx.deleteFrom('passkeys').where('user_id', '=', userId).returning('id');
      const gone = withPasskeys ? await passkeys.execute() : [];
      if (!removed?.confirmed_at && gone.length === 0) return true;
      await settleFactor(trx, userId);
      await logFactor(trx, actorId, userId, type);
      return true;
    });
  }
}

/**
 * Whether the installation requires a second factor of the role of `users`. Those without a password log in through an identity provider,
 * which asks for its own.
 */
export const isRequired = sql<boolean>`(users.id > 0 and password_hash not like ${`%${endOfNobody}`}
  and exists (select from site where users.role::text = any(second_factor_roles)))`;

export async function replaceRecoveryCodes(
  trx: Transaction<Tables>,
  user_id: number,
  codeHashes: readonly string[],
): Promise<void> {
  await trx.deleteFrom('recovery_codes').where('user_id', '=', user_id).execute();
  await trx
    .insertInto('recovery_codes')
    .values(codeHashes.map((code_hash) => ({ user_id, code_hash })))
    .execute();
}

/** After a change of factors: logins need one while the user has the app or a passkey, and only then there are recovery codes. */
export async function settleFactor(trx: Transaction<Tables>, userId: number): Promise<void> {
  await sql`update users set has_second_factor = exists (select from passkeys where user_id = users.id)
      or exists (select from second_factors where user_id = users.id and confirmed_at is not null)
    where id = ${userId}`.execute(trx);
  await sql`delete from recovery_codes where user_id = ${userId}
    and exists (select from users where id = ${userId} and not has_second_factor)`.execute(trx);
}

export async function logFactor(
  trx: Transaction<Tables>,
  actorId: number,
  userId: number,
  type: string,
): Promise<void> {
  const { username } = await trx
    .selectFrom('users')
    .select('username')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  await logActivity(trx, { actorId, userId, type, title: username, entityType: 'user', entityId: userId });
}
