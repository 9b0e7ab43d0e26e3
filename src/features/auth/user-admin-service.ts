import { randomBytes } from 'node:crypto';
import type { Role } from '../../database/tables.ts';
import { found, Invalid } from '../../errors.ts';
import type { Caller } from '../../http/access.ts';
import type { Page } from '../../http/paging.ts';
import type { Passwords } from './passwords.ts';
import type { AuthService } from './service.ts';
import type { UserRow, UserStore } from './store.ts';
import type { DeletedUser, UserAdminStore, UserChanges } from './user-admin-store.ts';
import { csvLine, lineItem, parseUsers } from './user-csv.ts';

export type UserAdminParts = {
  store: UserAdminStore;
  users: Pick<UserStore, 'byId'>;
  passwords: Passwords;
  auth: Pick<AuthService, 'forget'>;
  /** Removes a deleted user's data outside the database: containers in the background, picture and recordings before the answer. */
  clearAfter: (deleted: DeletedUser) => Promise<void>;
};

type UserFilter = Parameters<UserAdminStore['list']>[0];
export type UserFields = { username: string; email: string; password: string; role: Role; full_name?: string | null };
export type ImportedUser = { user: UserRow; generatedPassword: string | null };

const exportColumns = [
  'id',
  'username',
  'email',
  'full_name',
  'role',
  'is_active',
  'created_at',
  'last_login_at',
] as const;
const exportBatch = 1000;

/** Users, for administrators. */
export class UserAdminService {
  readonly #parts: UserAdminParts;

  constructor(parts: UserAdminParts) {
    this.#parts = parts;
  }

  async list(filter: UserFilter, page: Page): ReturnType<UserAdminStore['list']> {
    return await this.#parts.store.list(filter, page);
  }

  /** @throws NotFound */
  async get(id: number): Promise<UserRow> {
    return found(await this.#parts.users.byId(id), 'User');
  }

  /** @throws BadRequest when the username or the e-mail address is taken */
  async create(caller: Caller, { password, ...fields }: UserFields): Promise<UserRow> {
    const password_hash = await this.#parts.passwords.hash(password);
    const [user] = await this.#parts.store.create(caller.id, [{ ...fields, password_hash }], 'admin_user_create');
    return user as UserRow;
  }

  /** @throws NotFound, Conflict for the last administrator */
  async setRole(caller: Caller, id: number, role: Role): Promise<UserRow> {
    return await this.#update(caller, id, 'admin_user_role', { role });
  }

  /** @throws NotFound, BadRequest when the e-mail address is taken, Conflict for the last administrator */
  async update(
    caller: Caller,
    id: number,
    { password, ...changes }: { full_name?: string | null; email?: string; is_active?: boolean; password?: string },
  ): Promise<UserRow> {
    const hashed = password === undefined ? {} : { password_hash: await this.#parts.passwords.hash(password) };
    return await this.#update(caller, id, 'admin_user_update', { ...changes, ...hashed });
  }

  /** @throws NotFound, Conflict for the last administrator */
  async delete(caller: Caller, id: number): Promise<void> {
    const { store, auth, clearAfter } = this.#parts;
    const deleted = found(await store.delete(caller.id, id), 'User');
    auth.forget(id);
    await clearAfter(deleted);
  }

  /**
   * Creates all users of a CSV, or none. Missing passwords are generated.
   * @param check returns what is wrong with the fields of one user
   * @throws Invalid, each problem with its line
   */
  async import(
    caller: Caller,
    csv: string,
    check: (fields: Record<string, unknown>) => { name: string; msg: string; type: string }[],
  ): Promise<ImportedUser[]> {
    const entries = parseUsers(csv).map(({ line, fields }) => {
      const generatedPassword = fields.password === undefined ? randomBytes(12).toString('base64url') : null;
      return {
        line,
        generatedPassword,
        fields: { ...fields, password: fields.password ?? generatedPassword } as UserFields,
      };
    });
    const items = entries.flatMap(({ line, fields }) =>
      check({ ...fields }).map(({ name, msg, type }) => ({ loc: ['body', line, name], msg, type })),
    );
    if (items.length > 0) throw new Invalid(items);
    await this.#checkUnique(entries);
    const users = [];
    for (const { fields } of entries) {
      const { password, ...user } = fields;
      users.push({ ...user, password_hash: await this.#parts.passwords.hash(password) });
    }
    const rows = await this.#parts.store.create(caller.id, users, 'admin_user_import');
    return rows.map((user, index) => ({ user, generatedPassword: entries[index]?.generatedPassword ?? null }));
  }

  /** All matching users, streamed as CSV at the reader's pace. */
  async *export(filter: UserFilter): AsyncGenerator<string> {
    yield csvLine(exportColumns);
    for await (const rows of this.#parts.store.parts(filter, exportBatch)) {
      yield rows
        .map((row) =>
          csvLine(
            exportColumns.map((column) => {
              const value = row[column];
              return value instanceof Date ? value.toISOString() : value;
            }),
          ),
        )
        .join('');
    }
  }

  async #update(caller: Caller, id: number, type: string, changes: UserChanges): Promise<UserRow> {
    const user = found(await this.#parts.store.update(caller.id, id, type, changes), 'User');
    this.#parts.auth.forget(id);
    return user;
  }

  async #checkUnique(entries: readonly { line: number; fields: UserFields }[]): Promise<void> {
    const taken = await this.#parts.store.taken(
      entries.map(({ fields }) => fields.username),
      entries.map(({ fields }) => fields.email),
    );
    const items = entries.flatMap(({ line, fields }) =>
      (['username', 'email'] as const).flatMap((column) => {
        const known = column === 'username' ? taken.usernames : taken.emails;
        const text = fields[column].toLowerCase();
        if (known.has(text)) return [lineItem(line, column, 'it is registered already, or twice in this file')];
        known.add(text);
        return [];
      }),
    );
    if (items.length > 0) throw new Invalid(items);
  }
}
