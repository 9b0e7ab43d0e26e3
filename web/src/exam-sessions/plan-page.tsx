import { useQuery } from '@tanstack/react-query';
import { CircleCheck, MonitorPlay } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useUser } from '../api/use-session.ts';
import { useAddress } from '../routing/use-address.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { mayChange, type SchoolClass } from '../teaching-model/classes.ts';
import {
  type Candidate,
  chosenSessionsQuery,
  type ExamSession,
  type Participants,
  plannedClassesQuery,
  type Student,
  studentsQuery,
} from '../teaching-model/exam-sessions.ts';
import { SessionFacts } from '../teaching-model/session-facts.tsx';
import { Button } from '../ui/button.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { Card } from '../ui/card.tsx';
import { DownloadButton } from '../ui/download-button.tsx';
import { optionsOf, Select } from '../ui/forms/field.tsx';
import { showArrival } from '../ui/lists/arrivals.ts';
import { Page } from '../ui/page.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Empty, Fetched } from '../ui/states.tsx';
import { type PlannedAccommodation, PlannedAccommodations } from './accommodations/planned-accommodations.tsx';
import { RoomButton } from './room/room-link.tsx';
import { SessionForm } from './session-form.tsx';
import { SessionPreview } from './session-preview.tsx';
import { SessionTable } from './session-table.tsx';
import { StudentPicker } from './student-picker.tsx';

const kinds = ['class', 'chosen'] as const;

/** From the students to the calendar on one page: the session, the accommodations of its students, and what they will see. */
export function PlanPage() {
  const t = useStrings();
  const { search, onSearch } = useAddress('/plan-exam');
  const words = t.examSessions.planning;
  const [planned, setPlanned] = useState<Planned>();
  const [side, setSide] = useState<HTMLElement | null>(null);
  return (
    <Page title={words.title} lead={words.lead}>
      {planned ? (
        <PlannedSession {...planned} onAgain={() => setPlanned(undefined)} />
      ) : (
        <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
          <Card className="flex flex-col gap-4 sm:p-6">
            <Select
              label={words.who}
              options={optionsOf(kinds, words.kinds)}
              value={search.is_for_chosen ? 'chosen' : 'class'}
              onChange={({ target }) => onSearch({ is_for_chosen: target.value === 'chosen' || undefined }, true)}
            />
            {search.is_for_chosen ? (
              <ForChosen side={side} onDone={setPlanned} />
            ) : (
              <ForClass
                id={search.class_id}
                onChoose={(class_id) => onSearch({ class_id }, true)}
                side={side}
                onDone={setPlanned}
              />
            )}
          </Card>
          <div ref={setSide} className="lg:sticky lg:top-6" />
        </div>
      )}
      <ChosenSessions />
    </Page>
  );
}

type Done = {
  /** Where the preview is: beside the form, or below it on a narrow screen. */
  side: HTMLElement | null;
  onDone: (planned: Planned) => void;
};

function ForClass({
  id,
  onChoose,
  ...done
}: Done & { id: number | undefined; onChoose: (id: number | undefined) => void }) {
  const t = useStrings();
  const words = t.examSessions.planning;
  const query = useQuery(plannedClassesQuery(useUser()));
  return (
    <Fetched query={query}>
      {(classes) => {
        if (classes.length === 0)
          return (
            <Empty title={words.noClass} action={<ButtonLink to="/classes">{words.toClasses}</ButtonLink>}>
              {words.noClassHelp}
            </Empty>
          );
        const chosen = classes.find((of) => of.id === id) ?? (classes.length > 1 ? undefined : classes[0]);
        return (
          <>
            <Select
              label={t.classes.class}
              required
              options={[
                ...(chosen ? [] : [{ value: '', label: words.chooseClass }]),
                ...classes.map((of) => ({ value: `${of.id}`, label: of.name })),
              ]}
              value={`${chosen?.id ?? ''}`}
              onChange={({ target }) => onChoose(Number(target.value) || undefined)}
            />
            {chosen && <OfClass key={chosen.id} of={chosen} {...done} />}
          </>
        );
      }}
    </Fetched>
  );
}

