import { type Selectable, sql, type Transaction } from 'kysely';
import { type Activity, differences, logActivity } from '../../../database/activity-log.ts';
import { type Database, violatedConstraint } from '../../../database/connection/connect.ts';
import { repeatedTransaction } from '../../../database/connection/deadlocks.ts';
import type { StatementPool } from '../../../database/connection/prepared-statement.ts';
import type { Listed, Page } from '../../../database/lists/keyset.ts';
import {
  type ListedUser,
  type UserFilter,
  type UserOrder,
  UserPages,
  userPage,
  usersAt,
} from '../../../database/lists/user-list.ts';
import { lock } from '../../../database/locks.ts';
import type { ContainersTable, Role, Tables } from '../../../database/tables.ts';
import { afterAllTokens } from '../../../database/token-times.ts';
import { withAddress } from '../../../database/username-of-address.ts';
import { BadRequestError, ConflictError } from '../../../errors.ts';
import { foldName } from '../../../values/username.ts';
import type { LoginThrottle } from '../limits/throttle.ts';
import type { NewUser, UserRow } from '../store.ts';
import { keepResults } from './pseudonym-store.ts';

export type UserChanges = {
  full_name?: string | null;
  email?: string;
  is_active?: boolean;
  role?: Role;
  password_hash?: string;
};
/** A deleted user, with the references to data outside the database. */
export type DeletedUser = {
  user: UserRow;
  containers: Pick<Selectable<ContainersTable>, 'id' | 'uid' | 'name' | 'engine_ref'>[];
  /** The names of their recordings' files. */
  recordingKeys: string[];
};

/** Users, for administrators. Each action is logged in the activity log in the same transaction. */
export class UserAdminStore {
  readonly #db: Database;
  readonly #pages: UserPages;
  readonly #throttle: Pick<LoginThrottle, 'accountPrefix'>;

  constructor(db: Database, pool: StatementPool, throttle: Pick<LoginThrottle, 'accountPrefix'>) {
    this.#db = db;
    this.#pages = new UserPages(pool);
    this.#throttle = throttle;
  }

