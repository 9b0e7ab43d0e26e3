import { type FieldPath, type FieldValues, useWatch } from 'react-hook-form';
import { useSentForm } from './form-field.ts';
import { useDraft } from './use-draft.ts';

/**
 * A form that is sent as a whole, and whose unsaved input the browser keeps until then.
 * @param name of the draft: see `useDraft`
 * @param nameOf see `useSentForm`
 */
export function useDraftForm<Values extends FieldValues>(
  name: string,
  given: Values,
  send: (values: Values) => Promise<void>,
  nameOf?: (name: string) => FieldPath<Values> | undefined,
) {
  const { form, clear, ...sent } = useSentForm<Values>(
    given,
    async (values) => {
      await send(values);
      draft.drop();
    },
    nameOf,
  );
  const values = useWatch({ control: form.control }) as Values;
  const draft = useDraft<Values>(name, {
    ...{ values, base: given, isDirty: form.formState.isDirty },
    restore: (kept) => form.reset(kept, { keepDefaultValues: true }),
  });
  return { form, ...sent, draft, discard: clear };
}
