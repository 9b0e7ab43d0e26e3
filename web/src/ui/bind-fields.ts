import { Problem } from '../api/problem.ts';

/**
 * Binds the fields of a form to their values, and to what the service refused of them.
 * @param change gets the name of a field and what was typed or chosen
 * @param error of the last try to save, if any
 */
export const bindFields =
  <Name extends string>(values: Record<Name, string>, change: (name: Name, value: string) => void, error: unknown) =>
  (name: Name) => ({
    value: values[name],
    onChange: ({ target }: { target: { value: string } }) => change(name, target.value),
    problem: error instanceof Problem ? error.of(name) : undefined,
  });

/** Whether an error is to be shown as a whole, as no field shows it. */
export const concernsNoField = (error: unknown): boolean =>
  error !== null && error !== undefined && !(error instanceof Problem && error.items.length > 0);
