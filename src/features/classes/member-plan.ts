import { setImmediate } from 'node:timers/promises';
import type { ClassRole } from '../../database/tables.ts';
import type { ValidationItem } from '../../errors.ts';
import { foldName, normalName } from '../../values/username.ts';
import { byLine, type FieldCheck, fieldItem, lineItem } from '../tables/import-problems.ts';
import { proposedUsernames, type UsernameSource } from '../tables/proposed-usernames.ts';
import { accountOf, cellOf, fullNameOf, hasField, headerProblems, type Sheet } from '../tables/sheet.ts';
import type { NamedUser } from './import-store.ts';

type NewStudent = { username: string; email: string; full_name: string | null };
/** A line whose user is in the database, or is to be created. */
export type PlannedMember = { line: number; role: ClassRole; known?: NamedUser; fresh?: NewStudent };
/** What is wrong with the role of a line, and with the fields of a new user. */
export type MemberChecks = { role: FieldCheck; user: FieldCheck };
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
export async function planMembers(
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
    const fresh = user ? undefined : { username: renamed[index] ?? username, email, full_name };
    if (fresh) problems.push(...freshProblems(line, fresh, checks.user));
    const keys = user
      ? [`id ${user.id}`]
      : [fresh?.username ? `name ${fresh.username}` : '', email && `email ${email}`];
    const given = keys.filter((key) => key !== '').map(foldName);
    if (given.some((key) => seen.has(key))) problems.push(lineItem(line, undefined, 'user_twice'));
    for (const key of given) seen.add(key);
    members.push({ line, role: role as ClassRole, ...(user && { known: user }), ...(fresh && { fresh }) });
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
