import { sql } from 'kysely';
import type { Database } from '../../database/connection/connect.ts';
import { lockTokens } from '../../database/token-times.ts';
import { endLogin } from './login-cookie-store.ts';
import type { SignedIn } from './store.ts';

/** Of one user. A program that logs in for each request has as many; the oldest are listed no more. */
const maxLogins = 100;

/** Where a request comes from. */
export type Client = { device: string; address: string };
export type Login = {
  id: number;
  login: string;
  device: string;
  address: string;
  created_at: Date;
  last_used_at: Date;
  expires_at: Date;
};

/** The logins of users, which they see and end one by one. */
export class LoginStore {
  readonly #db: Database;
  readonly #lifetime: number;

  /** @param lifetime seconds of a token */
  constructor(db: Database, lifetime: number) {
    this.#db = db;
    this.#lifetime = lifetime;
  }

  /** A login gets a token, its first or another one. */
  async record({ user, login, issuedAt }: SignedIn, client: Client): Promise<void> {
    const seen = {
      ...{ ...client, valid_from: issuedAt, last_used_at: sql<Date>`now()` },
      expires_at: sql<Date>`now() + make_interval(secs => ${this.#lifetime})`,
    };
    const written = await this.#db
      .insertInto('logins')
      .values({ ...seen, user_id: user.id, login })
      .onConflict((of) => of.column('login').doUpdateSet(seen).where('logins.user_id', '=', user.id))
      .returning(sql<boolean>`created_at = last_used_at`.as('is_new'))
      .executeTakeFirst();
    if (!written?.is_new) return;
    await sql`delete from logins where user_id = ${user.id} and id in (
      select id from logins where user_id = ${user.id} order by last_used_at desc, id desc offset ${maxLogins})`.execute(
      this.#db,
    );
  }

  /** Those of which a token can be valid, the one that was used last first. */
  async list(userId: number): Promise<Login[]> {
    return await this.#db
      .selectFrom('logins')
      .innerJoin('users', 'users.id', 'logins.user_id')
      .select(['logins.id', 'login', 'device', 'address', 'logins.created_at', 'last_used_at', 'expires_at'])
      .where('user_id', '=', userId)
      .where('expires_at', '>', sql<Date>`now()`)
      .whereRef('valid_from', '>=', sql<Date>`tokens_valid_from`)
      .where(sql<boolean>`not login = any(ended_logins)`)
      .orderBy('last_used_at', 'desc')
      .orderBy('logins.id', 'desc')
      .execute();
  }

  /** Whether a login was made with password, passkey or provider within the last minutes; refreshed tokens do not make it younger. */
  async isRecent(userId: number, login: string, minutes: number): Promise<boolean> {
    const row = await this.#db
      .selectFrom('logins')
      .select('id')
      .where('user_id', '=', userId)
      .where('login', '=', login)
      .where('created_at', '>', sql<Date>`now() - make_interval(mins => ${minutes})`)
      .executeTakeFirst();
    return row !== undefined;
  }

  /** From then on its tokens and its cookie are refused. @returns false for one that the user does not have */
  async end(userId: number, id: number): Promise<boolean> {
    return await this.#db.transaction().execute(async (trx) => {
      await lockTokens(trx, userId);
      const ended = await trx
        .deleteFrom('logins')
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .returning(['user_id', 'login'])
        .executeTakeFirst();
      if (!ended) return false;
      await trx.deleteFrom('login_cookies').where('user_id', '=', userId).where('login', '=', ended.login).execute();
      await endLogin(trx, ended);
      return true;
    });
  }

  async clean(): Promise<void> {
    await this.#db.deleteFrom('logins').where('expires_at', '<=', sql<Date>`now()`).execute();
  }
}
