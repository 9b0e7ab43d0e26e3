import { randomBytes } from 'node:crypto';
import { type RawBuilder, type Selectable, sql, type Transaction } from 'kysely';
import type { Database } from '../../database/connection/connect.ts';
import type { KeyedHash } from '../../database/keyed-hash.ts';
import type { LoginCookiesTable, Tables } from '../../database/tables.ts';
import { afterAllTokens } from '../../database/token-times.ts';
import { momentOfIssue, type SignedIn, signedIn } from './store.ts';

/** Of one user. A further login removes the cookie that was unused for the longest time. */
const maxCookies = 20;
/** Logins of one user that are refused by their ids. One more ends all logins of the user. */
const maxEndedLogins = 20;
/** Several tabs that start at the same time each replace the cookie once, and their requests can overtake each other for so long. */
const graceSeconds = 30;
/** How many newer cookies than the presented one are recognized. An older cookie is a reused one. */
const maxReplacements = 40;

/** Two random values: the one of the cookie's login, which stays, and the one that each use replaces. */
const form = /^([\w-]{32})\.([\w-]{32,43})$/;

type CookieRow = Selectable<LoginCookiesTable>;

/** What a cookie is exchanged for: a login that continues, and the cookie's next value. */
export type Exchanged = { signedIn: SignedIn; cookie: string };

/**
 * The cookies in which the pages keep logins. A value is used once: its use replaces it by the next one. The next value is derived from it
 * with the service's key, so that a lost answer can be repeated although only hashes are stored. A value that comes back after its
 * successor was used is a sign that two browsers have it, and ends the login. The two exceptions are those of Supabase Auth (`Refresh token
 * reuse`): the direct predecessor of a value that nobody has used, because its answer was lost, and `graceSeconds` for parallel requests.
 */
export class LoginCookieStore {
  readonly #db: Database;
  readonly #hash: KeyedHash;
  readonly #onReuse: (userId: number) => void;
  readonly #expiry: RawBuilder<Date>;

  /**
   * @param hash with the service's secret key
   * @param lifetime seconds from the last use of a cookie to its end
   */
  constructor(
    db: Database,
    { hash, lifetime, onReuse }: { hash: KeyedHash; lifetime: number; onReuse: (userId: number) => void },
  ) {
    this.#db = db;
    this.#hash = hash;
    this.#onReuse = onReuse;
    this.#expiry = sql<Date>`clock_timestamp() + make_interval(secs => ${lifetime})`;
  }

  /** @returns the value of a new cookie for a login, valid for the lifetime after each use */
  async create({ user, login, issuedAt }: SignedIn): Promise<string> {
    const [family, secret] = [random(), random()];
    await this.#db
      .insertInto('login_cookies')
      .values({
        ...{ family_hash: this.#familyHash(family), secret_hash: this.#secretHash(family, secret) },
        ...{ user_id: user.id, login, valid_from: issuedAt, expires_at: this.#expiry },
      })
      .execute();
    await sql`delete from login_cookies where user_id = ${user.id} and family_hash in (
      select family_hash from login_cookies where user_id = ${user.id}
      order by expires_at desc, family_hash offset ${maxCookies})`.execute(this.#db);
    return `${family}.${secret}`;
  }

  /** @returns undefined for a value that is not, or no longer, valid. Its login has ended where it was a reused one */
  async exchange(value: string): Promise<Exchanged | undefined> {
    const [, family, secret] = form.exec(value) ?? [];
    if (family === undefined || secret === undefined) return undefined;
    const { exchanged, reusedBy } = await this.#db.transaction().execute(async (trx) => {
      const cookies = trx.selectFrom('login_cookies').where('family_hash', '=', this.#familyHash(family));
      const owner = await cookies.select('user_id').executeTakeFirst();
      if (!owner) return {};
      // The user first, as whoever ends logins: see `lockTokens`.
      const user = await trx
        .selectFrom('users')
        .selectAll()
        .select(momentOfIssue.as('issued_at'))
        .where('id', '=', owner.user_id)
        .forNoKeyUpdate()
        .executeTakeFirst();
      const cookie = await cookies
        .selectAll()
        .select(sql<boolean>`expires_at <= clock_timestamp()`.as('is_over'))
        .forUpdate()
        .executeTakeFirst();
      if (!user?.is_active || !cookie || cookie.is_over) return {};
      const isLockedOut = user.locked_login !== null && user.locked_login !== cookie.login;
      const current = isLockedOut ? undefined : await this.#currentSecret(trx, cookie, family, secret);
      if (current === undefined) {
        await trx.deleteFrom('login_cookies').where('family_hash', '=', cookie.family_hash).execute();
        if (isLockedOut) return {};
        await endLogin(trx, cookie);
        return { reusedBy: user.id };
      }
      return { exchanged: { signedIn: signedIn(user, cookie.login), cookie: `${family}.${current}` } };
    });
    if (reusedBy !== undefined) this.#onReuse(reusedBy);
    return exchanged;
  }

  async clean(): Promise<void> {
    await this.#db.deleteFrom('login_cookies').where('expires_at', '<=', sql<Date>`now()`).execute();
  }

  /** The secret to continue with, replaced where the presented one is the current one. @returns undefined for a reused one */
  async #currentSecret(
    trx: Transaction<Tables>,
    { family_hash, secret_hash, replacements }: CookieRow,
    family: string,
    presented: string,
  ): Promise<string | undefined> {
    if (this.#secretHash(family, presented) === secret_hash) {
      const next = this.#next(family, presented);
      await trx
        .updateTable('login_cookies')
        .set({
          secret_hash: this.#secretHash(family, next),
          replacements: sql`(array[clock_timestamp()::timestamptz(3)] || replacements)[1:${sql.lit(maxReplacements)}]`,
          expires_at: this.#expiry,
        })
        .where('family_hash', '=', family_hash)
        .execute();
      return next;
    }
    let secret = presented;
    for (let distance = 1; distance <= replacements.length; distance += 1) {
      secret = this.#next(family, secret);
      if (this.#secretHash(family, secret) !== secret_hash) continue;
      // When the successor of the presented one was used.
      const usedAt = replacements[distance - 2];
      return usedAt === undefined || (await this.#isRecent(trx, usedAt)) ? secret : undefined;
    }
    return undefined;
  }

  async #isRecent(trx: Transaction<Tables>, time: Date): Promise<boolean> {
    const { rows } = await sql<{ is_recent: boolean }>`
      select ${time}::timestamptz > clock_timestamp() - make_interval(secs => ${graceSeconds}) as is_recent`.execute(
      trx,
    );
    return rows[0]?.is_recent ?? false;
  }

  #familyHash = (family: string): string => this.#hash(`family of a login cookie ${family}`);
  #secretHash = (family: string, secret: string): string => this.#hash(`login cookie ${family} ${secret}`);
  #next = (family: string, secret: string): string => this.#hash(`login cookie after ${family} ${secret}`);
}

const random = (): string => randomBytes(24).toString('base64url');

/** From now on the tokens of a login are refused. */
export async function endLogin(
  trx: Transaction<Tables>,
  { user_id, login }: Pick<CookieRow, 'user_id' | 'login'>,
): Promise<void> {
  await trx
    .updateTable('users')
    .set({
      ended_logins: sql`case when cardinality(ended_logins) < ${maxEndedLogins} then ended_logins || ${login}::text else '{}' end`,
      tokens_valid_from: sql`case when cardinality(ended_logins) < ${maxEndedLogins} then tokens_valid_from else ${afterAllTokens} end`,
    })
    .where('id', '=', user_id)
    .execute();
}
