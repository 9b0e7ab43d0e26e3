import { type FormEvent, useState } from 'react';
import { type FieldPath, type FieldValues, type UseFormReturn, useForm } from 'react-hook-form';
import { Problem } from '../../api/problem.ts';
import type { Strings } from '../../strings/en/index.ts';
import { useStrings } from '../../strings/use-strings.tsx';
import { itemText } from '../lists/item-text.ts';

/** The properties of a field in ui/forms/field.tsx that belong to the form: its registration, and the problem with its value. */
export const fieldOf = <Values extends FieldValues>(
  { register, getFieldState, formState }: UseFormReturn<Values>,
  name: FieldPath<Values>,
) => ({ ...register(name), problem: getFieldState(name, formState).error?.message });

/**
 * Shows the service's errors at the fields that they name.
 * @param nameOf returns the form's field for the service's field name, if there is one
 * @returns whether there were any
 */
export function setRefused<Values extends FieldValues>(
  t: Strings,
  { setError }: UseFormReturn<Values>,
  error: unknown,
  nameOf: (name: string) => FieldPath<Values> | undefined,
): boolean {
  if (!(error instanceof Problem)) return false;
  const refused = error.items.map((item) => ({ name: nameOf(`${item.loc.at(-1)}`), message: itemText(t, item) }));
  for (const { name, message } of refused) if (name) setError(name, { type: 'refused', message });
  return refused.some(({ name }) => name !== undefined);
}

/**
 * A form that is sent as a whole. Refused fields show their problem. Fields that the user has not edited follow the given values.
 * @param nameOf see `setRefused`; default: the form's fields have the service's names
 * @returns `field`, which gives a field its properties, `error` where no field shows it, `clear`, which gives all fields the given values again, and `replace`, which gives them others,
 * as those that were saved
 */
export function useSentForm<Values extends FieldValues>(
  given: Values,
  send: (values: Values) => Promise<void>,
  nameOf = (name: string): FieldPath<Values> | undefined =>
    Object.hasOwn(given, name) ? (name as FieldPath<Values>) : undefined,
) {
  const t = useStrings();
  const form = useForm<Values>({ values: given, resetOptions: { keepDirtyValues: true } });
  const [error, setError] = useState<unknown>();
  const onSubmit = form.handleSubmit(async (values) => {
    setError(undefined);
    try {
      await send(values);
    } catch (problem) {
      if (!setRefused(t, form, problem, nameOf)) setError(problem);
    }
  });
  // The options of resets apply to this one as well, and would keep what the user has edited.
  const replace = (values: Values): void => form.reset(values, { keepDirtyValues: false });
  const clear = (): void => replace(given);
  const field = (name: FieldPath<Values>) => fieldOf(form, name);
  return { form, field, error, clear, replace, onSubmit: (event: FormEvent): void => void onSubmit(event) };
}
