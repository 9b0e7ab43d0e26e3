import { sql, type Transaction } from 'kysely';
import { logActivity } from '../../../database/activity-log.ts';
import type { Database } from '../../../database/connection/connect.ts';
import type { KeyedHash } from '../../../database/keyed-hash.ts';
import { hasEmail } from '../../../database/lists/user-choice.ts';
import type { Tables } from '../../../database/tables.ts';
import { afterAllTokens } from '../../../database/token-times.ts';
import { BadRequestError } from '../../../errors.ts';
import type { UserRow } from '../store.ts';

/** A user's address, with whether it was confirmed. */
export type AddressState = { email: string; status: 'given' | 'unconfirmed' | 'confirmed' };
type Purpose = 'password' | 'address';

export const invalidToken = (): BadRequestError =>
  new BadRequestError('invalid_token', 'The link is not valid, or it was used, replaced or has expired');

/** Links that are sent by mail: for a new password, and to confirm an address. Of a token only a keyed hash is stored. */
export class PasswordResetStore {
  readonly #db: Database;
  readonly #hash: KeyedHash;

  constructor(db: Database, hash: KeyedHash) {
    this.#db = db;
    this.#hash = hash;
  }

  /** The active user with an address. Never a test student. */
  async byEmail(email: string): Promise<Pick<UserRow, 'id' | 'email'> | undefined> {
    return await this.#db
      .selectFrom('users')
      .select(['id', 'email'])
      .where(hasEmail(email))
      .where('is_active', '=', true)
      .where('id', '>', 0)
      .executeTakeFirst();
  }

  /**
   * Adds a token for the present address of a user, which waits for its confirmation from then on if it is about that. Earlier tokens stay
   * valid, because their mails can arrive later.
   * @returns when it ends @throws BadRequestError where the user is gone
   */
  async add(purpose: Purpose, userId: number, token: string, minutes: number): Promise<Date> {
    if (purpose === 'address') await this.expectAddress(userId);
    const { rows } = await sql<{ expires_at: Date }>`
      insert into mail_tokens (token_hash, user_id, purpose, email, expires_at)
      select ${this.#hashOf(purpose, token)}, id, ${purpose}, email, now() + make_interval(mins => ${minutes})
      from users where id = ${userId} returning expires_at`.execute(this.#db);
    if (!rows[0]) throw invalidToken();
    return rows[0].expires_at;
  }

  async isValid(token: string): Promise<boolean> {
    const { rows } = await sql`select ${this.#userOf('password', token)}`.execute(this.#db);
    return rows.length > 0 && Object.values(rows[0] as object)[0] !== null;
  }

  /**
   * Sets the password, once, and revokes every token of the user; the trigger of the table ends its other links. Whoever has got the mail
   * has the address. @returns undefined where it is not valid any more
   */
  async use(token: string, password_hash: string): Promise<UserRow | undefined> {
    return await this.#db.transaction().execute(async (trx) => {
      // The user before the token, as all that changes a password.
      const { rows } = await sql<{ id: number; email: string }>`select id, email from users
        where id = ${this.#userOf('password', token)} for update`.execute(trx);
      const user = rows[0];
      if (!user || !(await this.#take(trx, 'password', token, user.email))) return undefined;
      const row = await trx
        .updateTable('users')
        .set({ password_hash, tokens_valid_from: afterAllTokens })
        .where('id', '=', user.id)
        .where('is_active', '=', true)
        .returningAll()
        .executeTakeFirst();
      if (!row) throw invalidToken();
      await trx.deleteFrom('invitations').where('user_id', '=', row.id).execute();
      await confirm(trx, row);
      await logActivity(trx, {
        ...{ actorId: row.id, userId: row.id, type: 'password_reset', title: row.username },
        ...{ entityType: 'user', entityId: row.id },
      });
      return row;
    });
  }

  /** @returns whether the token was valid, and its address is still that of the user */
  async confirmAddress(token: string): Promise<boolean> {
    return await this.#db.transaction().execute(async (trx) => {
      const { rows } = await sql<Pick<UserRow, 'id' | 'email'>>`select id, email from users
        where id = ${this.#userOf('address', token)} for update`.execute(trx);
      const user = rows[0];
      if (!user || !(await this.#take(trx, 'address', token, user.email))) return false;
      await confirm(trx, user);
      return true;
    });
  }

  /** Notes that the present address of a user has to be confirmed, unless it was. */
  async expectAddress(userId: number): Promise<void> {
    await sql`insert into address_checks as checked (user_id, email) select id, email from users where id = ${userId}
      on conflict (user_id) do update set email = excluded.email, verified_at = null
        where lower(checked.email) <> lower(excluded.email)`.execute(this.#db);
  }

  async addressOf(userId: number): Promise<AddressState | undefined> {
    const { rows } = await sql<AddressState>`select users.email,
        case when checked.user_id is null then 'given' when verified_at is null then 'unconfirmed' else 'confirmed' end as status
      from users left join address_checks as checked on checked.user_id = users.id and lower(checked.email) = lower(users.email)
      where users.id = ${userId}`.execute(this.#db);
    return rows[0];
  }

  /** The language of the last login. */
  async noteLanguage(userId: number, language: 'en' | 'de' | 'ru'): Promise<void> {
    await sql`insert into notification_settings as own (user_id, language) values (${userId}, ${language})
      on conflict (user_id) do update set language = excluded.language
        where own.language is distinct from excluded.language`.execute(this.#db);
  }

  #userOf(purpose: Purpose, token: string) {
    return sql`(select user_id from mail_tokens where token_hash = ${this.#hashOf(purpose, token)} and purpose = ${purpose}
      and expires_at > now())`;
  }

  async #take(trx: Transaction<Tables>, purpose: Purpose, token: string, email: string): Promise<boolean> {
    const { rows } =
      await sql`delete from mail_tokens where token_hash = ${this.#hashOf(purpose, token)} and purpose = ${purpose}
      and expires_at > now() and lower(email) = lower(${email}) returning 1`.execute(trx);
    return rows.length > 0;
  }

  #hashOf(purpose: Purpose, token: string): string {
    return this.#hash(`mail ${purpose} ${token}`);
  }
}

async function confirm(trx: Transaction<Tables>, { id, email }: Pick<UserRow, 'id' | 'email'>): Promise<void> {
  await sql`insert into address_checks (user_id, email, verified_at) values (${id}, ${email}, now())
    on conflict (user_id) do update set email = excluded.email, verified_at = excluded.verified_at`.execute(trx);
}
