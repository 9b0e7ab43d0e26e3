import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CalendarClock, UserRoundPlus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useUser } from '../api/use-session.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { classesKey, mayChange, progressQuery, type SchoolClass } from '../teaching-model/classes.ts';
import { classDeadlinesQuery, deadlinesKey } from '../teaching-model/deadlines.ts';
import { DueState } from '../teaching-model/due-state.tsx';
import { IconButton } from '../ui/button.tsx';
import { DeleteButton } from '../ui/delete-button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/forms/field.tsx';
import { useSentForm } from '../ui/forms/form-field.ts';
import { SentForm } from '../ui/forms/sent-form.tsx';
import { type Column, Table } from '../ui/lists/table.tsx';
import { Fetched } from '../ui/states.tsx';
import { instant, localTime, ownZone } from '../ui/time/local-time.ts';
import { useToasts } from '../ui/toasts.tsx';
import { DeadlineExtensions } from './deadline-extensions.tsx';

type Rule = { late_percent_per_day: number | null; late_floor_percent: number };
type Row = { id: number; title: string; due_at: string | null; passed_at: string | null; rule?: Rule | undefined };

/** When the laboratories of a class are due. Its instructors set the deadlines. */
export function ClassDeadlines({ of }: { of: SchoolClass }) {
  const user = useUser();
  return mayChange(of, user) && !of.is_archived ? <All of={of} /> : <Known of={of} />;
}

/** Those that are set. */
function Known({ of }: { of: SchoolClass }) {
  const query = useQuery(classDeadlinesQuery(of.id));
  return (
    <Section>
      <Fetched query={query}>
        {(deadlines) => (
          <Deadlines
            rows={deadlines.map(({ laboratory_id: id, ...row }) => ({ id, ...row, rule: row }))}
            isStudent={of.my_role === 'student'}
          />
        )}
      </Fetched>
    </Section>
  );
}

/** All laboratories of the class, with and without a deadline. */
function All({ of }: { of: SchoolClass }) {
  const query = useQuery(progressQuery(of.id, {}));
  const { data: set = [] } = useQuery(classDeadlinesQuery(of.id));
  return (
    <Section>
      <Fetched query={query}>
        {({ subjects: assessments }) => (
          <Deadlines
            rows={assessments
              .filter(({ kind }) => kind === 'laboratory')
              .map((row) => ({
                ...row,
                passed_at: null,
                rule: set.find(({ laboratory_id }) => laboratory_id === row.id),
              }))}
            classId={of.id}
          />
        )}
      </Fetched>
    </Section>
  );
}

function Section({ children }: { children: ReactNode }) {
  const t = useStrings();
  return (
    <section className="flex flex-col gap-3">
      <div>
        <h2 className="text-lg font-semibold">{t.classes.deadlines}</h2>
        <p className="text-sm text-ink-soft">{t.classes.deadlinesLead}</p>
      </div>
      {children}
    </section>
  );
}

/** @param classId of the class whose deadlines may be changed */
function Deadlines({ rows, classId, isStudent }: { rows: readonly Row[]; classId?: number; isStudent?: boolean }) {
  const t = useStrings();
  const format = useFormat();
  if (rows.length === 0) return <p className="text-sm text-ink-soft">{t.classes.noDeadlines}</p>;
  const columns: Column<Row>[] = [
    { title: t.classes.laboratory, sortBy: ({ title }) => title, cell: ({ title }) => title },
    {
      title: t.classes.due,
      sortBy: ({ due_at }) => due_at,
      cell: ({ due_at, passed_at, rule }) => (
        <span className="inline-flex flex-wrap items-center gap-2">
          {due_at === null ? '–' : format.time(due_at)}
          {due_at !== null && rule?.late_percent_per_day != null && (
            <span className="text-ink-soft">
              {t.classes.lateRule(rule.late_percent_per_day, rule.late_floor_percent)}
            </span>
          )}
          {isStudent && <DueState dueAt={due_at} doneAt={passed_at} />}
        </span>
      ),
    },
    ...(classId === undefined
      ? []
      : [{ title: t.common.actions, isActions: true, cell: (row: Row) => <Actions classId={classId} of={row} /> }]),
  ];
  return <Table caption={t.classes.deadlines} rows={rows} keyOf={({ id }) => id} columns={columns} />;
}

