import { CircleAlert, CircleCheck, CircleX, Square } from 'lucide-react';
import { useEffect, useState } from 'react';
import { isRefusal, noContainerCodes } from '../../api/problem.ts';
import { useFormat, useStrings } from '../../strings/use-strings.tsx';
import type { TaskKind } from '../../teaching-model/assessments.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import type { TaskDraft } from './draft.ts';
import { SetupProblemCard, TaskTrialCard, useProblemWords } from './task-trial.tsx';
import type { TrialRun, TrialState } from './use-trial.ts';

/** The result of the last trial, or the duration of the current one. */
export function TrialPanel({ trial: { state, stop }, tasks }: { trial: TrialRun; tasks: readonly TaskDraft[] }) {
  const t = useStrings();
  return (
    <Card className="flex flex-col gap-4 p-5">
      <div>
        <h2 className="text-lg font-semibold">{t.authoring.trial.title}</h2>
        <p className="mt-1 max-w-prose text-sm text-ink-soft">{t.authoring.trial.help}</p>
      </div>
      <div role="status" aria-live="polite" className="flex flex-col gap-4 empty:hidden">
        {state.status === 'running' && <Running isPublishing={state.isPublishing} onStop={stop} />}
        {state.status === 'stopped' && <p className="text-sm text-ink-soft">{t.authoring.trial.stopped}</p>}
        {state.status === 'done' && <Summary isOk={state.report.is_ok} milliseconds={state.milliseconds} />}
      </div>
      <Outcome state={state} tasks={tasks} />
    </Card>
  );
}

function Running({ isPublishing, onStop }: { isPublishing: boolean; onStop: () => void }) {
  const t = useStrings();
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const begin = performance.now();
    const timer = setInterval(() => setSeconds(Math.floor((performance.now() - begin) / 1000)), 1000);
    return () => clearInterval(timer);
  }, []);
  const words = isPublishing ? t.authoring.trial.publishing : t.authoring.trial.running;
  return (
    <div className="flex flex-wrap items-center gap-3 rounded-md bg-info-soft px-4 py-3 text-sm">
      {/* The seconds are visual only: a screen reader would announce each one. */}
      <p className="flex-1 animate-pulse font-medium text-info" aria-hidden="true">
        {words(seconds)}
      </p>
      <span className="sr-only">{words(0)}</span>
      <Button size="small" onClick={onStop}>
        <Square size={14} aria-hidden="true" /> {t.authoring.trial.stop}
      </Button>
    </div>
  );
}

function Summary({ isOk, milliseconds }: { isOk: boolean; milliseconds: number }) {
  const t = useStrings();
  const format = useFormat();
  return (
    <p
      className={`flex flex-wrap items-center gap-2 rounded-md px-4 py-3 text-sm ${isOk ? 'bg-good-soft text-good' : 'bg-bad-soft text-bad'}`}
    >
      {isOk ? <CircleCheck size={18} aria-hidden="true" /> : <CircleX size={18} aria-hidden="true" />}
      <strong>{isOk ? t.authoring.trial.allGood : t.authoring.trial.somethingWrong}</strong>
      <span className="text-ink-soft">{t.authoring.trial.took(format.number(milliseconds / 1000))}</span>
    </p>
  );
}

/** The kind of a task. One that is not saved yet has its place among the new ones as a negative id. */
const kindIn = (tasks: readonly TaskDraft[], taskId: number): TaskKind =>
  (taskId < 0 ? tasks.filter(({ id }) => id === undefined)[-1 - taskId] : tasks.find(({ id }) => id === taskId))
    ?.kind ?? 'check';

function Outcome({ state, tasks }: { state: TrialState; tasks: readonly TaskDraft[] }) {
  const t = useStrings();
  const problemWords = useProblemWords();
  if (state.status === 'done') {
    const { setup, problem_code } = state.report;
    if (setup) return <SetupProblemCard {...setup} />;
    if (problem_code === 'no_tasks') return <p className="text-sm text-bad">{t.authoring.assessment.noTasks}</p>;
    return (
      <ul className="flex flex-col gap-3">
        {state.report.tasks.map((task) => (
          <li key={task.task_id}>
            <TaskTrialCard trial={task} kind={kindIn(tasks, task.task_id)} />
          </li>
        ))}
      </ul>
    );
  }
  if (state.status === 'refused') {
    if (state.setup) return <SetupProblemCard {...state.setup} />;
    return (
      <div role="alert" className="rounded-md border border-bad bg-bad-soft px-4 py-3 text-sm">
        <p className="flex items-center gap-2 font-semibold text-bad">
          <CircleX size={18} aria-hidden="true" /> {t.authoring.assessment.refusedTitle}
        </p>
        <ul className="mt-2 flex list-disc flex-col gap-1 pl-6">
          {state.refusals.map((task) => (
            <li key={task.task_id}>
              <strong>{task.title}</strong>: {problemWords(task)}
            </li>
          ))}
        </ul>
      </div>
    );
  }
  if (state.status !== 'failed') return null;
  const { error } = state;
  if (!isRefusal(error, ...noContainerCodes)) return <ProblemNote error={error} />;
  return (
    <div role="alert" className="rounded-md border border-warn bg-warn-soft px-4 py-3 text-sm">
      <p className="flex items-center gap-2 font-semibold text-warn">
        <CircleAlert size={18} aria-hidden="true" /> {t.authoring.trial.busyTitle}
      </p>
      <p className="mt-1">
        {t.authoring.trial.busyHelp} <span className="text-ink-soft">({error.message})</span>
      </p>
    </div>
  );
}
