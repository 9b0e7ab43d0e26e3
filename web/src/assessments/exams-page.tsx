import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowRight, CalendarClock, CircleCheck, ClipboardList, Clock, Target } from 'lucide-react';
import { useState } from 'react';
import type { Attempt } from '../attempts/active.ts';
import { AttemptsTable } from '../attempts/attempts-table.tsx';
import { attemptsQuery, type ListedAttempt, newestAttemptsQuery, useActive } from '../attempts/queries.ts';
import { Prose } from '../markdown/prose.tsx';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { type Exam, examsQuery } from '../teaching-model/assessments.ts';
import { type ExamSession, sessionToStart } from '../teaching-model/exam-sessions.ts';
import { OpensLater, useClosed } from '../teaching-model/openings.tsx';
import { SessionFacts, SessionState, UntilChange } from '../teaching-model/session-facts.tsx';
import { sessionsQuery } from '../teaching-model/session-list.ts';
import { ButtonLink } from '../ui/button-link.tsx';
import { Badge, Card } from '../ui/card.tsx';
import { DownloadButton } from '../ui/download-button.tsx';
import { Pages } from '../ui/lists/pages.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, Fetched, Loading } from '../ui/states.tsx';
import { Countdown } from '../ui/time/countdown.tsx';
import { useSecondsLeft } from '../ui/time/use-seconds-left.ts';

const pageSize = 10;

/** All exams, the active attempt, and the previous attempts. */
export function ExamsPage() {
  const t = useStrings();
  const exams = useQuery(examsQuery);
  // In the meantime it may be extended or end.
  const { data: active = [] } = useActive('exam', 20_000);
  const { data: newest } = useQuery(newestAttemptsQuery('exam'));
  return (
    <Page title={t.exams.title} lead={t.exams.lead}>
      {active.map((attempt) => (
        <Active key={attempt.id} attempt={attempt} />
      ))}
      <OwnSessions isActive={active.length > 0} />
      <Fetched query={exams} skeleton={<Loading rows={3} className="h-32" />}>
        {(all) =>
          all.length === 0 ? (
            <Empty title={t.exams.emptyTitle} action={<ButtonLink to="/courses">{t.exams.toCourses}</ButtonLink>}>
              {t.exams.emptyHelp}
            </Empty>
          ) : (
            <ul className="grid grid-cols-1 gap-4 md:grid-cols-2">
              {all.map((exam) => (
                <li key={exam.id}>
                  <ExamCard
                    exam={exam}
                    attempts={newest?.items.filter(({ assessment_id }) => assessment_id === exam.id) ?? []}
                  />
                </li>
              ))}
            </ul>
          )
        }
      </Fetched>
      <Mine />
    </Page>
  );
}

function Active({ attempt: { title, expires_at, paused_at, assessment_id, status, position } }: { attempt: Attempt }) {
  const t = useStrings();
  const left = useSecondsLeft(expires_at, paused_at);
  return (
    <section className="flex flex-wrap items-center gap-4 rounded-lg bg-accent-soft p-4">
      <div className="min-w-0 flex-1 basis-52">
        <p className="text-sm text-ink-soft">{status === 'queued' ? t.attempts.queue.title : t.exams.active}</p>
        <h2 className="text-lg font-semibold">{title}</h2>
      </div>
      <Countdown left={left} />
      {position !== undefined && <p className="text-sm">{t.attempts.queue.place(position)}</p>}
      {assessment_id !== null && (
        <ButtonLink to="/exams/$assessmentId" params={{ assessmentId: `${assessment_id}` }}>
          {t.attempts.goOn} <ArrowRight size={16} aria-hidden="true" />
        </ButtonLink>
      )}
    </section>
  );
}

