import { setImmediate } from 'node:timers/promises';
import type { Role } from '../../database/tables.ts';
import type { ValidationItem } from '../../errors.ts';
import { foldName } from '../../username.ts';
import { byLine, type FieldCheck, fieldItem, lineItem } from './import-problems.ts';
import { cellOf, hasField, headerProblems, type Sheet, usernameOf } from './sheet.ts';

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
};

/** Stands for an absent password where the fields are checked. */
const anyPassword = 'a password of some length';
/** Lines that are checked before other work gets its turn. */
const linesInARow = 100;

/** Checks all lines. The users are those of a file without problems. */
export async function planUsers(sheet: Sheet, { check, taken, isStrict }: UserRules): Promise<UserPlan> {
  const problems = [...sheet.problems, ...missingColumns(sheet, isStrict)];
  const ofHeader = headerProblems(sheet, problems);
  if (ofHeader) return { users: [], problems: ofHeader };
  const users: PlannedUser[] = [];
  for (const [index, row] of sheet.rows.entries()) {
    if (index % linesInARow === linesInARow - 1) await setImmediate();
    const fields = {
      username: usernameOf(sheet, row),
      email: cellOf(sheet, row, 'email'),
      full_name: cellOf(sheet, row, 'full_name') ?? cellOf(sheet, row, 'name_part'),
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

function missingColumns(sheet: Sheet, isStrict: boolean): ValidationItem[] {
  if (sheet.columns.length === 0) return [];
  const has = (key: string): boolean => hasField(sheet, key) || (key === 'full_name' && hasField(sheet, 'name_part'));
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
