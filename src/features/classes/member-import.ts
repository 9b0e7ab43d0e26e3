import { setImmediate } from 'node:timers/promises';
import type { Static } from 'typebox';
import type { ClassRole, Role } from '../../database/tables.ts';
import type { ValidationItem } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import { foldName, normalName } from '../../values/username.ts';
import { newPassword, type Passwords } from '../auth/passwords/passwords.ts';
import { checkOf, type ImportCheck, namesFrom } from '../tables/import-check.ts';
import { byLine, type FieldCheck, fieldItem, lineItem, throwProblems } from '../tables/import-problems.ts';
import { proposedUsernames, type UsernameSource } from '../tables/proposed-usernames.ts';
import {
  accountOf,
  cellOf,
  fullNameOf,
  hasField,
  headerProblems,
  readSheet,
  type Sheet,
  type SheetChoice,
  sourceOf,
} from '../tables/sheet.ts';
import { memberFields } from '../tables/table-columns.ts';
import { maxImportedUsers } from '../tables/user-csv.ts';
import { type ClassImportStore, type Imported, importMembers, type KnownUser, type NamedUser } from './import-store.ts';
import type { ImportedMemberSchema } from './schema.ts';

type NewUser = { username: string; email: string; full_name: string | null; role: Role; password_hash: string };

export type ImportedMember = Static<typeof ImportedMemberSchema>;

/** How a file is read, and what new accounts get. */
export type MemberChoice = SheetChoice & { passwords: 'generated' | 'invitations' };

type NewUsers = {
  /** @param more is done with the new users in the same transaction @throws BadRequestError when a username or an e-mail address is taken */
  createWith: <T>(
    actorId: number,
    users: readonly NewUser[],
    type: string,
    more: (trx: Parameters<typeof importMembers>[0], rows: KnownUser[]) => Promise<T>,
  ) => Promise<T>;
};

type MemberImportParts = {
  store: ClassImportStore;
  users: NewUsers;
  passwords: Pick<Passwords, 'hash' | 'ofNobody'>;
  invitations: {
    /** Issues the codes of new users in the transaction that creates them. */
    issue: (
      trx: Parameters<typeof importMembers>[0],
      users: readonly KnownUser[],
    ) => Promise<{ id: number; code: string }[]>;
  };
  /** Lines of one file. Fewer where passwords are generated. */
  maxLines: number;
};
type Plan = { sheet: Sheet; source: UsernameSource; members: PlannedMember[]; problems: ValidationItem[] };

/** Imports members of a class from a file. Users who do not exist are created as students. */
export class MemberImport {
  readonly #parts: MemberImportParts;

  constructor(parts: MemberImportParts) {
    this.#parts = parts;
  }

  /** What an import would do. Writes nothing. @throws InvalidError for a choice that does not fit the file; NotFoundError, ForbiddenError, ConflictError */
  async check(
    caller: Caller,
    classId: number,
    bytes: Uint8Array,
    choice: MemberChoice,
    checks: MemberChecks,
  ): Promise<ImportCheck> {
    const { sheet, source, members, problems } = await this.#plan(caller, classId, bytes, choice, checks, 'proposal');
    const fresh = members.flatMap((member) => member.fresh ?? []);
    const outcomes = { created: fresh.length, known: members.length - fresh.length };
    const people = members.map(({ line, role, known, given }) => ({
      ...{ line, role, outcome: known ? ('known' as const) : ('created' as const) },
      // The name of an account that the caller may not add is none of theirs.
      username: known?.may_be_student ? known.username : given.username,
      ...{ email: given.email || null, full_name: given.full_name },
    }));
    return checkOf(sheet, memberFields, problems, outcomes, { usernames: namesFrom(source, fresh), people });
  }

