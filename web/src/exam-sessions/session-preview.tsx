import { useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { serverNow } from '../api/server-clock.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { examsQuery } from '../teaching-model/assessments.ts';
import { type ExamForecast, forecastQuery, type Participants } from '../teaching-model/exam-sessions.ts';
import { SessionFacts } from '../teaching-model/session-facts.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { instant, localTime } from '../ui/time/local-time.ts';
import { clashesWith, lengthOf, minutesShort, type Person, usePeople, type Window } from './accommodated-people.ts';
import type { PlannedAccommodation } from './accommodations/planned-accommodations.tsx';
import { type SessionFormState, timeLimitOf } from './session-values.ts';

/** What students will see of a session, who gets how long, and what stands against it. */
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
  const now = useNow();
  const { data: exams = [] } = useQuery(examsQuery);
  const exam = exams.find(({ id }) => `${id}` === values.exam_id);
  const window = windowOf(values.is_now ? localTime(now) : values.opens_at, values.closes_at);
  const minutes = timeLimitOf(values, exams);
  return (
    <section aria-label={words.preview}>
      <Card className="flex flex-col gap-3">
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
            <Students {...{ participants, form, accommodations, window, minutes }} />
          </>
        ) : (
          <p className="text-sm text-ink-soft">{words.previewLater}</p>
        )}
      </Card>
    </section>
  );
}

/** Who gets how long where it is not as for everybody, for whom the session closes too early, and who has another exam at that time. */
function Students({
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
  minutes: number | undefined;
}) {
  const words = useStrings().examSessions.planning;
  const people = usePeople(participants, accommodations, window, minutes);
  const { data: forecast } = useQuery(forecastQuery(participants, window));
  const isAlone = ({ user_id }: { user_id: number }) => people.every((one) => one.user_id !== user_id);
  return (
    <>
      {minutes !== undefined && <TooShort {...{ form, people, window, minutes }} />}
      {people.length > 0 && (
        <section className="flex flex-col gap-1.5 border-t pt-3">
          <h3 className="text-sm font-medium">{words.differently}</h3>
          <ul className="flex flex-col gap-2 text-sm">
            {people.map((person) => (
              <Accommodated key={person.user_id} person={person} clashes={forecast?.clashes ?? []} />
            ))}
          </ul>
        </section>
      )}
      {forecast && <Clashes clashes={forecast.clashes.filter(isAlone)} />}
      {forecast && <Containers forecast={forecast} />}
    </>
  );
}

type Clash = ExamForecast['clashes'][number];

/** The minutes and the window of a student, and what is wrong with them. */
function Accommodated({ person, clashes }: { person: Person; clashes: readonly Clash[] }) {
  const t = useStrings();
  const format = useFormat();
  const words = t.examSessions.planning;
  const { user_id, name, minutes, breaks, window, hasOwnWindow } = person;
  // The forecast of the session knows its window only.
  const { data: own } = useQuery({ ...forecastQuery({ user_ids: [user_id] }, window), enabled: hasOwnWindow });
  const short = minutesShort(person);
  const isBackwards = lengthOf(window) <= 0;
  return (
    <li className="flex flex-col gap-0.5">
      <p className="[overflow-wrap:anywhere]">
        {[
          minutes === undefined ? name : words.needs(name, minutes),
          breaks > 0 && t.examSessions.breaksOf(breaks),
          hasOwnWindow && t.examSessions.window(format.time(window.opens_at), format.time(window.closes_at)),
        ]
          .filter(Boolean)
          .join(', ')}
      </p>
      {isBackwards && <Warning>{words.closesFirst}</Warning>}
      {!isBackwards && short > 0 && <Warning>{words.short(short)}</Warning>}
      {clashesWith(person, own?.clashes ?? clashes).map((clash) => (
        <Warning key={`${clash.session_title} ${clash.opens_at}`}>
          {words.sameTime} <ClashText clash={clash} />
        </Warning>
      ))}
    </li>
  );
}

