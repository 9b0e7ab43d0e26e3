import { useQuery } from '@tanstack/react-query';
import { ArrowRight, RotateCcw } from 'lucide-react';
import type { Kind } from '../api/kinds.ts';
import { type Attempt, isOver } from '../attempts/queries.ts';
import { ResultsOfAttempt } from '../attempts/results-of-attempt.tsx';
import { pages } from '../attempts/subject.ts';
import { useParams } from '../routing/place-context.ts';
import { useUser } from '../session/use-session.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { ContinueLink } from './continue-link.tsx';
import { subjectQuery } from './queries.ts';
import { Back } from './subject-page.tsx';

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
      back={<Back kind={kind} />}
      actions={(attempt) => <ToSubject kind={kind} attempt={attempt} />}
    />
  );
}

/** The link to the exam or the laboratory, to resume or start again. */
function ToSubject({ kind, attempt }: { kind: Kind; attempt: Attempt }) {
  const t = useStrings();
  const user = useUser();
  const { subject_id, user_id } = attempt;
  const isOwn = user_id === user.id;
  const subject = useQuery({ ...subjectQuery(kind, subject_id ?? 0), enabled: isOwn && subject_id !== null });
  // It may have been retired since, and instructors view other users' attempts.
  if (!isOwn || (isOver(attempt) && !subject.data?.is_active)) return null;
  const Sign = isOver(attempt) ? RotateCcw : ArrowRight;
  return (
    <>
      {isOver(attempt) && subject.data && <ContinueLink kind={kind} id={subject.data.id} place={subject.data} />}
      <ButtonLink to={pages[kind].one} params={{ subjectId: `${subject_id}` }}>
        <Sign size={16} aria-hidden="true" /> {isOver(attempt) ? t.attempts.again : t.attempts.goOn}
      </ButtonLink>
    </>
  );
}
