import { Problem, type ProblemItem } from '../api/problem.ts';
import type { Strings } from '../strings/en/index.ts';

/**
 * Binds the fields of a form to their values and to the service's errors.
 * @param change gets the name of a field and its new value
 * @param error of the last attempt to save, if any
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

/** The service's error for a field, in the user's language. Undefined without one. */
export function fieldText(t: Strings, error: unknown, ...names: string[]): string | undefined {
  if (!(error instanceof Problem)) return undefined;
  const item = names.map((name) => error.of(name)).find((one) => one !== undefined);
  return item && itemText(t, item);
}

/** An item of a 422 in the user's language. In the service's own words where its type is too general. */
export function itemText({ errors: { types, values } }: Strings, { loc, msg, type }: ProblemItem): string {
  const own = loc.length === 2 && type === 'value_error' ? values[`${loc[1]}`] : undefined;
  return own ?? types[type] ?? msg.replace(/^Value error, /, '');
}

/** Whether an error must be shown separately because no field shows it. */
export const concernsNoField = (error: unknown): boolean =>
  error !== null && error !== undefined && !(error instanceof Problem && error.items.length > 0);
