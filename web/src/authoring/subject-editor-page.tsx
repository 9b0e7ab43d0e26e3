import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, FlaskConical, Send, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { Kind } from '../api/kinds.ts';
import { Link } from '../routing/link.tsx';
import { navigate } from '../routing/place.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { Page } from '../ui/page.tsx';
import { Fetched } from '../ui/states.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { FilesCard } from './files-card.tsx';
import { RunningStates } from './running-states.tsx';
import { SaveBar } from './save-bar.tsx';
import { SettingsCard } from './settings-card.tsx';
import { callsOf, type Subject } from './subject-calls.ts';
import { DeleteSubject, StatusBadge } from './subject-list-page.tsx';
import { subjectQuery } from './subject-queries.ts';
import { TaskSection } from './task-section.tsx';
import { TrialPanel } from './trial-panel.tsx';
import { type SubjectEditor, useSubjectEditor } from './use-subject-editor.ts';
import { type TrialRun, useTrial } from './use-trial.ts';

/** The editor of an exam or a laboratory: settings, tasks with their scripts, trial, publication. */
export function SubjectEditorPage({ kind, id }: { kind: Kind; id: number }) {
  const t = useStrings();
  const subject = useQuery(subjectQuery(kind, id));
  if (subject.data) return <Editor key={id} kind={kind} saved={subject.data} />;
  return (
    <Page title={t.authoring.kinds[kind].untitled} lead={<BackLink kind={kind} />}>
      <Fetched query={subject}>{() => null}</Fetched>
    </Page>
  );
}

function Editor({ kind, saved }: { kind: Kind; saved: Subject }) {
  const t = useStrings();
  const editor = useSubjectEditor(kind, saved);
  const trial = useTrial(editor);
  const panel = useTrialInView(trial);
  useFirstProblemInView(editor);
  return (
    <Page
      title={saved.title || t.authoring.kinds[kind].untitled}
      lead={
        <span className="flex flex-wrap items-center gap-3">
          <BackLink kind={kind} />
          <StatusBadge isActive={saved.is_active} />
        </span>
      }
      actions={<Actions {...{ editor, trial }} />}
    >
      <RunningStates kind={kind} id={saved.id} />
      <SettingsCard editor={editor} />
      <FilesCard editor={editor} />
      <TaskSection editor={editor} trial={trial} onTryTask={trial.tryTask} />
      <div ref={panel} tabIndex={-1} className="scroll-my-4 rounded-lg">
        <TrialPanel trial={trial} />
      </div>
      <SaveBar editor={editor} />
    </Page>
  );
}

/** Scrolls to the trial and focuses it when it begins. Does so again for its result, unless the user has moved on. */
function useTrialInView({ state: { status } }: TrialRun) {
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = panel.current;
    if (!element || status === 'none') return;
    if (status === 'running') element.focus({ preventScroll: true });
    const { activeElement } = document;
    if (activeElement === document.body || element.contains(activeElement)) element.scrollIntoView({ block: 'start' });
  }, [status]);
  return panel;
}

/** Moves the focus to the first field that has to be corrected. */
function useFirstProblemInView({ refusals }: SubjectEditor): void {
  useEffect(() => {
    if (refusals === 0) return;
    // In the next frame the task with the problem is shown.
    const frame = requestAnimationFrame(() => document.querySelector<HTMLElement>('main [aria-invalid=true]')?.focus());
    return () => cancelAnimationFrame(frame);
  }, [refusals]);
}

function BackLink({ kind }: { kind: Kind }) {
  const t = useStrings();
  return (
    <Link
      to={kind === 'exam' ? '/administration/exams' : '/administration/laboratories'}
      className="inline-flex items-center gap-1 text-sm text-ink-soft hover:text-ink"
    >
      <ArrowLeft size={16} aria-hidden="true" /> {t.authoring.subject.toList(t.authoring.kinds[kind].listTitle)}
    </Link>
  );
}

function Actions({ editor, trial }: { editor: SubjectEditor; trial: TrialRun }) {
  const t = useStrings();
  const words = t.authoring.subject;
  const toasts = useToasts();
  const [asking, setAsking] = useState<'retire' | 'delete'>();
  const { kind, saved, draft } = editor;
  const isBusy = trial.isRunning || editor.isSaving;
  const close = (): void => setAsking(undefined);
  const retire = async (): Promise<void> => {
    await callsOf[kind].update(saved.id, { is_active: false });
    await editor.refresh();
    toasts.done(words.retired(saved.title));
  };
  const publish = (): void => {
    if (draft.tasks.length === 0) toasts.tell(words.noTasksToPublish);
    else trial.publish();
  };
  return (
    <>
      <Button disabled={isBusy || draft.tasks.length === 0} onClick={trial.tryAll}>
        <FlaskConical size={16} aria-hidden="true" /> {t.authoring.trial.tryAll}
      </Button>
      {saved.is_active ? (
        <Button disabled={isBusy} onClick={() => setAsking('retire')}>
          {words.retire}
        </Button>
      ) : (
        <Button look="primary" disabled={isBusy} onClick={publish} title={words.publishHelp}>
          <Send size={16} aria-hidden="true" /> {words.publish}
        </Button>
      )}
      <IconButton
        size="normal"
        label={words.deleteNamed(saved.title)}
        disabled={isBusy}
        onClick={() => setAsking('delete')}
      >
        <Trash2 size={18} aria-hidden="true" />
      </IconButton>
      <Confirm
        title={words.retireTitle(saved.title)}
        action={words.retire}
        isOpen={asking === 'retire'}
        onOpenChange={(isOpen) => !isOpen && close()}
        onConfirm={retire}
      >
        <p>{t.authoring.kinds[kind].retireHelp}</p>
      </Confirm>
      {asking === 'delete' && (
        <DeleteSubject
          kind={kind}
          subject={saved}
          onClose={close}
          onDone={() =>
            navigate({
              to: kind === 'exam' ? '/administration/exams' : '/administration/laboratories',
              ignoreBlocker: true,
            })
          }
        />
      )}
    </>
  );
}
