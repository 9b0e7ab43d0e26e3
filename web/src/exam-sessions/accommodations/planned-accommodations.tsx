import { Plus, X } from 'lucide-react';
import { useForm } from 'react-hook-form';
import { useFormat, useStrings } from '../../strings/use-strings.tsx';
import type { Student } from '../../teaching-model/exam-sessions.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Select } from '../../ui/forms/field.tsx';
import {
  AccommodationFields,
  noTerms,
  type TermFields,
  type Terms,
  termsOf,
  textOfTerms,
} from './accommodation-fields.tsx';
import { nameOf, studentOptions } from './accommodation-options.ts';

export type PlannedAccommodation = { user_id: number; name: string; terms: Terms };

const empty: TermFields = { user_id: '', ...noTerms, time_factor: '1.25' };

/** The accommodations of single students in a session that does not exist yet. */
export function PlannedAccommodations({
  students,
  isOfClass,
  given,
  onChange,
}: {
  students: readonly Student[];
  isOfClass: boolean;
  given: readonly PlannedAccommodation[];
  onChange: (next: readonly PlannedAccommodation[]) => void;
}) {
  const t = useStrings();
  const format = useFormat();
  const words = t.examSessions;
  // It is within the form of the session, and must not send that one.
  const form = useForm<TermFields>({ defaultValues: empty });
  const left = students.filter(({ user_id }) => !given.some((one) => one.user_id === user_id));
  const chosen = left.find(({ user_id }) => `${user_id}` === form.watch('user_id'));
  const add = (values: TermFields): void => {
    if (!chosen) return;
    onChange([...given, { user_id: chosen.user_id, name: nameOf(chosen), terms: termsOf(values) }]);
    form.reset(empty);
  };
  return (
    <fieldset className="flex flex-col gap-3 rounded-md border px-4 pt-2 pb-4">
      <legend className="px-1 text-sm font-medium">{words.accommodations}</legend>
      <p className="text-sm text-ink-soft">{words.planning.accommodationsHelp}</p>
      {given.length > 0 && (
        <ul className="flex flex-col gap-1 text-sm">
          {given.map(({ user_id, name, terms }) => (
            <li key={user_id} className="flex items-center justify-between gap-2">
              <span className="min-w-0 [overflow-wrap:anywhere]">
                {name}: {textOfTerms(t, format, terms)}
              </span>
              <IconButton
                label={words.planning.removeAccommodation(name)}
                onClick={() => onChange(given.filter((one) => one.user_id !== user_id))}
              >
                <X size={16} aria-hidden="true" />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
        <Select
          label={words.student}
          options={[{ value: '', label: words.chooseStudent }, ...studentOptions(left)]}
          {...form.register('user_id')}
        />
        {chosen && <AccommodationFields form={form} isOfClass={isOfClass} />}
      </div>
      <div className="flex justify-end">
        <Button disabled={!chosen} onClick={() => void form.handleSubmit(add)()}>
          <Plus size={16} aria-hidden="true" /> {words.planning.addAccommodation}
        </Button>
      </div>
    </fieldset>
  );
}
