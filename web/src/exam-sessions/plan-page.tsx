import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useUser } from '../api/use-session.ts';
import { useAddress } from '../routing/location-context.ts';
import { useStrings } from '../strings/use-strings.tsx';
import type { SchoolClass } from '../teaching-model/classes.ts';
import { type Candidate, plannedClassesQuery, studentsQuery } from '../teaching-model/exam-sessions.ts';
import { ButtonLink } from '../ui/button-link.tsx';
import { Card } from '../ui/card.tsx';
import { optionsOf, Select } from '../ui/forms/field.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, Fetched } from '../ui/states.tsx';
import { ChosenSessions } from './chosen-sessions.tsx';
import { PlanForm, type Planned } from './plan-form.tsx';
import { PlannedSession } from './planned-session.tsx';
import { StudentPicker } from './student-picker.tsx';

const kinds = ['class', 'chosen'] as const;

/** From the students to the calendar on one page: the session, the accommodations of its students, and what they will see. */
export function PlanPage() {
  const t = useStrings();
  const { search, onSearch } = useAddress('/plan-exam');
  const words = t.examSessions.planning;
  const [planned, setPlanned] = useState<Planned>();
  return (
    <Page title={words.title} lead={words.lead}>
      {planned ? (
        <PlannedSession {...planned} onAgain={() => setPlanned(undefined)} />
      ) : (
        <Card className="flex max-w-3xl flex-col gap-4 sm:p-6">
          <Select
            label={words.who}
            options={optionsOf(kinds, words.kinds)}
            value={search.is_for_chosen ? 'chosen' : 'class'}
            onChange={({ target }) => onSearch({ is_for_chosen: target.value === 'chosen' || undefined }, true)}
          />
          {search.is_for_chosen ? (
            <ForChosen onDone={setPlanned} />
          ) : (
            <ForClass id={search.class_id} onChoose={(class_id) => onSearch({ class_id }, true)} onDone={setPlanned} />
          )}
        </Card>
      )}
      <ChosenSessions />
    </Page>
  );
}

type Done = { onDone: (planned: Planned) => void };

function ForClass({
  id,
  onChoose,
  onDone,
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
            {chosen && <OfClass key={chosen.id} of={chosen} onDone={onDone} />}
          </>
        );
      }}
    </Fetched>
  );
}

function OfClass({ of, onDone }: Done & { of: SchoolClass }) {
  const { data: students = [] } = useQuery(studentsQuery(of.id));
  return <PlanForm participants={{ class_id: of.id }} students={students} onDone={onDone} />;
}

function ForChosen({ onDone }: Done) {
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
        <PlanForm
          participants={{ user_ids: students.map(({ user_id }) => user_id) }}
          students={students}
          onDone={onDone}
        />
      )}
    </>
  );
}
