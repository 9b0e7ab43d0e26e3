import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { Select } from '../ui/field.tsx';
import { fieldOf, useSentForm } from '../ui/form-field.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { type Student, studentOptions } from './accommodation-options.ts';
import { sessionsKey } from './queries.ts';

/** Sets the accommodation of one student, in one exam session or in all of a class. */
export function AccommodationForm<Values extends FieldValues & { user_id: string }>({
  students,
  empty,
  send,
  children,
}: {
  students: readonly Student[];
  /** The values at first, and after an accommodation was set. */
  empty: Values;
  /** @returns the accommodation as it was set */
  send: (userId: number, values: Values) => Promise<{ username: string }>;
  /** The fields of the accommodation. */
  children: (form: UseFormReturn<Values>) => ReactNode;
}) {
  const t = useStrings();
  const toasts = useToasts();
  const queries = useQueryClient();
  const words = t.examSessions;
  const { form, error, clear, onSubmit } = useSentForm(empty, async (values) => {
    const set = await send(Number(values.user_id), values);
    toasts.done(words.accommodated(set.username));
    clear();
    await queries.invalidateQueries({ queryKey: sessionsKey });
  });
  return (
    <form className="flex flex-col gap-4" onSubmit={onSubmit}>
      {error !== undefined && <ProblemNote error={error} />}
      <div className="grid gap-4 sm:grid-cols-2">
        <Select
          label={words.student}
          required
          options={[{ value: '', label: words.chooseStudent }, ...studentOptions(students)]}
          {...fieldOf(form, 'user_id' as FieldPath<Values>)}
        />
        {children(form)}
      </div>
      <div className="flex justify-end">
        <Button type="submit" look="primary" isBusy={form.formState.isSubmitting}>
          {t.common.save}
        </Button>
      </div>
    </form>
  );
}
