import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { CalendarClock, ClipboardCheck, FlaskConical, Hourglass, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Kind } from '../api/kinds.ts';
import { serverNow } from '../api/server-clock.ts';
import { AwaitingBadge } from '../attempts/awaiting.tsx';
import { attemptsQuery } from '../attempts/queries.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { ownDeadlinesQuery } from '../teaching-model/deadlines.ts';
import { DueState } from '../teaching-model/due-state.tsx';
import { UntilChange } from '../teaching-model/session-facts.tsx';
import { sessionsQuery } from '../teaching-model/session-list.ts';
import { Badge, Card } from '../ui/card.tsx';
import { DownloadButton } from '../ui/download-button.tsx';
import { analyticsQuery, shownDays } from './queries.ts';

const maxShown = 10;
const maxGraded = 3;
/** Milliseconds for which a result is news. */
const newsTime = 7 * 86_400_000;

type Entry = {
  key: string;
  at: string;
  icon: LucideIcon;
  what: string;
  title: string;
  link: LinkProps;
  side: ReactNode;
};

const resultsOf = (kind: Kind, attemptId: number): LinkProps => ({
  to: kind === 'exam' ? '/exams/results/$attemptId' : '/laboratories/results/$attemptId',
  params: { attemptId: `${attemptId}` },
});

/** The attempts among the user's newest that people have not graded yet. */
function useAwaiting(kind: Kind) {
  const { data } = useQuery(attemptsQuery(kind, 1, maxShown));
  return (data?.items ?? []).flatMap((one) => (one.is_awaiting_grading ? [{ kind, ...one }] : []));
}

/** What was graded lately, what is due, and the exams that are planned, by their dates in one list. */
export function Agenda() {
  const t = useStrings();
  const { agenda: words, plots } = t;
  const format = useFormat();
  const { data: sessions = [] } = useQuery(sessionsQuery());
  const { data: deadlines = [] } = useQuery(ownDeadlinesQuery());
  const exams = useAwaiting('exam');
  const laboratories = useAwaiting('laboratory');
  const { data: { scores } = { scores: [] } } = useQuery(analyticsQuery(shownDays));
  const graded = scores
    .filter(({ submitted_at }) => Date.parse(submitted_at) > serverNow() - newsTime)
    .slice(-maxGraded)
    .map(
      ({ attempt_id, kind, title, percent, passed, submitted_at }): Entry => ({
        key: `attempt ${attempt_id}`,
        at: submitted_at,
        icon: ClipboardCheck,
        what: words.graded(plots.kinds[kind]),
        title,
        link: resultsOf(kind, attempt_id),
        side: (
          <Badge tone={passed ? 'good' : 'bad'}>
            {passed ? plots.passed : plots.failed} · {format.number(percent)} %
          </Badge>
        ),
      }),
    );
  const awaiting = [...exams, ...laboratories].map(
    ({ kind, id, title, submitted_at, started_at }): Entry => ({
      key: `awaiting ${id}`,
      at: submitted_at ?? started_at,
      icon: Hourglass,
      what: plots.kinds[kind],
      title,
      link: resultsOf(kind, id),
      side: <AwaitingBadge />,
    }),
  );
  const due = deadlines
    .filter(({ passed_at }) => passed_at === null)
    .map(
      ({ laboratory_id, class_id, class_name, title, due_at }): Entry => ({
        key: `laboratory ${class_id} ${laboratory_id}`,
        at: due_at,
        icon: FlaskConical,
        what: [words.laboratory, class_name].join(' · '),
        title,
        link: { to: '/laboratories/$assessmentId', params: { assessmentId: `${laboratory_id}` } },
        side: <DueState dueAt={due_at} doneAt={null} />,
      }),
    );
  const planned = sessions
    .filter(({ my_role, state }) => my_role === 'student' && state === 'upcoming')
    .map(
      (session): Entry => ({
        key: `session ${session.id}`,
        at: session.opens_at,
        icon: CalendarClock,
        what: [words.exam, session.class_name].filter(Boolean).join(' · '),
        title: session.title,
        link: { to: '/exams/$assessmentId', params: { assessmentId: `${session.exam_id}` } },
        side: <UntilChange session={session} />,
      }),
    );
  const entries = [...graded, ...awaiting, ...due, ...planned].toSorted(
    (one, other) => Date.parse(one.at) - Date.parse(other.at),
  );
  if (entries.length === 0) return null;
  return (
    <section aria-labelledby="agenda" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id="agenda" className="text-lg font-semibold">
          {words.title}
        </h2>
        {due.length + planned.length > 0 && (
          <DownloadButton size="small" label={t.examSessions.calendar} path="/api/exam-sessions/calendar.ics" />
        )}
      </div>
      <Card className="p-0!">
        <ol className="divide-y text-sm">
          {entries.slice(0, maxShown).map(({ key, at, icon: Icon, what, title, link, side }) => (
            <li key={key} className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5">
              <Icon size={18} aria-hidden="true" className="shrink-0 text-ink-soft" />
              <span className="min-w-0 flex-1 basis-48">
                <Link {...link} className="font-medium underline wrap-anywhere">
                  {title}
                </Link>
                <span className="block text-xs text-ink-soft">{what}</span>
              </span>
              <span className="flex flex-wrap items-center gap-x-4 gap-y-1 max-sm:basis-full max-sm:pl-8.5">
                {side}
                <time dateTime={at} className="text-ink-soft">
                  {format.time(at)}
                </time>
              </span>
            </li>
          ))}
        </ol>
      </Card>
      {entries.length > maxShown && <p className="text-sm text-ink-soft">{words.more(entries.length - maxShown)}</p>}
    </section>
  );
}