  /**
   * All lines are imported, or none. A user is known by the username or by the e-mail address.
   * @param checks return what is wrong with the role of a line, and with the fields of a new user
   * @throws InvalidError, each problem with its line; NotFoundError, ForbiddenError, ConflictError
   */
  async run(
    caller: Caller,
    classId: number,
    bytes: Uint8Array,
    choice: MemberChoice,
    checks: MemberChecks,
  ): Promise<ImportedMember[]> {
    const { users, passwords, invitations } = this.#parts;
    const { members, problems } = await this.#plan(caller, classId, bytes, choice, checks, 'names');
    throwProblems(problems);
    const fresh = members.flatMap(({ fresh: student }) => student ?? []);
    const isInviting = choice.passwords === 'invitations';
    const generated = new Map<string, string>();
    const created: NewUser[] = [];
    for (const student of fresh) {
      const password = isInviting ? undefined : newPassword();
      if (password !== undefined) generated.set(student.username, password);
      const password_hash = password === undefined ? passwords.ofNobody() : await passwords.hash(password);
      created.push({ ...student, role: 'student', password_hash });
    }
    return await users.createWith(caller.id, created, 'class_user_create', async (trx, rows) => {
      const byName = new Map(rows.map((row) => [row.username, row]));
      const all = members.map((member) => ({ ...member, user: userOf(member, byName) }));
      const added = all.map((one) => ({ id: one.user.id, role: one.role, isNew: one.fresh !== undefined }));
      const imported = await importMembers(trx, caller, classId, added);
      const issued = isInviting && rows.length > 0 ? await invitations.issue(trx, rows) : [];
      const codes = new Map(issued.map(({ id, code }) => [id, code]));
      return all.map(({ line, known, user: { id, username, full_name, email } }) => {
        const { outcome, role } = imported.get(id) as Imported;
        const invitation = codes.get(id);
        return {
          ...{ line, outcome, user_id: id, username, full_name, role, email: known ? known.seen_email : email },
          password: generated.get(username) ?? null,
          ...(invitation === undefined ? {} : { invitation }),
        };
      });
    });
  }

  async #plan(
    caller: Caller,
    classId: number,
    bytes: Uint8Array,
    choice: MemberChoice,
    checks: MemberChecks,
    reading: 'names' | 'proposal',
  ): Promise<Plan> {
    const { store, maxLines: most } = this.#parts;
    await store.check(caller, classId);
    const maxLines = choice.passwords === 'generated' ? Math.min(maxImportedUsers, most) : most;
    const sheet = await readSheet(
      bytes,
      { fields: memberFields, maxLines, reading, listField: 'login', isRoster: true },
      choice,
    );
    const known = (usernames: string[], emails: string[]) => store.known(caller, usernames, emails);
    const source = sourceOf(sheet, choice);
    return {
      sheet,
      source,
      ...(await planMembers(sheet, checks, { known, source, trustsAddresses: caller.role === 'admin' })),
    };
  }
}

const userOf = ({ known, fresh }: PlannedMember, created: ReadonlyMap<string, KnownUser>): KnownUser =>
  (known ?? created.get(fresh?.username ?? '')) as KnownUser;

type NewStudent = { username: string; email: string; full_name: string | null };
/** A line whose user is in the database, or is to be created. */
type PlannedMember = { line: number; role: ClassRole; given: NewStudent; known?: NamedUser; fresh?: NewStudent };
/** What is wrong with the role of a line, and with the fields of a new user. */
type MemberChecks = { role: FieldCheck; user: FieldCheck };
type Known = (usernames: string[], emails: string[]) => Promise<NamedUser[]>;
type Named = { username: string; email: string; named: NamedUser | undefined; addressed: NamedUser | undefined };

/** Stands for the password, which is not in the file. */
const anyPassword = 'a password of some length';
/** Lines that are checked before other work gets its turn. */
const linesInARow = 100;

/**
 * Checks all lines. The members are those of a file without problems.
 * @param trustsAddresses whether an address alone proves whose account it is. Nobody verifies addresses: whoever registers first with that of
 * somebody else would be added in their place
 */
