import type { ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import { Button } from '../button.tsx';
import { ProblemNote } from '../problem-note.tsx';
import { FormButtons } from './form-buttons.tsx';
import type { useSentForm } from './form-field.ts';

/**
 * A form that is sent as a whole: what no field shows of a refusal, its fields, and the button that sends it.
 * @param action the text of the button
 */
export function SentForm<Values extends FieldValues>({
  sent: { form, error, onSubmit },
  action,
  children,
}: {
  sent: Pick<ReturnType<typeof useSentForm<Values>>, 'form' | 'error' | 'onSubmit'>;
  action: string;
  children: ReactNode;
}) {
  return (
    <form className="flex flex-col gap-4" onSubmit={onSubmit}>
      {error !== undefined && <ProblemNote error={error} />}
      {children}
      <FormButtons>
        <Button type="submit" look="primary" isBusy={form.formState.isSubmitting}>
          {action}
        </Button>
      </FormButtons>
    </form>
  );
}
