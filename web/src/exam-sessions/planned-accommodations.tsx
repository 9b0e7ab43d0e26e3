import { useQuery } from '@tanstack/react-query';
import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { Select } from '../ui/field.tsx';
import { factors, nameOf, studentOptions } from './accommodation-options.ts';
import { studentsQuery } from './queries.ts';

export type PlannedAccommodation = { user_id: number; name: string; time_factor: number };

const usualFactor = '1.25';

/** More time for single students of a session that does not exist yet. */
export function PlannedAccommodations({
  classId,
  given,
  onChange,
}: {
  classId: number;
  given: readonly PlannedAccommodation[];
  onChange: (next: readonly PlannedAccommodation[]) => void;
}) {
  const t = useStrings();
  const format = useFormat();
  const words = t.examSessions;
  const { data: students = [] } = useQuery(studentsQuery(classId));
  const [student, setStudent] = useState('');
  const [factor, setFactor] = useState(usualFactor);
  const left = students.filter(({ user_id }) => !given.some((one) => one.user_id === user_id));
  const chosen = left.find(({ user_id }) => `${user_id}` === student);
  const add = (): void => {
    if (!chosen) return;
    onChange([...given, { user_id: chosen.user_id, name: nameOf(chosen), time_factor: Number(factor) }]);
    setStudent('');
  };
  return (
    <fieldset className="flex flex-col gap-3 rounded-md border px-4 pt-2 pb-4">
      <legend className="px-1 text-sm font-medium">{words.accommodations}</legend>
      <p className="text-sm text-ink-soft">{words.planning.accommodationsHelp}</p>
      {given.length > 0 && (
        <ul className="flex flex-col gap-1 text-sm">
          {given.map(({ user_id, name, time_factor }) => (
            <li key={user_id} className="flex items-center justify-between gap-2">
              <span className="min-w-0 [overflow-wrap:anywhere]">
                {name}: {format.factor(time_factor)}
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
      <div className="grid items-end gap-3 sm:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_auto]">
        <Select
          label={words.student}
          options={[{ value: '', label: words.chooseStudent }, ...studentOptions(left)]}
          value={student}
          onChange={({ target }) => setStudent(target.value)}
        />
        <Select
          label={words.time}
          options={factors.filter((one) => one > 1).map((one) => ({ value: `${one}`, label: format.factor(one) }))}
          value={factor}
          onChange={({ target }) => setFactor(target.value)}
        />
        <Button disabled={!chosen} onClick={add}>
          <Plus size={16} aria-hidden="true" /> {words.planning.addAccommodation}
        </Button>
      </div>
    </fieldset>
  );
}
