import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { CircleCheckBig } from 'lucide-react';
import type { ReactNode } from 'react';
import { useUser } from '../api/use-session.ts';
import { awaitingQuery, gradedSearch, reopenRequestsQuery, reviewsQuery } from '../attempts/queries.ts';
import { RoomLink } from '../exam-sessions/room/room-link.tsx';
import { queueQuery } from '../help/queries.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { missingFileCountQuery, type Overview as OverviewData } from '../teaching-model/overview.ts';
import { AttemptLink } from '../teaching-model/person-link.tsx';
import { Badge, Card } from '../ui/card.tsx';
import { TimeLeft } from '../ui/time/time-left.tsx';
import { OverviewRow, rowLink } from './overview-row.tsx';

/** Whether there is anything to show. An instructor without a class can supervise sessions for chosen students. */
export const hasContent = ({ has_classes, stuck_count, running, ...parts }: OverviewData): boolean =>
  has_classes ||
  stuck_count > 0 ||
  running.exams + running.laboratories + running.queued > 0 ||
  [
    parts.open_sessions,
    parts.upcoming_sessions,
    parts.results_to_release,
    parts.failed_gradings,
    parts.failed_trials,
  ].flat().length > 0;

/** The work of the staff: what runs, what waits for them, who is stuck, and what comes next. Of what there is none, one line says so. */
export function Overview({ overview }: { overview: OverviewData }) {
  const words = useStrings().teaching.overview;
  const waiting = useWaiting(overview);
  const running = useRunning(overview.running);
  const { stuck, stuck_count, open_sessions, upcoming_sessions } = overview;
  const parts = [
    {
      title: words.runs,
      count: open_sessions.length,
      isEmpty: open_sessions.length + running.length === 0,
      nothing: words.nothingRuns,
      content: (
        <>
          {running.length > 0 && <ul className="flex flex-wrap gap-x-6 gap-y-1 text-sm">{running}</ul>}
          <RunningSessions sessions={open_sessions} />
        </>
      ),
    },
    {
      title: words.waits,
      count: waiting.length,
      isEmpty: waiting.length === 0,
      nothing: words.nothingWaits,
      content: <ul className="divide-y">{waiting}</ul>,
    },
    {
      title: words.stuck,
      count: stuck_count,
      isEmpty: stuck_count === 0,
      nothing: words.nobodyStuck,
      content: <StuckStudents students={stuck} total={stuck_count} />,
    },
    {
      title: words.next,
      count: upcoming_sessions.length,
      isEmpty: upcoming_sessions.length === 0,
      nothing: words.nothingNext,
      content: <ComingUp sessions={upcoming_sessions} />,
    },
  ];
  const empty = parts.filter(({ isEmpty }) => isEmpty);
  return (
    <>
      {empty.length < parts.length && (
        <div className="grid grid-cols-1 items-start gap-6 xl:grid-cols-2">
          {parts
            .filter(({ isEmpty }) => !isEmpty)
            .map((part) => (
              <Part key={part.title} {...part} />
            ))}
        </div>
      )}
      {empty.length > 0 && (
        <p className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-ink-soft">
          {empty.map(({ nothing }) => (
            <span key={nothing} className="flex items-center gap-2">
              <CircleCheckBig size={16} className="shrink-0 text-good" aria-hidden="true" /> {nothing}
            </span>
          ))}
        </p>
      )}
    </>
  );
}

const Part = ({ title, count, content }: { title: string; count: number; content: ReactNode }) => (
  <section aria-label={title}>
    <Card className="flex flex-col gap-3 sm:p-5">
      <h2 className="flex items-center gap-2 text-lg font-semibold">
        {title}
        {count > 0 && (
          <span className="rounded-full bg-sunken px-2 text-sm font-medium text-ink-soft tabular-nums">{count}</span>
        )}
      </h2>
      {content}
    </Card>
  </section>
);

type Student = OverviewData['stuck'][number];

