import type { UseFormReturn } from 'react-hook-form';
import { useFormat, useStrings } from '../../strings/use-strings.tsx';
import type { ClassAccommodation } from '../../teaching-model/exam-sessions.ts';
import { Select, TextField } from '../../ui/forms/field.tsx';
import { fieldOf } from '../../ui/forms/form-field.ts';
import { factorOptions } from './accommodation-options.ts';

export const noClassTerms = { user_id: '', time_factor: '1.25', extra_attempts: '0', break_minutes: '' };
type ClassTermFields = typeof noClassTerms;

/** The values of the fields. */
export const classTermFieldsOf = (of: ClassAccommodation): ClassTermFields => ({
  user_id: `${of.user_id}`,
  time_factor: `${of.time_factor}`,
  extra_attempts: `${of.extra_attempts}`,
  break_minutes: `${of.break_minutes ?? ''}`,
});

/** The body of a request. */
export const classTermsOf = ({ time_factor, extra_attempts, break_minutes }: ClassTermFields) => ({
  time_factor: Number(time_factor),
  extra_attempts: Number(extra_attempts),
  break_minutes: break_minutes === '' ? null : Number(break_minutes),
});

/** The fields of the accommodation of one student in all exam sessions of a class. */
export function ClassAccommodationFields({
  form,
  given,
}: {
  form: UseFormReturn<ClassTermFields>;
  /** Those of the class. */
  given: readonly ClassAccommodation[];
}) {
  const t = useStrings();
  const format = useFormat();
  const words = t.examSessions;
  return (
    <>
      <Select label={words.time} options={factorOptions(given, format.factor)} {...fieldOf(form, 'time_factor')} />
      <TextField
        label={words.extraAttempts}
        type="number"
        required
        min={0}
        max={100}
        {...fieldOf(form, 'extra_attempts')}
      />
      <TextField
        label={words.breakMinutes}
        help={words.breakHelp}
        type="number"
        min={1}
        {...fieldOf(form, 'break_minutes')}
      />
    </>
  );
}
