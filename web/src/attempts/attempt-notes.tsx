import { Hourglass, RotateCcw } from 'lucide-react';
import { isRefusal, noContainerCodes, Problem } from '../api/problem.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import type { Attempt } from './active.ts';

/** Problems during the attempt, and what to do about them. */
export function AttemptNotes({
  attempt,
  submitError,
  checkError,
  wasStopped,
  isOverUnconfirmed,
  onSubmit,
}: {
  attempt: Attempt;
  submitError: unknown;
  checkError: unknown;
  wasStopped: boolean;
  /** The time is over by the clock of this page, and the service cannot be asked. */
  isOverUnconfirmed: boolean;
  onSubmit: () => void;
}) {
  const t = useStrings();
  // Shown after a reload as well, because the attempt itself records that its grading failed.
  const hasFailed = submitError !== null || (attempt.grading_error !== null && attempt.status === 'in_progress');
  if (!hasFailed && checkError === null && !wasStopped && !isOverUnconfirmed) return null;
  return (
    <div className="flex flex-col gap-2 border-b bg-surface p-3">
      {isOverUnconfirmed && (
        <p
          role="status"
          className="flex items-start gap-2 rounded-md border border-warn bg-warn-soft px-4 py-2 text-sm"
        >
          <Hourglass size={16} aria-hidden="true" className="mt-0.5 shrink-0 text-warn" /> {t.attempts.overUnconfirmed}
        </p>
      )}
      {hasFailed && <ProblemNote error={inWords(submitError, t.attempts.submitFailed)} retry={onSubmit} />}
      {checkError !== null && <ProblemNote error={inWords(checkError, t.laboratories.checkFailed)} />}
      {wasStopped && (
        <p
          role="status"
          className="flex items-start gap-2 rounded-md border border-warn bg-warn-soft px-4 py-2 text-sm"
        >
          <RotateCcw size={16} aria-hidden="true" className="mt-0.5 shrink-0 text-warn" /> {t.attempts.restarted}
        </p>
      )}
    </div>
  );
}

/** The message for a grading that failed part-way, in the user's language. Other errors are unchanged. */
function inWords(error: unknown, text: string): unknown {
  if (error === null) return new Problem(503, { words: text });
  return isRefusal(error, 'grading_failed', ...noContainerCodes) ? error.withText(text) : error;
}
