import { useQuery } from '@tanstack/react-query';
import { CircleCheck, CircleDashed, CircleSlash2, CircleX } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { ShownAnswer } from '../attempts/answers/shown-answer.tsx';
import { AwaitingBadge } from '../attempts/awaiting.tsx';
import { outcomeOf } from '../attempts/status.ts';
import { useRemarkText } from '../attempts/use-remark-text.ts';
import { Prose } from '../markdown/prose.tsx';
import { useStrings } from '../strings/use-strings.tsx';
import { assessmentQuery, type Task } from '../teaching-model/assessments.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Decisions } from './decisions.tsx';
import type { Attempt } from './queries.ts';

/** The number of files that are shown initially. */
const fewFiles = 10;
/** The look of what a check printed. */
export const output =
  'max-h-96 overflow-auto rounded-md bg-sunken p-3 font-mono text-xs whitespace-pre-wrap break-words';

/** The tasks of an attempt in their order, those with results first: the text and the check of each beside its output. */
export function AttemptTasks({ attempt }: { attempt: Attempt }) {
  const { id: attemptId, kind, exam_id, laboratory_id, results, state } = attempt;
  const t = useStrings();
  const id = exam_id ?? laboratory_id;
  // An old attempt without a state is shown with the tasks of today. They may be gone: then there are the results alone.
  const isOld = state === null && id !== null;
  const { data: assessment } = useQuery({ ...assessmentQuery(kind, id ?? 0), enabled: isOld, retry: false });
  const tasks: readonly StaffTask[] = state?.tasks ?? assessment?.tasks ?? [];
  const open = tasks.filter((task) => !results.some(({ task_id }) => task_id === task.id));
  if (results.length + open.length === 0) return null;
  return (
    <>
      {attempt.is_work_removed && <p className="text-sm text-ink-soft">{t.attempts.workRemoved}</p>}
      {state && <p className="text-sm text-ink-soft">{t.teaching.tasksAtStart}</p>}
      {!state && assessment && results.length > 0 && <p className="text-sm text-ink-soft">{t.teaching.tasksAsNow}</p>}
      <ol className="flex flex-col gap-3">
        {results.map((result, index) => (
          <li key={result.task_id}>
            <TaskCard
              {...{ kind, attemptId }}
              isWorkRemoved={attempt.is_work_removed}
              number={index + 1}
              result={result}
              task={tasks.find((task) => task.id === result.task_id)}
              decisions={<Decisions attempt={attempt} result={result} />}
            />
          </li>
        ))}
        {open.map((task, index) => (
          <li key={task.id}>
            <TaskCard {...{ kind, attemptId }} number={results.length + index + 1} task={task} />
          </li>
        ))}
      </ol>
    </>
  );
}

type StaffTask = Omit<Task, 'is_locked'> & { verification_script?: string };
type Result = Attempt['results'][number];

const icons = { none: CircleDashed, passed: CircleCheck, part: CircleSlash2, failed: CircleX } as const;
const colours = { none: 'text-ink-soft', passed: 'text-good', part: 'text-warn', failed: 'text-bad' } as const;

function TaskCard({
  kind,
  attemptId,
  isWorkRemoved = false,
  number,
  task,
  result,
  decisions,
}: {
  kind: Attempt['kind'];
  attemptId: number;
  isWorkRemoved?: boolean;
  number: number;
  task?: StaffTask | undefined;
  result?: Result;
  decisions?: ReactNode;
}) {
  const t = useStrings();
  const isAwaited = result?.is_awaiting_grading ?? false;
  const outcome = result && !isAwaited ? outcomeOf(result) : 'none';
  const Icon = icons[outcome];
  const words = { passed: t.teaching.passed, part: t.attempts.taskPassedInPart, failed: t.teaching.failed };
  const points = result?.points ?? task?.points ?? 0;
  return (
    <Card className="flex flex-col gap-3">
      <div className="flex items-start gap-3">
        <Icon size={20} aria-hidden="true" className={`shrink-0 ${colours[outcome]}`} />
        <h3 className="min-w-0 flex-1 font-medium break-words">
          {number}. {result?.title ?? task?.title}
          {outcome !== 'none' && <span className="sr-only">: {words[outcome]}</span>}
        </h3>
        {isAwaited && <AwaitingBadge />}
        <span className="text-sm whitespace-nowrap text-ink-soft tabular-nums">
          {result && !isAwaited ? t.teaching.scoreOf(result.points_earned, points) : t.common.points(points)}
        </span>
      </div>
      <div className={task ? 'grid grid-cols-1 items-start gap-4 xl:grid-cols-2' : ''}>
        {task && (
          <div className="flex min-w-0 flex-col gap-3">
            <Prose text={task.description ?? ''} />
            {task.verification_script && (
              <details>
                <summary className="text-sm text-ink-soft">{t.teaching.check}</summary>
                {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard */}
                <pre tabIndex={0} className={`mt-2 ${output}`}>
                  {task.verification_script}
                </pre>
              </details>
            )}
          </div>
        )}
        {result && !isWorkRemoved && (
          <ShownAnswer kind={kind} attemptId={attemptId} taskId={result.task_id}>
            <Output result={result} />
          </ShownAnswer>
        )}
        {!result && task && <ShownAnswer kind={kind} attemptId={attemptId} taskId={task.id} />}
      </div>
      {decisions}
    </Card>
  );
}

function Output({ result }: { result: Result }) {
  const t = useStrings();
  const remark = useRemarkText()(result);
  return (
    <div className="min-w-0">
      {remark && <p className="mb-2 text-sm text-ink-soft">{remark}</p>}
      <details open={!result.passed}>
        <summary className="text-sm text-ink-soft">{t.teaching.output}</summary>
        {result.output.trim() ? (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
          <pre tabIndex={0} className={`mt-2 ${output}`}>
            {result.output}
          </pre>
        ) : (
          <p className="mt-2 text-sm text-ink-soft">{t.teaching.noOutput}</p>
        )}
      </details>
    </div>
  );
}

/** System files that a student with root has changed. */
export function Integrity({ files }: { files: readonly string[] }) {
  const t = useStrings();
  const [isWhole, setWhole] = useState(false);
  if (files.length === 0) return <p className="text-sm text-ink-soft">{t.teaching.integrityNone}</p>;
  return (
    <>
      <p className="max-w-prose text-sm text-ink-soft">{t.teaching.integrityHelp}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard */}
      <ul tabIndex={0} className={output}>
        {(isWhole ? files : files.slice(0, fewFiles)).map((file) => (
          <li key={file}>{file}</li>
        ))}
      </ul>
      {files.length > fewFiles && !isWhole && (
        <div>
          <Button size="small" onClick={() => setWhole(true)}>
            {t.teaching.integrityMore(files.length)}
          </Button>
        </div>
      )}
    </>
  );
}
