import { CircleCheck, CircleDashed, LoaderCircle } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useStrings } from '../strings/use-strings.tsx';
import type { Task } from '../teaching-model/assessments.ts';
import { Card, ProgressBar } from '../ui/card.tsx';
import type { Attempt } from './active.ts';

/** Replaces the work during its grading and shows the progress. Verdicts are shown when all are available. */
export function GradingPanel({
  attempt: { status, submitted_at, graded_count, grading_error, needs_machine },
  tasks,
  isTimeOver,
  isUnreachable,
}: {
  attempt: Attempt;
  tasks: readonly Task[];
  isTimeOver: boolean;
  /** The page does not know what the service is doing. */
  isUnreachable: boolean;
}) {
  const t = useStrings();
  const heading = useRef<HTMLHeadingElement>(null);
  // The previously focused element no longer exists.
  useEffect(() => heading.current?.focus(), []);
  // A running practice check is not part of the submission.
  const done = status === 'grading' && submitted_at !== null ? Math.min(graded_count, tasks.length) : 0;
  const text = t.attempts.gradedCount(done, tasks.length);
  return (
    <div className="mx-auto flex w-full max-w-2xl flex-col gap-4 p-4 sm:p-6">
      <div role="status">
        <h2 ref={heading} tabIndex={-1} className="text-xl font-semibold outline-none">
          {isTimeOver ? t.attempts.overTitle : t.attempts.gradingTitle}
        </h2>
        <p className="mt-1 text-ink-soft">
          {isTimeOver
            ? isUnreachable
              ? t.attempts.overUnreachable
              : t.attempts.overHelp
            : needs_machine
              ? t.attempts.gradingHelp
              : t.answers.noMachine.gradingHelp}
        </p>
        {isUnreachable && !isTimeOver && <p className="mt-2 text-warn">{t.attempts.gradingUnreachable}</p>}
        {grading_error && status === 'in_progress' && isTimeOver && (
          <p className="mt-2 text-warn">{t.attempts.overFailed}</p>
        )}
      </div>
      <ProgressBar value={tasks.length === 0 ? 0 : (done / tasks.length) * 100} label={text} />
      <p className="text-sm text-ink-soft">{text}</p>
      <Card className="p-0!">
        <ol className="divide-y">
          {tasks.map((task, index) => (
            <li key={task.id} className="flex flex-wrap items-center justify-between gap-2 px-4 py-3 text-sm">
              <span className="min-w-0 flex-1 basis-40">
                {index + 1}. {task.title}
              </span>
              <Progress place={index - done} />
            </li>
          ))}
        </ol>
      </Card>
    </div>
  );
}

/** @param place of a task after the one that is being checked; negative where it has been checked */
function Progress({ place }: { place: number }) {
  const t = useStrings();
  const Sign = place < 0 ? CircleCheck : place === 0 ? LoaderCircle : CircleDashed;
  const text = place < 0 ? t.attempts.checked : place === 0 ? t.attempts.checking : t.attempts.waiting;
  return (
    <span className="inline-flex items-center gap-1.5 text-ink-soft">
      <Sign size={15} aria-hidden="true" className={place === 0 ? 'animate-spin' : ''} />
      {text}
    </span>
  );
}