/** Students who do not get on, and with what. */
function StuckStudents({ students, total }: { students: readonly Student[]; total: number }) {
  const t = useStrings();
  const words = t.teaching.overview;
  const format = useFormat();
  return (
    <>
      <ul className="divide-y">
        {students.map((student) => {
          const { user_id, class_id, class_name, kind, id, title, attempts, last_at } = student;
          return (
            <OverviewRow key={`${user_id} ${class_id} ${kind} ${id}`} link={<StudentLink student={student} />}>
              {kind === 'lesson'
                ? words.stuckLesson(title)
                : words.stuckAssessment(t.teaching.kinds[kind], title, attempts)}
              {' · '}
              {[...(class_name === null ? [] : [class_name]), format.ago(last_at)].join(' · ')}
            </OverviewRow>
          );
        })}
      </ul>
      {total > students.length && <p className="text-sm text-ink-soft">{words.more(total - students.length)}</p>}
    </>
  );
}

/** Leads to the last attempt, or for a lesson to the progress of the class. */
function StudentLink({ student }: { student: Student }) {
  const { attempt_id, class_id, username, full_name } = student;
  const name = full_name || username;
  if (attempt_id !== null)
    return (
      <AttemptLink id={attempt_id} className={rowLink}>
        {name}
      </AttemptLink>
    );
  if (class_id === null) return name;
  return (
    <Link to="/classes/$classId" params={{ classId: `${class_id}` }} search={{ tab: 'progress' }} className={rowLink}>
      {name}
    </Link>
  );
}

type Session = OverviewData['upcoming_sessions'][number];

/** What runs, as numbers that lead to their lists. What there is none of is left out. */
function useRunning({ exams, laboratories, queued, on_break, terminals }: OverviewData['running']): ReactNode[] {
  const words = useStrings().teaching.overview;
  const counts: [name: string, count: number, link?: LinkProps][] = [
    [words.running, exams + laboratories, { to: '/teaching/attempts', search: { status: 'in_progress' } }],
    [words.queued, queued, { to: '/teaching/attempts', search: { status: 'queued' } }],
    [words.onBreak, on_break],
    [words.terminals, terminals, { to: '/teaching/live' }],
  ];
  return counts
    .filter(([, count]) => count > 0)
    .map(([name, count, link]) => (
      <li key={name} className="tabular-nums">
        {link ? (
          <Link {...link} className={rowLink}>
            {name}: {count}
          </Link>
        ) : (
          `${name}: ${count}`
        )}
      </li>
    ));
}

/** The exam sessions that are open, each with a link to its room. */
function RunningSessions({ sessions }: { sessions: OverviewData['open_sessions'] }) {
  const words = useStrings().teaching.overview;
  return (
    <ul className="divide-y">
      {sessions.map((session) => {
        const { id, closes_at, is_paused, students, working, done } = session;
        const side = is_paused ? <Badge tone="warn">{words.paused}</Badge> : <TimeLeft until={closes_at} />;
        return (
          <OverviewRow key={id} link={<OwnRoom session={session} />} side={side}>
            {[about(session), words.inRoom(working, done, students)].join(' · ')}
          </OverviewRow>
        );
      })}
    </ul>
  );
}

/** The next exam sessions. */
function ComingUp({ sessions }: { sessions: readonly Session[] }) {
  const format = useFormat();
  return (
    <ul className="divide-y">
      {sessions.map((session) => (
        <OverviewRow key={session.id} link={<OwnRoom session={session} />} side={format.time(session.opens_at)}>
          {about(session)}
        </OverviewRow>
      ))}
    </ul>
  );
}

type Named = Pick<Session, 'id' | 'class_id' | 'class_name' | 'title' | 'exam_title'>;

const about = ({ class_name, title, exam_title }: Named): string =>
  [title === exam_title ? null : exam_title, class_name].filter(Boolean).join(' · ');

