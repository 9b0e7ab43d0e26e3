import { type Selectable, sql } from 'kysely';
import { logActivity } from '../../database/activity-log.ts';
import { type Database, violatedConstraint } from '../../database/connection/connect.ts';
import { repeatedTransaction } from '../../database/connection/deadlocks.ts';
import { isLockedDown } from '../../database/held-attempts.ts';
import type { Role, UsersTable } from '../../database/tables.ts';
import { afterAllTokens } from '../../database/token-times.ts';
import { BadRequest } from '../../errors.ts';
import { takeUseOfCode } from './registration-code-store.ts';

export type UserRow = Selectable<UsersTable>;
export type NewUser = {
  username: string;
  email: string;
  password_hash: string;
  role: Role;
  full_name?: string | null;
};

/**
 * A user who gets a token, and the token's time of issue. The time is from the database's clock, because the processes' clocks may differ.
 */
export type SignedIn = { user: UserRow; issuedAt: Date };

/** A user as of the authentication. Each end of the user's sessions moves `tokens_valid_from`. */
type SeenUser = Pick<UserRow, 'id' | 'tokens_valid_from'>;

const usernameTaken = () => new BadRequest('username_taken', 'Username already registered');
const emailTaken = () => new BadRequest('email_taken', 'Email already registered');

/** A valid time of issue for a token, even just after all earlier tokens were revoked. */
const momentOfIssue = sql<Date>`greatest(date_trunc('milliseconds', clock_timestamp()), tokens_valid_from)`;

const signedIn = (row: (UserRow & { issued_at: Date }) | undefined): SignedIn | undefined => {
  if (!row) return undefined;
  const { issued_at: issuedAt, ...user } = row;
  return { user, issuedAt };
};

/** Users, with the fields that authentication needs. */
export class UserStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async byId(id: number): Promise<UserRow | undefined> {
    return await this.#db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
  }

  /** @param login a username or an e-mail address, case-insensitive */
  async byLogin(login: string): Promise<UserRow | undefined> {
    const name = login.toLowerCase();
    return await this.#db
      .selectFrom('users')
      .selectAll()
      .where(({ or, eb, fn }) => or([eb(fn('lower', ['username']), '=', name), eb(fn('lower', ['email']), '=', name)]))
      // A username may look like another user's address. The user with that username comes first.
      .orderBy(sql`lower(username) = ${name}`, 'desc')
      .limit(1)
      .executeTakeFirst();
  }

  async hasAnyUser(): Promise<boolean> {
    return (await this.#db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined;
  }

  /**
   * Two concurrent calls can both succeed. `create` makes the final decision.
   * @throws BadRequest when the username or the e-mail address is taken
   */
  async checkFree(username: string, email: string): Promise<void> {
    const { rows } = await sql<{ is_name: boolean; is_email: boolean }>`
      select exists (select from users where lower(username) = ${username.toLowerCase()}) as is_name,
        exists (select from users where lower(email) = ${email.toLowerCase()}) as is_email`.execute(this.#db);
    if (rows[0]?.is_name) throw usernameTaken();
    if (rows[0]?.is_email) throw emailTaken();
  }

  /**
   * Writes the user and its entry in the activity log.
   * @param code a registration code, which is used once in the same transaction
   * @throws BadRequest when the username or the e-mail address is taken, Forbidden when the code is not valid
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
   * @returns undefined for a user who may not log in, or whose password has changed since, or whose login is locked
   */
  async recordLogin({ id, password_hash }: Pick<UserRow, 'id' | 'password_hash'>): Promise<SignedIn | undefined> {
    const row = await this.#db
      .updateTable('users')
      .set({
        last_login_at: sql<Date>`now()`,
        login_locked_at: sql<Date | null>`case when ${isLockedDown(sql.ref('users.id'))} then ${momentOfIssue} end`,
      })
      .where('id', '=', id)
      .where('password_hash', '=', password_hash)
      .where('is_active', '=', true)
      .where('login_locked_at', 'is', null)
      .returningAll()
      .returning(sql<Date>`coalesce(login_locked_at, ${momentOfIssue})`.as('issued_at'))
      .executeTakeFirst();
    return signedIn(row);
  }

  /** Whether an exam runs in another login. */
  async isLocked(id: number): Promise<boolean> {
    const user = this.#db.selectFrom('users').select('id').where('id', '=', id);
    return (await user.where('login_locked_at', 'is not', null).executeTakeFirst()) !== undefined;
  }

  /** For another token of a signed-in user. @returns undefined where tokens were revoked since this row was read */
  async stillSignedIn({ id, tokens_valid_from }: SeenUser): Promise<SignedIn | undefined> {
    const row = await this.#db
      .selectFrom('users')
      .selectAll()
      .select(momentOfIssue.as('issued_at'))
      .where('id', '=', id)
      .where('is_active', '=', true)
      .where('tokens_valid_from', '=', tokens_valid_from)
      .executeTakeFirst();
    return signedIn(row);
  }

  /** Revokes every token issued until now. */
  async signOut(id: number): Promise<void> {
    await this.#db.updateTable('users').set({ tokens_valid_from: afterAllTokens }).where('id', '=', id).execute();
  }

  /**
   * Sets the password and revokes every token issued until now.
   * @returns undefined without a change where tokens were revoked since this row was read
   */
  async setPassword({ id, tokens_valid_from }: SeenUser, password_hash: string): Promise<SignedIn | undefined> {
    const row = await this.#db
      .updateTable('users')
      .set({ password_hash, tokens_valid_from: afterAllTokens })
      .where('id', '=', id)
      .where('is_active', '=', true)
      .where('tokens_valid_from', '=', tokens_valid_from)
      .returningAll()
      .returning(momentOfIssue.as('issued_at'))
      .executeTakeFirst();
    return signedIn(row);
  }
}