const Warning = ({ children }: { children: ReactNode }) => (
  <p className="flex items-start gap-1.5 text-warn">
    <TriangleAlert size={15} aria-hidden="true" className="mt-0.5 shrink-0" />
    <span className="min-w-0 [overflow-wrap:anywhere]">{children}</span>
  </p>
);

function ClashText({ clash: { session_title, opens_at, closes_at } }: { clash: Clash }) {
  const t = useStrings();
  const format = useFormat();
  return t.examSessions.planning.clash(
    session_title,
    t.examSessions.window(format.time(opens_at), format.time(closes_at)),
  );
}

/** Names of each exam. More would hide the rest of the preview. */
const maxNames = 5;

/** The other exams at that time, and which students without accommodations take them. */
function Clashes({ clashes }: { clashes: readonly Clash[] }) {
  const words = useStrings().examSessions.planning;
  if (clashes.length === 0) return null;
  const keyOf = (of: Clash): string => `${of.opens_at} ${of.closes_at} ${of.session_title}`;
  const groups = [...new Set(clashes.map(keyOf))].map((key) => clashes.filter((of) => keyOf(of) === key));
  return (
    <div role="status" className="flex flex-col gap-1 rounded-md border border-warn bg-warn-soft p-3 text-sm">
      <p className="flex items-center gap-2 font-medium">
        <TriangleAlert size={16} aria-hidden="true" className="shrink-0 text-warn" />
        {words.clashes}
      </p>
      <ul className="flex flex-col gap-1 [overflow-wrap:anywhere]">
        {groups.map(
          ([first, ...others]) =>
            first && (
              <li key={keyOf(first)}>
                <ClashText clash={first} />:{' '}
                {[first, ...others]
                  .slice(0, maxNames)
                  .map(({ full_name, username }) => full_name ?? username)
                  .join(', ')}
                {others.length >= maxNames && ` ${words.more(others.length + 1 - maxNames)}`}
              </li>
            ),
        )}
      </ul>
    </div>
  );
}

/** For whom a session closes before their time is over, and how to change it. */
function TooShort({
  form,
  people,
  window,
  minutes,
}: {
  form: SessionFormState;
  people: readonly Person[];
  window: Window;
  minutes: number;
}) {
  const t = useStrings();
  const format = useFormat();
  const words = t.examSessions.planning;
  // An end of a student's own is changed in the accommodation.
  const late = people.filter((person) => !person.hasOwnEnd && minutesShort(person) > 0);
  const isForAll = minutes > lengthOf(window);
  if (late.length === 0 && !isForAll) return null;
  const ends = [
    ...(isForAll ? [Date.parse(window.closes_at) + (minutes - lengthOf(window)) * 60_000] : []),
    ...late.map((person) => Date.parse(window.closes_at) + minutesShort(person) * 60_000),
  ];
  // The field has whole minutes.
  const until = new Date(Math.ceil(Math.max(...ends) / 60_000) * 60_000).toISOString();
  return (
    <div
      role="status"
      className="flex flex-col items-start gap-2 rounded-md border border-warn bg-warn-soft p-3 text-sm"
    >
      <p className="flex items-center gap-2 font-medium">
        <TriangleAlert size={16} aria-hidden="true" className="shrink-0 text-warn" />
        {isForAll ? words.closesEarly(minutes, lengthOf(window)) : words.closesEarlyFor(late.length)}
      </p>
      <Button size="small" onClick={() => form.setValue('closes_at', localTime(until), { shouldDirty: true })}>
        {words.closeLater(format.time(until))}
      </Button>
    </div>
  );
}

function Containers({ forecast: { students, others, capacity } }: { forecast: ExamForecast }) {
  const t = useStrings();
  const words = t.examSessions.planning;
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

/** Milliseconds. */
const pause = 10_000;

/** The service's time, for a session that opens when it is saved. */
function useNow(): string {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), pause);
    return () => clearInterval(timer);
  }, []);
  return new Date(now).toISOString();
}
