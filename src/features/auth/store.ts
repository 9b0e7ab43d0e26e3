import { type ExpressionBuilder, type Selectable, sql } from 'kysely';
import { logActivity } from '../../database/activity-log.ts';
import { isLockedDown, statusSql } from '../../database/attempt-status.ts';
import { type Database, violatedConstraint } from '../../database/connection/connect.ts';
import { repeatedTransaction } from '../../database/connection/deadlocks.ts';
import { hasEmail } from '../../database/lists/user-choice.ts';
import type { Role, Tables, UsersTable } from '../../database/tables.ts';
import { afterAllTokens, lockTokens } from '../../database/token-times.ts';
import { BadRequestError } from '../../errors.ts';
import { normalName } from '../../values/username.ts';
import { takeUseOfCode } from './registration/code-store.ts';
import { isRequired } from './second-factor/store.ts';

export type UserRow = Selectable<UsersTable>;
export type NewUser = {
  username: string;
  email: string;
  password_hash: string;
  role: Role;
  full_name?: string | null;
};

/**
 * A user who gets a token, the id of the token's login, and its time of issue. The time is from the database's clock, because the processes'
 * clocks may differ.
 */
export type SignedIn = { user: UserRow; login: string; issuedAt: Date };

/** A user and a login as of the authentication. Each end of the user's logins moves `tokens_valid_from`. */
export type SeenUser = Pick<UserRow, 'id' | 'tokens_valid_from'> & { login: string };

const usernameTaken = () => new BadRequestError('username_taken', 'Username already registered');
const emailTaken = () => new BadRequestError('email_taken', 'Email already registered');

/** A valid time of issue for a token, even just after all earlier tokens were revoked. */
export const momentOfIssue = sql<Date>`greatest(date_trunc('milliseconds', clock_timestamp()), tokens_valid_from)`;

export const signedIn = ({ issued_at: issuedAt, ...user }: UserRow & { issued_at: Date }, login: string): SignedIn => ({
  user,
  login,
  issuedAt,
});