function ExamCard({ exam, attempts }: { exam: Exam; attempts: readonly ListedAttempt[] }) {
  const t = useStrings();
  const { id, title, description, task_count, max_score, passing_score, time_limit_minutes } = exam;
  const format = useFormat();
  const { data: sessions = [] } = useQuery(sessionsQuery());
  const closed = useClosed()('exam', id);
  const session = sessionToStart(sessions.filter(({ exam_id }) => exam_id === id));
  const scored = attempts.filter(({ score }) => score !== null);
  const best = scored.toSorted((one, other) => (other.score ?? 0) - (one.score ?? 0))[0];
  const hasPassed = scored.some(({ passed }) => passed);
  return (
    <Card className="flex h-full flex-col gap-3 p-5!">
      <div className="flex flex-wrap items-start justify-between gap-2">
        <h2 className="text-lg font-semibold">
          <Link to="/exams/$assessmentId" params={{ assessmentId: `${id}` }} className="hover:underline">
            {title}
          </Link>
        </h2>
        {best && (
          <Badge tone={hasPassed ? 'good' : 'warn'}>
            {hasPassed && <CircleCheck size={13} aria-hidden="true" />} {hasPassed ? t.exams.passed : t.exams.notPassed}
          </Badge>
        )}
      </div>
      {/* The outer box fills the card: a clamped one that is higher than its lines would show a part of the next one. */}
      <div className="flex-1 text-ink-soft">
        <div className="line-clamp-3">
          <Prose text={firstParagraph(description)} />
        </div>
      </div>
      <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-ink-soft [&>li]:flex [&>li]:items-center [&>li]:gap-1.5">
        <li>
          <ClipboardList size={15} aria-hidden="true" /> {t.attempts.taskCount(task_count)}
        </li>
        <li>
          <Clock size={15} aria-hidden="true" /> {t.attempts.minutes(time_limit_minutes)}
        </li>
        {(session || exam.is_session_only) && (
          <li>
            <CalendarClock size={15} aria-hidden="true" />{' '}
            {session
              ? t.examSessions.window(format.time(session.opens_at), format.time(session.closes_at))
              : t.exams.inSessions}
          </li>
        )}
        <li>
          <Target size={15} aria-hidden="true" /> {t.attempts.passingScore}: {format.decimal(passing_score)} /{' '}
          {format.decimal(max_score)}
        </li>
      </ul>
      {closed && <OpensLater closed={closed} />}
      <div className="flex flex-wrap items-center justify-between gap-2">
        <ButtonLink
          to="/exams/$assessmentId"
          params={{ assessmentId: `${id}` }}
          aria-label={t.exams.detailsOf(title)}
          look="plain"
        >
          {t.exams.details}
        </ButtonLink>
        {best && (
          <span className="text-sm text-ink-soft tabular-nums">{t.exams.best(best.score ?? 0, best.max_score)}</span>
        )}
      </div>
    </Card>
  );
}

function Mine() {
  const t = useStrings();
  const [page, setPage] = useState(1);
  const attempts = useQuery({ ...attemptsQuery('exam', page, pageSize), placeholderData: keepPreviousData });
  return (
    <section className="flex flex-col gap-3">
      <h2 className="text-lg font-semibold">{t.attempts.mine}</h2>
      <Fetched query={attempts}>
        {({ items, total }) =>
          total === 0 ? (
            <p className="text-sm text-ink-soft">{t.exams.noAttempts}</p>
          ) : (
            <>
              <AttemptsTable kind="exam" attempts={items} />
              <Pages page={page} pageSize={pageSize} total={total} onChange={setPage} />
            </>
          )
        }
      </Fetched>
    </section>
  );
}

const firstParagraph = (text: string): string => text.trim().split(/\n\s*\n/, 1)[0] ?? '';

/** The exam sessions that await a student, the next ones first. */
function OwnSessions({ isActive }: { isActive: boolean }) {
  const t = useStrings();
  const { data = [] } = useQuery(sessionsQuery());
  const own = data.filter(({ my_role, state }) => my_role === 'student' && state !== 'closed');
  const main = isActive ? undefined : own.findLast(({ state }) => state === 'open');
  if (own.length === 0) return null;
  return (
    <section className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="text-lg font-semibold">{t.examSessions.mine}</h2>
        <DownloadButton size="small" label={t.examSessions.calendar} path="/api/exam-sessions/calendar.ics" />
      </div>
      <ul className="flex flex-col gap-3">
        {own.toReversed().map((session) => (
          <li key={session.id}>
            <Awaited session={session} isMain={session === main} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** @param isMain whether it is what the page is about: a view has one such button */
function Awaited({ session, isMain }: { session: ExamSession; isMain: boolean }) {
  const t = useStrings();
  const { title, exam_id, exam_title, class_name } = session;
  return (
    <Card className="flex flex-wrap items-center gap-4">
      <div className="flex min-w-0 flex-1 basis-60 flex-col gap-1.5">
        <h3 className="flex flex-wrap items-center gap-2 font-semibold">
          {title} <SessionState session={session} />
        </h3>
        <p className="text-sm text-ink-soft">
          {[title === exam_title ? null : exam_title, class_name].filter(Boolean).join(', ')}
        </p>
        <SessionFacts session={session} />
      </div>
      <UntilChange session={session} />
      <ButtonLink
        to="/exams/$assessmentId"
        params={{ assessmentId: `${exam_id}` }}
        look={isMain ? 'primary' : 'plain'}
        aria-label={t.examSessions.toNamed(title)}
      >
        {t.examSessions.toExam} <ArrowRight size={16} aria-hidden="true" />
      </ButtonLink>
    </Card>
  );
}
