import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import { useStrings } from '../../strings/use-strings.tsx';
import type { Student } from '../../teaching-model/exam-sessions.ts';
import { sessionsKey } from '../../teaching-model/session-list.ts';
import { Select } from '../../ui/forms/field.tsx';
import { useSentForm } from '../../ui/forms/form-field.ts';
import { SentForm } from '../../ui/forms/sent-form.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { studentOptions } from './accommodation-options.ts';

/**
 * Sets the accommodation of one student, in one exam session or in all of a class. The fields have that of the student as it is, so that
 * nothing is lost that was set before.
 */
export function AccommodationForm<Values extends FieldValues & { user_id: string }>({
  students,
  given,
  empty,
  send,
  children,
}: {
  students: readonly Student[];
  /** The values of those who have an accommodation. */
  given: readonly Values[];
  /** Those of others. */
  empty: Values;
  /** @param before the values before they were edited @returns the accommodation as it was set */
  send: (userId: number, values: Values, before: Values) => Promise<{ username: string }>;
  /** The fields of the accommodation. */
  children: (form: UseFormReturn<Values>) => ReactNode;
}) {
  const t = useStrings();
  const toasts = useToasts();
  const queries = useQueryClient();
  const words = t.examSessions;
  const [userId, setUserId] = useState('');
  const before: Values = given.find(({ user_id }) => user_id === userId) ?? { ...empty, user_id: userId };
  const sent = useSentForm(before, async (values) => {
    const set = await send(Number(values.user_id), values, before);
    toasts.done(words.accommodated(set.username));
    setUserId('');
    replace(empty);
    await queries.invalidateQueries({ queryKey: sessionsKey });
  });
  const { form, field, replace } = sent;
  const student = field('user_id' as FieldPath<Values>);
  return (
    <SentForm sent={sent} action={t.common.save}>
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <Select
          label={words.student}
          required
          options={[{ value: '', label: words.chooseStudent }, ...studentOptions(students)]}
          {...student}
          onChange={(event) => {
            setUserId(event.target.value);
            void student.onChange(event);
          }}
        />
        {children(form)}
      </div>
    </SentForm>
  );
}