/** Users, with the fields that authentication needs. */
export class UserStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async byId(id: number): Promise<UserRow | undefined> {
    return await this.#db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
  }

  /** For the check of requests: `mustSetUp` a second factor, which the installation requires of the role. */
  async known(id: number): Promise<(UserRow & { mustSetUp: boolean }) | undefined> {
    return await this.#db
      .selectFrom('users')
      .selectAll()
      .select(sql<boolean>`not has_second_factor and ${isRequired}`.as('mustSetUp'))
      .where('id', '=', id)
      .executeTakeFirst();
  }

  /** @param login a username or an e-mail address, case-insensitive */
  async byLogin(login: string): Promise<UserRow | undefined> {
    const name = normalName(login);
    return await this.#db
      .selectFrom('users')
      .selectAll()
      .where(sql<boolean>`(lower(username) = lower(${name}) or ${hasEmail(name)})`)
      .where('id', '>', 0)
      // A username with an at sign is the address of the same account.
      .orderBy(sql`lower(username) = lower(${name})`, 'desc')
      .limit(1)
      .executeTakeFirst();
  }

  async hasAnyUser(): Promise<boolean> {
    return (await this.#db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined;
  }

  /**
   * Two concurrent calls can both succeed. `create` makes the final decision.
   * @throws BadRequestError when the username or the e-mail address is taken
   */
  async checkFree(username: string, email: string): Promise<void> {
    const { rows } = await sql<{ is_name: boolean; is_email: boolean }>`
      select exists (select from users where lower(username) = lower(${username})) as is_name,
        exists (select from users where ${hasEmail(email)}) as is_email`.execute(this.#db);
    if (rows[0]?.is_name) throw usernameTaken();
    if (rows[0]?.is_email) throw emailTaken();
  }

  /**
   * Writes the user and its entry in the activity log.
   * @param code a registration code, which is used once in the same transaction
   * @throws BadRequestError when the username or the e-mail address is taken, ForbiddenError when the code is not valid
   */
  async create(user: NewUser, code?: string): Promise<UserRow> {
    try {
      return await repeatedTransaction(this.#db, async (trx) => {
        const row = await trx.insertInto('users').values(user).returningAll().executeTakeFirstOrThrow();
        const codeId = code === undefined ? undefined : await takeUseOfCode(trx, code);
        await logActivity(trx, {
          ...{ actorId: row.id, userId: row.id, type: 'register', title: row.username },
          ...{ entityType: 'user', entityId: row.id },
          details: codeId === undefined ? undefined : { registration_code_id: codeId },
        });
        return row;
      });
    } catch (error) {
      const constraint = violatedConstraint(error);
      if (constraint === 'users_username') throw usernameTaken();
      if (constraint === 'users_email') throw emailTaken();
      throw error;
    }
  }

  /**
   * During an exam that allows one login, a login after its release locks the others out again.
   * @param login the id of the new login
   * @returns undefined for a user who may not log in, or whose password has changed since, or whose login is locked
   */
  async recordLogin(
    { id, password_hash }: Pick<UserRow, 'id' | 'password_hash'>,
    login: string,
  ): Promise<SignedIn | undefined> {
    const row = await this.#db
      .updateTable('users')
      .set({
        last_login_at: sql<Date>`now()`,
        locked_login: sql<string | null>`case when ${isLockedDown(sql.ref('users.id'))} then ${login} end`,
      })
      .where('id', '=', id)
      .where('password_hash', '=', password_hash)
      .where('is_active', '=', true)
      .where('locked_login', 'is', null)
      .returningAll()
      .returning(momentOfIssue.as('issued_at'))
      .executeTakeFirst();
    return row && signedIn(row, login);
  }

  /** @returns whether an exam runs in another login. Its supervisors then see that this one was refused */
  async reportLocked(id: number): Promise<boolean> {
    const user = this.#db.selectFrom('users').select('id').where('id', '=', id);
    if (!(await user.where('locked_login', 'is not', null).executeTakeFirst())) return false;
    await this.#db
      .updateTable('attempts')
      .set({ login_refused_at: sql<Date>`now()` })
      .where('user_id', '=', id)
      .where('is_locked_down', '=', true)
      .where(statusSql.isUnfinished())
      .execute();
    return true;
  }

  /**
   * For another token of a login.
   * @returns undefined where its tokens were revoked since the user was read, or an exam has locked it out
   */
  async stillSignedIn(seen: SeenUser): Promise<SignedIn | undefined> {
    const row = await this.#db
      .selectFrom('users')
      .selectAll()
      .select(momentOfIssue.as('issued_at'))
      .where(isSignedIn(seen))
      // After a change of the user that has begun, and before the next one: see `lockTokens`.
      .forShare()
      .executeTakeFirst();
    return row && signedIn(row, seen.login);
  }

  /** Revokes every token issued until now, unless an exam has locked the caller's login out. */
  async signOut(seen: SeenUser): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      await lockTokens(trx, seen.id);
      await trx.updateTable('users').set({ tokens_valid_from: afterAllTokens }).where(isSignedIn(seen)).execute();
    });
  }

  /**
   * Sets the password and revokes every token issued until now. The caller's cookie stays valid, those of other logins do not.
   * @returns undefined without a change where tokens were revoked since the user was read, or an exam has locked the caller's login out
   */
  async setPassword(seen: SeenUser, password_hash: string): Promise<SignedIn | undefined> {
    return await this.#db.transaction().execute(async (trx) => {
      await lockTokens(trx, seen.id);
      const user = trx.selectFrom('users').select(afterAllTokens.as('moment')).where(isSignedIn(seen));
      const valid_from = (await user.executeTakeFirst())?.moment;
      if (!valid_from) return undefined;
      await trx
        .updateTable('login_cookies')
        .set({ valid_from })
        .where('user_id', '=', seen.id)
        .where('login', '=', seen.login)
        .execute();
      await trx
        .updateTable('logins')
        .set({ valid_from })
        .where('user_id', '=', seen.id)
        .where('login', '=', seen.login)
        .execute();
      const row = await trx
        .updateTable('users')
        .set({ password_hash, tokens_valid_from: valid_from })
        .where(isSignedIn(seen))
        .returningAll()
        .returning(momentOfIssue.as('issued_at'))
        .executeTakeFirst();
      return row && signedIn(row, seen.login);
    });
  }
}

/** Whether a login that was valid before still is. */
const isSignedIn =
  ({ id, tokens_valid_from, login }: SeenUser) =>
  ({ and, or, eb }: ExpressionBuilder<Tables, 'users'>) =>
    and([
      eb('id', '=', id),
      eb('is_active', '=', true),
      eb('tokens_valid_from', '=', tokens_valid_from),
      or([eb('locked_login', 'is', null), eb('locked_login', '=', login)]),
      sql<boolean>`not ${login} = any(ended_logins)`,
    ]);
