import type { UseFormReturn } from 'react-hook-form';
import type { Strings } from '../../strings/en/index.ts';
import { useFormat, useStrings } from '../../strings/use-strings.tsx';
import type { Accommodation } from '../../teaching-model/exam-sessions.ts';
import { Select, TextField } from '../../ui/forms/field.tsx';
import { fieldOf } from '../../ui/forms/form-field.ts';
import { instantOrNull, localTime } from '../../ui/time/local-time.ts';
import { factorOptions } from './accommodation-options.ts';

export const noTerms = { time_factor: '', opens_at: '', closes_at: '', max_attempts: '', break_minutes: '' };
export type TermFields = typeof noTerms & { user_id: string };
export type Terms = Pick<Accommodation, 'time_factor' | 'opens_at' | 'closes_at' | 'max_attempts' | 'break_minutes'>;

const numberOf = (text: string): number | null => (text === '' ? null : Number(text));

/** The body of a request. Empty fields are as in the class, or as for everybody. */
export const termsOf = (values: TermFields): Terms => ({
  time_factor: numberOf(values.time_factor),
  opens_at: instantOrNull(values.opens_at),
  closes_at: instantOrNull(values.closes_at),
  max_attempts: numberOf(values.max_attempts),
  break_minutes: numberOf(values.break_minutes),
});

/** The values of the fields. */
export const termFieldsOf = ({ user_id, ...terms }: Accommodation): TermFields => ({
  user_id: `${user_id}`,
  time_factor: `${terms.time_factor ?? ''}`,
  opens_at: localTime(terms.opens_at),
  closes_at: localTime(terms.closes_at),
  max_attempts: `${terms.max_attempts ?? ''}`,
  break_minutes: `${terms.break_minutes ?? ''}`,
});

/** The body of a change: only what was edited, because the fields of time lack seconds. */
export function changedTerms(values: TermFields, before: TermFields): Partial<Terms> {
  const [next, old] = [termsOf(values), termsOf(before)];
  return Object.fromEntries(Object.entries(next).filter(([name, value]) => value !== old[name as keyof Terms]));
}

/** What an accommodation has, in one line. */
export function textOfTerms(t: Strings, format: ReturnType<typeof useFormat>, terms: Terms): string {
  const { time_factor, opens_at, closes_at, max_attempts, break_minutes } = terms;
  const words = t.examSessions;
  return [
    time_factor !== null && format.factor(time_factor),
    opens_at && words.from(format.time(opens_at)),
    closes_at && words.until(format.time(closes_at)),
    max_attempts !== null && words.attempts(max_attempts),
    break_minutes !== null && words.breaksOf(break_minutes),
  ]
    .filter(Boolean)
    .join(', ');
}

/** The fields of the accommodation of one student in a session. */
export function AccommodationFields({
  form,
  isOfClass,
  given = [],
}: {
  form: UseFormReturn<TermFields>;
  /** Whether the class can have another one. */
  isOfClass: boolean;
  /** Those of the session. */
  given?: readonly Accommodation[];
}) {
  const t = useStrings();
  const format = useFormat();
  const words = t.examSessions;
  return (
    <>
      <Select
        label={words.time}
        options={[
          { value: '', label: isOfClass ? words.timeOfClass : words.timeOfAll },
          ...factorOptions(given, format.factor),
        ]}
        {...fieldOf(form, 'time_factor')}
      />
      <TextField label={words.ownOpens} type="datetime-local" {...fieldOf(form, 'opens_at')} />
      <TextField label={words.ownCloses} type="datetime-local" {...fieldOf(form, 'closes_at')} />
      <TextField label={words.maxAttempts} type="number" min={1} max={1000} {...fieldOf(form, 'max_attempts')} />
      <TextField
        label={words.breakMinutes}
        help={isOfClass ? `${words.breakHelp} ${words.noBreakHelp}` : words.breakHelp}
        type="number"
        min={0}
        {...fieldOf(form, 'break_minutes')}
      />
    </>
  );
}
