import { FlaskConical, Send, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { navigate } from '../../routing/location.ts';
import { useStrings } from '../../strings/use-strings.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { callsOf } from './assessment-calls.ts';
import { DeleteAssessment } from './list-page.tsx';
import type { AssessmentEditor } from './use-editor.ts';
import type { TrialRun } from './use-trial.ts';

/** What is done with an exam or a laboratory as a whole: trial, publication, deletion. */
export function AssessmentActions({ editor, trial }: { editor: AssessmentEditor; trial: TrialRun }) {
  const t = useStrings();
  const words = t.authoring.assessment;
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
    if (draft.tasks.length === 0) toasts.inform(words.noTasksToPublish);
    else trial.publish();
  };
  return (
    <>
      <Button disabled={isBusy} onClick={trial.tryAll}>
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
        <DeleteAssessment
          kind={kind}
          assessment={saved}
          onClose={close}
          onDone={() =>
            navigate(kind === 'exam' ? '/administration/exams' : '/administration/laboratories', {
              ignoreBlocker: true,
            })
          }
        />
      )}
    </>
  );
}
