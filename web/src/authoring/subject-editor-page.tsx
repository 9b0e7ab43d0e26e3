import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { ArrowLeft, FlaskConical, Send, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { useStrings } from '../strings/use-strings.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { Page } from '../ui/page.tsx';
import { Fetched } from '../ui/states.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { SaveBar } from './save-bar.tsx';
import { SettingsCard } from './settings-card.tsx';
import { callsOf, type Kind, type Subject } from './subject-calls.ts';
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
  const panel = useRef<HTMLDivElement>(null);
  const showTrial = (run: () => void): void => {
    run();
    panel.current?.scrollIntoView({ block: 'nearest', behavior: 'smooth' });
  };
  return (
    <Page
      title={saved.title || t.authoring.kinds[kind].untitled}
      lead={
        <span className="flex flex-wrap items-center gap-3">
          <BackLink kind={kind} />
          <StatusBadge isActive={saved.is_active} />
        </span>
      }
      actions={<Actions {...{ editor, trial, showTrial }} />}
    >
      <SettingsCard editor={editor} />
      <TaskSection editor={editor} trial={trial} onTryTask={(key) => showTrial(() => trial.tryTask(key))} />
      <div ref={panel} className="scroll-my-4">
        <TrialPanel trial={trial} />
      </div>
      <SaveBar editor={editor} />
    </Page>
  );
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

function Actions({
  editor,
  trial,
  showTrial,
}: {
  editor: SubjectEditor;
  trial: TrialRun;
  showTrial: (run: () => void) => void;
}) {
  const t = useStrings();
  const words = t.authoring.subject;
  const navigate = useNavigate();
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
    else showTrial(trial.publish);
  };
  return (
    <>
      <Button disabled={isBusy || draft.tasks.length === 0} onClick={() => showTrial(trial.tryAll)}>
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
            void navigate({
              to: kind === 'exam' ? '/administration/exams' : '/administration/laboratories',
              ignoreBlocker: true,
            })
          }
        />
      )}
    </>
  );
}
