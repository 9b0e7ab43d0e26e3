import { randomBytes } from 'node:crypto';
import type { ClassRole, Role } from '../../database/tables.ts';
import { Forbidden, Invalid, type ValidationItem } from '../../errors.ts';
import type { Caller } from '../../http/access.ts';
import type { Passwords } from '../auth/passwords.ts';
import { type CsvUser, lineItem, parseUserColumns } from '../auth/user-csv.ts';
import { type ClassImportStore, type Imported, importMembers, type KnownUser } from './import-store.ts';

const columns = { known: ['username', 'email', 'full_name', 'role'], required: [] } as const;
type Line = CsvUser<(typeof columns.known)[number]>;
type FieldCheck = (fields: Record<string, unknown>) => { name: string; msg: string; type: string }[];
type Planned = { line: number; role: ClassRole; known?: KnownUser; fresh?: NewStudent };
type NewStudent = { username: string; email: string; full_name: string | null; role: Role; password: string };

export type ImportedMember = {
  line: number;
  outcome: Imported['outcome'];
  user_id: number;
  username: string;
  full_name: string | null;
  email: string;
  role: ClassRole;
  /** Of a new account; it is returned only this once. */
  password: string | null;
};

const foreign =
  'the account exists and its user is in none of your classes; an administrator adds it, or its user joins with a code';

type NewUsers = {
  /** @param more is done with the new users in the same transaction @throws BadRequest when a username or an e-mail address is taken */
  createWith: <T>(
    actorId: number,
    users: readonly (Omit<NewStudent, 'password'> & { password_hash: string })[],
    type: string,
    more: (trx: Parameters<typeof importMembers>[0], rows: KnownUser[]) => Promise<T>,
  ) => Promise<T>;
};

/** Imports members of a class from CSV. Users who do not exist are created as students. */
export class MemberImport {
  readonly #store: ClassImportStore;
  readonly #users: NewUsers;
  readonly #passwords: Pick<Passwords, 'hash'>;

  constructor(parts: {
    store: ClassImportStore;
    users: NewUsers;
    passwords: Pick<Passwords, 'hash'>;
  }) {
    this.#store = parts.store;
    this.#users = parts.users;
    this.#passwords = parts.passwords;
  }

  /**
   * All lines are imported, or none. A user is known by the username or by the e-mail address.
   * @param checks return what is wrong with the role of a line, and with the fields of a new user
   * @throws Invalid, each problem with its line; NotFound, Forbidden, Conflict
   */
  async run(
    caller: Caller,
    classId: number,
    csv: string,
    checks: { role: FieldCheck; user: FieldCheck },
  ): Promise<ImportedMember[]> {
    await this.#store.check(caller, classId);
    const plan = await this.#plan(caller, parseUserColumns(csv, columns), checks);
    const fresh = plan.flatMap(({ fresh }) => fresh ?? []);
    // An account outlives the class. A student who teaches in a class creates none.
    if (fresh.length > 0 && caller.role === 'student')
      throw new Forbidden('instructor_required', 'Only instructors and administrators create accounts');
    const users = [];
    // Two imports of the same new users wait for each other in one order.
    for (const { password, ...user } of fresh.toSorted((a, b) => (a.username < b.username ? -1 : 1))) {
      users.push({ ...user, password_hash: await this.#passwords.hash(password) });
    }
    return await this.#users.createWith(caller.id, users, 'class_user_create', async (trx, rows) => {
      const created = new Map(rows.map((row) => [row.username, row]));
      const all = plan.map((entry) => ({ ...entry, user: userOf(entry, created) }));
      const members = all.map(({ user, role, fresh }) => ({ id: user.id, role, isNew: fresh !== undefined }));
      const imported = await importMembers(trx, caller, classId, members);
      return all.map(({ line, user: { id, username, full_name, email }, fresh }) => {
        const { outcome, role } = imported.get(id) as Imported;
        return { line, outcome, user_id: id, username, full_name, email, role, password: fresh?.password ?? null };
      });
    });
  }

  /** @throws Invalid with the problems of all lines */
  async #plan(
    caller: Caller,
    lines: readonly Line[],
    checks: { role: FieldCheck; user: FieldCheck },
  ): Promise<Planned[]> {
    const given = (name: 'username' | 'email') => lines.flatMap(({ fields }) => fields[name] ?? []);
    const known = await this.#store.known(caller, given('username'), given('email'));
    const byName = new Map(known.map((user) => [user.username.toLowerCase(), user]));
    const byEmail = new Map(known.map((user) => [user.email.toLowerCase(), user]));
    const seen = new Set<string>();
    const items: ValidationItem[] = [];
    const plan = lines.map(({ line, fields }): Planned => {
      const { username = '', email = '', full_name = null, role = 'student' } = fields;
      const [named, addressed] = [byName.get(username.toLowerCase()), byEmail.get(email.toLowerCase())];
      const user = addressed ?? named;
      const found = (problems: ReturnType<FieldCheck>) =>
        items.push(...problems.map(({ name, msg, type }) => ({ loc: ['body', line, name], msg, type })));
      found(checks.role({ role }));
      if (user && !user.may_be_added) items.push(lineItem(line, named ? 'username' : 'email', foreign));
      else if (named && addressed && named.id !== addressed.id)
        items.push(lineItem(line, 'email', 'the username and the e-mail address belong to different accounts'));
      else if (named && email !== '' && !addressed)
        items.push(lineItem(line, 'email', 'the account with this username has another e-mail address'));
      const fresh = user ? undefined : newStudent(fields, full_name);
      if (fresh) found(checks.user({ ...fresh }));
      const keys = user ? [`id ${user.id}`] : [`name ${username.toLowerCase()}`, `email ${email.toLowerCase()}`];
      if (keys.some((key) => seen.has(key))) items.push(lineItem(line, undefined, 'the user is in this file twice'));
      for (const key of keys) seen.add(key);
      return { line, role: role as ClassRole, ...(user && { known: user }), ...(fresh && { fresh }) };
    });
    if (items.length > 0) throw new Invalid(items);
    return plan;
  }
}

const userOf = ({ known, fresh }: Planned, created: ReadonlyMap<string, KnownUser>): KnownUser =>
  (known ?? created.get(fresh?.username ?? '')) as KnownUser;

/** The fields are checked afterwards: an absent one is reported as missing. */
const newStudent = ({ username, email }: Line['fields'], full_name: string | null): NewStudent =>
  ({
    ...(username === undefined ? {} : { username }),
    ...(email === undefined ? {} : { email }),
    ...{ full_name, role: 'student', password: randomBytes(12).toString('base64url') },
  }) as NewStudent;
