import { useState } from 'react';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import type { ExamSession, Participants, Student } from '../teaching-model/exam-sessions.ts';
import { type PlannedAccommodation, PlannedAccommodations } from './accommodations/planned-accommodations.tsx';
import { SessionForm } from './session-form.tsx';
import { SessionPreview } from './session-preview.tsx';

/** A new session, its access code, and the students whose accommodation could not be saved. */
export type Planned = { session: ExamSession; code: string; failed: { name: string; error: unknown }[] };

/** The fields of a new session, with the accommodations of its students and what they will see. */
export function PlanForm({
  participants,
  students,
  onDone,
}: {
  participants: Participants;
  students: readonly Student[];
  onDone: (planned: Planned) => void;
}) {
  const [given, setGiven] = useState<readonly PlannedAccommodation[]>([]);
  const accommodations = given.filter((one) => students.some(({ user_id }) => user_id === one.user_id));
  return (
    <SessionForm
      participants={participants}
      onDone={async (session, code) => onDone({ session, code, failed: await give(session, accommodations) })}
    >
      {(form) => (
        <>
          <PlannedAccommodations
            students={students}
            isOfClass={'class_id' in participants}
            given={accommodations}
            onChange={setGiven}
          />
          <SessionPreview participants={participants} form={form} accommodations={accommodations} />
        </>
      )}
    </SessionForm>
  );
}

/** The session exists already, so those that fail are reported and can be set again in its menu. */
async function give({ id }: ExamSession, accommodations: readonly PlannedAccommodation[]): Promise<Planned['failed']> {
  const failed: Planned['failed'] = [];
  for (const { user_id, name, terms } of accommodations) {
    const params = { path: { id, user_id } };
    const request = api.PUT('/api/exam-sessions/{id}/accommodations/{user_id}', { params, body: terms });
    await ok(request).catch((error: unknown) => failed.push({ name, error }));
  }
  return failed;
}