async function planMembers(
  sheet: Sheet,
  checks: MemberChecks,
  { known: knownOf, source, trustsAddresses }: { known: Known; source: UsernameSource; trustsAddresses: boolean },
): Promise<{ members: PlannedMember[]; problems: ValidationItem[] }> {
  const problems = [...sheet.problems];
  const ofHeader = headerProblems(sheet, problems);
  if (ofHeader) return { members: [], problems: ofHeader };
  const names = sheet.rows.map((row) => ({ username: '', email: '', ...accountOf(sheet, row) }));
  const known = await knownOf(
    names.flatMap(({ username }) => username || []),
    names.flatMap(({ email }) => email || []),
  );
  const byName = new Map(known.map((user) => [foldName(user.username), user]));
  const byEmail = new Map(known.map((user) => [foldName(user.email), user]));
  const isKnown = ({ username, email }: (typeof names)[number]) =>
    byName.has(foldName(username)) || byEmail.has(foldName(email));
  const renamed = await renamedOf(
    names.map((name) => (isKnown(name) ? { username: name.username, email: '' } : name)),
    hasField(sheet, 'username'),
    source,
    async (usernames) => new Set((await knownOf(usernames, [])).map((user) => foldName(user.username))),
  );
  const seen = new Set<string>();
  const members: PlannedMember[] = [];
  for (const [index, row] of sheet.rows.entries()) {
    if (index % linesInARow === linesInARow - 1) await setImmediate();
    const { username = '', email = '' } = names[index] ?? {};
    const [named, addressed] = [byName.get(foldName(username)), byEmail.get(foldName(email))];
    const user = addressed ?? named;
    const { line } = row;
    const role = roleOf(cellOf(sheet, row, 'role'));
    problems.push(...checks.role({ role }).map((problem) => fieldItem(line, problem)));
    problems.push(...accountProblems(line, role, { username, email, named, addressed }));
    if (!trustsAddresses && addressed?.may_be_added && !named)
      problems.push(...addressProblems(line, { username, role }));
    const full_name = fullNameOf(sheet, row) ?? null;
    const given = { username: renamed[index] ?? username, email, full_name };
    const fresh = user ? undefined : given;
    if (fresh) problems.push(...freshProblems(line, fresh, checks.user));
    const keys = user
      ? [`id ${user.id}`]
      : [fresh?.username ? `name ${fresh.username}` : '', email && `email ${email}`];
    const folded = keys.filter((key) => key !== '').map(foldName);
    if (folded.some((key) => seen.has(key))) problems.push(lineItem(line, undefined, 'user_twice'));
    for (const key of folded) seen.add(key);
    members.push({ line, role: role as ClassRole, given, ...(user && { known: user }), ...(fresh && { fresh }) });
  }
  return { members, problems: byLine(problems) };
}

/** The usernames of new accounts, by one rule for all lines. @param names those of existing accounts have no address */
async function renamedOf(
  names: readonly { username: string; email: string }[],
  hasNames: boolean,
  source: UsernameSource,
  takenOf: (usernames: string[]) => Promise<ReadonlySet<string>>,
): Promise<string[]> {
  if (source === 'file') return names.map(({ username }) => username);
  if (source === 'address') return names.map(({ username, email }) => normalName(email) || username);
  // A login that is no address is a name of its own.
  const isOpen = (one: (typeof names)[number]) => one.email !== '' && (hasNames || one.username === '');
  const reserved = new Set(names.flatMap((one) => (isOpen(one) ? [] : foldName(one.username))));
  const proposed = await proposedUsernames(
    names.map((one) => (isOpen(one) ? one.email : '')),
    reserved,
    takenOf,
  );
  return names.map(({ username }, index) => proposed[index] || username);
}

function accountProblems(line: number, role: string, { email, named, addressed }: Named): ValidationItem[] {
  const user = addressed ?? named;
  if (user && !(role === 'student' ? user.may_be_student : user.may_be_added))
    return [lineItem(line, named ? 'username' : 'email', 'account_unreachable')];
  if (named && addressed && named.id !== addressed.id) return [lineItem(line, 'email', 'accounts_differ')];
  if (named && email !== '' && !addressed) return [lineItem(line, 'email', 'other_email')];
  return [];
}

/** Of an account that has the address of a line, but not its username. */
function addressProblems(line: number, { username, role }: { username: string; role: string }): ValidationItem[] {
  if (username !== '') return [lineItem(line, 'username', 'other_username')];
  return role === 'student' ? [] : [lineItem(line, 'email', 'address_not_verified')];
}

/** An absent field is reported as missing. */
function freshProblems(line: number, { username, email, full_name }: NewStudent, check: FieldCheck): ValidationItem[] {
  const given = { ...(username && { username }), ...(email && { email }), full_name, password: anyPassword };
  return check(given).map((problem) => fieldItem(line, problem));
}

const roles: Readonly<Record<string, ClassRole>> = {
  ...{ студент: 'student', студентка: 'student', ученик: 'student', ученица: 'student', слушатель: 'student' },
  ...{ ассистент: 'assistant', помощник: 'assistant' },
  ...{ преподаватель: 'instructor', учитель: 'instructor', инструктор: 'instructor', teacher: 'instructor' },
};

/** The role in the class. An unknown word stays as it is; its check refuses it. */
function roleOf(text = 'student'): string {
  const word = text.toLowerCase();
  return roles[word] ?? word;
}
