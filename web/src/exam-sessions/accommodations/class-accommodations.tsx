import { useQuery } from '@tanstack/react-query';
import type { UseFormReturn } from 'react-hook-form';
import { api } from '../../api/client.ts';
import { ok } from '../../api/problem.ts';
import type { Strings } from '../../strings/en/index.ts';
import { useFormat, useStrings } from '../../strings/use-strings.tsx';
import {
  type ClassAccommodation,
  classAccommodationsQuery,
  studentsQuery,
} from '../../teaching-model/exam-sessions.ts';
import { Select, TextField } from '../../ui/forms/field.tsx';
import { fieldOf } from '../../ui/forms/form-field.ts';
import { type Column, Table } from '../../ui/lists/table.tsx';
import { Fetched } from '../../ui/states.tsx';
import { AccommodationForm } from './accommodation-form.tsx';
import { factorOptions } from './accommodation-options.ts';
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
  { title: t.common.actions, isActions: true, cell: (row) => <Withdraw classId={classId} row={row} /> },
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

const noClassTerms = { user_id: '', time_factor: '1.25', extra_attempts: '0', break_minutes: '' };
type ClassTermFields = typeof noClassTerms;

/** The values of the fields. */
const classTermFieldsOf = (of: ClassAccommodation): ClassTermFields => ({
  user_id: `${of.user_id}`,
  time_factor: `${of.time_factor}`,
  extra_attempts: `${of.extra_attempts}`,
  break_minutes: `${of.break_minutes ?? ''}`,
});

/** The body of a request. */
const classTermsOf = ({ time_factor, extra_attempts, break_minutes }: ClassTermFields) => ({
  time_factor: Number(time_factor),
  extra_attempts: Number(extra_attempts),
  break_minutes: break_minutes === '' ? null : Number(break_minutes),
});

/** The fields of the accommodation of one student in all exam sessions of a class. */
function ClassAccommodationFields({
  form,
  given,
}: {
  form: UseFormReturn<ClassTermFields>;
  /** Those of the class. */
  given: readonly ClassAccommodation[];
}) {
  const t = useStrings();
  const format = useFormat();
  const words = t.examSessions;
  return (
    <>
      <Select label={words.time} options={factorOptions(given, format.factor)} {...fieldOf(form, 'time_factor')} />
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
        {...fieldOf(form, 'break_minutes')}
      />
    </>
  );
}
