import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { ok } from '../../api/problem.ts';
import type { Strings } from '../../strings/en/index.ts';
import { useFormat, useStrings } from '../../strings/use-strings.tsx';
import {
  type Accommodation,
  accommodationsQuery,
  type ExamSession,
  sessionStudentsQuery,
} from '../../teaching-model/exam-sessions.ts';
import { type Column, Table } from '../../ui/lists/table.tsx';
import { Fetched } from '../../ui/states.tsx';
import { AccommodationFields, changedTerms, noTerms, termFieldsOf } from './accommodation-fields.tsx';
import { AccommodationForm } from './accommodation-form.tsx';
import { WithdrawAccommodation } from './withdraw-accommodation.tsx';

/** Empty fields are as for everybody. */
const empty = { user_id: '', ...noTerms };

/** The accommodations of a session, and a form for another one. */
export function Accommodations({ session }: { session: ExamSession }) {
  const t = useStrings();
  const format = useFormat();
  const { data: students = [] } = useQuery(sessionStudentsQuery(session));
  const query = useQuery(accommodationsQuery(session.id));
  return (
    <div className="flex flex-col gap-5">
      <Fetched query={query}>
        {(rows) =>
          rows.length > 0 && (
            <Table
              caption={t.examSessions.accommodations}
              rows={rows}
              keyOf={({ user_id }) => user_id}
              columns={columnsOf(t, format, session.id)}
            />
          )
        }
      </Fetched>
      <AccommodationForm
        students={students}
        given={(query.data ?? []).map(termFieldsOf)}
        empty={empty}
        send={async (user_id, values, before) => {
          const [params, body] = [{ path: { id: session.id, user_id } }, changedTerms(values, before)];
          return await ok(api.PUT('/api/exam-sessions/{id}/accommodations/{user_id}', { params, body }));
        }}
      >
        {(form) => <AccommodationFields form={form} isOfClass={session.class_id !== null} given={query.data ?? []} />}
      </AccommodationForm>
    </div>
  );
}

const columnsOf = (t: Strings, format: ReturnType<typeof useFormat>, id: number): Column<Accommodation>[] => [
  {
    title: t.examSessions.student,
    sortBy: ({ full_name, username }) => full_name ?? username,
    cell: ({ full_name, username }) => full_name ?? username,
  },
  {
    title: t.examSessions.time,
    sortBy: ({ time_factor }) => time_factor,
    isNumber: true,
    cell: ({ time_factor }) => (time_factor === null ? '–' : format.factor(time_factor)),
  },
  {
    title: t.examSessions.ownWindow,
    sortBy: ({ opens_at, closes_at }) => opens_at ?? closes_at,
    cell: ({ opens_at, closes_at }) =>
      [
        opens_at && t.examSessions.from(format.time(opens_at)),
        closes_at && t.examSessions.until(format.time(closes_at)),
      ]
        .filter(Boolean)
        .join(', ') || '–',
  },
  {
    title: t.examSessions.maxAttempts,
    isMinor: true,
    isNumber: true,
    sortBy: ({ max_attempts }) => max_attempts,
    cell: ({ max_attempts }) => max_attempts ?? '–',
  },
  {
    title: t.examSessions.breaks,
    isMinor: true,
    isNumber: true,
    sortBy: ({ break_minutes }) => break_minutes,
    cell: ({ break_minutes }) => break_minutes ?? '–',
  },
  { title: t.common.actions, isActions: true, cell: (row) => <Withdraw id={id} row={row} /> },
];

function Withdraw({ id, row: { user_id, username } }: { id: number; row: Accommodation }) {
  const params = { path: { id, user_id } };
  return (
    <WithdrawAccommodation
      username={username}
      send={async () => await ok(api.DELETE('/api/exam-sessions/{id}/accommodations/{user_id}', { params }))}
    />
  );
}
