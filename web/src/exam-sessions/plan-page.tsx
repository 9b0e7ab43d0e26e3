import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import type { SchoolClass } from '../classes/queries.ts';
import { useAddress } from '../routing/place-context.ts';
import { useUser } from '../session/use-session.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { Card } from '../ui/card.tsx';
import { Select } from '../ui/field.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, Fetched } from '../ui/states.tsx';
import { type PlannedAccommodation, PlannedAccommodations } from './planned-accommodations.tsx';
import { PlannedSession } from './planned-session.tsx';
import { type ExamSession, plannedClassesQuery } from './queries.ts';
import { SessionForm } from './session-form.tsx';
import { SessionPreview } from './session-preview.tsx';

/** From a class to the calendar on one page: the session, the accommodations of its students, and what they will see. */
export function PlanPage() {
  const t = useStrings();
  const { search, onSearch } = useAddress('/plan-exam');
  const words = t.examSessions.planning;
  const query = useQuery(plannedClassesQuery(useUser()));
  return (
    <Page title={words.title} lead={words.lead}>
      <Fetched query={query}>
        {(classes) =>
          classes.length === 0 ? (
            <Empty title={words.noClass} action={<ButtonLink to="/classes">{words.toClasses}</ButtonLink>}>
              {words.noClassHelp}
            </Empty>
          ) : (
            <ForClass
              classes={classes}
              chosen={classes.find(({ id }) => id === search.class_id) ?? (classes.length > 1 ? undefined : classes[0])}
              onChoose={(class_id) => onSearch({ class_id }, true)}
            />
          )
        }
      </Fetched>
    </Page>
  );
}

type Done = { session: ExamSession; code: string; failed: { name: string; error: unknown }[] };

function ForClass({
  classes,
  chosen,
  onChoose,
}: {
  classes: readonly SchoolClass[];
  chosen: SchoolClass | undefined;
  onChoose: (id: number | undefined) => void;
}) {
  const t = useStrings();
  const [accommodations, setAccommodations] = useState<readonly PlannedAccommodation[]>([]);
  const [done, setDone] = useState<Done>();
  if (done) {
    const again = (): void => {
      setAccommodations([]);
      setDone(undefined);
    };
    return <PlannedSession {...done} onAgain={again} />;
  }
  return (
    <Card className="flex max-w-3xl flex-col gap-4 sm:p-6">
      <Select
        label={t.classes.class}
        required
        options={[
          ...(chosen ? [] : [{ value: '', label: t.examSessions.planning.chooseClass }]),
          ...classes.map(({ id, name }) => ({ value: `${id}`, label: name })),
        ]}
        value={`${chosen?.id ?? ''}`}
        onChange={({ target }) => {
          setAccommodations([]);
          onChoose(Number(target.value) || undefined);
        }}
      />
      {chosen && (
        <SessionForm
          key={chosen.id}
          classId={chosen.id}
          onDone={async (session, code) => setDone({ session, code, failed: await give(session, accommodations) })}
        >
          {(form) => (
            <>
              <PlannedAccommodations classId={chosen.id} given={accommodations} onChange={setAccommodations} />
              <SessionPreview classId={chosen.id} form={form} />
            </>
          )}
        </SessionForm>
      )}
    </Card>
  );
}

/** The session exists already, so those that fail are reported and can be set again on the page of the class. */
async function give({ id }: ExamSession, accommodations: readonly PlannedAccommodation[]): Promise<Done['failed']> {
  const failed: Done['failed'] = [];
  for (const { user_id, name, time_factor } of accommodations) {
    const params = { path: { id, user_id } };
    const request = api.PUT('/api/exam-sessions/{id}/accommodations/{user_id}', { params, body: { time_factor } });
    await ok(request).catch((error: unknown) => failed.push({ name, error }));
  }
  return failed;
}
