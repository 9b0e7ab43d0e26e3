import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ArrowLeft, ArrowRight, RotateCcw } from 'lucide-react';
import { type Attempt, isOver } from '../attempts/queries.ts';
import { ResultsOfAttempt } from '../attempts/results-of-attempt.tsx';
import { useUser } from '../session/use-session.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { buttonClasses } from '../ui/button.tsx';
import { examsQuery } from './queries.ts';

const route = getRouteApi('/user/exams/results/$attemptId');

/** What an attempt of an exam has come to. */
export function ExamResultsPage() {
  const t = useStrings();
  const id = Number(route.useParams().attemptId);
  return (
    <ResultsOfAttempt
      key={id}
      kind="exam"
      id={id}
      back={
        <Link to="/exams" className="inline-flex items-center gap-1 text-sm hover:text-ink">
          <ArrowLeft size={16} aria-hidden="true" /> {t.exams.allExams}
        </Link>
      }
      actions={(attempt) => <ToExam attempt={attempt} />}
    />
  );
}

/** The way back to the exam: to go on, or to start again. */
function ToExam({ attempt }: { attempt: Attempt }) {
  const t = useStrings();
  const user = useUser();
  const { subject_id, user_id } = attempt;
  const { data: exams = [] } = useQuery(examsQuery);
  // It may have been retired since, and instructors look at attempts of others.
  if (user_id !== user.id || (isOver(attempt) && !exams.some(({ id }) => id === subject_id))) return null;
  const Sign = isOver(attempt) ? RotateCcw : ArrowRight;
  return (
    <Link to="/exams/$examId" params={{ examId: `${subject_id}` }} className={buttonClasses('primary')}>
      <Sign size={16} aria-hidden="true" /> {isOver(attempt) ? t.attempts.again : t.attempts.goOn}
    </Link>
  );
}
