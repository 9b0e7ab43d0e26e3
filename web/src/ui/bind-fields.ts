import { Problem, type ProblemItem } from '../api/problem.ts';
import type { Strings } from '../strings/en/index.ts';

/**
 * Binds the fields of a form to their values, and to what the service refused of them.
 * @param change gets the name of a field and what was typed or chosen
 * @param error of the last try to save, if any
 */
export const bindFields =
  <Name extends string>(
    t: Strings,
    values: Record<Name, string>,
    change: (name: Name, value: string) => void,
    error: unknown,
  ) =>
  (name: Name) => ({
    value: values[name],
    onChange: ({ target }: { target: { value: string } }) => change(name, target.value),
    problem: fieldText(t, error, name),
  });

/** What the service refused of a field, in the user's language; undefined where it refused nothing of it. */
export function fieldText(t: Strings, error: unknown, ...names: string[]): string | undefined {
  if (!(error instanceof Problem)) return undefined;
  const item = names.map((name) => error.of(name)).find((one) => one !== undefined);
  return item && itemText(t, item);
}

/** An item of a 422 in the user's language; in the service's own words where its type says too little. */
export function itemText({ errors: { types, values } }: Strings, { loc, msg, type }: ProblemItem): string {
  const own = loc.length === 2 && type === 'value_error' ? values[`${loc[1]}`] : undefined;
  return own ?? types[type] ?? msg.replace(/^Value error, /, '');
}

/** Whether an error is to be shown as a whole, as no field shows it. */
export const concernsNoField = (error: unknown): boolean =>
  error !== null && error !== undefined && !(error instanceof Problem && error.items.length > 0);
