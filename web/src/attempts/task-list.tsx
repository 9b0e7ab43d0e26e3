import { ChevronDown, CircleCheck, CircleDashed, Flag, Lightbulb, Lock } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Kind } from '../api/kinds.ts';
import { ReportTask } from '../help/reports.tsx';
import { Prose } from '../markdown/prose.tsx';
import { useStrings } from '../strings/use-strings.tsx';
import type { Task } from '../teaching-model/assessments.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { ProgressBar } from '../ui/card.tsx';
import { classes } from '../ui/classes.ts';
import { rememberedInTab, rememberInTab } from '../ui/remember.ts';
import { CheckOutput } from './check-output.tsx';
import type { Marks } from './marks.ts';
import type { Result } from './queries.ts';
import { VerdictBadge } from './verdict-badge.tsx';

/** Where the title of a task is. */
export const taskTitleId = (taskId: number): string => `task-${taskId}`;

/**
 * The tasks of an attempt. Progress is of one kind: in an exam the user's own ticks, in a laboratory what has passed its last check.
 * @param attemptId whose shown hints are remembered
 */
export function TaskList({
  kind,
  assessmentId,
  attemptId,
  tasks,
  flags,
  isDone,
  onTick,
  onFlag,
  onFocus,
  results,
  answerOf,
}: {
  kind: Kind;
  assessmentId: number;
  attemptId: number;
  tasks: readonly Task[];
  flags: Marks;
  isDone: (task: Task) => boolean;
  onTick: (taskId: number, isDone: boolean) => void;
  onFlag: (taskId: number, isFlagged: boolean) => void;
  onFocus: (taskId: number) => void;
  results: readonly Result[];
  /** Where the task is answered. */
  answerOf: (task: Task) => ReactNode;
}) {
  const t = useStrings();
  const done = tasks.filter(isDone).length;
  const doneText =
    kind === 'exam' ? t.attempts.doneCount(done, tasks.length) : t.laboratories.passedCount(done, tasks.length);
  return (
    <section className="flex flex-col gap-3">
      <div className="flex flex-col gap-1.5">
        <div className="flex flex-wrap items-baseline justify-between gap-x-3">
          <h2 className="text-lg font-semibold">{t.attempts.tasks}</h2>
          <p className="text-sm text-ink-soft">{doneText}</p>
        </div>
        <ProgressBar value={tasks.length === 0 ? 0 : (done / tasks.length) * 100} label={doneText} />
        <p className="text-xs text-ink-soft">{kind === 'exam' ? t.attempts.ticksHelp : t.laboratories.passedHelp}</p>
      </div>
      <ol className="flex flex-col gap-3">
        {tasks.map((task, index) => (
          <li key={task.id} onFocus={() => onFocus(task.id)}>
            {task.is_locked ? (
              <LockedTask task={task} number={index + 1} />
            ) : (
              <TaskCard
                task={task}
                number={index + 1}
                isDone={isDone(task)}
                isFlagged={flags.has(task.id)}
                onTick={kind === 'exam' ? (next) => onTick(task.id, next) : undefined}
                onFlag={(next) => onFlag(task.id, next)}
                result={results.find(({ task_id }) => task_id === task.id)}
                answer={answerOf(task)}
                hintName={`hint-${attemptId}-${task.id}`}
                report={<ReportTask {...{ kind, assessmentId, task }} />}
              />
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

/** A task whose text is not shown yet. */
function LockedTask({ task: { id, title, points }, number }: { task: Task; number: number }) {
  const t = useStrings();
  return (
    <article aria-labelledby={taskTitleId(id)} className="flex flex-col gap-1 panel p-4 text-sm">
      <div className="flex items-start gap-2">
        <Lock size={16} aria-hidden="true" className="mt-0.5 shrink-0 text-ink-soft" />
        <h3 id={taskTitleId(id)} tabIndex={-1} className="min-w-0 flex-1 font-medium whitespace-pre-line text-ink-soft">
          {number}. {title}
        </h3>
        <span className="shrink-0 text-ink-soft tabular-nums">{t.common.points(points)}</span>
      </div>
      <p className="text-ink-soft">{t.attempts.locked}</p>
    </article>
  );
}

function TaskCard({
  task: { id, title, description, points, hint },
  number,
  isDone,
  isFlagged,
  onTick,
  onFlag,
  result,
  answer,
  hintName,
  report,
}: {
  task: Task;
  number: number;
  isDone: boolean;
  isFlagged: boolean;
  /** Undefined where the checks tell what is done. */
  onTick: ((isDone: boolean) => void) | undefined;
  onFlag: (isFlagged: boolean) => void;
  result: Result | undefined;
  answer: ReactNode;
  hintName: string;
  report: ReactNode;
}) {
  const t = useStrings();
  const [isOpen, setOpen] = useState(!isDone);
  const Sign = isDone ? CircleCheck : CircleDashed;
  return (
    <article aria-labelledby={taskTitleId(id)} className="panel">
      <div className="flex items-start gap-1 p-2">
        {onTick ? (
          <label className="flex size-9 shrink-0 cursor-pointer items-center justify-center rounded-md hover:bg-sunken">
            <span className="sr-only">{t.attempts.markDone(title)}</span>
            <input
              type="checkbox"
              className="size-4.5 accent-accent"
              checked={isDone}
              onChange={({ target }) => {
                onTick(target.checked);
                setOpen(!target.checked);
              }}
            />
          </label>
        ) : (
          <span className="flex size-9 shrink-0 items-center justify-center">
            <Sign size={18} aria-hidden="true" className={isDone ? 'text-good' : 'text-ink-soft'} />
          </span>
        )}
        <h3 className="min-w-0 flex-1 text-sm font-medium">
          <button
            type="button"
            id={taskTitleId(id)}
            aria-expanded={isOpen}
            aria-controls={`task-text-${id}`}
            onClick={() => setOpen(!isOpen)}
            className="flex min-h-9 w-full items-start gap-2 rounded-md px-1.5 py-2 text-left hover:bg-sunken"
          >
            <span className={classes('min-w-0 flex-1 whitespace-pre-line', isDone && 'text-ink-soft')}>
              {number}. {title}
            </span>
            <span className="shrink-0 font-normal text-ink-soft tabular-nums">{t.common.points(points)}</span>
            <ChevronDown
              size={18}
              aria-hidden="true"
              className={classes('shrink-0 text-ink-soft transition-transform', isOpen && 'rotate-180')}
            />
          </button>
        </h3>
        <IconButton
          label={t.attempts.flag(title)}
          aria-pressed={isFlagged}
          className="min-h-9 aria-pressed:bg-warn-soft aria-pressed:text-warn"
          onClick={() => onFlag(!isFlagged)}
        >
          <Flag size={16} aria-hidden="true" className={isFlagged ? 'fill-current' : ''} />
        </IconButton>
      </div>
      {result && (
        <div className="flex flex-col gap-1 px-4 pb-3">
          <p>
            <VerdictBadge result={result} />
          </p>
          <CheckOutput result={result} />
        </div>
      )}
      <div id={`task-text-${id}`} hidden={!isOpen} className="px-4 pb-4">
        <Prose text={description ?? ''} />
        {answer}
        {hint && <Hint text={hint} name={hintName} />}
        {report}
      </div>
    </article>
  );
}

/** A hint that was shown stays, also after a reload. @param name under which the tab remembers it */
function Hint({ text, name }: { text: string; name: string }) {
  const t = useStrings();
  const [isShown, setShown] = useState(() => rememberedInTab(name) !== null);
  const box = useRef<HTMLElement>(null);
  const show = (): void => {
    rememberInTab(name, 'shown');
    flushSync(() => setShown(true));
    box.current?.focus({ preventScroll: true });
  };
  if (!isShown)
    return (
      <Button size="small" className="mt-3" onClick={show}>
        <Lightbulb size={15} aria-hidden="true" /> {t.attempts.hint}
      </Button>
    );
  return (
    <aside
      ref={box}
      aria-label={t.attempts.hintTitle}
      tabIndex={-1}
      className="mt-3 rounded-md border border-info bg-info-soft p-3 outline-none"
    >
      <p className="mb-1 flex items-center gap-1.5 text-sm font-medium text-info">
        <Lightbulb size={15} aria-hidden="true" /> {t.attempts.hintTitle}
      </p>
      <Prose text={text} />
    </aside>
  );
}
