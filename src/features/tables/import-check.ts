import type { Static } from 'typebox';
import type { ValidationItem } from '../../errors.ts';
import { maxListed } from './import-problems.ts';
import type { UsernameSource } from './proposed-usernames.ts';
import type { Sheet } from './sheet.ts';
import type { Field } from './table-columns.ts';
import type { ImportCheckSchema, ProblemSchema } from './table-schema.ts';

export type ListedProblem = Static<typeof ProblemSchema>;

/** What an import would do, and everything that prevents it. */
export type ImportCheck = Static<typeof ImportCheckSchema>;
type PlannedPerson = NonNullable<ImportCheck['people']>[number];

type UsernameChoice = { source: UsernameSource; examples: string[] };
const maxExamples = 5;

export const namesFrom = (source: UsernameSource, users: readonly { username: string }[]): UsernameChoice => ({
  source,
  examples: users.flatMap(({ username }) => username || []).slice(0, maxExamples),
});

export function checkOf(
  sheet: Sheet,
  fields: readonly Field[],
  problems: readonly ValidationItem[],
  outcomes: Record<string, number>,
  accounts?: { usernames: UsernameChoice; people: PlannedPerson[] },
): ImportCheck {
  const { encoding, separator, hasHeader: has_header, columns, lines, leftOut } = sheet;
  return {
    ...{ encoding, separator, has_header, columns, lines, outcomes: problems.length > 0 ? {} : outcomes },
    fields: fields.map(({ key, title = null, isRepeatable = false }) => ({ key, title, is_repeatable: isRepeatable })),
    problems: problems.slice(0, maxListed).map(listed),
    problem_count: problems.length,
    left_out: leftOut.slice(0, maxListed),
    usernames: accounts?.usernames ?? null,
    people: accounts ? accounts.people.slice(0, maxListed) : null,
  };
}

export const listed = ({ loc, msg, code = 'value_invalid', params = {} }: ValidationItem): ListedProblem => ({
  line: Number(loc[1]),
  column: loc[2] === undefined ? null : String(loc[2]),
  ...{ code, params },
  detail: msg.replace(/^Value error, /, ''),
});
