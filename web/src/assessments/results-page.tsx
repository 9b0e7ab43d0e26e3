import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { ArrowRight, RotateCcw } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Kind } from '../api/kinds.ts';
import { useUser } from '../api/use-session.ts';
import type { Attempt } from '../attempts/active.ts';
import { attemptQuery } from '../attempts/queries.ts';
import { ResultsView } from '../attempts/results-view.tsx';
import { isOver } from '../attempts/status.ts';
import type { Strings } from '../strings/en/index.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { type Assessment, assessmentQuery, pages } from '../teaching-model/assessments.ts';
import { type ExamSession, sessionToStart } from '../teaching-model/exam-sessions.ts';
import { useClosed } from '../teaching-model/openings.tsx';
import { sessionsQuery } from '../teaching-model/session-list.ts';
import { leftIn, useCourseOfAssessment, WayOnLink } from '../teaching-model/way-on.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { Crumb } from '../ui/crumbs.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, Fetched, Loading } from '../ui/states.tsx';
import { Above } from './assessment-page.tsx';

export const ExamResultsPage = () => (
  <ResultsPage kind="exam" id={Number(useParams({ from: '/exams/results/$attemptId' }).attemptId)} />
);
export const LaboratoryResultsPage = () => (
  <ResultsPage kind="laboratory" id={Number(useParams({ from: '/laboratories/results/$attemptId' }).attemptId)} />
);

/** The results of an attempt. */
function ResultsPage({ kind, id }: { kind: Kind; id: number }) {
  return (
    <ResultsOfAttempt
      key={id}
      kind={kind}
      id={id}
      crumbs={(attempt) => <AboveResults kind={kind} attempt={attempt} />}
      actions={(attempt) => <ToAssessment kind={kind} attempt={attempt} />}
    />
  );
}

function AboveResults({ kind, attempt }: { kind: Kind; attempt: Attempt | undefined }) {
  const id = attempt?.assessment_id;
  const { data: assessment } = useQuery({ ...assessmentQuery(kind, id ?? 0), enabled: id != null });
  return (
    <Above kind={kind} assessment={assessment}>
      {id != null && (
        <Crumb to={pages[kind].one} params={{ assessmentId: `${id}` }}>
          {attempt?.title}
        </Crumb>
      )}
    </Above>
  );
}

/** The link to the exam or the laboratory, to resume or start again. */
function ToAssessment({ kind, attempt }: { kind: Kind; attempt: Attempt }) {
  const t = useStrings();
  const user = useUser();
  const { assessment_id, user_id } = attempt;
  const isOwn = user_id === user.id;
  const assessment = useQuery({
    ...assessmentQuery(kind, assessment_id ?? 0),
    enabled: isOwn && assessment_id !== null,
  });
  const isEndedExam = kind === 'exam' && isOver(attempt);
  const sessions = useQuery({
    ...sessionsQuery({ exam_id: assessment_id ?? 0 }),
    enabled: isEndedExam && isOwn && assessment_id !== null,
  });
  // It may have been retired since, and instructors view other users' attempts.
  if (!isOwn || (isOver(attempt) && !assessment.data?.is_active)) return null;
  const obstacle = isEndedExam
    ? obstacleOf(t, attempt, sessionToStart(sessions.data ?? []), assessment.data)
    : undefined;
  const mayStart = obstacle === undefined && !(isEndedExam && sessions.isPending);
  const Sign = isOver(attempt) ? RotateCcw : ArrowRight;
  return (
    <>
      {isOver(attempt) && assessment.data && <ContinueLink kind={kind} assessment={assessment.data} />}
      {mayStart && (
        <ButtonLink
          to={pages[kind].one}
          params={{ assessmentId: `${assessment_id}` }}
          look={isOver(attempt) ? 'plain' : 'primary'}
        >
          <Sign size={16} aria-hidden="true" /> {isOver(attempt) ? t.attempts.again : t.attempts.goOn}
        </ButtonLink>
      )}
      {obstacle !== undefined && <p className="basis-full text-sm text-ink-soft">{obstacle}</p>}
    </>
  );
}

/** Why an exam is not started again. */
function obstacleOf(
  { exams, examSessions }: Strings,
  { passed }: Attempt,
  session: ExamSession | undefined,
  exam: Assessment | undefined,
): string | undefined {
  if (passed) return exams.passedAlready;
  if (session?.attempts_left === 0) return examSessions.noneLeft;
  if (session?.state === 'closed') return examSessions.isClosed;
  return !session && exam?.is_session_only ? exams.onlyInSessions : undefined;
}

/** The results page of one attempt. Without results yet, it links to the work. */
function ResultsOfAttempt({
  kind,
  id,
  crumbs,
  actions,
}: {
  kind: Kind;
  id: number;
  crumbs: (attempt: Attempt | undefined) => ReactNode;
  /** The actions available to its user. */
  actions: (attempt: Attempt) => ReactNode;
}) {
  const t = useStrings();
  const attempt = useQuery({
    ...attemptQuery(kind, id),
    refetchInterval: ({ state: { data } }) => (data && !isOver(data) ? 2000 : false),
  });
  return (
    <Page title={attempt.data ? t.attempts.results(attempt.data.title) : t.attempts.open} crumbs={crumbs(attempt.data)}>
      <Fetched query={attempt} skeleton={<Loading rows={4} className="h-24" />}>
        {(data) => {
          if (isOver(data)) return <ResultsView kind={kind} attempt={data} actions={actions(data)} />;
          return <Empty title={t.attempts.notOver} action={actions(data)} />;
        }}
      </Fetched>
    </Page>
  );
}

/** The way on in the course of an exam or a laboratory after its result. */
function ContinueLink({ kind, assessment }: { kind: Kind; assessment: Assessment }) {
  const t = useStrings();
  const { id, section_id } = assessment;
  const closedOf = useClosed();
  const place = useCourseOfAssessment(assessment);
  if (!place) return null;
  const { course, assessments } = place;
  const [next] = leftIn(course, assessments, closedOf, { kind, id, section_id });
  if (!next)
    return (
      <ButtonLink to="/courses/$courseId" params={{ courseId: `${course.id}` }}>
        {t.reader.whatNext} <ArrowRight size={16} aria-hidden="true" />
      </ButtonLink>
    );
  return (
    <WayOnLink to={next}>
      {t.lessons.continueTo(next.title)} <ArrowRight size={16} aria-hidden="true" />
    </WayOnLink>
  );
}
