import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useWatch } from 'react-hook-form';
import { type Answer, api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { navigate } from '../routing/router.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { type CopyMove, classesKey, copyDatesQuery, type SchoolClass } from '../teaching-model/classes.ts';
import { Badge } from '../ui/card.tsx';
import { classes } from '../ui/classes.ts';
import { optionsOf, Select, TextField } from '../ui/forms/field.tsx';
import { useSentForm } from '../ui/forms/form-field.ts';
import { SentForm } from '../ui/forms/sent-form.tsx';
import { TableFrame } from '../ui/lists/table-frame.tsx';
import { Fetched, Loading } from '../ui/states.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { useDebounced } from '../ui/use-debounced.ts';

/** Days that the API takes. */
const maxDays = 3660;

/** Copies a class for another term. Each date is shown before anything is created. */
export function ClassCopy({ of: { id, name } }: { of: SchoolClass }) {
  const t = useStrings();
  const toasts = useToasts();
  const queries = useQueryClient();
  const first: Values = { name, by: 'days', shift_days: '182', starts_on: '' };
  const sent = useSentForm(first, async (values) => {
    const body = { name: values.name, ...moveOf(values) };
    const made = await ok(api.POST('/api/classes/{id}/copy', { params: { path: { id } }, body }));
    toasts.done(t.classes.created(made.name));
    await queries.invalidateQueries({ queryKey: classesKey });
    navigate({ to: '/classes/$classId', params: { classId: `${made.id}` } });
  });
  const { form, field } = sent;
  const typed = { ...first, ...useWatch({ control: form.control }) };
  const shown = useDebounced(JSON.stringify(moveOf(typed)), 300);
  return (
    <SentForm sent={sent} action={t.classes.copyNow}>
      <TextField label={t.classes.name} required maxLength={200} {...field('name')} />
      <Select label={t.classes.copyMove} options={optionsOf(['days', 'start'], t.classes.copyMoves)} {...field('by')} />
      {typed.by === 'days' ? (
        <TextField
          key="days"
          label={t.classes.copyDays}
          help={t.classes.copyDaysHelp}
          type="number"
          required
          min={-maxDays}
          max={maxDays}
          step={1}
          {...field('shift_days')}
        />
      ) : (
        <TextField
          key="start"
          label={t.classes.copyStart}
          help={t.classes.copyStartHelp}
          type="date"
          required
          {...field('starts_on')}
        />
      )}
      <p className="text-sm text-ink-soft">{t.classes.copyCodeHelp}</p>
      {shown !== undefined && <Dates classId={id} move={JSON.parse(shown) as CopyMove} />}
    </SentForm>
  );
}

type Values = { name: string; by: 'days' | 'start'; shift_days: string; starts_on: string };

/** Undefined while a field is being filled in. */
function moveOf({ by, shift_days, starts_on }: Values): CopyMove | undefined {
  if (by === 'start') return starts_on === '' ? undefined : { starts_on };
  const days = shift_days === '' ? Number.NaN : Number(shift_days);
  return Number.isInteger(days) && Math.abs(days) <= maxDays ? { shift_days: days } : undefined;
}

/** The dates of the move before stay, faint, until the new ones are here. They are never shown in place of an error. */
function Dates({ classId, move }: { classId: number; move: CopyMove }) {
  const query = useQuery(copyDatesQuery(classId, move));
  return (
    <Fetched query={query} skeleton={<Loading rows={1} className="h-24" />}>
      {(dates) => <DateTable dates={dates} isOld={query.isPlaceholderData} />}
    </Fetched>
  );
}

type CopyDate = Answer<'/api/classes/{id}/copy/dates'>[number];

function DateTable({ dates, isOld }: { dates: readonly CopyDate[]; isOld: boolean }) {
  const t = useStrings();
  const format = useFormat();
  if (dates.length === 0) return <p className="text-sm text-ink-soft">{t.classes.noCopyDates}</p>;
  const fields: Readonly<Record<string, string>> = t.classes.copyFields;
  return (
    <TableFrame label={t.classes.copyDates}>
      <table className={classes(isOld && 'opacity-60')} aria-busy={isOld}>
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
          {dates.map(({ part, title, field, before, after, is_weekend }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: titles repeat, and the rows have no state
            <tr key={`${part}-${field}-${index}`} className="border-t">
              <td className="px-3 py-2 wrap-break-word">
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