  async list(filter: UserFilter, page: Page, order: UserOrder): Promise<Listed<ListedUser>> {
    return await (this.#pages.of(filter, page, order) ?? userPage(this.#db, filter, page, order));
  }

  /** All matching users in parts, in the order of their ids. */
  async *parts(filter: UserFilter, size: number): AsyncGenerator<ListedUser[]> {
    for (let last = 0; ; ) {
      const page = { limit: size, offset: 0, cursor: { way: 'after', key: [last] } } as const;
      const { rows, hasNext } = await usersAt(this.#db, filter, page);
      if (rows.length > 0) yield rows;
      if (!hasNext) return;
      last = rows.at(-1)?.id ?? last;
    }
  }

  /** Of these, the usernames and addresses that are taken, in the form of `foldName`. */
  async taken(usernames: string[], emails: string[]): Promise<{ usernames: Set<string>; emails: Set<string> }> {
    const among = (column: 'username' | 'email', texts: string[]) =>
      this.#db
        .selectFrom('users')
        .select(sql.ref<string>(column).as('text'))
        .where(sql`lower(${sql.ref(column)})`, 'in', sql`(select lower(text) from unnest(${texts}::text[]) as text)`)
        .execute();
    const [names, addresses] = await Promise.all([among('username', usernames), among('email', emails)]);
    return {
      usernames: new Set(names.map(({ text }) => foldName(text))),
      emails: new Set(addresses.map(({ text }) => foldName(text))),
    };
  }

  /** Creates all of them or none. @throws BadRequestError when a username or an e-mail address is taken */
  async create(actorId: number, users: readonly NewUser[], type: string): Promise<UserRow[]> {
    return await this.createWith(actorId, users, type, async (_trx, rows) => rows);
  }

  /** The same. @param more is done with the new users in the same transaction */
  async createWith<T>(
    actorId: number | null,
    users: readonly NewUser[],
    type: string,
    more: (trx: Transaction<Tables>, rows: UserRow[]) => Promise<T>,
  ): Promise<T> {
    return await this.#write(async (trx) => await more(trx, await insertUsers(trx, actorId, users, type)));
  }

  /**
   * Deactivating a user or setting a new password signs the user out. One who becomes a student is an assistant in the classes of which
   * the user was an instructor, and loses the test student. What that has outside the database is removed in the background.
   * @returns undefined without such a user
   * @throws BadRequestError when the e-mail address is taken, ConflictError when no administrator would be left
   */
  async update(actorId: number, id: number, type: string, changes: UserChanges): Promise<UserRow | undefined> {
    return await this.#write(async (trx) => {
      // Changes of a role in a class lock the membership before the user.
      const instructed = trx.selectFrom('class_members').where('user_id', '=', id).where('role', '=', 'instructor');
      if (changes.role === 'student') await instructed.select('class_id').orderBy('class_id').forUpdate().execute();
      const before = await lockUser(trx, id);
      if (!before) return undefined;
      if (before.is_pseudonym) throw new ConflictError('conflict', 'A pseudonym can only be deleted');
      if (changes.is_active === false || (changes.role ?? 'admin') !== 'admin') await checkOthers(trx, before);
      const { password_hash, ...shown } = changes;
      const details = differences(before, shown);
      if (!details && password_hash === undefined) return before;
      const isSignedOut = password_hash !== undefined || changes.is_active === false;
      const row = await trx
        .updateTable('users')
        .set({
          ...changes,
          ...withAddress(changes.email),
          ...(isSignedOut ? { tokens_valid_from: afterAllTokens } : {}),
        })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow();
      if (changes.role === 'student' && before.role !== 'student')
        await trx
          .updateTable('class_members')
          .set({ role: 'assistant' })
          .where('user_id', '=', id)
          .where('role', '=', 'instructor')
          .execute();
      if (changes.role === 'student') await this.#remove(trx, [-id]);
      // The user has a password from here on.
      if (password_hash !== undefined) await trx.deleteFrom('invitations').where('user_id', '=', id).execute();
      const reset = password_hash === undefined ? {} : { is_password_reset: true };
      await log(trx, actorId, type, row, { ...details, ...reset });
      return row;
    });
  }

  /**
   * Deletes a user with progress, attempts, recordings, activity and the test student. The user's containers are given up in the same transaction, including
   * those that are still being created. The process that creates one then finds it given up. Results stay under a pseudonym where the settings
   * keep them; the deletion of a pseudonym is final.
   * @param actorId null: the service itself @param isStillDue asked while nothing of the user changes
   * @returns undefined without such a user
   * @throws ConflictError when no administrator would be left
   */
  async delete(
    actorId: number | null,
    id: number,
    isStillDue?: (trx: Transaction<Tables>) => Promise<boolean>,
  ): Promise<DeletedUser | undefined> {
    return await this.#write(async (trx) => {
      const user = await lockUser(trx, id);
      if (!user || (isStillDue && !(await isStillDue(trx)))) return undefined;
      await checkOthers(trx, user);
      await trx
        .deleteFrom('login_throttles')
        .where(sql<boolean>`starts_with(key, ${this.#throttle.accountPrefix({ userId: id })})`)
        .execute();
      const removed = await this.#remove(trx, id > 0 ? [-id, id] : [id], id > 0 && !user.is_pseudonym ? id : undefined);
      // The entry contains no personal data either.
      await logActivity(trx, {
        actorId: actorId === id ? null : actorId,
        type: 'admin_user_delete',
        title: `User ${id}`,
        entityType: 'user',
        entityId: id,
        details: { old: { role: user.role, is_active: user.is_active } },
      });
      return { user, ...removed };
    });
  }

  /** @param kept whose results may stay without a name */
  async #remove(trx: Transaction<Tables>, ids: readonly number[], kept?: number): Promise<Omit<DeletedUser, 'user'>> {
    // From here on no container can be reserved for these users: the insert waits for the lock on its foreign key, and then fails.
    await trx.selectFrom('users').select('id').where('id', 'in', ids).orderBy('id').forUpdate().execute();
    const containers = await trx
      .updateTable('containers')
      .set({ status: 'removing', name: sql<string>`'removing-' || uid` })
      .where('user_id', 'in', ids)
      .where('status', '<>', 'removing')
      .returning(['id', 'uid', 'name', 'engine_ref'])
      .execute();
    const recordingKeys = await takeRecordings(trx, ids);
    if (kept !== undefined) await keepResults(trx, kept);
    await trx.deleteFrom('users').where('id', 'in', ids).execute();
    return { containers, recordingKeys };
  }

  async #write<T>(work: (trx: Transaction<Tables>) => Promise<T>): Promise<T> {
    try {
      return await repeatedTransaction(this.#db, work);
    } catch (error) {
      const constraint = violatedConstraint(error);
      if (constraint === 'users_username') throw new BadRequestError('username_taken', 'Username already registered');
      if (constraint === 'users_email') throw new BadRequestError('email_taken', 'Email already registered');
      throw error;
    }
  }
}

