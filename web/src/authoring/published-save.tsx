import { CircleX, LoaderCircle, Users } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { isRefusal } from '../api/problem.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import type { Trial } from './subject-calls.ts';
import { SetupProblemCard, useProblemWords } from './task-trial.tsx';
import type { SubjectEditor } from './use-subject-editor.ts';

type State =
  | { name: 'trying' }
  /** Attempts have not ended, and nobody has agreed to what the changes do to them. */
  | { name: 'asking' }
  | { name: 'refused'; report: Trial }
  | { name: 'failed'; error: unknown };

/** Saves changes of something published: tries them first, and asks before they affect attempts that have not ended. */
export function PublishedSave({
  editor,
  onClose,
  onSaved,
  onSaveUntried,
}: {
  editor: SubjectEditor;
  onClose: () => void;
  onSaved: () => void;
  /** Saves although the trial has failed. */
  onSaveUntried: () => void;
}) {
  const t = useStrings();
  const words = t.authoring.published;
  const [state, setState] = useState<State>({ name: 'trying' });
  const [unfinished, setUnfinished] = useState(0);
  const running = useRef<AbortController>(undefined);
  const publish = async (isConfirmed: boolean): Promise<void> => {
    const run = new AbortController();
    running.current = run;
    setState({ name: 'trying' });
    try {
      await editor.publish(run.signal, isConfirmed);
      if (!run.signal.aborted) onSaved();
    } catch (error) {
      if (run.signal.aborted) return;
      if (isRefusal(error, 'attempts_unfinished')) {
        setUnfinished((error.body as { unfinished_attempts: number }).unfinished_attempts);
        setState({ name: 'asking' });
        return;
      }
      const { report } = isRefusal(error, 'trial_failed') ? (error.body as { report?: Trial }) : {};
      setState(report ? { name: 'refused', report } : { name: 'failed', error });
    }
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the draft cannot change below the dialog
  useEffect(() => {
    void publish(false);
    return () => running.current?.abort();
  }, []);
  return (
    <Dialog title={words.title} isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <div className="flex flex-col gap-4 text-sm">
        {unfinished > 0 && (
          <p className="flex items-start gap-2">
            <Users size={18} aria-hidden="true" className="mt-0.5 shrink-0 text-ink-soft" />
            <span>
              <strong>{words.unfinished(unfinished)}</strong> {words.effect}
            </span>
          </p>
        )}
        <div role="status" className="flex flex-col gap-2 empty:hidden">
          {state.name === 'trying' && (
            <p className="flex items-center gap-2 rounded-md bg-info-soft px-3 py-2 text-info">
              <LoaderCircle size={16} aria-hidden="true" className="shrink-0 animate-spin" /> {words.trying}
            </p>
          )}
          {state.name === 'refused' && <Problems report={state.report} />}
        </div>
        {state.name === 'failed' && (
          <>
            <p className="font-medium text-warn">{words.failed}</p>
            <ProblemNote error={state.error} retry={() => void publish(unfinished > 0)} />
          </>
        )}
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>{t.common.cancel}</Button>
          {state.name === 'asking' && (
            <Button look="primary" onClick={() => void publish(true)}>
              {words.tryAndSave}
            </Button>
          )}
          {(state.name === 'refused' || state.name === 'failed') && (
            <Button look="danger" onClick={onSaveUntried}>
              {words.saveAnyway}
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  );
}

function Problems({ report: { setup, tasks } }: { report: Trial }) {
  const words = useStrings().authoring.published;
  const problemWords = useProblemWords();
  return (
    <>
      <p className="font-medium text-bad">{words.notSaved}</p>
      {setup && <SetupProblemCard {...setup} />}
      <ul className="flex flex-col gap-2">
        {tasks
          .filter(({ problem }) => problem !== null)
          .map((trial) => (
            <li key={trial.task_id} className="rounded-md bg-bad-soft px-3 py-2">
              <p className="flex items-center gap-2 font-medium">
                <CircleX size={16} aria-hidden="true" className="shrink-0 text-bad" />
                {trial.title}
              </p>
              <p className="mt-1">{problemWords(trial)}</p>
            </li>
          ))}
      </ul>
    </>
  );
}
