import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useWatch } from 'react-hook-form';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { navigate } from '../routing/router.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { classesKey, copyDatesQuery, type SchoolClass } from '../teaching-model/classes.ts';
import { Badge } from '../ui/card.tsx';
import { TextField } from '../ui/forms/field.tsx';
import { fieldOf, useSentForm } from '../ui/forms/form-field.ts';
import { SentForm } from '../ui/forms/sent-form.tsx';
import { TableFrame } from '../ui/lists/table-frame.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { useDebounced } from '../ui/use-debounced.ts';

/** Days that the API takes. */
const maxDays = 3660;

/** Copies a class for another term. Each date is shown before anything is created. */
export function ClassCopy({ of: { id, name } }: { of: SchoolClass }) {
  const t = useStrings();
  const toasts = useToasts();
  const queries = useQueryClient();
  const sent = useSentForm({ name, shift_days: '182' }, async (values) => {
    const body = { name: values.name, shift_days: Number(values.shift_days) };
    const made = await ok(api.POST('/api/classes/{id}/copy', { params: { path: { id } }, body }));
    toasts.done(t.classes.created(made.name));
    await queries.invalidateQueries({ queryKey: classesKey });
    navigate({ to: '/classes/$classId', params: { classId: `${made.id}` } });
  });
  const { form } = sent;
  const days = Number(useDebounced(useWatch({ control: form.control, name: 'shift_days' }), 300));
  return (
    <SentForm sent={sent} action={t.classes.copyNow}>
      <TextField label={t.classes.name} required maxLength={200} {...fieldOf(form, 'name')} />
      <TextField
        label={t.classes.copyDays}
        help={t.classes.copyDaysHelp}
        type="number"
        required
        min={-maxDays}
        max={maxDays}
        step={1}
        {...fieldOf(form, 'shift_days')}
      />
      <p className="text-sm text-ink-soft">{t.classes.copyCodeHelp}</p>
      {Number.isInteger(days) && Math.abs(days) <= maxDays && <Dates classId={id} days={days} />}
    </SentForm>
  );
}

function Dates({ classId, days }: { classId: number; days: number }) {
  const t = useStrings();
  const format = useFormat();
  const { data = [] } = useQuery(copyDatesQuery(classId, days));
  if (data.length === 0) return null;
  const fields: Readonly<Record<string, string>> = t.classes.copyFields;
  return (
    <TableFrame label={t.classes.copyDates}>
      <table className="w-full text-sm">
        <thead>
          <tr className="text-left">
            {[t.classes.copyDates, t.classes.copyBefore, t.classes.copyAfter].map((title) => (
              <th key={title} scope="col" className="px-3 py-2 font-medium">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {data.map(({ part, title, field, before, after, is_weekend }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: titles repeat, and the rows have no state
            <tr key={`${part}-${field}-${index}`} className="border-t">
              <td className="px-3 py-2 [overflow-wrap:anywhere]">
                {title}, {fields[field] ?? field}
              </td>
              <td className="px-3 py-2">{format.time(before)}</td>
              <td className="px-3 py-2">
                {format.time(after)} {is_weekend && <Badge tone="warn">{t.classes.weekend}</Badge>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  );
}