/** Users in one statement. Each has some values, of which a statement takes 65,535. */
const insertedAtOnce = 500;

/** In the order of the given ones. Several that are created in one transaction are so by one transaction at a time. */
async function insertUsers(
  trx: Transaction<Tables>,
  actorId: number | null,
  users: readonly NewUser[],
  type: string,
): Promise<UserRow[]> {
  if (users.length > 1) await lock(trx, 'imported users');
  const created = new Map<string, UserRow>();
  for (let begin = 0; begin < users.length; begin += insertedAtOnce) {
    const part = users
      .slice(begin, begin + insertedAtOnce)
      .map((user) => ({ ...user, full_name: user.full_name ?? null }));
    const rows = await trx.insertInto('users').values(part).returningAll().execute();
    for (const row of rows) created.set(row.username, row);
    await logActivity(
      trx,
      ...rows.map((row) => {
        const { username, email, role, full_name } = row;
        return entryOf(actorId, type, row, { new: { username, email, role, full_name } });
      }),
    );
  }
  return users.map(({ username }) => created.get(username) as UserRow);
}

/** Changes of administrators are serialized: of two who demote each other, the second finds no other administrator. */
async function lockUser(trx: Transaction<Tables>, id: number): Promise<UserRow | undefined> {
  await lock(trx, 'administrators');
  return await trx.selectFrom('users').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

/** @returns the keys of the recordings' files */
async function takeRecordings(trx: Transaction<Tables>, userIds: readonly number[]): Promise<string[]> {
  // Once the attempts are locked no recording can begin: the insert waits for the lock on its foreign key, and then fails.
  const attempts = await trx.selectFrom('attempts').select('id').where('user_id', 'in', userIds).forUpdate().execute();
  if (attempts.length === 0) return [];
  const ids = attempts.map((attempt) => attempt.id);
  const removed = await trx.deleteFrom('recordings').where('attempt_id', 'in', ids).returning('key').execute();
  return removed.map(({ key }) => key);
}

async function checkOthers(trx: Transaction<Tables>, user: UserRow): Promise<void> {
  if (user.role !== 'admin' || !user.is_active) return;
  const other = await trx
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'admin')
    .where('is_active', '=', true)
    .where('id', '<>', user.id)
    .where('id', '>', 0)
    .limit(1)
    .executeTakeFirst();
  if (!other) throw new ConflictError('last_administrator', 'This is the last administrator');
}

async function log(
  trx: Transaction<Tables>,
  actorId: number,
  type: string,
  row: UserRow,
  details: Record<string, unknown>,
): Promise<void> {
  await logActivity(trx, entryOf(actorId, type, row, details));
}

const entryOf = (
  actorId: number | null,
  type: string,
  { id, username }: UserRow,
  details: Record<string, unknown>,
): Activity => ({ actorId, type, title: username, entityType: 'user', entityId: id, userId: id, details });
