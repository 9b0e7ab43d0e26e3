import { InvalidError, type ValidationItem } from '../../errors.ts';
import { codedItem, type ProblemParams, problemsOf } from '../../values/coded-problem.ts';

/**
 * What can be wrong with an imported file, with the English text. Clients show their own texts by these codes, so a released one is never
 * renamed. docs/errors.md has the same list.
 */
export const importProblems = {
  file_empty: 'the file is empty',
  quote_open: 'a quotation mark is not closed',
  line_too_long: 'the line has more than {max} characters',
  too_many_columns: 'there are more than {max} columns',
  too_many_lines: 'there are more than {max} lines',
  no_lines: 'there is no line below the header',
  column_missing: 'the header has no column {column}',
  columns_missing: 'the header has no column {column} or {other}',
  column_unknown: 'the header has an unknown column, the one with the number {number}',
  column_twice: 'the column {column} is there twice',
  no_grade_column: 'the header has no column of the grade book',
  cell_count: 'the line has {cells} cells, the header {columns}',
  missing: 'a value is required',
  too_short: 'the value is too short',
  too_long: 'the value is too long',
  text_invalid: 'the value has characters that cannot be stored',
  value_invalid: 'the value is not valid',
  username_invalid: "a username has letters, digits and _ . - + ', or is the e-mail address of the same line",
  email_invalid: 'this is not a valid email address',
  role_unknown: 'there is no such role',
  password_too_long: 'the password is longer than 72 bytes',
  taken: 'it is registered already',
  twice: 'it is in this file twice',
  user_twice: 'the user is in this file twice',
  student_twice: 'the student is in this file twice',
  account_unreachable:
    'the account exists and its user is in none of your classes; an administrator adds it, or its user joins with a code',
  accounts_differ: 'the username and the e-mail address belong to different accounts',
  other_email: 'the account with this username has another e-mail address',
  other_username: 'the account with this e-mail address has another username',
  address_not_verified: 'an account that is found by its address alone becomes a student; give its username as well',
  nobody_named: 'the line has neither a username nor an e-mail address',
  username_not_in_class: 'no student of the class has this username',
  email_not_in_class: 'no student of the class has this e-mail address',
  not_a_number: 'the value is not a number',
  above_maximum: 'the value is above the maximum of {max}',
} as const;

export type ImportProblem = keyof typeof importProblems;
const problem = problemsOf(importProblems);

/** A problem in a line. Lines count from 1. The column is a field's name, or that of a column of a grade book. */
export function lineItem(
  line: number,
  column: string | undefined,
  code: ImportProblem,
  params: ProblemParams = {},
): ValidationItem {
  return codedItem(['body', line, ...(column === undefined ? [] : [column])], problem(code, params));
}

/** What is wrong with the fields of one line, as the schema of the fields says it. */
export type FieldCheck = (fields: Record<string, unknown>) => { name: string; msg: string; type: string }[];

const codesOfFields: Record<string, ImportProblem> = {
  'username string_pattern_mismatch': 'username_invalid',
  'username value_error': 'username_invalid',
  'email value_error': 'email_invalid',
  'role enum': 'role_unknown',
  'password value_error': 'password_too_long',
};
const codesOfTypes: Record<string, ImportProblem> = {
  missing: 'missing',
  string_too_short: 'too_short',
  string_too_long: 'too_long',
  string_unicode: 'text_invalid',
};

/** Such a problem. Its type and its English text stay those of the schema. */
export const fieldItem = (line: number, { name, msg, type }: ReturnType<FieldCheck>[number]): ValidationItem => ({
  ...{ loc: ['body', line, name], msg, type },
  code: codesOfFields[`${name} ${type}`] ?? codesOfTypes[type] ?? 'value_invalid',
});

export const byLine = (items: readonly ValidationItem[]): ValidationItem[] =>
  items.toSorted((a, b) => Number(a.loc[1]) - Number(b.loc[1]));

/** The number of problems that an answer lists. */
export const maxListed = 500;

/** @throws InvalidError with the first problems, where there are any */
export function throwProblems(items: readonly ValidationItem[]): void {
  if (items.length > maxListed) throw new InvalidError(items.slice(0, maxListed), items.length);
  if (items.length > 0) throw new InvalidError([...items]);
}
