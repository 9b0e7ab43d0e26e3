import { setImmediate } from 'node:timers/promises';
import type { Role } from '../../../database/tables.ts';
import type { ValidationItem } from '../../../errors.ts';
import { foldName, normalName } from '../../../values/username.ts';
import { byLine, type FieldCheck, fieldItem, lineItem } from '../../tables/import-problems.ts';
import { proposedUsernames, type UsernameSource } from '../../tables/proposed-usernames.ts';
import { accountOf, cellOf, fullNameOf, hasField, headerProblems, type Sheet } from '../../tables/sheet.ts';

/** A user that a line describes. Without a password, the user gets a generated one or an invitation. */
export type PlannedUser = {
  line: number;
  username: string;
  email: string;
  full_name: string | null;
  role: Role;
  password: string | undefined;
};
export type UserPlan = { users: PlannedUser[]; problems: ValidationItem[] };

type Taken = (usernames: string[], emails: string[]) => Promise<{ usernames: Set<string>; emails: Set<string> }>;

export type UserRules = {
  check: FieldCheck;
  taken: Taken;
  /** Whether the file must say the role, and have columns of all but the password. Otherwise a user without a role is a student. */
  isStrict: boolean;
  source: UsernameSource;
};

/** Stands for an absent password where the fields are checked. */
const anyPassword = 'a password of some length';
/** Lines that are checked before other work gets its turn. */
const linesInARow = 100;

/** Checks all lines. The users are those of a file without problems. */
export async function planUsers(sheet: Sheet, { check, taken, isStrict, source }: UserRules): Promise<UserPlan> {
  const problems = [...sheet.problems, ...missingColumns(sheet, isStrict, source)];
  const ofHeader = headerProblems(sheet, problems);
  if (ofHeader) return { users: [], problems: ofHeader };
  const users: PlannedUser[] = [];
  const accounts = await accountsOf(sheet, source, taken);
  for (const [index, row] of sheet.rows.entries()) {
    if (index % linesInARow === linesInARow - 1) await setImmediate();
    const fields: { username?: string; email?: string; full_name: string | undefined; role: string | undefined } = {
      ...accounts[index],
      full_name: fullNameOf(sheet, row),
      role: roleOf(cellOf(sheet, row, 'role')) ?? (isStrict ? undefined : 'student'),
    };
    const password = cellOf(sheet, row, 'password');
    const given = Object.fromEntries(Object.entries(fields).filter(([, text]) => text !== undefined));
    for (const problem of check({ ...given, password: password ?? anyPassword }))
      problems.push(fieldItem(row.line, problem));
    const { username = '', email = '', full_name = null, role } = fields;
    users.push({ line: row.line, username, email, full_name, role: role as Role, password });
  }
  problems.push(...(await takenProblems(users, taken)));
  return { users, problems: byLine(problems) };
}

/** The names and addresses of all lines. Those that come from the addresses are free. */
async function accountsOf(sheet: Sheet, source: UsernameSource, taken: Taken) {
  const given = sheet.rows.map((row) => accountOf(sheet, row));
  if (source === 'file') return given;
  if (source === 'address')
    return given.map(({ email }) => (email === undefined ? {} : { email, username: normalName(email) }));
  const isOwn = hasField(sheet, 'username');
  // A login that is no address is a name of its own.
  const kept = (username: string | undefined): string | undefined => (isOwn ? undefined : username);
  const reserved = new Set(given.flatMap(({ username }) => foldName(kept(username) ?? '') || []));
  const wanting = given.map(({ username, email = '' }) => (kept(username) === undefined ? email : ''));
  const proposed = await proposedUsernames(wanting, reserved, async (names) => (await taken(names, [])).usernames);
  return given.map(({ username, email }, index) => {
    const own = kept(username) ?? (proposed[index] || undefined);
    return { ...(own !== undefined && { username: own }), ...(email !== undefined && { email }) };
  });
}

function missingColumns(sheet: Sheet, isStrict: boolean, source: UsernameSource): ValidationItem[] {
  if (sheet.columns.length === 0) return [];
  const has = (key: string): boolean =>
    hasField(sheet, key) ||
    (key === 'full_name' && hasField(sheet, 'name_part')) ||
    (['username', 'email'].includes(key) && hasField(sheet, 'login')) ||
    (key === 'username' && source !== 'file');
  return ['username', 'email', ...(isStrict ? ['full_name', 'role'] : [])]
    .filter((key) => !has(key))
    .map((column) => lineItem(sheet.headerLine, undefined, 'column_missing', { column }));
}

/** The names and addresses that other users, or earlier lines, have. */
export async function takenProblems(
  users: readonly Pick<PlannedUser, 'line' | 'username' | 'email'>[],
  taken: Taken,
): Promise<ValidationItem[]> {
  const known = await taken(
    users.flatMap(({ username }) => username || []),
    users.flatMap(({ email }) => email || []),
  );
  const seen = { username: new Set<string>(), email: new Set<string>() };
  return users.flatMap((user) =>
    (['username', 'email'] as const).flatMap((column) => {
      const text = foldName(user[column]);
      if (text === '') return [];
      if ((column === 'username' ? known.usernames : known.emails).has(text))
        return [lineItem(user.line, column, 'taken')];
      if (seen[column].has(text)) return [lineItem(user.line, column, 'twice')];
      seen[column].add(text);
      return [];
    }),
  );
}

const roles: Readonly<Record<string, Role>> = {
  ...{ студент: 'student', студентка: 'student', ученик: 'student', ученица: 'student', слушатель: 'student' },
  ...{ преподаватель: 'instructor', учитель: 'instructor', инструктор: 'instructor', teacher: 'instructor' },
  ...{ администратор: 'admin', админ: 'admin', administrator: 'admin' },
};

/** An unknown word stays as it is; its check refuses it. */
export const roleOf = (text: string | undefined): string | undefined => {
  const word = text?.toLowerCase();
  return word === undefined ? undefined : (roles[word] ?? word);
};
