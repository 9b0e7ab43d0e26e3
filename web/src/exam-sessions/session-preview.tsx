import { useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { useWatch } from 'react-hook-form';
import { useStrings } from '../strings/use-strings.tsx';
import { examsQuery } from '../subjects/queries.ts';
import { instant } from './local-time.ts';
import { forecastQuery, type Participants } from './queries.ts';
import { SessionFacts } from './session-facts.tsx';
import { type SessionFormState, timeLimitOf } from './session-values.ts';

type Window = { opens_at: string; closes_at: string };

/** What students will see of a session, and how many containers it can need. */
export function SessionPreview({ participants, form }: { participants: Participants; form: SessionFormState }) {
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
              {minutes !== undefined && words.minutes(minutes)}{' '}
              {t.examSessions.resultsLater[values.results_visible ?? 'after_close']}
            </p>
          </div>
          <Containers participants={participants} window={window} />
        </>
      ) : (
        <p className="text-sm text-ink-soft">{words.previewLater}</p>
      )}
    </section>
  );
}

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