const OwnRoom = ({ session }: { session: Named }) => (
  <RoomLink session={session} className={rowLink}>
    {session.title}
  </RoomLink>
);

/** What an instructor has to do, as entries of a list. */
function useWaiting({ results_to_release, failed_gradings, failed_trials }: OverviewData): ReactNode[] {
  const t = useStrings();
  const words = t.teaching.overview;
  const format = useFormat();
  const isAdmin = useUser().role === 'admin';
  // The repository may not be reachable, which its own page shows.
  const { data: hands = [] } = useQuery(queueQuery);
  const { data: awaiting = [] } = useQuery(awaitingQuery({}));
  const { data: reviews = [] } = useQuery(reviewsQuery);
  const { data: reopenings = [] } = useQuery(reopenRequestsQuery);
  const { data: missing = 0 } = useQuery({ ...missingFileCountQuery, enabled: isAdmin });
  return [
    ...hands.map(({ id, username, full_name, title, class_name, raised_at, taken_by }) => (
      <OverviewRow
        key={`hand ${id}`}
        link={
          <Link to="/teaching/live" className={rowLink}>
            {t.notifications.texts.hand(full_name || username)}
          </Link>
        }
      >
        {[title, class_name, format.ago(raised_at), taken_by && t.help.takenBy(taken_by)].filter(Boolean).join(' · ')}
      </OverviewRow>
    )),
    ...awaiting.map(({ kind, assessment_id: id, assessment_title, awaiting_count }) => (
      <OverviewRow
        key={`grading ${kind} ${id}`}
        link={
          <Link to="/teaching/grading" search={gradedSearch(kind, id)} className={rowLink}>
            {t.answers.awaitingCount(assessment_title, awaiting_count)}
          </Link>
        }
      >
        {t.teaching.kinds[kind]}
      </OverviewRow>
    )),
    ...[
      { name: t.feedback.queue, requests: reviews },
      { name: t.regrades.queue, requests: reopenings },
    ].flatMap(({ name, requests }) =>
      requests.slice(0, 1).map(({ title, requested_at }) => (
        <OverviewRow
          key={name}
          link={
            <Link to="/teaching/attempts" className={rowLink}>
              {name}: {requests.length}
            </Link>
          }
        >
          {[title, format.ago(requested_at)].join(' · ')}
        </OverviewRow>
      )),
    ),
    ...results_to_release.map(({ id, title, class_id, class_name, closes_at, attempts }) => (
      <OverviewRow
        key={`session ${id}`}
        link={
          <RoomLink session={{ id, class_id }} className={rowLink}>
            {words.release(title)}
          </RoomLink>
        }
      >
        {[class_name, words.attempts(attempts), words.closed(format.ago(closes_at))].filter(Boolean).join(' · ')}
      </OverviewRow>
    )),
    ...failed_gradings.map(({ attempt_id, title, username, full_name }) => (
      <OverviewRow
        key={`attempt ${attempt_id}`}
        link={
          <AttemptLink id={attempt_id} className={rowLink}>
            {words.notGraded(full_name || username)}
          </AttemptLink>
        }
      >
        {title}
      </OverviewRow>
    )),
    ...failed_trials.map(({ kind, id, title, tried_at }) => (
      <OverviewRow
        key={`${kind} ${id}`}
        link={
          <Link
            to={kind === 'exam' ? '/administration/exams/$assessmentId' : '/administration/laboratories/$assessmentId'}
            params={{ assessmentId: `${id}` }}
            className={rowLink}
          >
            {words.failedTrial(title)}
          </Link>
        }
      >
        {[t.teaching.kinds[kind], format.ago(tried_at)].join(' · ')}
      </OverviewRow>
    )),
    ...(missing > 0
      ? [
          <OverviewRow
            key="missing"
            link={
              <Link to="/administration/courses" className={rowLink}>
                {words.missing(missing)}
              </Link>
            }
          >
            {words.missingHelp}
          </OverviewRow>,
        ]
      : []),
  ];
}
