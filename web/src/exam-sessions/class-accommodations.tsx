import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import type { Strings } from '../strings/en/index.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { DeleteButton } from '../ui/delete-button.tsx';
import { Fetched } from '../ui/states.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { ClassAccommodationForm } from './class-accommodation-form.tsx';
import { type ClassAccommodation, classAccommodationsQuery, sessionsKey } from './queries.ts';

/** The accommodations in all exam sessions of a class, and a form for another one. */
export function ClassAccommodations({ classId }: { classId: number }) {
  const t = useStrings();
  const format = useFormat();
  return (
    <div className="flex flex-col gap-5">
      <Fetched query={useQuery(classAccommodationsQuery(classId))}>
        {(rows) =>
          rows.length > 0 && (
            <Table
              caption={t.examSessions.accommodations}
              rows={rows}
              keyOf={({ user_id }) => user_id}
              columns={columnsOf(t, format, classId)}
            />
          )
        }
      </Fetched>
      <ClassAccommodationForm classId={classId} />
    </div>
  );
}

const columnsOf = (t: Strings, format: ReturnType<typeof useFormat>, classId: number): Column<ClassAccommodation>[] => [
  { title: t.examSessions.student, cell: ({ full_name, username }) => full_name ?? username },
  { title: t.examSessions.time, isNumber: true, cell: ({ time_factor }) => format.factor(time_factor) },
  { title: t.examSessions.extraAttempts, isNumber: true, cell: ({ extra_attempts }) => extra_attempts },
  { title: t.examSessions.breaks, isMinor: true, isNumber: true, cell: ({ break_minutes }) => break_minutes ?? '–' },
  { title: t.common.actions, isNumber: true, cell: (row) => <Withdraw classId={classId} row={row} /> },
];

function Withdraw({ classId: id, row: { user_id, username } }: { classId: number; row: ClassAccommodation }) {
  const t = useStrings();
  const toasts = useToasts();
  const queries = useQueryClient();
  return (
    <DeleteButton
      label={t.examSessions.withdrawOf(username)}
      title={t.examSessions.withdrawTitle(username)}
      action={t.examSessions.withdraw}
      onConfirm={async () => {
        const params = { path: { id, user_id } };
        await ok(api.DELETE('/api/classes/{id}/accommodations/{user_id}', { params }));
        toasts.done(t.examSessions.withdrawn(username));
        await queries.invalidateQueries({ queryKey: sessionsKey });
      }}
    >
      {t.examSessions.withdrawHelp}
    </DeleteButton>
  );
}