function OfClass({ of, ...done }: Done & { of: SchoolClass }) {
  const { data: students = [] } = useQuery(studentsQuery(of.id));
  return <PlanForm participants={{ class_id: of.id }} students={students} {...done} />;
}

function ForChosen(done: Done) {
  const [students, setStudents] = useState<readonly Candidate[]>([]);
  const add = (more: readonly Candidate[]): void =>
    setStudents((before) => [
      ...before,
      ...more.filter(({ user_id }) => !before.some((student) => student.user_id === user_id)),
    ]);
  const remove = (userId: number): void => setStudents((before) => before.filter(({ user_id }) => user_id !== userId));
  return (
    <>
      <StudentPicker chosen={students} onAdd={add} onRemove={remove} />
      {students.length > 0 && (
        <PlanForm participants={{ user_ids: students.map(({ user_id }) => user_id) }} students={students} {...done} />
      )}
    </>
  );
}

/** The sessions for chosen students that an instructor sees. */
function ChosenSessions() {
  const t = useStrings();
  const user = useUser();
  const { data: sessions = [] } = useQuery(chosenSessionsQuery);
  if (sessions.length === 0) return null;
  const title = t.examSessions.choosing.sessions;
  return (
    <section className="flex flex-col gap-3">
      <h2 className="text-lg font-semibold">{title}</h2>
      <SessionTable
        caption={title}
        sessions={sessions}
        rights={{ isWatcher: true, isChanger: (session) => mayChange(session, user) }}
      />
    </section>
  );
}

/** A new session, its access code, and the students whose accommodation could not be saved. */
type Planned = { session: ExamSession; code: string; failed: { name: string; error: unknown }[] };

/** The fields of a new session, with the accommodations of its students and what they will see. */
function PlanForm({
  participants,
  students,
  side,
  onDone,
}: Done & { participants: Participants; students: readonly Student[] }) {
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
          {side &&
            createPortal(
              <SessionPreview participants={participants} form={form} accommodations={accommodations} />,
              side,
            )}
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

/** A session that was just planned, and where to go from there. */
function PlannedSession({
  session,
  code,
  failed,
  onAgain,
}: {
  session: ExamSession;
  code: string;
  /** Students whose accommodation could not be saved. */
  failed: readonly { name: string; error: unknown }[];
  onAgain: () => void;
}) {
  const t = useStrings();
  const words = t.examSessions.planning;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { id, class_id, class_name, chosen_students, title } = session;
  return (
    <Card className="flex max-w-3xl flex-col gap-4 sm:p-6">
      <div className="flex flex-col gap-1">
        <h2 ref={heading} tabIndex={-1} className="flex items-center gap-2 text-lg font-semibold outline-none">
          <CircleCheck size={20} aria-hidden="true" className="shrink-0 text-good" /> {t.examSessions.planned(title)}
        </h2>
        <p className="text-sm text-ink-soft">{class_name ?? t.examSessions.choosing.count(chosen_students ?? 0)}</p>
        <SessionFacts session={session} />
      </div>
      {code !== '' && (
        <p className="text-sm">
          {words.code} <code className="rounded bg-sunken px-2 py-1 font-medium">{code}</code>
        </p>
      )}
      {failed.map(({ name, error }) => (
        <div key={name} className="flex flex-col gap-1">
          <p className="text-sm">{words.notAccommodated(name)}</p>
          <ProblemNote error={error} />
        </div>
      ))}
      <div className="flex flex-wrap gap-2">
        <DownloadButton label={t.examSessions.calendar} path={`/api/exam-sessions/${id}/calendar.ics`} />
        <RoomButton session={session}>
          <MonitorPlay size={16} aria-hidden="true" /> {words.toRoom}
        </RoomButton>
        {class_id !== null && (
          <ButtonLink
            look="plain"
            to="/classes/$classId"
            params={{ classId: `${class_id}` }}
            search={{ tab: 'exams' }}
            onClick={() => showArrival('exam_session', id)}
          >
            {words.toClass}
          </ButtonLink>
        )}
        <Button onClick={onAgain}>{words.again}</Button>
      </div>
    </Card>
  );
}
