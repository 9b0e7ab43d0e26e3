import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { CalendarClock } from 'lucide-react';
import { useState } from 'react';
import { type Answer, api } from '../api/client.ts';
import { ok, okAll } from '../api/problem.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { classesKey } from '../teaching-model/classes.ts';
import { IconButton } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/forms/field.tsx';
import { useSentForm } from '../ui/forms/form-field.ts';
import { SentForm } from '../ui/forms/sent-form.tsx';
import { type Column, Table } from '../ui/lists/table.tsx';
import { Fetched } from '../ui/states.tsx';
import { instantOrNull, localTime, ownZone } from '../ui/time/local-time.ts';
import { useToasts } from '../ui/toasts.tsx';

type Part = Answer<'/api/classes/{id}/openings'>[number];

const openingsQuery = (id: number) =>
  queryOptions({
    queryKey: [...classesKey, 'openings', id],
    queryFn: ({ signal }) =>
      okAll((query) => api.GET('/api/classes/{id}/openings', { params: { path: { id }, query }, signal })),
  });

/** When the parts of the courses of a class open for it, for its instructors. */
export function ClassOpenings({ classId }: { classId: number }) {
  const t = useStrings();
  const format = useFormat();
  const query = useQuery(openingsQuery(classId));
  const timeOf = ({ own_opens_at, opens_at }: Part): string | null => own_opens_at ?? opens_at;
  const columns: Column<Part>[] = [
    {
      title: t.classes.openings.part,
      sortBy: ({ title }) => title,
      cell: ({ kind, title }) => (kind === 'section' ? title : t.reader[kind](title)),
    },
    { title: t.classes.openings.course, sortBy: ({ course }) => course, cell: ({ course }) => course },
    {
      title: t.classes.openings.opens,
      sortBy: timeOf,
      cell: (part) => {
        const time = timeOf(part);
        if (time === null) return '–';
        return part.own_opens_at === null ? t.classes.openings.ofCourse(format.time(time)) : format.time(time);
      },
    },
    { title: t.common.actions, isActions: true, cell: (part) => <SetTime classId={classId} part={part} /> },
  ];
  return (
    <section className="flex flex-col gap-3">
      <div>
        <h2 className="text-lg font-semibold">{t.classes.openings.title}</h2>
        <p className="text-sm text-ink-soft">{t.classes.openings.lead}</p>
      </div>
      <Fetched query={query}>
        {(parts) => (
          <Table
            caption={t.classes.openings.title}
            rows={parts}
            keyOf={({ kind, id }) => `${kind}-${id}`}
            columns={columns}
          />
        )}
      </Fetched>
    </section>
  );
}

function SetTime({ classId, part }: { classId: number; part: Part }) {
  const t = useStrings();
  const [isOpen, setOpen] = useState(false);
  const label = t.classes.openings.set(part.title);
  return (
    <>
      <IconButton label={label} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <CalendarClock size={18} aria-hidden="true" />
      </IconButton>
      <Dialog title={label} isOpen={isOpen} onOpenChange={setOpen}>
        <TimeForm classId={classId} part={part} onDone={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function TimeForm({ classId, part, onDone }: { classId: number; part: Part; onDone: () => void }) {
  const t = useStrings();
  const toasts = useToasts();
  const queries = useQueryClient();
  const sent = useSentForm({ opens_at: localTime(part.own_opens_at) }, async ({ opens_at }) => {
    const params = { path: { id: classId, kind: part.kind, part_id: part.id } };
    const body = { opens_at: instantOrNull(opens_at) };
    await ok(api.PUT('/api/classes/{id}/openings/{kind}/{part_id}', { params, body }));
    toasts.done(t.classes.openings.wasSet(part.title));
    await queries.invalidateQueries({ queryKey: classesKey });
    onDone();
  });
  return (
    <SentForm sent={sent} action={t.common.save}>
      <TextField
        label={t.classes.openings.opens}
        help={`${t.examSessions.zone(ownZone())} ${t.classes.openings.empty}`}
        type="datetime-local"
        {...sent.field('opens_at')}
      />
    </SentForm>
  );
}
