import { CircleDashed, LoaderCircle } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useStrings } from '../strings/use-strings.tsx';
import { Card, ProgressBar } from '../ui/card.tsx';
import type { Attempt } from './queries.ts';
import type { Task } from './subject.ts';
import { VerdictBadge } from './verdict-badge.tsx';

/** In place of the work while it is graded: each task's verdict as it comes. */
export function GradingPanel({
  attempt: { status, submitted_at, results, grading_error },
  tasks,
  isTimeOver,
}: {
  attempt: Attempt;
  tasks: readonly Task[];
  isTimeOver: boolean;
}) {
  const t = useStrings();
  const heading = useRef<HTMLHeadingElement>(null);
  // What had the keyboard is gone from the page.
  useEffect(() => heading.current?.focus(), []);
  // What an earlier check or a grading that failed found is no verdict of this one.
  const found = results.filter(
    ({ graded_at }) => status === 'grading' && submitted_at !== null && graded_at >= submitted_at,
  );
  const text = t.attempts.gradedCount(found.length, tasks.length);
  const next = tasks.find(({ id }) => found.every(({ task_id }) => task_id !== id));
  return (
    <div className="mx-auto flex w-full max-w-2xl flex-col gap-4 p-4 sm:p-6">
      <div role="status">
        <h2 ref={heading} tabIndex={-1} className="text-xl font-semibold outline-none">
          {isTimeOver ? t.attempts.overTitle : t.attempts.gradingTitle}
        </h2>
        <p className="mt-1 text-ink-soft">{isTimeOver ? t.attempts.overHelp : t.attempts.gradingHelp}</p>
        {grading_error && status === 'in_progress' && isTimeOver && (
          <p className="mt-2 text-warn">{t.attempts.overFailed}</p>
        )}
      </div>
      <ProgressBar value={tasks.length === 0 ? 0 : (found.length / tasks.length) * 100} label={text} />
      <p className="text-sm text-ink-soft">{text}</p>
      <Card className="p-0!">
        <ol className="divide-y">
          {tasks.map((task, index) => {
            const result = found.find(({ task_id }) => task_id === task.id);
            return (
              <li key={task.id} className="flex flex-wrap items-center justify-between gap-2 px-4 py-3 text-sm">
                <span className="min-w-0 flex-1">
                  {index + 1}. {task.title}
                </span>
                {result ? (
                  <VerdictBadge isPassed={result.passed} />
                ) : (
                  <span className="inline-flex items-center gap-1.5 text-ink-soft">
                    {task === next ? (
                      <LoaderCircle size={15} aria-hidden="true" className="animate-spin" />
                    ) : (
                      <CircleDashed size={15} aria-hidden="true" />
                    )}
                    {task === next ? t.attempts.checking : t.attempts.waiting}
                  </span>
                )}
              </li>
            );
          })}
        </ol>
      </Card>
    </div>
  );
}
