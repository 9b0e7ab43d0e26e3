import { type Selectable, sql } from 'kysely';
import { logActivity } from '../../../database/activity-log.ts';
import type { Database } from '../../../database/connection/connect.ts';
import type { PasskeysTable } from '../../../database/tables.ts';
import { lockTokens } from '../../../database/token-times.ts';
import { replaceRecoveryCodes, settleFactor } from '../second-factor/store.ts';
import type { UserRow } from '../store.ts';

export type PasskeyRow = Selectable<PasskeysTable>;
export type ListedPasskey = Pick<PasskeyRow, 'id' | 'name' | 'created_at' | 'last_used_at'>;
export type NewPasskey = Pick<PasskeyRow, 'credential' | 'public_key' | 'counter' | 'transports' | 'name'>;

/** Of one user. */
const maxPasskeys = 20;

/** Passkeys of users. */
export class PasskeyStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async list(userId: number): Promise<(ListedPasskey & Pick<PasskeyRow, 'credential' | 'transports'>)[]> {
    return await this.#db
      .selectFrom('passkeys')
      .select(['id', 'name', 'created_at', 'last_used_at', 'credential', 'transports'])
      .where('user_id', '=', userId)
      .orderBy('id')
      .execute();
  }

  /**
   * @param codeHashes of recovery codes, which are taken where it is the first factor
   * @returns `isFirst` where they were taken, undefined where the user has the most, or somebody has the credential
   */
  async add(
    userId: number,
    passkey: NewPasskey,
    codeHashes: readonly string[],
  ): Promise<{ row: ListedPasskey; isFirst: boolean } | undefined> {
    return await this.#db.transaction().execute(async (trx) => {
      await lockTokens(trx, userId);
      const user = await trx
        .selectFrom('users')
        .select(['username', 'has_second_factor'])
        .select(sql<number>`(select count(*)::int from passkeys where user_id = users.id)`.as('passkeys'))
        .where('id', '=', userId)
        .executeTakeFirst();
      if (!user || user.passkeys >= maxPasskeys) return undefined;
      const row = await trx
        .insertInto('passkeys')
        .values({ ...passkey, user_id: userId })
        .onConflict((conflict) => conflict.doNothing())
        .returning(['id', 'name', 'created_at', 'last_used_at'])
        .executeTakeFirst();
      if (!row) return undefined;
      const isFirst = !user.has_second_factor;
      if (isFirst) await replaceRecoveryCodes(trx, userId, codeHashes);
      await settleFactor(trx, userId);
      await logActivity(trx, {
        ...{ actorId: userId, userId, type: 'passkey_add', title: row.name },
        ...{ entityType: 'user', entityId: userId },
      });
      return { row, isFirst };
    });
  }

  async byCredential(credential: string): Promise<{ passkey: PasskeyRow; user: UserRow } | undefined> {
    const passkey = await this.#db
      .selectFrom('passkeys')
      .selectAll()
      .where('credential', '=', credential)
      .executeTakeFirst();
    const users = this.#db.selectFrom('users').selectAll();
    const user = passkey && (await users.where('id', '=', passkey.user_id).executeTakeFirst());
    return passkey && user && { passkey, user };
  }

  /** @returns false where the counter of a concurrent login is not behind, or the passkey was removed */
  async recordUse(id: number, counter: number): Promise<boolean> {
    const row = await this.#db
      .updateTable('passkeys')
      .set({ counter, last_used_at: sql<Date>`now()` })
      .where('id', '=', id)
      .where((where) =>
        where.or([where('counter', '<', counter), where.and([where('counter', '=', 0), where.val(counter === 0)])]),
      )
      .returning('id')
      .executeTakeFirst();
    return row !== undefined;
  }

  /** @returns false for one that the user does not have */
  async remove(userId: number, id: number): Promise<boolean> {
    return await this.#db.transaction().execute(async (trx) => {
      await lockTokens(trx, userId);
      const row = await trx
        .deleteFrom('passkeys')
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .returning('name')
        .executeTakeFirst();
      if (!row) return false;
      await settleFactor(trx, userId);
      await logActivity(trx, {
        ...{ actorId: userId, userId, type: 'passkey_remove', title: row.name },
        ...{ entityType: 'user', entityId: userId },
      });
      return true;
    });
  }
}
