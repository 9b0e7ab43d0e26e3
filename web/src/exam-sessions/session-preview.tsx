import { useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { useWatch } from 'react-hook-form';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { examsQuery } from '../teaching-model/assessments.ts';
import { classAccommodationsQuery, forecastQuery, type Participants } from '../teaching-model/exam-sessions.ts';
import { SessionFacts } from '../teaching-model/session-facts.tsx';
import { Button } from '../ui/button.tsx';
import { instant, localTime } from '../ui/time/local-time.ts';
import type { PlannedAccommodation } from './accommodations/planned-accommodations.tsx';
import { type SessionFormState, timeLimitOf } from './session-values.ts';

type Window = { opens_at: string; closes_at: string };

/** What students will see of a session, and how many containers it can need. */
export function SessionPreview({
  participants,
  form,
  accommodations,
}: {
  participants: Participants;
  form: SessionFormState;
  accommodations: readonly PlannedAccommodation[];
}) {
  const t = useStrings();
  const words = t.examSessions.planning;
  const values = useWatch({ control: form.control });
  const { data: exams = [] } = useQuery(examsQuery);
  const exam = exams.find(({ id }) => `${id}` === values.exam_id);
  const window = windowOf(values.opens_at, values.closes_at);
  const minutes = timeLimitOf(values, exams);
  return (
    <section aria-label={words.preview} className="flex flex-col gap-3 rounded-md border p-4">
      <h2 className="text-sm font-medium">{words.preview}</h2>
      {exam && window ? (
        <>
          <div className="flex flex-col gap-1">
            <p className="font-semibold [overflow-wrap:anywhere]">{values.title?.trim() || exam.title}</p>
            <SessionFacts
              session={{
                ...window,
                attempts_left: Number(values.max_attempts) || null,
                has_access_code: values.access_code !== '',
                is_locked_down: values.is_locked_down ?? false,
                networks: (values.networks ?? '').split(/[\s,]+/).filter((network) => network !== ''),
              }}
            />
            <p className="text-sm text-ink-soft">
              {minutes !== undefined && words.minutes(Math.min(minutes, lengthOf(window)))}{' '}
              {t.examSessions.resultsLater[values.results_visible ?? 'after_close']}
            </p>
          </div>
          {minutes !== undefined && <TooShort {...{ participants, form, accommodations, window, minutes }} />}
          <Containers participants={participants} window={window} />
        </>
      ) : (
        <p className="text-sm text-ink-soft">{words.previewLater}</p>
      )}
    </section>
  );
}

/** For whom a session closes before their time is over, and how to change it. */
function TooShort({
  participants,
  form,
  accommodations,
  window,
  minutes,
}: {
  participants: Participants;
  form: SessionFormState;
  accommodations: readonly PlannedAccommodation[];
  window: Window;
  minutes: number;
}) {
  const t = useStrings();
  const format = useFormat();
  const words = t.examSessions.planning;
  const classId = 'class_id' in participants ? participants.class_id : 0;
  const { data: ofClass = [] } = useQuery({ ...classAccommodationsQuery(classId), enabled: classId !== 0 });
  const planned = accommodations.filter(({ terms }) => terms.time_factor !== null);
  const others = ofClass.filter(({ user_id }) => planned.every((one) => one.user_id !== user_id));
  const people = [
    ...planned.map(({ name, terms }) => ({ name, factor: terms.time_factor ?? 1, closes_at: terms.closes_at })),
    ...others.map(({ full_name, username, time_factor: factor }) => ({
      ...{ name: full_name ?? username, factor, closes_at: null },
    })),
  ];
  const late = people.filter(
    ({ factor, closes_at }) => minutes * factor > lengthOf({ ...window, closes_at: closes_at ?? window.closes_at }),
  );
  const isForAll = minutes > lengthOf(window);
  if (late.length === 0 && !isForAll) return null;
  const most = Math.ceil(minutes * Math.max(1, ...late.map(({ factor }) => factor)));
  const until = new Date(Date.parse(window.opens_at) + most * 60_000).toISOString();
  return (
    <div
      role="status"
      className="flex flex-col items-start gap-2 rounded-md border border-warn bg-warn-soft p-3 text-sm"
    >
      <p className="flex items-center gap-2 font-medium">
        <TriangleAlert size={16} aria-hidden="true" className="shrink-0 text-warn" />
        {isForAll ? words.closesEarly(minutes, lengthOf(window)) : words.closesEarlyFor}
      </p>
      {late.length > 0 && (
        <ul className="list-disc pl-5">
          {late.map(({ name, factor }) => (
            <li key={name}>{words.needs(name, Math.ceil(minutes * factor))}</li>
          ))}
        </ul>
      )}
      <Button size="small" onClick={() => form.setValue('closes_at', localTime(until), { shouldDirty: true })}>
        {words.closeLater(format.time(until))}
      </Button>
    </div>
  );
}

/** In minutes. */
const lengthOf = ({ opens_at, closes_at }: Window): number =>
  Math.floor((Date.parse(closes_at) - Date.parse(opens_at)) / 60_000);

function Containers({ participants, window }: { participants: Participants; window: Window }) {
  const t = useStrings();
  const words = t.examSessions.planning;
  const { data } = useQuery(forecastQuery(participants, window));
  if (!data) return null;
  const { students, others, capacity } = data;
  const isScarce = students + others > capacity;
  return (
    <div
      role="status"
      className={isScarce ? 'rounded-md border border-warn bg-warn-soft p-3 text-sm' : 'text-sm text-ink-soft'}
    >
      <p className={isScarce ? 'flex items-center gap-2 font-medium' : ''}>
        {isScarce && <TriangleAlert size={16} aria-hidden="true" className="shrink-0 text-warn" />}
        {words.containers(students, capacity)}
        {others > 0 && ` ${words.others(others)}`}
      </p>
      {isScarce && <p className="mt-1">{words.scarce}</p>}
    </div>
  );
}

/** Undefined while it is incomplete or ends before it begins. */
function windowOf(opens = '', closes = ''): Window | undefined {
  if (opens === '' || closes === '' || Date.parse(opens) >= Date.parse(closes)) return undefined;
  return { opens_at: instant(opens), closes_at: instant(closes) };
}
