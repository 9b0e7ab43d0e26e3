import type { UseFormReturn } from 'react-hook-form';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { Select, TextField } from '../ui/field.tsx';
import { fieldOf } from '../ui/form-field.ts';
import { factors } from './accommodation-options.ts';

export const noClassTerms = { user_id: '', time_factor: '1.25', extra_attempts: '0', break_minutes: '' };
type ClassTermFields = typeof noClassTerms;

/** The body of a request. */
export const classTermsOf = ({ time_factor, extra_attempts, break_minutes }: ClassTermFields) => ({
  time_factor: Number(time_factor),
  extra_attempts: Number(extra_attempts),
  break_minutes: break_minutes === '' ? null : Number(break_minutes),
});

/** The fields of the accommodation of one student in all exam sessions of a class. */
export function ClassAccommodationFields({ form }: { form: UseFormReturn<ClassTermFields> }) {
  const t = useStrings();
  const format = useFormat();
  const words = t.examSessions;
  return (
    <>
      <Select
        label={words.time}
        options={factors.map((factor) => ({ value: `${factor}`, label: format.factor(factor) }))}
        {...fieldOf(form, 'time_factor')}
      />
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
