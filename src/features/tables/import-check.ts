import type { ValidationItem } from '../../errors.ts';
import { maxListed } from './import-problems.ts';
import type { UsernameSource } from './proposed-usernames.ts';
import type { LeftOut } from './rosters.ts';
import type { Sheet, SheetColumn } from './sheet.ts';
import type { Encoding, Separator } from './table.ts';
import type { Field } from './table-columns.ts';

export type ListedProblem = {
  line: number;
  column: string | null;
  code: string;
  params: Readonly<Record<string, string | number>>;
  detail: string;
};

/** What an import would do, and everything that prevents it. */
export type ImportCheck = {
  encoding: Encoding;
  separator: Separator;
  has_header: boolean;
  columns: SheetColumn[];
  /** What a column can be taken for. */
  fields: { key: string; title: string | null; is_repeatable: boolean }[];
  lines: number;
  /** Lines by what the import would do with them. */
  outcomes: Record<string, number>;
  problems: ListedProblem[];
  problem_count: number;
  /** Lines that are no people, which the import leaves out. */
  left_out: LeftOut[];
  /** Where the usernames of new accounts come from, with some of them. Null where the import makes no accounts. */
  usernames: UsernameChoice | null;
  /** The first lines as they would be imported. Null where the import makes no accounts. */
  people: PlannedPerson[] | null;
};
type PlannedPerson = {
  line: number;
  outcome: 'created' | 'invited' | 'known';
  username: string;
  email: string | null;
  full_name: string | null;
  role: string;
};

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
