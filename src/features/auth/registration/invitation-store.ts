import { sql, type Transaction } from 'kysely';
import { logActivity } from '../../../database/activity-log.ts';
import type { Database } from '../../../database/connection/connect.ts';
import type { KeyedHash } from '../../../database/keyed-hash.ts';
import type { Tables } from '../../../database/tables.ts';
import { afterAllTokens } from '../../../database/token-times.ts';
import { newCode, normalCode } from '../../../database/typed-codes.ts';
import { ForbiddenError } from '../../../errors.ts';
import { endOfNobody } from '../../../values/no-password.ts';
import type { UserRow } from '../store.ts';

export type Invited = Pick<UserRow, 'id' | 'username' | 'email' | 'full_name'>;
/** A code, which is shown only once. */
export type Invitation = Invited & { code: string; expires_at: Date };

export const wrongInvitation = (): ForbiddenError =>
  new ForbiddenError('wrong_invitation', 'The invitation is not valid');

/** Minutes for which it is tried to send one: within three days somebody sees that the mail server is away. */
const maxMinutesOfMail = 3 * 1440;

/** Sends invitations by mail, where that is on. */
export type InvitationMail = {
  ask: (
    trx: Transaction<Tables>,
    kind: 'invitation',
    mails: readonly { userId: number; secret: string; minutes: number; content: { until: string } }[],
  ) => Promise<void>;
};

/** Invitations of users who have no password yet. Of a code, only a keyed hash is stored. */
export class InvitationStore {
  readonly #db: Database;
  readonly #hash: KeyedHash;
  readonly #days: number;
  readonly #mail: InvitationMail;

  /** @param days for which a code is valid */
  constructor(db: Database, hash: KeyedHash, days: number, mail: InvitationMail) {
    this.#db = db;
    this.#hash = hash;
    this.#days = days;
    this.#mail = mail;
  }

  /** Notes in the transaction that creates users that they have no password. Their codes are issued later. */
  async expect(trx: Transaction<Tables>, userIds: readonly number[], importId: number | null): Promise<void> {
    if (userIds.length === 0) return;
    await sql`insert into invitations (user_id, import_id)
      select id, ${importId}::integer from unnest(${[...userIds]}::integer[]) as id`.execute(trx);
  }

  /**
   * Issues codes in the transaction that creates users without a password, or for users who have not used theirs: earlier codes are not
   * valid from then on.
   */
  async issue(trx: Transaction<Tables>, users: readonly Invited[]): Promise<Invitation[]> {
    const issued = users.map((user) => ({ ...user, code: newCode() }));
    const ids = issued.map(({ id }) => id);
    const hashes = issued.map(({ code }) => this.#hash(`invitation ${code}`));
    const { rows } = await sql<{ user_id: number; expires_at: Date }>`
      insert into invitations (user_id, code_hash, expires_at)
      select user_id, code_hash, now() + make_interval(days => ${this.#days})
      from unnest(${ids}::integer[], ${hashes}::text[]) as issued (user_id, code_hash)
      on conflict (user_id) do update set code_hash = excluded.code_hash, expires_at = excluded.expires_at
      returning user_id, expires_at`.execute(trx);
    const ends = new Map(rows.map((row) => [row.user_id, row.expires_at]));
    const invitations = issued.map((one) => ({ ...one, expires_at: ends.get(one.id) as Date }));
    const mails = invitations.map(({ id: userId, code: secret, expires_at }) => ({
      ...{ userId, secret, minutes: maxMinutesOfMail, content: { until: expires_at.toISOString() } },
    }));
    await this.#mail.ask(trx, 'invitation', mails);
    return invitations;
  }

  /** Issues a code for one user, who keeps a password until it is used. @returns undefined without such a user */
  async issueFor(actorId: number, userId: number): Promise<Invitation | undefined> {
    return await this.#db.transaction().execute(async (trx) => {
      const user = await trx
        .selectFrom('users')
        .select(['id', 'username', 'email', 'full_name'])
        .where('id', '=', userId)
        .forUpdate()
        .executeTakeFirst();
      if (!user) return undefined;
      const [invitation] = await this.issue(trx, [user]);
      await logActivity(trx, {
        ...{ actorId, userId, type: 'admin_user_invite', title: user.username },
        ...{ entityType: 'user', entityId: userId },
      });
      return invitation;
    });
  }

  /**
   * Issues another code for a user who was created without a password and has set none: whoever issues it could log in as the user.
   * @returns undefined for others
   */
  async issueFirst(trx: Transaction<Tables>, userId: number): Promise<Invitation | undefined> {
    const user = await trx
      .selectFrom('users')
      .select(['id', 'username', 'email', 'full_name'])
      .where('id', '=', userId)
      .where('role', '=', 'student')
      .where('password_hash', 'like', `%${endOfNobody}`)
      // One who logs in through an identity provider has no password either.
      .where('last_login_at', 'is', null)
      .forUpdate()
      .executeTakeFirst();
    return user && (await this.issue(trx, [user]))[0];
  }

  /** Issues codes for the users of an import who have none or have not used theirs. */
  async issueForImport(importId: number): Promise<Invitation[]> {
    return await this.#db.transaction().execute(async (trx) => {
      const users = await trx
        .selectFrom('invitations')
        .innerJoin('users', 'users.id', 'invitations.user_id')
        .select(['users.id', 'username', 'email', 'full_name'])
        .where('import_id', '=', importId)
        .orderBy('users.id')
        .forUpdate('invitations')
        .execute();
      return users.length === 0 ? [] : await this.issue(trx, users);
    });
  }

  /** The user whom a valid code invites. */
  async find(typed: string): Promise<UserRow | undefined> {
    return await this.#db
      .selectFrom('users')
      .selectAll()
      .where('id', 'in', this.#valid(this.#db, typed))
      .where('is_active', '=', true)
      .executeTakeFirst();
  }

  /** Uses a code once, and revokes every token that the user has. @returns undefined where it is not valid any more */
  async use(typed: string, password_hash: string): Promise<UserRow | undefined> {
    return await this.#db.transaction().execute(async (trx) => {
      // The user before the invitation, as administrators who set a password.
      const user = trx.selectFrom('users').select('id').where('id', 'in', this.#valid(trx, typed)).forUpdate();
      if (!(await user.executeTakeFirst())) return undefined;
      const used = await trx
        .deleteFrom('invitations')
        .where('code_hash', '=', this.#hashOf(typed))
        .where('expires_at', '>', sql<Date>`now()`)
        .returning('user_id')
        .executeTakeFirst();
      if (!used) return undefined;
      const row = await trx
        .updateTable('users')
        .set({ password_hash, tokens_valid_from: afterAllTokens })
        .where('id', '=', used.user_id)
        .where('is_active', '=', true)
        .returningAll()
        .executeTakeFirst();
      if (!row) throw wrongInvitation();
      const { id, username: title } = row;
      await logActivity(trx, {
        ...{ actorId: id, userId: id, type: 'invitation_accept', title },
        ...{ entityType: 'user', entityId: id },
      });
      return row;
    });
  }

  #valid(db: Database, typed: string) {
    const query = db.selectFrom('invitations').select('user_id').where('code_hash', '=', this.#hashOf(typed));
    return query.where('expires_at', '>', sql<Date>`now()`);
  }

  #hashOf(typed: string): string {
    return this.#hash(`invitation ${normalCode(typed)}`);
  }
}
