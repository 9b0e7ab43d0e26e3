import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheckBig } from 'lucide-react';
import type { ReactNode } from 'react';
import { useUser } from '../api/use-session.ts';
import { RoomLink } from '../exam-sessions/room/room-link.tsx';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { type Overview, overviewQuery } from '../teaching-model/overview.ts';
import { ButtonLink } from '../ui/button-link.tsx';
import { Badge, Card } from '../ui/card.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, Fetched, Loading } from '../ui/states.tsx';
import { TimeLeft } from '../ui/time/time-left.tsx';
import { OverviewRow, rowLink } from './overview-row.tsx';
import { missingFileCountQuery } from './queries.ts';

/** The dashboard of instructors: what waits for them, what runs, who is stuck, and what comes next. */
export function OverviewPage() {
  const t = useStrings();
  const isAdmin = useUser().role === 'admin';
  const overview = useQuery(overviewQuery);
  return (
    <Page title={t.common.links.overview} lead={isAdmin ? t.teaching.overview.leadAll : t.teaching.overview.lead}>
      <Fetched query={overview} skeleton={<Loading rows={3} className="h-32" />}>
        {(data) => (isAdmin || hasContent(data) ? <Parts overview={data} /> : <NoClass />)}
      </Fetched>
    </Page>
  );
}

/** An instructor without a class can supervise sessions for chosen students. */
const hasContent = ({ has_classes, ...parts }: Overview): boolean =>
  has_classes ||
  [parts.open_sessions, parts.upcoming_sessions, parts.results_to_release, parts.failed_gradings].some(
    (part) => part.length > 0,
  );

function NoClass() {
  const words = useStrings().teaching.overview;
  return (
    <Empty title={words.noClass} action={<ButtonLink to="/classes">{words.toClasses}</ButtonLink>}>
      {words.noClassHelp}
    </Empty>
  );
}

function Parts({ overview }: { overview: Overview }) {
  const words = useStrings().teaching.overview;
  const waiting = useWaiting(overview);
  const { stuck, stuck_count, open_sessions, upcoming_sessions } = overview;
  return (
    <div className="grid items-start gap-6 xl:grid-cols-2">
      <Part title={words.waits} count={waiting.length} nothing={words.nothingWaits}>
        <ul className="divide-y">{waiting}</ul>
      </Part>
      <Part title={words.runs} count={open_sessions.length} before={<RunningFigures {...overview.running} />}>
        <RunningSessions sessions={open_sessions} />
      </Part>
      <Part title={words.stuck} count={stuck_count} nothing={words.nobodyStuck}>
        <StuckStudents students={stuck} total={stuck_count} />
      </Part>
      <Part title={words.next} count={upcoming_sessions.length} nothing={words.nothingNext}>
        <ComingUp sessions={upcoming_sessions} />
      </Part>
    </div>
  );
}

function Part({
  title,
  count,
  nothing,
  before,
  children,
}: {
  title: string;
  count: number;
  /** Shown in place of an empty list. */
  nothing?: string;
  before?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section aria-label={title}>
      <Card className="flex flex-col gap-3 sm:p-5">
        <h2 className="flex items-center gap-2 text-lg font-semibold">
          {title}
          {count > 0 && (
            <span className="rounded-full bg-sunken px-2 text-sm font-medium text-ink-soft tabular-nums">{count}</span>
          )}
        </h2>
        {before}
        {count > 0
          ? children
          : nothing && (
              <p className="flex items-center gap-2 text-sm text-ink-soft">
                <CircleCheckBig size={16} className="shrink-0 text-good" aria-hidden="true" /> {nothing}
              </p>
            )}
      </Card>
    </section>
  );
}

type Student = Overview['stuck'][number];

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
      <Link to="/teaching/attempts/$attemptId" params={{ attemptId: `${attempt_id}` }} className={rowLink}>
        {name}
      </Link>
    );
  if (class_id === null) return name;
  return (
    <Link to="/classes/$classId/progress" params={{ classId: `${class_id}` }} className={rowLink}>
      {name}
    </Link>
  );
}

type Session = Overview['upcoming_sessions'][number];

/** What runs, in numbers that lead to the lists. */
function RunningFigures({ exams, laboratories, queued, on_break, containers, terminals }: Overview['running']) {
  const words = useStrings().teaching.overview;
  const running = exams + laboratories;
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
      <Figure label={words.running} value={running}>
        {running > 0 && (
          <Link to="/teaching/attempts" search={{ status: 'in_progress' }} className={rowLink}>
            {running}
            <span className="sr-only"> {words.running}</span>
          </Link>
        )}
      </Figure>
      <Figure label={words.queued} value={queued}>
        {queued > 0 && (
          <Link to="/teaching/attempts" search={{ status: 'queued' }} className={rowLink}>
            {queued}
            <span className="sr-only"> {words.queued}</span>
          </Link>
        )}
      </Figure>
      <Figure label={words.onBreak} value={on_break} />
      <Figure label={words.terminals} value={terminals}>
        {containers > 0 && (
          <Link to="/teaching/live" className={rowLink}>
            {terminals}
            <span className="sr-only"> {words.terminals}</span>
          </Link>
        )}
      </Figure>
    </dl>
  );
}

const Figure = ({ label, value, children }: { label: string; value: number; children?: ReactNode }) => (
  <div className="flex flex-col-reverse justify-end">
    <dt className="text-xs text-ink-soft">{label}</dt>
    <dd className="text-xl font-semibold tabular-nums">{children || value}</dd>
  </div>
);

/** The exam sessions that are open, each with a link to its room. */
function RunningSessions({ sessions }: { sessions: Overview['open_sessions'] }) {
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
function useWaiting({ results_to_release, failed_gradings, failed_trials }: Overview): ReactNode[] {
  const t = useStrings();
  const words = t.teaching.overview;
  const format = useFormat();
  const isAdmin = useUser().role === 'admin';
  // The repository may not be reachable, which its own page shows.
  const { data: missing = 0 } = useQuery({ ...missingFileCountQuery, enabled: isAdmin });
  return [
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
          <Link to="/teaching/attempts/$attemptId" params={{ attemptId: `${attempt_id}` }} className={rowLink}>
            {words.notGraded(full_name || username)}
          </Link>
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
