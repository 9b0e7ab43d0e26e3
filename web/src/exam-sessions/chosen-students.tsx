import { useQuery, useQueryClient } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { type Candidate, chosenStudentsQuery, type ExamSession, sessionsKey } from '../teaching-model/exam-sessions.ts';
import { IconButton } from '../ui/button.tsx';
import { Table } from '../ui/lists/table.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Fetched } from '../ui/states.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { nameOf } from './accommodations/accommodation-options.ts';
import { StudentPicker } from './student-picker.tsx';

/** The students of a session without a class, whom its instructor adds and removes. */
export function ChosenStudents({ session: { id } }: { session: ExamSession }) {
  const t = useStrings();
  const toasts = useToasts();
  const queries = useQueryClient();
  const words = t.examSessions.choosing;
  const query = useQuery(chosenStudentsQuery(id));
  const [error, setError] = useState<unknown>();
  const send = async (request: Promise<unknown>, done: string): Promise<void> => {
    setError(undefined);
    try {
      await request;
      toasts.done(done);
    } catch (problem) {
      setError(problem);
    }
    await queries.invalidateQueries({ queryKey: sessionsKey });
  };
  const add = (students: readonly Candidate[]): void => {
    if (students.length === 0) return;
    const body = { user_ids: students.map(({ user_id }) => user_id) };
    const request = ok(api.POST('/api/exam-sessions/{id}/users', { params: { path: { id } }, body }));
    void send(request, words.added(students.length));
  };
  const remove = (user_id: number, name: string): void => {
    const params = { path: { id, user_id } };
    void send(ok(api.DELETE('/api/exam-sessions/{id}/users/{user_id}', { params })), words.removed(name));
  };
  return (
    <div className="flex flex-col gap-5">
      {error !== undefined && <ProblemNote error={error} />}
      <StudentPicker chosen={query.data ?? []} onAdd={add} />
      <Fetched query={query}>
        {(students) => (
          <Table
            caption={words.chosen}
            rows={students}
            keyOf={({ user_id }) => user_id}
            columns={[
              { title: t.examSessions.student, cell: (student) => nameOf(student) },
              { title: words.attempts, isNumber: true, isMinor: true, cell: ({ attempts }) => attempts },
              {
                title: t.common.actions,
                isNumber: true,
                cell: (student) => (
                  <IconButton
                    label={words.remove(nameOf(student))}
                    onClick={() => remove(student.user_id, nameOf(student))}
                  >
                    <X size={16} aria-hidden="true" />
                  </IconButton>
                ),
              },
            ]}
          />
        )}
      </Fetched>
    </div>
  );
}
