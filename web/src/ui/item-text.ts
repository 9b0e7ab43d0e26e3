import type { ProblemItem } from '../api/problem.ts';
import type { Strings } from '../strings/en/index.ts';

/** An item of a 422 in the user's language. In the service's own words where its type is too general. */
export function itemText({ errors: { types, values } }: Strings, { loc, msg, type }: ProblemItem): string {
  const own = loc.length === 2 && type === 'value_error' ? values[`${loc[1]}`] : undefined;
  return own ?? types[type] ?? msg.replace(/^Value error, /, '');
}
