import { CircleAlert, CircleCheck, LoaderCircle } from 'lucide-react';
import { useCallback, useId, useSyncExternalStore } from 'react';
import type { Kind } from '../../api/kinds.ts';
import { useStrings } from '../../strings/use-strings.tsx';
import type { Task } from '../../teaching-model/assessments.ts';
import { Button } from '../../ui/button.tsx';
import { ProblemNote, useProblemText } from '../../ui/problem-note.tsx';
import { Skeleton } from '../../ui/states.tsx';
import type { AnswerState, AnswerStore } from './answer-store.ts';
import { answerKinds } from './kinds.ts';
import { type Answers, answerFilePath } from './queries.ts';

/** Where a student answers a task, and whether the service has the answer. Nothing for a check. */
export function TaskAnswer({
  kind,
  attemptId,
  task,
  titleId,
  answers: { store, isLoaded, error, retry },
  isReadOnly,
}: {
  kind: Kind;
  attemptId: number;
  task: Task;
  /** The id of the element that names the task. */
  titleId: string;
  answers: Answers;
  isReadOnly: boolean;
}) {
  const { onChange, onLeave } = useChanges(store, task.id);
  const state = useSyncExternalStore(
    store.subscribe,
    useCallback(() => store.stateOf(task.id), [store, task.id]),
  );
  const stateId = useId();
  const { answers: words } = useStrings();
  const Input = answerKinds[task.kind]?.Input;
  if (!Input) return null;
  if (task.path)
    return (
      <p className="mt-3 text-sm">
        {words.collected} <code className="break-all">{task.path}</code>
      </p>
    );
  if (error) return <ProblemNote error={error} retry={retry} />;
  if (!isLoaded) return <Skeleton className="mt-3 h-10" />;
  return (
    <div className="mt-3 flex flex-col gap-1.5">
      <Input
        {...{ task, state, onChange, onLeave, isReadOnly }}
        control={{ 'aria-labelledby': titleId, 'aria-describedby': stateId }}
        filePath={answerFilePath(kind, attemptId, task.id)}
      />
      <SaveState id={stateId} state={state} onRetry={onLeave} />
    </div>
  );
}

function useChanges(store: AnswerStore, taskId: number) {
  return {
    onChange: (...[given, delay]: [Parameters<AnswerStore['change']>[1], number]) => store.change(taskId, given, delay),
    onLeave: () => void (store.stateOf(taskId).phase !== 'saved' && store.sendNow(taskId)),
  };
}

const signs = { changed: LoaderCircle, saving: LoaderCircle, saved: CircleCheck, failed: CircleAlert } as const;

function SaveState({ id, state: { phase, error }, onRetry }: { id: string; state: AnswerState; onRetry: () => void }) {
  const t = useStrings();
  const problemText = useProblemText();
  const words = t.answers;
  const Sign = phase === 'none' ? undefined : signs[phase];
  const hasFailed = phase === 'failed';
  return (
    <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1 text-xs text-ink-soft">
      <p id={id} className={hasFailed ? 'flex items-center gap-1.5 text-bad' : 'flex items-center gap-1.5'}>
        {Sign && <Sign size={14} aria-hidden="true" className={phase === 'saved' ? 'text-good' : ''} />}
        {phase === 'none' ? words.unanswered : phase === 'saved' ? words.saved : !hasFailed && words.saving}
        {/* Announced, as what is saved at every pause is not. */}
        <span role="status">{hasFailed && words.notSaved(problemText(error))}</span>
      </p>
      {hasFailed && (
        <Button size="small" onClick={onRetry}>
          {t.common.retry}
        </Button>
      )}
    </div>
  );
}
