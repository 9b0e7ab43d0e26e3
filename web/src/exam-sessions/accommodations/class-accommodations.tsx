import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { ok } from '../../api/problem.ts';
import type { Strings } from '../../strings/en/index.ts';
import { useFormat, useStrings } from '../../strings/use-strings.tsx';
import {
  type ClassAccommodation,
  classAccommodationsQuery,
  studentsQuery,
} from '../../teaching-model/exam-sessions.ts';
import { type Column, Table } from '../../ui/lists/table.tsx';
import { Fetched } from '../../ui/states.tsx';
import { AccommodationForm } from './accommodation-form.tsx';
import {
  ClassAccommodationFields,
  classTermFieldsOf,
  classTermsOf,
  noClassTerms,
} from './class-accommodation-fields.tsx';
import { WithdrawAccommodation } from './withdraw-accommodation.tsx';

/** The accommodations in all exam sessions of a class, and a form for another one. */
export function ClassAccommodations({ classId }: { classId: number }) {
  const t = useStrings();
  const format = useFormat();
  const { data: students = [] } = useQuery(studentsQuery(classId));
  const query = useQuery(classAccommodationsQuery(classId));
  return (
    <div className="flex flex-col gap-5">
      <Fetched query={query}>
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
      <AccommodationForm
        students={students}
        given={(query.data ?? []).map(classTermFieldsOf)}
        empty={noClassTerms}
        send={async (user_id, values) => {
          const [params, body] = [{ path: { id: classId, user_id } }, classTermsOf(values)];
          return await ok(api.PUT('/api/classes/{id}/accommodations/{user_id}', { params, body }));
        }}
      >
        {(form) => <ClassAccommodationFields form={form} given={query.data ?? []} />}
      </AccommodationForm>
    </div>
  );
}

const columnsOf = (t: Strings, format: ReturnType<typeof useFormat>, classId: number): Column<ClassAccommodation>[] => [
  {
    title: t.examSessions.student,
    sortBy: ({ full_name, username }) => full_name ?? username,
    cell: ({ full_name, username }) => full_name ?? username,
  },
  {
    title: t.examSessions.time,
    isNumber: true,
    sortBy: ({ time_factor }) => time_factor,
    cell: ({ time_factor }) => format.factor(time_factor),
  },
  {
    title: t.examSessions.extraAttempts,
    isNumber: true,
    sortBy: ({ extra_attempts }) => extra_attempts,
    cell: ({ extra_attempts }) => extra_attempts,
  },
  { title: t.examSessions.breaks, isMinor: true, isNumber: true, cell: ({ break_minutes }) => break_minutes ?? '–' },
  { title: t.common.actions, isNumber: true, cell: (row) => <Withdraw classId={classId} row={row} /> },
];

function Withdraw({ classId: id, row: { user_id, username } }: { classId: number; row: ClassAccommodation }) {
  const params = { path: { id, user_id } };
  return (
    <WithdrawAccommodation
      username={username}
      send={async () => await ok(api.DELETE('/api/classes/{id}/accommodations/{user_id}', { params }))}
    />
  );
}
