import { useQuery } from '@tanstack/react-query';
import { ArrowRight, RotateCcw } from 'lucide-react';
import type { Kind } from '../api/kinds.ts';
import { useUser } from '../api/use-session.ts';
import type { Attempt } from '../attempts/active.ts';
import { ResultsOfAttempt } from '../attempts/results-of-attempt.tsx';
import { isOver } from '../attempts/status.ts';
import { useParams } from '../routing/location-context.ts';
import type { Strings } from '../strings/en/index.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { type Assessment, assessmentQuery, pages } from '../teaching-model/assessments.ts';
import { type ExamSession, sessionsQuery, sessionToStart } from '../teaching-model/exam-sessions.ts';
import { ButtonLink } from '../ui/button-link.tsx';
import { Crumb } from '../ui/crumbs.tsx';
import { Above } from './assessment-page.tsx';
import { ContinueLink } from './continue-link.tsx';

export const ExamResultsPage = () => (
  <ResultsPage kind="exam" id={Number(useParams('/exams/results/$attemptId').attemptId)} />
);
export const LaboratoryResultsPage = () => (
  <ResultsPage kind="laboratory" id={Number(useParams('/laboratories/results/$attemptId').attemptId)} />
);

/** The results of an attempt. */
function ResultsPage({ kind, id }: { kind: Kind; id: number }) {
  return (
    <ResultsOfAttempt
      key={id}
      kind={kind}
      id={id}
      crumbs={(attempt) => (
        <Above kind={kind}>
          {attempt?.assessment_id != null && (
            <Crumb to={pages[kind].one} params={{ assessmentId: `${attempt.assessment_id}` }}>
              {attempt.title}
            </Crumb>
          )}
        </Above>
      )}
      actions={(attempt) => <ToAssessment kind={kind} attempt={attempt} />}
    />
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
      {isOver(attempt) && assessment.data && (
        <ContinueLink kind={kind} id={assessment.data.id} parent={assessment.data} />
      )}
      {mayStart && (
        <ButtonLink to={pages[kind].one} params={{ assessmentId: `${assessment_id}` }}>
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
