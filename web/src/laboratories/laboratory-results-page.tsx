import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ArrowLeft, ArrowRight, RotateCcw } from 'lucide-react';
import { type Attempt, isOver } from '../attempts/queries.ts';
import { ResultsOfAttempt } from '../attempts/results-of-attempt.tsx';
import { useUser } from '../session/use-session.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { buttonClasses } from '../ui/button.tsx';
import { laboratoryQuery } from './queries.ts';

const route = getRouteApi('/user/laboratories/results/$attemptId');

/** What an attempt of a laboratory has come to. */
export function LaboratoryResultsPage() {
  const t = useStrings();
  const id = Number(route.useParams().attemptId);
  return (
    <ResultsOfAttempt
      key={id}
      kind="laboratory"
      id={id}
      back={
        <Link to="/courses" className="inline-flex items-center gap-1 text-sm hover:text-ink">
          <ArrowLeft size={16} aria-hidden="true" /> {t.laboratories.toCourses}
        </Link>
      }
      actions={(attempt) => <ToLaboratory attempt={attempt} />}
    />
  );
}

/** The way back to the laboratory: to go on, or to start again. */
function ToLaboratory({ attempt }: { attempt: Attempt }) {
  const t = useStrings();
  const user = useUser();
  const { subject_id, user_id } = attempt;
  const laboratory = useQuery({ ...laboratoryQuery(subject_id ?? 0), enabled: subject_id !== null });
  // It may have been retired since, and instructors look at attempts of others.
  if (user_id !== user.id || (isOver(attempt) && !laboratory.data)) return null;
  const Sign = isOver(attempt) ? RotateCcw : ArrowRight;
  return (
    <Link
      to="/laboratories/$laboratoryId"
      params={{ laboratoryId: `${subject_id}` }}
      className={buttonClasses('primary')}
    >
      <Sign size={16} aria-hidden="true" /> {isOver(attempt) ? t.attempts.again : t.attempts.goOn}
    </Link>
  );
}
