import type { ProblemItem } from '../../api/problem.ts';
import { codedText } from '../../strings/coded-text.ts';
import type { Strings } from '../../strings/en/index.ts';

/** An item of a 422 in the user's language. In the service's own words where its type is too general. */
export function itemText(t: Strings, { loc, msg, type, code, params }: ProblemItem): string {
  const { types, values } = t.errors;
  const own = loc.length === 2 && type === 'value_error' ? values[`${loc[1]}`] : undefined;
  return codedText(t, { code, params }, own ?? types[type] ?? msg.replace(/^Value error, /, ''));
}
