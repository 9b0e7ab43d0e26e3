import type { Role } from '../../../database/tables.ts';
import { found, InvalidError } from '../../../errors.ts';
import type { Caller } from '../../../http/access/access.ts';
import { usernameProblem, usernameWords } from '../../../values/username.ts';
import { type FieldCheck, throwProblems } from '../../tables/import-problems.ts';
import { hasField, readSheet, type SheetChoice, sourceOf } from '../../tables/sheet.ts';
import { userFields } from '../../tables/table-columns.ts';
import { csvLine, maxImportedUsers } from '../../tables/user-csv.ts';
import { newPassword, type Passwords } from '../passwords/passwords.ts';
import type { AuthService } from '../service.ts';
import type { UserRow, UserStore } from '../store.ts';
import { planUsers } from './import-plan.ts';
import type { DeletedUser, UserAdminStore, UserChanges } from './store.ts';

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

  async list(...wanted: Parameters<UserAdminStore['list']>): ReturnType<UserAdminStore['list']> {
    return await this.#parts.store.list(...wanted);
  }

  /** @throws NotFoundError */
  async get(id: number): Promise<UserRow> {
    return found(await this.#parts.users.byId(id), 'User');
  }

  /** @throws BadRequestError when the username or the e-mail address is taken, InvalidError for the address of another account as a username */
  async create(caller: Caller, { password, ...fields }: UserFields): Promise<UserRow> {
    checkUsername(fields);
    const password_hash = await this.#parts.passwords.hash(password);
    const [user] = await this.#parts.store.create(caller.id, [{ ...fields, password_hash }], 'admin_user_create');
    return user as UserRow;
  }

  /** @throws NotFoundError, ConflictError for the last administrator */
  async setRole(caller: Caller, id: number, role: Role): Promise<UserRow> {
    return await this.#update(caller, id, 'admin_user_role', { role });
  }

  /** @throws NotFoundError, BadRequestError when the e-mail address is taken, ConflictError for the last administrator */
  async update(
    caller: Caller,
    id: number,
    { password, ...changes }: { full_name?: string | null; email?: string; is_active?: boolean; password?: string },
  ): Promise<UserRow> {
    const hashed = password === undefined ? {} : { password_hash: await this.#parts.passwords.hash(password) };
    return await this.#update(caller, id, 'admin_user_update', { ...changes, ...hashed });
  }

  /** @throws NotFoundError, ConflictError for the last administrator */
  async delete(caller: Caller, id: number): Promise<void> {
    await this.#clear(found(await this.#parts.store.delete(caller.id, id), 'User'));
  }

  /** The service itself deletes a user, if that is still due. */
  async deleteUnused(id: number, isStillDue: Parameters<UserAdminStore['delete']>[2]): Promise<void> {
    const deleted = await this.#parts.store.delete(null, id, isStillDue);
    if (deleted) await this.#clear(deleted);
  }

  /** Deletes the caller's test student, if there is one, with all that it has, and ends its view. */
  async deleteTestStudent({ id }: Caller): Promise<void> {
    const { store, clearAfter } = this.#parts;
    const deleted = await store.delete(id, -id);
    if (deleted) await clearAfter(deleted);
  }

  /**
   * Creates all users of a file, or none. Missing passwords are generated.
   * @param check returns what is wrong with the fields of one user
   * @throws InvalidError, each problem with its line
   */
  async import(caller: Caller, bytes: Uint8Array, choice: SheetChoice, check: FieldCheck): Promise<ImportedUser[]> {
    const { store, passwords } = this.#parts;
    const rules = { fields: userFields, maxLines: maxImportedUsers, reading: 'names', isRoster: true } as const;
    const sheet = await readSheet(bytes, rules, choice);
    const taken = store.taken.bind(store);
    const { users, problems } = await planUsers(sheet, {
      ...{ check, taken, source: sourceOf(sheet, choice) },
      isStrict: choice.columns === undefined && hasField(sheet, 'username'),
    });
    throwProblems(problems);
    const created = [];
    const generated: (string | null)[] = [];
    for (const { line: _line, password: given, ...user } of users) {
      const password = given ?? newPassword();
      generated.push(given === undefined ? password : null);
      created.push({ ...user, password_hash: await passwords.hash(password) });
    }
    const rows = await store.create(caller.id, created, 'admin_user_import');
    return rows.map((user, index) => ({ user, generatedPassword: generated[index] ?? null }));
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

  async #clear(deleted: DeletedUser): Promise<void> {
    this.#parts.auth.forget(deleted.user.id);
    await this.#parts.clearAfter(deleted);
  }

  async #update(caller: Caller, id: number, type: string, changes: UserChanges): Promise<UserRow> {
    const user = found(await this.#parts.store.update(caller.id, id, type, changes), 'User');
    this.#parts.auth.forget(id);
    return user;
  }
}

/** The fields can come from two parts of a request, which are checked separately. @throws InvalidError */
function checkUsername({ username, email }: Pick<UserFields, 'username' | 'email'>): void {
  const problem = usernameProblem(username, email);
  if (problem === undefined) return;
  const [type, msg] = usernameWords[problem];
  throw new InvalidError([{ loc: ['body', 'username'], msg, type }]);
}
