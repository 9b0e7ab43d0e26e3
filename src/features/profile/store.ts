import { type Selectable, sql } from 'kysely';
import { type Database, violatedConstraint } from '../../database/connection/connect.ts';
import type { UsersTable } from '../../database/tables.ts';
import { withAddress } from '../../database/username-of-address.ts';
import { BadRequestError } from '../../errors.ts';

const columns = [
  'id',
  'username',
  'email',
  'role',
  'full_name',
  'bio',
  'avatar_key',
  'password_hash',
  'is_active',
  'created_at',
  'last_login_at',
] as const;

export type ProfileRow = Pick<Selectable<UsersTable>, (typeof columns)[number]>;
/** Omitted fields stay unchanged. */
export type ProfileChanges = { full_name?: string | null; email?: string; bio?: string };

/** Users' own profiles. */
export class ProfileStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async byId(id: number): Promise<ProfileRow | undefined> {
    return await this.#db.selectFrom('users').select(columns).where('id', '=', id).executeTakeFirst();
  }

  /** @returns undefined when the user no longer exists. @throws BadRequestError when the e-mail address is taken */
  async update(id: number, changes: ProfileChanges): Promise<ProfileRow | undefined> {
    if (Object.keys(changes).length === 0) return await this.byId(id);
    try {
      return await this.#db
        .updateTable('users')
        .set({ ...changes, ...withAddress(changes.email) })
        .where('id', '=', id)
        .returning(columns)
        .executeTakeFirst();
    } catch (error) {
      if (violatedConstraint(error) === 'users_email')
        throw new BadRequestError('email_taken', 'Email already registered');
      throw error;
    }
  }

  /**
   * Each of several concurrent changes gets the key that it replaced, so that every file is removed.
   * @returns undefined when the user no longer exists
   */
  async replaceAvatarKey(
    id: number,
    avatar_key: string | null,
  ): Promise<{ profile: ProfileRow; replaced: string | null } | undefined> {
    return await this.#db.transaction().execute(async (trx) => {
      const before = await trx
        .selectFrom('users')
        .select('avatar_key')
        .where('id', '=', id)
        .forUpdate()
        .executeTakeFirst();
      if (!before) return undefined;
      const changed = trx.updateTable('users').set({ avatar_key }).where('id', '=', id).returning(columns);
      return { profile: await changed.executeTakeFirstOrThrow(), replaced: before.avatar_key };
    });
  }

  /** Of these keys, those of no user and not that of the logo. */
  async unusedKeys(keys: readonly string[]): Promise<string[]> {
    const { rows } = await sql<{ key: string }>`
      select key from unnest(${keys}::text[]) as key
      where not exists (select from users where avatar_key = key) and not exists (select from site where logo_key = key)
    `.execute(this.#db);
    return rows.map(({ key }) => key);
  }
}
