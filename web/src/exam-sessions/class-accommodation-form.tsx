import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { Select, TextField } from '../ui/field.tsx';
import { fieldOf, useSentForm } from '../ui/form-field.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { factors, studentOptions } from './accommodation-options.ts';
import { sessionsKey, studentsQuery } from './queries.ts';

const empty = { user_id: '', time_factor: '1.25', extra_attempts: '0', break_minutes: '' };

/** Sets the accommodation of one student in all exam sessions of a class. */
export function ClassAccommodationForm({ classId: id }: { classId: number }) {
  const t = useStrings();
  const format = useFormat();
  const toasts = useToasts();
  const queries = useQueryClient();
  const { data: students = [] } = useQuery(studentsQuery(id));
  const words = t.examSessions;
  const { form, error, onSubmit } = useSentForm(empty, async (values) => {
    const params = { path: { id, user_id: Number(values.user_id) } };
    const body = {
      time_factor: Number(values.time_factor),
      extra_attempts: Number(values.extra_attempts),
      break_minutes: values.break_minutes === '' ? null : Number(values.break_minutes),
    };
    const set = await ok(api.PUT('/api/classes/{id}/accommodations/{user_id}', { params, body }));
    toasts.done(words.accommodated(set.username));
    form.reset(empty);
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
          {...fieldOf(form, 'user_id')}
        />
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
          max={120}
          {...fieldOf(form, 'break_minutes')}
        />
      </div>
      <div className="flex justify-end">
        <Button type="submit" look="primary" isBusy={form.formState.isSubmitting}>
          {t.common.save}
        </Button>
      </div>
    </form>
  );
}
