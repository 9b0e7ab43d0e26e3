import { useBlocker } from '@tanstack/react-router';
import { CircleX, LoaderCircle } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { leavesPage } from '../../routing/router.ts';
import { useStrings } from '../../strings/use-strings.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm, Dialog } from '../../ui/dialog.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { reportOfRefusal, type Trial } from './assessment-calls.ts';
import { hasChangedChecks } from './draft.ts';
import { RunningStates } from './running-states.tsx';
import { SetupProblemCard, useProblemWords } from './task-trial.tsx';
import { type AssessmentEditor, IncompleteDraft } from './use-editor.ts';

/** Shown at the bottom of the page while there are unsaved changes. Asks for a confirmation before the page is left. */
export function SaveBar({ editor }: { editor: AssessmentEditor }) {
  const { isDirty, isSaving, save, discard, saved, draft, form, kept } = editor;
  const t = useStrings();
  const words = t.authoring.assessment;
  const toasts = useToasts();
  const [isDiscarding, setDiscarding] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const blocker = useBlocker({ shouldBlockFn: leavesPage, disabled: !isDirty, withResolver: true });
  const saveAll = async (): Promise<void> => {
    try {
      await save();
      toasts.done(t.common.saved);
    } catch (error) {
      if (error instanceof IncompleteDraft) toasts.inform(words.correctFirst);
      else toasts.failed(error);
    }
  };
  const saveOrAsk = async (): Promise<void> => {
    const isRisky = saved.is_active && hasChangedChecks(draft, saved);
    // Fields that must be corrected are reported first.
    if (isRisky && (await form.trigger())) setAsking(true);
    else await saveAll();
  };
  return (
    <>
      {isDirty && (
        <section
          aria-label={words.unsaved}
          className="sticky bottom-3 z-20 flex flex-wrap items-center gap-2 rounded-lg border border-warn bg-raised px-4 py-3 shadow-lg"
        >
          <p className="mr-auto text-sm font-medium text-warn">{words.unsaved}</p>
          <Button disabled={isSaving} onClick={() => setDiscarding(true)}>
            {words.discard}
          </Button>
          <Button look="primary" isBusy={isSaving} onClick={() => void saveOrAsk()}>
            {t.common.save}
          </Button>
        </section>
      )}
      {isAsking && (
        <PublishedSave
          editor={editor}
          onClose={() => setAsking(false)}
          onSaved={() => {
            setAsking(false);
            toasts.done(t.common.saved);
          }}
          onSaveUntried={() => {
            setAsking(false);
            void saveAll();
          }}
        />
      )}
      <Confirm
        title={words.discardTitle}
        action={words.discard}
        isOpen={isDiscarding}
        onOpenChange={setDiscarding}
        onConfirm={async () => {
          discard();
          kept.drop();
        }}
      >
        <p>{words.discardHelp}</p>
      </Confirm>
      <Confirm
        title={words.leaveTitle}
        action={words.leave}
        isOpen={blocker.status === 'blocked'}
        onOpenChange={(isOpen) => !isOpen && blocker.reset?.()}
        onConfirm={async () => {
          kept.drop();
          blocker.proceed?.();
        }}
      >
        <p>{words.leaveHelp}</p>
      </Confirm>
    </>
  );
}

type State = { name: 'trying' } | { name: 'refused'; report: Trial } | { name: 'failed'; error: unknown };

/** Saves changes of something published: tries them first. Attempts that run are not affected. */
function PublishedSave({
  editor,
  onClose,
  onSaved,
  onSaveUntried,
}: {
  editor: AssessmentEditor;
  onClose: () => void;
  onSaved: () => void;
  /** Saves although the trial has failed. */
  onSaveUntried: () => void;
}) {
  const t = useStrings();
  const words = t.authoring.published;
  const [state, setState] = useState<State>({ name: 'trying' });
  const running = useRef<AbortController>(undefined);
  const publish = async (): Promise<void> => {
    const run = new AbortController();
    running.current = run;
    setState({ name: 'trying' });
    try {
      await editor.publish(run.signal);
      if (!run.signal.aborted) onSaved();
    } catch (error) {
      if (run.signal.aborted) return;
      const report = await reportOfRefusal(editor.door, editor.kind, editor.saved.id, error, run.signal);
      if (run.signal.aborted) return;
      setState(report ? { name: 'refused', report } : { name: 'failed', error });
    }
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the draft cannot change below the dialog
  useEffect(() => {
    void publish();
    return () => running.current?.abort();
  }, []);
  return (
    <Dialog title={words.title} isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <div className="flex flex-col gap-4 text-sm">
        <RunningStates kind={editor.kind} id={editor.saved.id} />
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
            <ProblemNote error={state.error} retry={() => void publish()} />
          </>
        )}
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>{t.common.cancel}</Button>
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