function Actions({ classId, of: { id, title, due_at, rule } }: { classId: number; of: Row }) {
  const t = useStrings();
  const toasts = useToasts();
  const queries = useQueryClient();
  const [isEditing, setEditing] = useState(false);
  const [isExtending, setExtending] = useState(false);
  const remove = async (): Promise<void> => {
    const params = { path: { id: classId, laboratory_id: id } };
    await ok(api.DELETE('/api/classes/{id}/deadlines/{laboratory_id}', { params }));
    toasts.done(t.classes.deadlineDeleted(title));
    await Promise.all([classesKey, deadlinesKey].map((queryKey) => queries.invalidateQueries({ queryKey })));
  };
  return (
    <span className="flex gap-1">
      <IconButton label={t.classes.setDeadline(title)} aria-haspopup="dialog" onClick={() => setEditing(true)}>
        <CalendarClock size={18} aria-hidden="true" />
      </IconButton>
      {due_at !== null && (
        <IconButton label={t.classes.extendDeadline(title)} aria-haspopup="dialog" onClick={() => setExtending(true)}>
          <UserRoundPlus size={18} aria-hidden="true" />
        </IconButton>
      )}
      {due_at !== null && (
        <DeleteButton
          label={t.classes.deleteDeadline(title)}
          title={t.classes.deleteDeadlineTitle(title)}
          onConfirm={remove}
        >
          {t.classes.deleteDeadlineHelp}
        </DeleteButton>
      )}
      <Dialog title={t.classes.setDeadline(title)} isOpen={isEditing} onOpenChange={setEditing}>
        <DeadlineForm classId={classId} of={{ id, title, due_at, rule }} onDone={() => setEditing(false)} />
      </Dialog>
      <Dialog title={t.classes.extendDeadline(title)} isOpen={isExtending} onOpenChange={setExtending}>
        <DeadlineExtensions classId={classId} laboratoryId={id} />
      </Dialog>
    </span>
  );
}

type Laboratory = Pick<Row, 'id' | 'title' | 'due_at' | 'rule'>;

/** Sets when a laboratory is due in a class. */
function DeadlineForm({ classId, of, onDone }: { classId: number; of: Laboratory; onDone: () => void }) {
  const t = useStrings();
  const toasts = useToasts();
  const queries = useQueryClient();
  const given = {
    due_at: localTime(of.due_at),
    late_percent_per_day: `${of.rule?.late_percent_per_day ?? ''}`,
    late_floor_percent: `${of.rule?.late_floor_percent ?? 0}`,
  };
  const sent = useSentForm(given, async ({ due_at, late_percent_per_day: perDay, late_floor_percent: floor }) => {
    const params = { path: { id: classId, laboratory_id: of.id } };
    const body = {
      due_at: instant(due_at),
      late_percent_per_day: perDay === '' ? null : Number(perDay),
      late_floor_percent: Number(floor),
    };
    await ok(api.PUT('/api/classes/{id}/deadlines/{laboratory_id}', { params, body }));
    toasts.done(t.classes.deadlineSet(of.title));
    await Promise.all([classesKey, deadlinesKey].map((queryKey) => queries.invalidateQueries({ queryKey })));
    onDone();
  });
  const { field } = sent;
  return (
    <SentForm sent={sent} action={t.common.save}>
      <TextField
        label={t.classes.due}
        help={t.examSessions.zone(ownZone())}
        type="datetime-local"
        required
        {...field('due_at')}
      />
      <TextField
        label={t.classes.latePerDay}
        help={t.classes.latePerDayHelp}
        {...{ type: 'number', min: 1, max: 100, inputMode: 'numeric' }}
        {...field('late_percent_per_day')}
      />
      <TextField
        label={t.classes.lateFloor}
        required
        {...{ type: 'number', min: 0, max: 100, inputMode: 'numeric' }}
        {...field('late_floor_percent')}
      />
    </SentForm>
  );
}
